// Triangle meshes of thin sheets, and helpers for tests of their elements' kernels.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "math/tensor.h"

namespace traction::test {

struct Sheet {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

inline Vec3 random_vector(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return {number(generator), number(generator), number(generator)};
}

// `cells` x `cells` squares of side 1 / cells in the plane z = 0, halved along alternating diagonals, with inner vertices moved within the plane by up to
// `disorder` sides.
inline Sheet irregular_sheet(int cells, double disorder) {
  Sheet sheet;
  std::mt19937 generator(17);
  const auto number = [&](int i, int j) { return i + (cells + 1) * j; };
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      Vec3 shift = random_vector(generator, disorder);
      shift.z() = 0;
      if (i == 0 || j == 0 || i == cells || j == cells) shift.setZero();
      sheet.vertices.push_back((Vec3(i, j, 0) + shift) / cells);
    }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = number(i, j), b = number(i + 1, j), c = number(i + 1, j + 1), d = number(i, j + 1);
      if ((i + j) % 2 == 0) sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
      else sheet.triangles.insert(sheet.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return sheet;
}

// The icosahedron in a sphere of radius 1 with each triangle split in four `splits` times, the vertices on the sphere; outward.
inline Sheet sphere(int splits) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  Sheet sheet;
  sheet.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                    {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Vec3& x : sheet.vertices) x.normalize();
  sheet.triangles = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                     {3, 9, 4},  {3, 4, 2}, {3, 2, 6}, {3, 6, 8},  {3, 8, 9},   {4, 9, 5}, {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int split = 0; split < splits; ++split) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, created] = middles.try_emplace(std::minmax(a, b), static_cast<int>(sheet.vertices.size()));
      if (created) sheet.vertices.push_back((sheet.vertices[a] + sheet.vertices[b]).normalized());
      return place->second;
    };
    std::vector<std::array<int, 3>> smaller;
    for (const auto& [a, b, c] : sheet.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      smaller.insert(smaller.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    sheet.triangles = std::move(smaller);
  }
  return sheet;
}

// `around` x `along` rectangles, each halved, on a cylinder around the z axis from z = 0 to `height`, open at both ends; outward. Vertex j around + i is the
// i-th of ring j.
inline Sheet cylinder(int around, int along, double radius, double height) {
  Sheet sheet;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      sheet.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height * j / along);
    }
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around, a = j * around + i, b = j * around + next, c = b + around, d = a + around;
      sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
    }
  return sheet;
}

// The vertices a, b, c, d of each pair of triangles (a, b, c) and (b, a, d).
inline std::vector<std::array<int, 4>> hinges_of(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, int> opposite;
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) opposite[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
  std::vector<std::array<int, 4>> hinges;
  for (const auto& [edge, c] : opposite) {
    const auto [a, b] = edge;
    const auto other = opposite.find({b, a});
    if (a < b && other != opposite.end()) hinges.push_back({a, b, c, other->second});
  }
  return hinges;
}

template <typename T, std::size_t N>
std::array<T, N> corners(const std::vector<T>& values, const std::array<int, N>& vertices) {
  std::array<T, N> result;
  for (std::size_t a = 0; a < N; ++a) result[a] = values[vertices[a]];
  return result;
}

template <std::size_t N>
std::array<Vec3, N> at_rest(const std::array<Vec3, N>&) {
  std::array<Vec3, N> result;
  result.fill(Vec3::Zero());
  return result;
}

// The largest difference of an element's elastic forces from minus the energy's gradient by Richardson-extrapolated central differences, relative to the
// largest force.
template <typename Element, std::size_t N>
double difference_from_energy(const Element& element, const std::array<Vec3, N>& x, double step) {
  const auto f = element.template forces<double>(x, at_rest(x));
  double largest = 0, scale = 0;
  for (std::size_t a = 0; a < N; ++a) scale = std::max(scale, f[a].norm());
  for (std::size_t a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i) {
      const auto central = [&](double h) {
        auto plus = x, minus = x;
        plus[a][i] += h, minus[a][i] -= h;
        return (element.energy(plus) - element.energy(minus)) / (2 * h);
      };
      largest = std::max(largest, std::abs(f[a][i] + (4 * central(step / 2) - central(step)) / 3));
    }
  return largest / scale;
}

struct Resultants {
  double force, moment, scale;  // scale: of the forces
};

template <std::size_t N>
Resultants resultants(const std::array<Vec3, N>& x, const std::array<Vec3, N>& f) {
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  double scale = 0;
  for (std::size_t a = 0; a < N; ++a) sum += f[a], moment += x[a].cross(f[a]), scale += f[a].norm();
  return {sum.norm(), moment.norm(), scale};
}

}  // namespace traction::test
