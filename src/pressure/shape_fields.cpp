#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pressure/pressure_field.h"

namespace traction {

namespace {

double volume(const std::vector<Vec3>& x, const std::array<int, 4>& t) { return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]) / 6; }

double volume(const PressureField& field) {
  double sum = 0;
  for (const auto& t : field.tetrahedra) sum += volume(field.vertices, t);
  return sum;
}

// A convex surface, and the point of the medial axis that lies behind each of its vertices.
struct Shell {
  std::vector<Vec3> surface, core;
  std::vector<std::array<int, 3>> triangles;
};

// The tetrahedra between surface and core. Each triangle and its image on the core bound a prism, which is divided along the diagonals from the vertices with
// the lowest numbers, so that neighbors agree; prisms whose corners on the core coincide have fewer tetrahedra.
PressureField field_of(const Shell& shell, double least_distance) {
  PressureField field;
  field.vertices = shell.surface;
  field.extent.assign(shell.surface.size(), 0.0);
  std::vector<int> inner;
  for (const Vec3& point : shell.core) {
    std::size_t same = shell.surface.size();
    while (same < field.vertices.size() && (field.vertices[same] - point).norm() > 1e-9 * least_distance) ++same;
    if (same == field.vertices.size()) {
      field.vertices.push_back(point);
      field.extent.push_back(1);
    }
    inner.push_back(static_cast<int>(same));
  }
  for (std::array<int, 3> t : shell.triangles) {
    std::sort(t.begin(), t.end());
    for (std::array<int, 4> corners : {std::array{t[0], t[1], t[2], inner[t[2]]}, std::array{t[0], t[1], inner[t[1]], inner[t[2]]},
                                       std::array{t[0], inner[t[0]], inner[t[1]], inner[t[2]]}}) {
      const double size = volume(field.vertices, corners);
      if (std::abs(size) < 1e-12 * std::pow(least_distance, 3)) continue;
      if (size < 0) std::swap(corners[2], corners[3]);
      field.tetrahedra.push_back(corners);
    }
  }
  return field;
}

void place(PressureField& field, const Vec3& center, const Mat3& rotation) {
  for (Vec3& x : field.vertices) x = center + rotation * x;
}

// Moves the surface of a round shape away from its core until the volume is right.
PressureField with_volume(Shell shell, double radius, double wanted) {
  for (int i = 0; i < 30; ++i) {
    const double factor = std::pow(wanted / volume(field_of(shell, radius)), 0.4);
    for (std::size_t v = 0; v < shell.surface.size(); ++v) shell.surface[v] = shell.core[v] + factor * (shell.surface[v] - shell.core[v]);
    if (std::abs(factor - 1) < 1e-14) break;
  }
  return field_of(shell, radius);
}

}  // namespace

std::vector<std::array<int, 3>> boundary_of(const std::vector<std::array<int, 4>>& tetrahedra) {
  std::map<std::array<int, 3>, std::pair<int, std::array<int, 3>>> faces;
  for (const auto& [a, b, c, d] : tetrahedra)
    for (const std::array<int, 3>& face : {std::array{a, c, b}, std::array{a, b, d}, std::array{b, c, d}, std::array{a, d, c}}) {
      std::array<int, 3> key = face;
      std::sort(key.begin(), key.end());
      auto& [count, oriented] = faces[key];
      ++count;
      oriented = face;
    }
  std::vector<std::array<int, 3>> boundary;
  for (const auto& [key, face] : faces)
    if (face.first == 1) boundary.push_back(face.second);
  return boundary;
}

PressureField sphere_field(const Vec3& center, double radius, int subdivisions) {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  Shell shell;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-golden, golden})
      for (const Vec3& x : {Vec3(0, a, b), Vec3(a, b, 0), Vec3(b, 0, a)}) shell.surface.push_back(x.normalized());
  for (int i = 0; i < 12; ++i)  // before normalization neighbors have the distance 2, and all others a larger one
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        const auto close = [&](int a, int b) { return (shell.surface[a] - shell.surface[b]).norm() < 1.1; };
        if (close(i, j) && close(j, k) && close(k, i)) shell.triangles.push_back({i, j, k});
      }
  for (int level = 0; level < subdivisions; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(shell.surface.size()));
      if (is_new) shell.surface.push_back((shell.surface[a] + shell.surface[b]).normalized());
      return place->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : shell.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const std::array<int, 3>& t : {std::array{a, ab, ca}, std::array{b, bc, ab}, std::array{c, ca, bc}, std::array{ab, bc, ca}}) finer.push_back(t);
    }
    shell.triangles = std::move(finer);
  }
  for (Vec3& x : shell.surface) x *= radius;
  shell.core.assign(shell.surface.size(), Vec3::Zero());
  PressureField field = with_volume(std::move(shell), radius, 4 * EIGEN_PI / 3 * std::pow(radius, 3));
  place(field, center, Mat3::Identity());
  return field;
}

