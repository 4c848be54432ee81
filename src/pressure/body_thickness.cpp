#include "pressure/body_thickness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/box_tree.h"

namespace traction {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Ray {
  Vec3 origin, direction;  // the second has length 1
};

// The distance along a ray to a triangle, whose rim is part of it. Infinite if the ray misses it, or comes out of its back.
double distance_to(const std::array<Vec3, 3>& x, const Ray& ray) {
  constexpr double kRim = 1e-9;
  const Vec3 first = x[1] - x[0], second = x[2] - x[0], normal = first.cross(second), offset = ray.origin - x[0];
  const double slope = ray.direction.dot(normal);
  if (!(slope > 0)) return kInfinite;
  const double beta = offset.cross(second).dot(ray.direction) / slope, gamma = first.cross(offset).dot(ray.direction) / slope;
  if (beta < -kRim || gamma < -kRim || beta + gamma > 1 + kRim) return kInfinite;
  const double distance = -offset.dot(normal) / slope;
  return distance > 0 ? distance : kInfinite;
}

// The distance along a ray to the first triangle on which it comes out, looked for in sections of growing length.
double way_through(const BoxTree& tree, const std::vector<std::array<Vec3, 3>>& triangles, const Ray& ray, double section, double longest) {
  double nearest = kInfinite;
  for (double from = 0; from < longest && !(nearest <= from); from += section, section *= 2) {
    BoundingBox box;
    for (const double at : {from, from + section}) box.include(ray.origin + at * ray.direction);
    box.grow(1e-9 * longest);
    tree.for_each_overlap(box, [&](int number) { nearest = std::min(nearest, distance_to(triangles[number], ray)); });
  }
  return nearest;
}

}  // namespace

double thickness_under(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface) {
  constexpr double kThinner = 0.05;  // part of the area that may lie on less
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<BoundingBox> boxes;
  BoundingBox around;
  for (const auto& [a, b, c] : surface) {
    triangles.push_back({vertices[a], vertices[b], vertices[c]});
    BoundingBox& box = boxes.emplace_back();
    for (const Vec3& corner : triangles.back()) box.include(corner);
    around.include(box.lower);
    around.include(box.upper);
  }
  if (triangles.empty()) return kInfinite;
  const double longest = (around.upper - around.lower).norm();
  const BoxTree tree(std::move(boxes));
  std::vector<std::pair<double, double>> parts;  // thickness and area
  double area = 0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3 normal = (b - a).cross(c - a);
    const double twice = normal.norm();
    if (!(twice > 0)) continue;
    parts.emplace_back(way_through(tree, triangles, {(a + b + c) / 3, -normal / twice}, std::sqrt(twice), longest), twice / 2);
    area += twice / 2;
  }
  std::sort(parts.begin(), parts.end());
  double passed = 0;
  for (const auto& [thickness, part] : parts)
    if ((passed += part) > kThinner * area) return thickness;
  return kInfinite;
}

}  // namespace traction
