// Triangles of a surface that is curved both ways, for contact with a mesh.
#pragma once

#include <cmath>
#include <vector>

#include "contact/implicit_surface.h"

namespace traction::test {

// Over [-1, 1] x [-1, 0.8], normals up.
inline std::vector<Corners<double>> bumpy_patch() {
  std::vector<Corners<double>> triangles;
  auto height = [](double x, double y) { return 0.1 * std::sin(2 * x) + 0.07 * x * y; };
  auto point = [&](int i, int j) {
    const double x = 0.5 * i - 1, y = 0.45 * j - 1;
    return Vec3(x, y, height(x, y));
  };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      triangles.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1)});
      triangles.push_back({point(i, j), point(i + 1, j + 1), point(i, j + 1)});
    }
  return triangles;
}

inline Corners<double> zero_corners() { return {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}; }

}  // namespace traction::test
