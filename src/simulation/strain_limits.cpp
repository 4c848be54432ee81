#include "simulation/strain_limits.h"

#include <fmt/format.h>

#include "elements/strain_limit.h"
#include "errors.h"

namespace traction {

void check_strain_limits(const Mesh& mesh, const Body& body) {
  if (mesh.start_positions.empty()) return;
  for (const auto& [name, material] : body.shell) {
    if (!material.strain_limit) continue;
    double worst = 0;
    int triangle = 0;
    for (const int t : mesh.find_region(name)->members) {
      std::array<Vec3, 3> rest, start;
      for (std::size_t a = 0; a < 3; ++a) {
        const auto vertex = static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(t)][a]);
        rest[a] = mesh.vertices[vertex], start[a] = mesh.start_positions[vertex];
      }
      Matrix32<double> edges;
      edges << start[1] - start[0], start[2] - start[0];
      const double strain = largest_strain(edges * RestTriangle(rest).inverse_shape);
      if (strain > worst) worst = strain, triangle = t;
    }
    if (worst >= material.strain_limit->to)
      throw InputError(
          fmt::format("{}.strain_limit: triangle {} of '{}' starts with a strain of {:.4g}, and the limit is {:.4g}; raise 'to' above it, or give "
                      "start positions in which the sheet is stretched less",
                      material.source.text, triangle + 1, name, worst, material.strain_limit->to));
  }
}

}  // namespace traction
