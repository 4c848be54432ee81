// Bodies for tests of pressure fields.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <random>

#include "pressure/pressure_pair.h"

namespace traction::test {

// Points that carry a body, around its origin.
inline std::array<Vec3, 4> carrying_points(double size) {
  return {Vec3(size, size, size), Vec3(size, -size, -size), Vec3(-size, size, -size), Vec3(-size, -size, size)};
}

// Cubes of a lattice, each divided into 6 tetrahedra.
struct Cubes {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tetrahedra;

  // The cubes with is_filled(x, y, z) of so many along each axis, of this edge, the first at the origin.
  template <typename Filled>
  Cubes(const std::array<int, 3>& count, double edge, Filled is_filled) {
    std::map<std::array<int, 3>, int> numbers;
    const auto vertex = [&](const std::array<int, 3>& at) {
      const auto [place, is_new] = numbers.try_emplace(at, static_cast<int>(vertices.size()));
      if (is_new) vertices.push_back(Vec3(at[0], at[1], at[2]) * edge);
      return place->second;
    };
    for (int x = 0; x < count[0]; ++x)
      for (int y = 0; y < count[1]; ++y)
        for (int z = 0; z < count[2]; ++z) {
          if (!is_filled(x, y, z)) continue;
          for (const std::array<int, 3>& order :
               {std::array{0, 1, 2}, std::array{1, 2, 0}, std::array{2, 0, 1}, std::array{0, 2, 1}, std::array{2, 1, 0}, std::array{1, 0, 2}}) {
            std::array<int, 3> at{x, y, z};
            std::array<int, 4> t;
            t[0] = vertex(at);
            for (int k = 0; k < 3; ++k) {
              ++at[order[k]];
              t[k + 1] = vertex(at);
            }
            if ((vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).dot(vertices[t[3]] - vertices[t[0]]) < 0) std::swap(t[2], t[3]);
            tetrahedra.push_back(t);
          }
        }
  }
};

// A body that is not convex: four cubes of this edge around a corner at the origin, with so many cells along an edge, whose inner vertices are moved at random.
inline PressureField bent_body(double edge, unsigned seed, int cells = 2) {
  const int across = 2 * cells;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-0.2 / cells, 0.2 / cells);
  auto [vertices, tetrahedra] =
      Cubes({across, across, across}, edge / cells, [&](int x, int y, int z) { return (x >= cells) + (y >= cells) + (z >= cells) <= 1; });
  for (Vec3& x : vertices) x -= Vec3::Constant(edge);
  std::vector<char> outside(vertices.size(), 0);
  for (const auto& triangle : boundary_of(tetrahedra))
    for (const int v : triangle) outside[v] = 1;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    for (int c = 0; c < 3; ++c)
      if (const double by = shift(random) * edge; !outside[v]) vertices[v][c] += by;
  return laplace_field(vertices, tetrahedra, 0.9);
}

// The points of a side, turned and then moved.
inline void place(PressurePair::Points& x, int side, const PressurePair& pair, const Mat3& rotation, const Vec3& translation) {
  for (int i = 0; i < 4; ++i) x[4 * side + i] = rotation * pair.frame(side)[i] + translation;
}

inline PressurePair::Points at_rest() {
  PressurePair::Points v;
  v.fill(Vec3::Zero());
  return v;
}

}  // namespace traction::test
