#include "app/doubtful_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "app/doubtful_units.h"
#include "app/friction_doubts.h"
#include "app/material_stability.h"
#include "app/repeated_warnings.h"
#include "elements/volumetric_law.h"

namespace traction {

namespace {

using Doubts = std::vector<std::string>;

void append(Doubts& doubts, Doubts more) { std::move(more.begin(), more.end(), std::back_inserter(doubts)); }

bool takes_average(const SolidMaterialSettings& material) {
  bool takes = false;
  with_law(material.material, [&]<template <typename> typename Material>() { takes = HasVolumetricPart<Material<double>>; });
  return takes;
}

// Warns of gravity that pulls away from all planes, where nothing else could hold the bodies, or throw them there.
Doubts doubts_about_falling_up(const Scene& scene) {
  constexpr double kSteep = 0.5;  // cosine of the angle between gravity and a plane's normal
  std::vector<std::string> planes;
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto* plane = std::get_if<PlaneSettings>(&obstacle.shape);
    if (!plane || !obstacle.motion.empty() || !(scene.gravity.dot(plane->normal) > kSteep * scene.gravity.norm() * plane->normal.norm())) return {};
    planes.push_back(fmt::format("'{}'", obstacle.name));
  }
  const bool held = std::ranges::any_of(scene.bodies, [](const Body& body) { return !body.driven.empty() || !body.initial.velocity.isZero(0); });
  if (planes.empty() || held || !scene.joints.empty() || !scene.springs.empty()) return {};
  return {fmt::format(
      "gravity, ({:.4g}, {:.4g}, {:.4g}) m/s^2, pulls the bodies away from {}, whose normal points out of the ground; if it is to press them on it, "
      "change the sign of gravity",
      scene.gravity.x(), scene.gravity.y(), scene.gravity.z(), fmt::join(planes, ", "))};
}

Doubts doubts_about_damping(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kMany = 100;  // number of times that a velocity falls to 1/e in the run
  RepeatedWarnings warnings;
  const double gravity = scene.gravity.norm(), end = scene.time.end;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const auto& [mass, stiffness] = body.damping;
    const double size = bodies[b].extent.sizes().maxCoeff(), fastest = gravity / mass;
    if (gravity > 0 && body.driven.empty() && mass * end > kMany && fastest * end < size)
      warnings.add("drag", body.name,
                   fmt::format("bodies.{}.damping: with mass: {:.4g} per second the body falls no faster than {:.3g} m/s, and all its motion dies down in "
                               "{:.2g} s; if this is not meant, give a value far below {:.3g} per second, the inverse of the run's duration",
                               body.name, mass, fastest, 1 / mass, 1 / end));
    if (stiffness > end && !body.rigid)
      warnings.add("viscosity", body.name,
                   fmt::format("bodies.{}.damping: with stiffness: {:.4g} s the body takes some {:.4g} s to yield to a load, and the run ends at {:.4g} s: it "
                               "hardly deforms. Give a small part of the period of the vibrations that are to be damped",
                               body.name, stiffness, stiffness, end));
  }
  return warnings.messages();
}

Doubts doubts_about_times(const Scene& scene) {
  constexpr double kRounding = 1e-9;  // relative to a time
  Doubts doubts;
  const double end = scene.time.end;
  double shortest = std::numeric_limits<double>::infinity();
  for (const StepSettings& piece : scene.time.steps) shortest = std::min(shortest, piece.step);
  if (const double first = scene.time.steps.empty() ? 0 : scene.time.steps.front().step; first > end * (1 + kRounding))
    doubts.push_back(
        fmt::format("time.step is {:.6g} s, and the run ends at {:.6g} s: the run is a single step, cut to its end; give a shorter step", first, end));
  if (const auto& every = scene.output.every) {
    if (*every > end)
      doubts.push_back(fmt::format(
          "output.every is {:.6g} s, and the run ends at {:.6g} s: only the first frame is written; give a shorter time between frames", *every, end));
    if (*every < shortest * (1 - kRounding))
      doubts.push_back(
          fmt::format("output.every is {:.6g} s, below the time step of {:.6g} s: frames are written only at the ends of steps, one per step; give a longer "
                      "time, or shorten time.step",
                      *every, shortest));
  }
  return doubts;
}

