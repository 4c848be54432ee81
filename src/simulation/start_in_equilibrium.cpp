#include "simulation/start_in_equilibrium.h"

#include <algorithm>

#include "mesh/own_regions.h"
#include "simulation/contact_pairs.h"
#include "system/body_motion.h"
#include "system/rigid_motion.h"

namespace traction {

bool settles(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.initial.equilibrium; });
}

namespace {

// How a body moves that is driven as a whole; null for others.
const Motion* motion_of_whole(const Body& body) {
  for (const DrivenSettings& driven : body.driven)
    if (driven.directions().empty() && (body.rigid || driven.region == kAllElements)) return &driven.motion;
  return nullptr;
}

// The bodies of a scene, with the obstacles and driven bodies that move under them at the start where nothing else with friction could hold them. Collective.
std::vector<SettlingBody> settling_bodies(const Simulation& simulation, const State& start) {
  const Scene& scene = simulation.scene;
  const std::vector<BodyMotion> motions = body_motions(*simulation.system, start.q, start.v);
  std::vector<SettlingBody> bodies;
  for (const Body& body : scene.bodies) bodies.push_back({body.name, body.initial.equilibrium ? body.initial.equilibrium_source.text : std::string()});
  const Vec3 down = scene.gravity.normalized();
  std::vector<char> has_others(bodies.size(), 0);  // whether something that stands still, or moves freely, may hold it
  const auto add = [&](std::size_t b, const std::string& name, const Motion& motion) {
    const Vec3 velocity = Pose(motion, start).velocity_at<double>(motions[b].center);
    const double speed = (velocity - down * down.dot(velocity)).norm();
    if (speed > 0) bodies[b].carriers.push_back({name, speed});
    else has_others[b] = 1;
  };
  for (const ContactSettings& contact : scene.contacts) {
    if (!contact.friction) continue;
    const auto meet = [&](std::size_t b, std::size_t other) {
      return b != other && contact.names(scene.bodies[b].name) && contact.names(scene.bodies[other].name);
    };
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (std::size_t other = 0; other < bodies.size(); ++other) {
        if (!meet(b, other)) continue;
        if (const Motion* motion = motion_of_whole(scene.bodies[other])) add(b, scene.bodies[other].name, *motion);
        else has_others[b] = 1;
      }
    for_each_obstacle_of(scene, contact, [&](const Body& body, const Obstacle& obstacle) {
      add(static_cast<std::size_t>(&body - scene.bodies.data()), obstacle.name, obstacle.motion);
    });
  }
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (has_others[b]) bodies[b].carriers.clear();
  return bodies;
}

}  // namespace

std::optional<EquilibriumReport> start_in_equilibrium(Simulation& simulation, const Interruption& interruption) {
  const Scene& scene = simulation.scene;
  if (!settles(scene)) return std::nullopt;
  State state = simulation.loop->state();
  const std::vector<SettlingBody> bodies = settling_bodies(simulation, state);
  const EquilibriumReport report =
      find_equilibrium(*simulation.system, simulation.contacts, bodies, scene.solver, scene.time.steps.front().step, state, interruption);
  simulation.loop->start_from(std::move(state));
  return report;
}

}  // namespace traction
