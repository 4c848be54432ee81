#include "simulation/contact_fields.h"

#include <algorithm>

#include "contact/contact_group.h"
#include "mesh/tetrahedron_faces.h"

namespace traction {

namespace {

constexpr double kLeastPressed = 0.1;  // part of a vertex's area that a force presses, unless it pulls along the surface

// Marks the local vertices of shells and rods, which can be pressed from two sides.
std::vector<char> two_sided_vertices(const DistributedMesh& mesh) {
  std::vector<char> marks(mesh.vertices.size(), 0);
  for (const int shell : mesh.shells)
    for (const int vertex : mesh.triangles[shell]) marks[vertex] = 1;
  for (const auto& rod : mesh.rods) marks[rod.vertices[0]] = marks[rod.vertices[1]] = 1;
  return marks;
}

// For each owned vertex of a deformable solid the area that its faces turn against the force on it, a third of each face's at rest [m^2]; 0 for others. Only
// faces count whose vertices all are on contact surfaces, and only tetrahedra that may have one are searched for them. Collective.
std::vector<double> pressed_areas(const Simulation& simulation, const State& state, const Field& force) {
  const DistributedMesh& mesh = *simulation.mesh;
  std::vector<double> touches(mesh.vertices.size(), 0.0), areas(simulation.contact_area.size(), 0.0);
  for (std::size_t i = 0; i < simulation.contact_area.size(); ++i) touches[i] = simulation.contact_area[i] > 0 ? 1 : 0;
  Scatter(*mesh.halo, 1).forward(touches);
  const auto is_on_surface = [&](int vertex) { return touches[vertex] > 0; };
  std::vector<std::array<int, 4>> near;
  for (const std::array<int, 4>& tetrahedron : mesh.tetrahedra)
    if (std::ranges::count_if(tetrahedron, is_on_surface) >= 3) near.push_back(tetrahedron);
  for (const std::array<int, 3>& face : outer_faces(near)) {
    if (!std::ranges::all_of(face, is_on_surface)) continue;
    const auto normal = [&](const auto& x) { return (Vec3(x[face[1]]) - Vec3(x[face[0]])).cross(Vec3(x[face[2]]) - Vec3(x[face[0]])); };
    const double third = normal(mesh.vertices).norm() / 6;
    const Vec3 outward = normal(state.q).normalized();
    for (const int vertex : face)
      if (vertex < mesh.halo->owned() && !force[vertex].isZero(0)) areas[vertex] += third * std::max(0.0, -outward.dot(Vec3(force[vertex]).normalized()));
  }
  return areas;
}

// Forces P and Q on the two sides of a shell add up to P + Q in size and to |P - Q| as vectors: the larger one is half the sum of these.
double force_on_one_of_two_sides(double sum, double whole) { return (sum + whole) / 2; }

// Forces of the same size on n sides at right angles, which meet at an edge or a corner, add up to n of it in size and to the root of n of it as vectors; those
// on two sides of a sharper edge add up to less as vectors.
double force_on_one_side(double sum, double whole) { return sum > 0 ? std::max(whole * whole / sum, sum / 2) : sum; }

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
    const std::vector<char> is_two_sided = two_sided_vertices(*simulation.mesh);
    const bool is_per_area = wants_any({OutputField::contact_pressure, OutputField::contact_traction});
    const std::vector<double> pressed = is_per_area ? pressed_areas(simulation, state, normal_force) : std::vector<double>();
    const auto shows_pressed_area = [&](int i) { return !is_two_sided[i] && pressed[i] > kLeastPressed * simulation.contact_area[i]; };
    add_field(OutputField::contact_pressure, [&](int i) {
      const double sum = magnitudes[i].x(), whole = normal_force[i].norm();
      if (shows_pressed_area(i)) return std::array{whole / pressed[i]};
      return std::array{per_area(i, is_two_sided[i] ? force_on_one_of_two_sides(sum, whole) : force_on_one_side(sum, whole))};
    });
    add_field(OutputField::contact_force, [&](int i) { return Vec3(total_force[i]); });
    add_field(OutputField::contact_traction, [&](int i) { return Vec3(total_force[i] * (shows_pressed_area(i) ? 1 / pressed[i] : per_area(i, 1))); });
  }
  if (wants_any({OutputField::sliding_velocity})) {
    Field sliding(halo.local()), shares(halo.local());
    for (const auto& contact : simulation.contacts) contact->add_sliding(state, sliding, shares);
    add_field(OutputField::sliding_velocity, [&](int i) { return shares[i].x() > 0 ? Vec3(sliding[i] / shares[i].x()) : Vec3(Vec3::Zero()); });
  }
  return fields;
}

}  // namespace traction