// Warns of bodies that turn so far in a step that no integrator can follow them.
Doubts doubts_about_spins(const Scene& scene) {
  constexpr double kFarthest = std::numbers::pi / 4, kFollowed = 0.1;  // [rad] in a step
  RepeatedWarnings warnings;
  if (scene.time.steps.empty() || !scene.time.inertia) return {};
  const double step = scene.time.steps.front().step;
  for (const Body& body : scene.bodies)
    if (const double speed = body.initial.angular_velocity.norm(); speed * step > kFarthest)
      warnings.add("spin", body.name,
                   fmt::format("{}: an initial angular velocity of {:.4g} rad/s turns the body by {:.3g} rad in a step of {:.4g} s, which no integrator can "
                               "follow; give a time.step of {:.1g} s or less; if the angular velocity is in degrees per second, give {:.4g} rad/s",
                               body.initial.source.text, speed, speed * step, step, kFollowed / speed, speed * std::numbers::pi / 180));
  return warnings.messages();
}

// The largest square of the speed of waves in a body's elements [m^2/s^2].
double square_of_wave_speed(const Body& body) {
  double largest = 0;
  const auto look = [&](const auto& materials) {
    for (const auto& [region, material] : materials) largest = std::max(largest, material.youngs_modulus / material.density);
  };
  look(body.solid);
  look(body.shell);
  look(body.rod);
  return largest;
}

// Warns of a tolerance of Newton's method below the rounding of the velocities that are sought. Positions x are rounded by eps x, which changes the strain of
// an element of length l by eps x/l, its force per mass by c^2 eps x/l^2 with the speed of waves c, and a velocity by that times the step. Velocities
// themselves are rounded by eps v.
Doubts doubts_about_tolerance(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon() / 2, kFar = 10, kMargin = 10;
  if (!scene.time.inertia || scene.time.integrator == Integrator::asynchronous) return {};
  double step = 0, worst = 0;
  for (const StepSettings& piece : scene.time.steps) step = std::max(step, piece.step);
  std::size_t where = 0;
  const auto reach = [&](std::size_t b) { return std::max(bodies[b].extent.min().cwiseAbs().maxCoeff(), bodies[b].extent.max().cwiseAbs().maxCoeff()); };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].extent.isEmpty()) continue;
    double error = kRounding * scene.bodies[b].initial.velocity.norm();
    if (const double edge = bodies[b].mean_edge; edge > 0) error += square_of_wave_speed(scene.bodies[b]) * kRounding * reach(b) * step / (edge * edge);
    if (error > worst) worst = error, where = b;
  }
  if (!(scene.solver.tolerance < worst)) return {};
  const bool is_far = reach(where) > kFar * bodies[where].extent.sizes().maxCoeff();
  return {
      fmt::format("solver.tolerance is {:.3g} m/s, and rounding alone changes the velocities of body '{}' by some {:.1g} m/s in a step: Newton's method may "
                  "not get there, and steps are then halved for that reason alone. Give {:.0e} m/s or more{}",
                  scene.solver.tolerance, scene.bodies[where].name, worst, kMargin * worst,
                  is_far ? fmt::format(", or place the body nearer to the origin: it reaches {:.3g} m, and rounding grows with that", reach(where)) : "")};
}

