// A box of tetrahedra, for tests that need a mesh without a file.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "mesh/mesh.h"

namespace traction::test {

// `cells` cubes per axis, six tetrahedra each (Kuhn's subdivision); regions "BODY" (all vertices), "BODY.solid" (all tetrahedra), "BODY.surface" (closed,
// outward), "BODY.<closed>surface" (the same, as a volume penalty asks for it), "BODY.bottom" (z = lower) and "BODY.left" (x = lower) as vertex sets,
// "BODY.top" (z = upper) as triangles.
inline Mesh box_mesh(const std::string& body, const Vec3& lower, const Vec3& upper, const std::array<int, 3>& cells) {
  Mesh mesh;
  mesh.source = "box";
  const auto number = [&](int i, int j, int k) { return i + (cells[0] + 1) * (j + (cells[1] + 1) * k); };
  for (int k = 0; k <= cells[2]; ++k)
    for (int j = 0; j <= cells[1]; ++j)
      for (int i = 0; i <= cells[0]; ++i)
        mesh.vertices.push_back(lower + Vec3(double(i) / cells[0], double(j) / cells[1], double(k) / cells[2]).cwiseProduct(upper - lower));
  const int permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const int even[6] = {1, 0, 0, 1, 1, 0};
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
        for (int p = 0; p < 6; ++p) {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> t{number(i, j, k), 0, 0, 0};
          for (int step = 0; step < 3; ++step) {
            ++at[permutations[p][step]];
            t[step + 1] = number(at[0], at[1], at[2]);
          }
          if (!even[p]) std::swap(t[2], t[3]);
          mesh.tetrahedra.push_back(t);
        }
  Region all{body, 0, {}}, solid{body + ".solid", 3, {}}, surface{body + ".surface", 2, {}}, bottom{body + ".bottom", 0, {}}, left{body + ".left", 0, {}},
      top{body + ".top", 2, {}};
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    solid.members.push_back(int(e));
    const auto& t = mesh.tetrahedra[e];
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};  // outward
    for (const auto& f : faces)
      for (int axis = 0; axis < 3; ++axis)
        for (const Vec3& side : {lower, upper})
          if (std::all_of(f, f + 3, [&](int a) { return mesh.vertices[t[a]][axis] == side[axis]; })) {
            surface.members.push_back(int(mesh.triangles.size()));
            if (axis == 2 && side == upper) top.members.push_back(int(mesh.triangles.size()));
            mesh.triangles.push_back({t[f[0]], t[f[1]], t[f[2]]});
          }
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    all.members.push_back(int(v));
    if (mesh.vertices[v].z() == lower.z()) bottom.members.push_back(int(v));
    if (mesh.vertices[v].x() == lower.x()) left.members.push_back(int(v));
  }
  mesh.regions = {all, solid, surface, {body + ".<closed>surface", 2, surface.members}, bottom, left, top};
  return mesh;
}

}  // namespace traction::test
