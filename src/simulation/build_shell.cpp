#include "simulation/build_shell.h"

#include <algorithm>
#include <tuple>

#include "elements/hinge_element.h"
#include "elements/membrane_element.h"
#include "forces/stencil_force.h"

namespace traction {

namespace {

template <std::size_t N>
std::array<Vec3, N> places(const DistributedMesh& mesh, const std::array<int, N>& vertices) {
  std::array<Vec3, N> result;
  for (std::size_t a = 0; a < N; ++a) result[a] = mesh.vertices[vertices[a]];
  return result;
}

// The force of all elements that touch an owned vertex: those that touch no others first, each group in the order of the vertices.
template <typename Element, int N>
std::shared_ptr<Force> stencil_force(const DistributedMesh& mesh, std::vector<Element> elements, const char* energy_name) {
  const int vertices_owned = mesh.halo->owned();
  const auto bounds = [](const Element& element) { return std::minmax_element(element.vertices.begin(), element.vertices.end()); };
  std::erase_if(elements, [&](const Element& element) { return *bounds(element).first >= vertices_owned; });
  const auto key = [&](const Element& element) {
    const auto [low, high] = bounds(element);
    return std::tuple(*high >= vertices_owned, *low, element.vertices);
  };
  std::sort(elements.begin(), elements.end(), [&](const Element& a, const Element& b) { return key(a) < key(b); });
  const auto interior = std::count_if(elements.begin(), elements.end(), [&](const Element& element) { return !std::get<0>(key(element)); });
  std::vector<char> owned;
  for (const Element& element : elements) owned.push_back(mesh.owns(element.vertices));
  return std::make_shared<StencilForce<Element, N>>(std::move(elements), static_cast<int>(interior), std::move(owned), energy_name);
}

double area(const DistributedMesh& mesh, int triangle) {
  const std::array<Vec3, 3> x = places(mesh, mesh.triangles[triangle]);
  return (x[1] - x[0]).cross(x[2] - x[0]).norm() / 2;
}

}  // namespace

void add_shell(System& system, const Body& body, const SceneMaterials& materials) {
  if (body.shell.empty()) return;
  const DistributedMesh& mesh = system.mesh();
  const double viscous_time = body.damping.stiffness;
  std::vector<char> is_mine(mesh.triangles.size(), 0);
  std::vector<MembraneElement> membranes;
  for (const auto& [name, material] : body.shell)
    for (int t : mesh.region(body.name + "." + name).members) {
      is_mine[t] = 1;
      membranes.emplace_back(mesh.triangles[t], places(mesh, mesh.triangles[t]), MembraneMaterial(material.youngs_modulus, material.poisson_ratio),
                             viscous_time);
    }
  std::vector<HingeElement> hinges;
  bool bends = false;
  for (const auto& [name, material] : body.shell) bends = bends || material.bending_stiffness > 0;
  if (bends)
    for (const Hinge& hinge : mesh.hinges) {
      const auto [first, second] = hinge.triangles;
      if (!is_mine[first] || !is_mine[second]) continue;
      const ShellMaterialSettings &a = *materials.shell[first], &b = *materials.shell[second];
      const double area_a = area(mesh, first), area_b = area(mesh, second);
      const double stiffness = (area_a * a.bending_stiffness + area_b * b.bending_stiffness) / (area_a + area_b);
      hinges.emplace_back(hinge.vertices, places(mesh, hinge.vertices), stiffness, viscous_time, a.flat && b.flat);
    }
  system.add(stencil_force<MembraneElement, 3>(mesh, std::move(membranes), "elastic"));
  if (bends) system.add(stencil_force<HingeElement, 4>(mesh, std::move(hinges), "bending"));
}

}  // namespace traction