// Warns of faces of ten-node tetrahedra that carry faces with corners alone. They are carried by the corners too, and a pressure on a quadratic face has next
// to no force there.
Doubts doubts_about_attached_faces(const Scene& scene, const std::vector<BodySummary>& bodies) {
  RepeatedWarnings warnings;
  const auto index_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find_if(scene.bodies, [&](const Body& body) { return body.name == name; }) - scene.bodies.begin());
  };
  for (const AttachmentSettings& attachment : scene.attachments) {
    const std::size_t attached = index_of(attachment.vertices.body), carrier = index_of(attachment.to.body);
    if (attachment.stiffness || attached >= bodies.size() || carrier >= bodies.size()) continue;
    const bool has_faces = !scene.bodies[attached].solid.empty() || !scene.bodies[attached].shell.empty();
    if (!has_faces || bodies[attached].quadratics > 0 || bodies[carrier].quadratics == 0) continue;
    warnings.add("faces", attachment.name,
                 fmt::format("{}: the ten-node tetrahedra of '{}' carry faces of '{}' at their corners alone, and give way between them: the connection is too "
                             "soft, and stresses beside it are wrong until the mesh is fine. Give both bodies the same 'order', or attach '{}' to '{}'",
                             attachment.source.text, attachment.to.body, attachment.vertices.body, attachment.to.body, attachment.vertices.body));
  }
  return warnings.messages();
}

// Warns of things that begin after the end of the run, which --set may have shortened, and of tables of loads of which only the beginning is used.
Doubts doubts_about_late_motions(const Scene& scene) {
  constexpr double kLong = 10;  // times the duration of the run
  Doubts doubts;
  const double end = scene.time.end;
  const auto look = [&](const std::string& source, const Motion& motion) {
    for (const MotionSettings& each : motion)
      if (each.start >= end)
        doubts.push_back(fmt::format("{}: its motion begins at {:.6g} s, and the run ends at {:.6g} s: nothing moves; end later, or start earlier", source,
                                     each.start, end));
      else if (each.ramp > kLong * end)
        doubts.push_back(fmt::format("{}: its motion takes {:.6g} s to get up to speed, and the run ends at {:.6g} s: it hardly begins; 'ramp' is in s", source,
                                     each.ramp, end));
  };
  for (const Obstacle& obstacle : scene.obstacles) look(obstacle.source.text, obstacle.motion);
  for (const Body& body : scene.bodies) {
    for (const DrivenSettings& driven : body.driven) look(driven.source.text, driven.motion);
    for (const LoadSettings& load : body.loads) {
      if (load.over.size() > 1 && load.over.front().time < end && load.over.back().time > kLong * end)
        doubts.push_back(
            fmt::format("{}: its table 'over' extends to {:.6g} s, and the run ends at {:.6g} s: most of the table is not used; its times are in s",
                        load.source.text, load.over.back().time, end));
      if (load.over.size() > 1 && load.over.front().time >= end)
        doubts.push_back(
            fmt::format("{}: its table 'over' begins at {:.6g} s, and the run ends at {:.6g} s: only its first factor, {:.6g}, acts; correct its times",
                        load.source.text, load.over.front().time, end, load.over.front().factor));
    }
  }
  return doubts;
}

// Warns of output fields of elements that no body has.
Doubts doubts_about_fields(const Scene& scene) {
  const auto some = [&](const auto& member) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return !(body.*member).empty(); });
  };
  const bool shells = some(&Body::shell), rods = some(&Body::rod);
  Doubts doubts;
  for (const OutputField field : scene.output.fields) {
    const bool is_of_shells = field == OutputField::tension || field == OutputField::bending_moment;
    const bool is_of_rods = field == OutputField::axial_force || field == OutputField::curvature || field == OutputField::twist;
    if ((is_of_shells && !shells) || (is_of_rods && !rods))
      doubts.push_back(fmt::format("output.fields: '{}' is a field of {}, which the scene does not have, so it is zero everywhere; leave it out",
                                   word_of(field), is_of_shells ? "shells" : "rods"));
  }
  return doubts;
}

