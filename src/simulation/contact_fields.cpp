#include "simulation/contact_fields.h"

#include <algorithm>

#include "contact/contact_group.h"

namespace traction {

namespace {

// Marks the local vertices of shells and rods, which can be pressed from two sides.
std::vector<char> two_sided_vertices(const DistributedMesh& mesh) {
  std::vector<char> marks(mesh.vertices.size(), 0);
  for (const int shell : mesh.shells)
    for (const int vertex : mesh.triangles[shell]) marks[vertex] = 1;
  for (const auto& rod : mesh.rods) marks[rod.vertices[0]] = marks[rod.vertices[1]] = 1;
  return marks;
}

}  // namespace

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
    Field normal_force(halo.local()), total_force(halo.local()), magnitudes(halo.local());
    for (const auto& contact : simulation.contacts) {
      contact->add_vertex_forces(state, normal_force, total_force);
      contact->add_normal_magnitudes(state, magnitudes);
    }
    // Forces P and Q on the two sides of a shell add up to P + Q in size and to |P - Q| as vectors: the larger one is half the sum of these.
    const std::vector<char> is_two_sided = two_sided_vertices(*simulation.mesh);
    add_field(OutputField::contact_pressure, [&](int i) {
      const double sum = magnitudes[i].x();
      return std::array{per_area(i, is_two_sided[i] ? (sum + normal_force[i].norm()) / 2 : sum)};
    });
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
