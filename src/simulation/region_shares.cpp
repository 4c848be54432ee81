#include "simulation/region_shares.h"

#include "parallel/collective.h"
#include "simulation/make_stencil_force.h"

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

}  // namespace traction
