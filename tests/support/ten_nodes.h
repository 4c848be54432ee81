// Ten-node tetrahedra in meshes of box_mesh.h, whose regions of vertices name the corners only.
#pragma once

#include <numeric>

#include "mesh/second_order.h"

namespace traction::test {

// Also puts the new vertices into the first region, which is the body.
inline Mesh ten_nodes(Mesh mesh) {
  make_quadratic(mesh, {});
  mesh.regions[0].members.resize(mesh.vertices.size());
  std::iota(mesh.regions[0].members.begin(), mesh.regions[0].members.end(), 0);
  return mesh;
}

}  // namespace traction::test
