#include "simulation/start_in_equilibrium.h"

#include <algorithm>

namespace traction {

bool settles(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.initial.equilibrium; });
}

std::optional<EquilibriumReport> start_in_equilibrium(Simulation& simulation, const Interruption& interruption) {
  const Scene& scene = simulation.scene;
  if (!settles(scene)) return std::nullopt;
  std::vector<SettlingBody> bodies;
  for (const Body& body : scene.bodies) bodies.push_back({body.name, body.initial.equilibrium ? body.initial.equilibrium_source.text : std::string()});
  State state = simulation.loop->state();
  const EquilibriumReport report =
      find_equilibrium(*simulation.system, simulation.contacts, bodies, scene.solver, scene.time.steps.front().step, state, interruption);
  simulation.loop->start_from(std::move(state));
  return report;
}

}  // namespace traction