PressureField box_field(const Vec3& center, const Mat3& rotation, const Vec3& size) {
  const double least = size.minCoeff() / 2;
  Shell shell;
  std::array<int, 3> axes{0, 1,
                          2};  // the shortest side first, so that the corners of one end of a long box come before those of the other (see cylinder_field)
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return size[a] < size[b]; });
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 sign;
    for (int k = 0; k < 3; ++k) sign[axes[k]] = corner >> k & 1 ? 1 : -1;
    shell.surface.push_back(sign.cwiseProduct(size / 2));
    shell.core.push_back(sign.cwiseProduct((size / 2).array().matrix() - Vec3::Constant(least)));
  }
  // Opposite faces have parallel diagonals, because their images on the core may coincide.
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int a = side << axis, u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3);
      shell.triangles.push_back({a, a + u, a + u + v});
      shell.triangles.push_back({a, a + u + v, a + v});
    }
  PressureField field = field_of(shell, least);
  place(field, center, rotation);
  return field;
}

PressureField cylinder_field(const Vec3& center, const Mat3& rotation, double radius, double length, int around) {
  const double least = std::min(radius, length / 2), inside = radius - least, half = length / 2 - least;
  Shell shell;
  for (const double side : {-1.0, 1.0}) {
    shell.surface.emplace_back(0, 0, side * length / 2);
    shell.core.emplace_back(0, 0, side * half);
  }
  const double wider = std::sqrt(2 * EIGEN_PI / (around * std::sin(2 * EIGEN_PI / around)));  // the polygon has the circle's area
  // All vertices of one end come before those of the other: the diagonals of prisms between them then leave no flat tetrahedra along the axis.
  for (const double side : {-1.0, 1.0})
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * EIGEN_PI * i / around;
      const Vec3 out(std::cos(angle), std::sin(angle), 0);
      shell.surface.push_back(wider * radius * out + side * length / 2 * Vec3::UnitZ());
      shell.core.push_back(inside * out + side * half * Vec3::UnitZ());
    }
  for (int i = 0; i < around; ++i) {
    const int below = 2 + i, next = 2 + (i + 1) % around, above = below + around, next_above = next + around;
    shell.triangles.push_back({0, below, next});
    shell.triangles.push_back({1, above, next_above});
    shell.triangles.push_back({below, next, next_above});
    shell.triangles.push_back({below, next_above, above});
  }
  PressureField field = field_of(shell, least);
  place(field, center, rotation);
  return field;
}

PressureField capsule_field(const Vec3& center, const Mat3& rotation, double radius, double length, int around) {
  const int rings = std::max(1, around / 4);  // from a pole to the end of the straight part
  Shell shell;
  const auto add = [&](double side, double polar, double angle) {
    const Vec3 out(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), side * std::cos(polar));
    const Vec3 end = side * length / 2 * Vec3::UnitZ();
    shell.surface.push_back(end + radius * out);
    shell.core.push_back(end);
  };
  for (const double side : {-1.0, 1.0}) add(side, 0, 0);
  const auto ring = [&](int end, int k, int i) { return 2 + (end * rings + k - 1) * around + i % around; };  // k from 1 at the pole to `rings`
  for (const double side : {-1.0, 1.0})
    for (int k = 1; k <= rings; ++k)
      for (int i = 0; i < around; ++i) add(side, EIGEN_PI / 2 * k / rings, 2 * EIGEN_PI * i / around);
  const auto add_quad = [&](int a, int b, int c, int d) {
    shell.triangles.push_back({a, b, c});
    shell.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < around; ++i) {
    for (int end = 0; end < 2; ++end) {
      shell.triangles.push_back({end, ring(end, 1, i), ring(end, 1, i + 1)});
      for (int k = 1; k < rings; ++k) add_quad(ring(end, k, i), ring(end, k, i + 1), ring(end, k + 1, i + 1), ring(end, k + 1, i));
    }
    add_quad(ring(0, rings, i), ring(0, rings, i + 1), ring(1, rings, i + 1), ring(1, rings, i));
  }
  PressureField field = with_volume(std::move(shell), radius, EIGEN_PI * radius * radius * (length + 4 * radius / 3));
  place(field, center, rotation);
  return field;
}

}  // namespace traction
