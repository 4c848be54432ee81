#include "app/friction_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/still_scene.h"
#include "scene/pressure_friction.h"
#include "scene/strained_start.h"
#include "simulation/expected_speeds.h"
#include "simulation/known_pulls.h"

namespace traction {

namespace {

// A bound on the speeds of points that a motion of the scene moves [m/s]. `all`: where the bodies are.
double speed_within(const Eigen::AlignedBox3d& all, const Motion& motion, const Scene& scene) {
  return largest_speed(motion, scene.time.end, [&](const Vec3& center) { return (all.center() - center).norm() + all.sizes().norm(); });
}

// How fast things can slide on each other [m/s].
struct SlidingSpeed {
  double known = 0;            // twice the speeds at which they start or are moved, and the speed of their fall
  bool may_be_faster = false;  // loads, springs, gas or stored energy may drive them
};

// `all`: where the bodies are.
SlidingSpeed largest_sliding_speed(const Scene& scene, const std::vector<BodySummary>& bodies, const Eigen::AlignedBox3d& all) {
  SlidingSpeed largest;
  largest.may_be_faster = !scene.springs.empty() || !scene.joints.empty();
  double moved = 0, started = 0;
  const auto add = [&](const Motion& motion) { moved = std::max(moved, speed_within(all, motion, scene)); };
  for (const Obstacle& obstacle : scene.obstacles) add(obstacle.motion);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    largest.may_be_faster = largest.may_be_faster || !body.loads.empty() || !body.volumes.empty() || may_start_strained(body);
    for (const DrivenSettings& driven : body.driven) add(driven.motion);
    started = std::max(started, body.initial.velocity.norm() + body.initial.angular_velocity.norm() * bodies[b].extent.sizes().norm());
  }
  largest.known = 2 * (started + moved) + largest_gravity(scene) * scene.time.end;
  return largest;
}

struct PrescribedSpeed {
  double speed = 0;  // [m/s]; 0 if nothing is moved
  std::string what;
};

// The fastest of the sides of a contact that are moved from outside.
PrescribedSpeed fastest_prescribed(const Scene& scene, const ContactSettings& contact, const Eigen::AlignedBox3d& all) {
  PrescribedSpeed fastest;
  const auto look = [&](const std::string& name, const Motion& motion) {
    if (const double speed = speed_within(all, motion, scene); speed > fastest.speed && contact.names(name)) fastest = {speed, "'" + name + "'"};
  };
  for (const Obstacle& obstacle : scene.obstacles) look(obstacle.name, obstacle.motion);
  for (const Body& body : scene.bodies)
    for (const DrivenSettings& driven : body.driven) look(body.name, driven.motion);
  return fastest;
}

}  // namespace

std::vector<std::string> doubts_about_friction(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kLargestFriction = 5;   // rubber on a rough road has about 1
  constexpr double kSmallTolerance = 0.1;  // in parts of a prescribed speed
  std::vector<std::string> doubts;
  Eigen::AlignedBox3d all;
  for (const BodySummary& body : bodies) all.extend(body.extent);
  const SlidingSpeed fastest = largest_sliding_speed(scene, bodies, all);
  constexpr double kFastLoads = 1, kTimesKnown = 3;  // in m/s, and as a multiple of the known speed: speeds that loads and stored energy may well reach
  constexpr double kShareOfFall = 0.1;  // in parts of the speed of a fall by the bodies' size; smaller tolerances are no mistake, however short the run
  const double usual = all.isEmpty() ? 0 : kShareOfFall * std::sqrt(2 * largest_gravity(scene) * all.sizes().norm());
  const bool is_asynchronous = scene.time.integrator == Integrator::asynchronous;
  for (const ContactSettings& contact : scene.contacts) {
    if (is_asynchronous || !contact.friction || contact.friction->largest_coefficient() == 0) continue;
    const double tolerance = contact.friction->tolerance;
    const PrescribedSpeed moved = fastest_prescribed(scene, contact, all);
    if (!is_still(scene) && tolerance > std::max(fastest.known, usual) &&
        (!fastest.may_be_faster || tolerance > std::max(kFastLoads, kTimesKnown * std::max(fastest.known, usual))))
      doubts.push_back(
          fmt::format("{}: friction is fully developed above its tolerance of {:.4g} m/s, and nothing slides faster than {:.3g} m/s as the bodies start, are "
                      "moved and fall{}: friction stays too small. Give a tolerance far below the speeds of sliding",
                      contact.source.text, tolerance, fastest.known, fastest.may_be_faster ? ", unless loads or stored energy drive them faster" : ""));
    else if (const double part = moved.speed / tolerance; part > 0 && part < 1)
      doubts.push_back(
          fmt::format("{}: {} moves at no more than {:.3g} m/s, and friction is fully developed above its tolerance of {:.4g} m/s: where nothing else slides, "
                      "only {:.2g} % of the friction acts. Give a tolerance of {:.1g} m/s or less",
                      contact.source.text, moved.what, moved.speed, tolerance, 100 * part * (2 - part), kSmallTolerance * moved.speed));
  }
  const auto doubt_size = [&](const std::string& source, double coefficient) {
    if (coefficient > kLargestFriction)
      doubts.push_back(
          fmt::format("{}: a friction coefficient of {:.4g} is far above that of rubber on a road, which is about 1; if it is meant in percent, give {:.4g}",
                      source, coefficient, coefficient / 100));
  };
  for (const ContactSettings& contact : scene.contacts)
    if (contact.friction) doubt_size(contact.source.text, contact.friction->largest_coefficient());
  for (const PressureContactSettings& contact : scene.pressure_contacts)
    if (contact.friction) doubt_size(contact.source.text, contact.friction->largest_coefficient());
  for (const PressureFieldSettings& field : scene.pressure_fields) {
    if (!field.friction) continue;
    doubt_size(field.source.text, *field.friction);
    if (scene.has_pressure_contact(field.name) && !uses_friction_of(field.name, scene))
      doubts.push_back(
          fmt::format("{}: the friction of '{}' has no effect, because all of its contacts have a coefficient of their own; leave it out, or leave out theirs",
                      field.source.text, field.name));
  }
  return doubts;
}

}  // namespace traction