// Warns of bodies and surfaces that no contact names, so that they pass through everything.
Doubts doubts_about_strangers(const Scene& scene) {
  const auto touched = [&](const std::string& name) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) { return contact.names(name); }) ||
           scene.has_pressure_contact(name);
  };
  Doubts doubts;
  for (const Obstacle& obstacle : scene.obstacles)
    if (!touched(obstacle.name)) doubts.push_back(fmt::format("surface '{}' is in no contact: everything passes through it", obstacle.name));
  for (const PressureFieldSettings& field : scene.pressure_fields)
    if (!scene.has_pressure_contact(field.name))
      doubts.push_back(fmt::format("pressure field '{}' is in no pressure contact, and has no effect; name it in one", field.name));
  const auto is_joined = [&](const std::string& name) {  // a body that an attachment carries is left out, because the other side may touch in its place
    return std::any_of(scene.attachments.begin(), scene.attachments.end(),
                       [&](const AttachmentSettings& attachment) { return attachment.vertices.body == name || attachment.to.body == name; });
  };
  if (scene.contacts.empty() && scene.pressure_contacts.empty()) {
    const bool is_linked = !scene.attachments.empty() || !scene.joints.empty() || !scene.springs.empty();
    if (scene.bodies.size() > 1 && !is_linked)
      doubts.push_back(
          "the scene has no contacts: its bodies pass through each other. If they may meet, add contacts: {everything: {all: true, thickness: ...}}");
    return doubts;
  }
  RepeatedWarnings warnings;
  for (const Body& body : scene.bodies)
    if (!touched(body.name) && !is_joined(body.name))
      warnings.add("strange", body.name, fmt::format("body '{}' is in no contact: it passes through everything", body.name));
  append(doubts, warnings.messages());
  return doubts;
}

}  // namespace

Doubts doubts_about_locking(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kNearlyIncompressible = 0.48;  // docs/materials.md, "Nearly incompressible solids"
  RepeatedWarnings warnings;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.order == 2 || bodies[b].quadratics > 0) continue;
    for (const auto& [region, material] : body.solid) {
      if (material.poisson_ratio < kNearlyIncompressible || material.pressure == PressureAverage::nodal_average) continue;
      std::string remedy = takes_average(material) ? "Give the material pressure: nodal_average" : "Take material: neo_hookean with pressure: nodal_average";
      remedy += takes_average(material) ? ", or the body order: 2" : ", or with order: 2 in the body";
      if (scene.time.integrator == Integrator::asynchronous) remedy += "; both need another time.integrator than asynchronous";
      warnings.add("locking", body.name,
                   fmt::format("{}: tetrahedra of four nodes lock at a Poisson's ratio of {:.5g}: the body bends and bulges far too little on most meshes. {}",
                               material.source.text, material.poisson_ratio, remedy));
    }
  }
  return warnings.messages();
}

Doubts doubts_about_settings(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<Eigen::AlignedBox3d>& obstacles) {
  // The stretches between which rubber is used. Saint Venant-Kirchhoff gives way at 0.577, where nobody uses it.
  constexpr double kLeastStretch = 0.6, kMostStretch = 2;
  Doubts doubts = doubts_about_units(scene, bodies, obstacles);
  append(doubts, doubts_about_falling_up(scene));
  append(doubts, doubts_about_damping(scene, bodies));
  append(doubts, doubts_about_times(scene));
  append(doubts, doubts_about_spins(scene));
  append(doubts, doubts_about_tolerance(scene, bodies));
  append(doubts, doubts_about_attached_faces(scene, bodies));
  append(doubts, materials_that_give_way(material_curves(scene, kLeastStretch, kMostStretch)));
  append(doubts, doubts_about_locking(scene, bodies));
  append(doubts, doubts_about_friction(scene, bodies));
  append(doubts, doubts_about_late_motions(scene));
  if (scene.output.every) append(doubts, doubts_about_fields(scene));
  append(doubts, doubts_about_strangers(scene));
  return doubts;
}

}  // namespace traction
