// A mesh in the memory of one rank, as read from a file: vertices, tetrahedra, triangles and named regions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "math/tensor.h"

namespace traction {

// A named set of elements of one dimension (a Gmsh physical group). One element may belong to several regions.
struct Region {
  std::string name;
  int dimension = 3;          // 3: members index Mesh::tetrahedra, 2: Mesh::triangles, 1 or 0: members index Mesh::vertices
  std::vector<int> members;   // sorted, unique
};

struct Mesh {
  std::vector<Vec3> vertices;                   // [m]
  std::vector<std::array<int, 4>> tetrahedra;   // positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0
  std::vector<std::array<int, 3>> triangles;    // only those listed by the file; orientation as in the file
  std::vector<Region> regions;
  std::string source;                           // the file it came from, for messages

  const Region* find_region(const std::string& name) const {
    for (const Region& region : regions)
      if (region.name == name) return &region;
    return nullptr;
  }
};

}  // namespace traction
