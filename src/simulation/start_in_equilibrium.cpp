#include "simulation/start_in_equilibrium.h"

#include <algorithm>

namespace traction {

std::optional<EquilibriumReport> start_in_equilibrium(Simulation& simulation) {
  const Scene& scene = simulation.scene;
  std::vector<SettlingBody> bodies;
  for (const Body& body : scene.bodies) bodies.push_back({body.name, body.initial.equilibrium ? body.initial.equilibrium_source.text : std::string()});
  if (std::none_of(bodies.begin(), bodies.end(), [](const SettlingBody& body) { return body.settles(); })) return std::nullopt;
  State state = simulation.loop->state();
  const EquilibriumReport report = find_equilibrium(*simulation.system, simulation.contacts, bodies, scene.solver, scene.time.steps.front().step, state);
  simulation.loop->start_from(std::move(state));
  return report;
}

}  // namespace traction
