#include "simulation/held_regions.h"

#include <string>
#include <unordered_map>

namespace traction {

std::vector<char> held_vertices(const Scene& scene, const Mesh& mesh) {
  std::unordered_map<std::string, const Region*> regions;
  for (const Region& region : mesh.regions) regions.emplace(region.name, &region);
  std::vector<char> held(mesh.vertices.size(), 0);
  for (const Body& body : scene.bodies)
    for (const DrivenSettings& driven : body.driven) {  // and fixed
      const auto found = regions.find(body.name + "." + driven.region);
      if (!driven.directions().empty() || found == regions.end()) continue;
      const Region& region = *found->second;
      for (const int member : region.members) {
        const auto number = static_cast<std::size_t>(member);
        if (region.dimension == 3) {
          for (const int vertex : mesh.tetrahedra[number]) held[static_cast<std::size_t>(vertex)] = 1;
        } else if (region.dimension == 2) {
          for (const int vertex : mesh.triangles[number]) held[static_cast<std::size_t>(vertex)] = 1;
        } else {
          held[number] = 1;
        }
      }
    }
  return held;
}

}  // namespace traction
