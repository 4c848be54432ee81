#include "simulation/copied_elements.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <set>
#include <string>

namespace traction {

namespace {

// The number of elements that are listed several times in one of the regions that have a material.
template <typename Materials>
int copies_in(const Mesh& mesh, const Materials& materials) {
  int copies = 0;
  for (const auto& [name, material] : materials)
    if (const Region* region = mesh.find_region(name)) copies += region->copies;
  return copies;
}

}  // namespace

void warn_about_copied_elements(const Scene& scene, const MeshPlan& plan) {
  std::set<std::string> warnings;
  for (std::size_t b = 0; b < plan.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Mesh& mesh = plan.bodies[b].mesh;
    std::string kinds;
    const auto add = [&](int copies, const char* one, const char* many) {
      if (copies > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", copies, copies == 1 ? one : many);
    };
    add(mesh.copied_tetrahedra, "tetrahedron", "tetrahedra");
    add(copies_in(mesh, body.shell), "shell triangle", "shell triangles");
    add(copies_in(mesh, body.rod), "rod segment", "rod segments");
    if (kinds.empty()) continue;
    warnings.insert(
        fmt::format("{}: lists elements several times that lie in one region ({}). Each counts once, with its mass and stiffness. Write the mesh again without "
                    "the copies; to make a part heavier or stiffer, change its material",
                    mesh.source, kinds));
  }
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
}

}  // namespace traction
