#include "simulation/region_shares.h"

#include "elements/surface_load_elements.h"
#include "parallel/collective.h"
#include "simulation/make_stencil_force.h"
#include "simulation/six_node_faces.h"

namespace traction {

std::map<int, double> shares_of_vertices(const System& system, const LocalRegion& region, bool by_area) {
  const DistributedMesh& mesh = system.mesh();
  const int owned = system.halo().owned();
  std::map<int, double> shares;
  if (by_area) {
    for (int t : region.members)
      for (int vertex : mesh.triangles[t])
        if (vertex < owned) shares[vertex] += area_of(mesh, t) / 3;
  } else {
    double total = 0;
    for (int vertex : region.vertices)
      if (vertex < owned) total += shares[vertex] = system.own_mass()[vertex];
    if (sum_over_ranks(system.communicator(), total) == 0)  // points of a rigid body
      for (auto& [vertex, share] : shares) share = 1;
  }
  return shares;
}

std::map<int, double> load_shares_of_vertices(const System& system, const LocalRegion& region) {
  const DistributedMesh& mesh = system.mesh();
  const auto faces = six_node_faces(mesh, region);
  if (sum_over_ranks(system.communicator(), static_cast<double>(faces.size())) == 0) return shares_of_vertices(system, region, true);
  std::map<int, double> shares;
  for (const auto& face : faces)
    QuadraticFace::for_each_point<double>(places(mesh, face), [&](double weight, const std::array<double, 6>& shapes, const Vec3& area) {
      for (std::size_t a = 0; a < face.size(); ++a)
        if (face[a] < system.halo().owned()) shares[face[a]] += weight * shapes[a] * area.norm();
    });
  return shares;
}

}  // namespace traction
