#include "mesh/flush_parts.h"

#include <algorithm>

#include "math/box_tree.h"

namespace traction {

namespace {

constexpr double kSamePlace = 1e-6;  // relative to the longer face

using Corners = std::array<Vec3, 3>;

Vec3 normal_of(const Corners& corners) { return (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized(); }

double size_of(const Corners& corners) {
  return std::max({(corners[1] - corners[0]).norm(), (corners[2] - corners[1]).norm(), (corners[0] - corners[2]).norm()});
}

// Whether two triangles in one plane share area: no edge of either has all of the other one on its outer side.
bool share_area(const Corners& one, const Corners& other, const Vec3& normal, double rounding) {
  const auto separates = [&](const Corners& triangle, const Corners& points, double turn) {
    for (std::size_t a = 0; a < 3; ++a) {
      const Vec3 outward = turn * (triangle[(a + 1) % 3] - triangle[a]).cross(normal).normalized();
      if (std::ranges::all_of(points, [&](const Vec3& point) { return outward.dot(point - triangle[a]) > -rounding; })) return true;
    }
    return false;
  };
  return !separates(one, other, 1) && !separates(other, one, -1);  // they turn about the normal in opposite ways
}

bool are_flush(const Corners& one, const Corners& other) {
  const double rounding = kSamePlace * std::max(size_of(one), size_of(other));
  const Vec3 normal = normal_of(one);
  const bool in_one_plane = std::ranges::all_of(other, [&](const Vec3& corner) { return std::abs(normal.dot(corner - one[0])) < rounding; });
  return in_one_plane && normal.dot(normal_of(other)) < 0 && share_area(one, other, normal, rounding);
}

}  // namespace

std::optional<Vec3> find_flush_parts(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& faces, const std::function<int(int)>& part_of) {
  const auto corners_of = [&](std::size_t face) { return Corners{x[faces[face][0]], x[faces[face][1]], x[faces[face][2]]}; };
  std::vector<BoundingBox> boxes(faces.size());
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (const Vec3& corner : corners_of(face)) boxes[face].include(corner);
  const std::vector<BoundingBox> all = boxes;
  const BoxTree tree(std::move(boxes));
  std::optional<Vec3> place;
  for (std::size_t face = 0; face < faces.size() && !place; ++face) {
    const Corners corners = corners_of(face);
    const Vec3 margin = Vec3::Constant(kSamePlace * size_of(corners));
    tree.for_each_overlap({all[face].lower - margin, all[face].upper + margin}, [&](int other) {
      const auto number = static_cast<std::size_t>(other);
      if (place || number <= face || part_of(faces[face][0]) == part_of(faces[number][0]) || !are_flush(corners, corners_of(number))) return;
      const Corners& smaller = size_of(corners) < size_of(corners_of(number)) ? corners : corners_of(number);
      place = (smaller[0] + smaller[1] + smaller[2]) / 3;
    });
  }
  return place;
}

}  // namespace traction
