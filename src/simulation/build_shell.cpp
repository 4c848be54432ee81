#include "simulation/build_shell.h"

#include "elements/hinge_element.h"
#include "elements/membrane_element.h"
#include "simulation/make_stencil_force.h"

namespace traction {

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
      const double area_a = area_of(mesh, first), area_b = area_of(mesh, second);
      const double stiffness = (area_a * a.bending_stiffness + area_b * b.bending_stiffness) / (area_a + area_b);
      hinges.emplace_back(hinge.vertices, places(mesh, hinge.vertices), stiffness, viscous_time, a.flat && b.flat);
    }
  system.add(make_stencil_force<3>(mesh, std::move(membranes), "elastic"));
  if (bends) system.add(make_stencil_force<4>(mesh, std::move(hinges), "bending"));
}

}  // namespace traction
