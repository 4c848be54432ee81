#include "simulation/contact_fields.h"

#include <algorithm>

#include "contact/contact_group.h"

namespace traction {

std::vector<VertexField> contact_fields(const Simulation& simulation, const State& state, std::span<const OutputField> wanted) {
  const Halo& halo = simulation.system->halo();
  std::vector<VertexField> fields;
  const auto add_field = [&](OutputField field, auto value_of) {
    if (std::find(wanted.begin(), wanted.end(), field) == wanted.end()) return;
    const int components = components_of(field);
    std::vector<double> values(static_cast<std::size_t>(halo.local()) * components, 0.0);
    for (int i = 0; i < halo.owned(); ++i) {
      const auto value = value_of(i);
      for (int k = 0; k < components; ++k) values[static_cast<std::size_t>(i) * components + k] = value[k];
    }
    Scatter(halo, components).forward(values);
    fields.push_back({field, std::move(values)});
  };
  const auto wants_any = [&](std::initializer_list<OutputField> some) {
    return std::find_first_of(wanted.begin(), wanted.end(), some.begin(), some.end()) != wanted.end();
  };
  const auto per_area = [&](int i, double value) { return simulation.contact_area[i] > 0 ? value / simulation.contact_area[i] : 0; };

  if (wants_any({OutputField::contact_pressure, OutputField::contact_force, OutputField::contact_traction})) {
    Field normal_force(halo.local()), total_force(halo.local());
    for (const auto& contact : simulation.contacts) contact->add_vertex_forces(state, normal_force, total_force);
    add_field(OutputField::contact_pressure, [&](int i) { return std::array{per_area(i, normal_force[i].norm())}; });
    add_field(OutputField::contact_force, [&](int i) { return Vec3(total_force[i]); });
    add_field(OutputField::contact_traction, [&](int i) { return Vec3(total_force[i] * per_area(i, 1)); });
  }
  if (wants_any({OutputField::sliding_velocity})) {
    Field sliding(halo.local()), shares(halo.local());
    for (const auto& contact : simulation.contacts) contact->add_sliding(state, sliding, shares);
    add_field(OutputField::sliding_velocity, [&](int i) { return shares[i].x() > 0 ? Vec3(sliding[i] / shares[i].x()) : Vec3(Vec3::Zero()); });
  }
  return fields;
}

}  // namespace traction
