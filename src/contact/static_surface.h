// The smooth implicit surface of an obstacle's mesh, complete on every rank.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "contact/crossing.h"
#include "contact/implicit_surface.h"
#include "contact/sheets.h"

namespace traction {

/// Finds the triangles of an obstacle's mesh that are near a point, and sorts them into sheets.
class StaticSurface {
 public:
  /// `points`: positions at time 0 [m]. `triangles`: with normals that point out of the obstacle.
  StaticSurface(const std::vector<Vec3>& points, std::vector<std::array<int, 3>> triangles, ImplicitSurface surface);
  ~StaticSurface();
  StaticSurface(const StaticSurface&) = delete;
  StaticSurface& operator=(const StaticSurface&) = delete;

  const ImplicitSurface& surface() const { return surface_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  const Corners<double>& triangle(int number) const { return corners_[static_cast<std::size_t>(number)]; }
  /// The triangles whose centroids are within reach of x, by their numbers in ascending order.
  std::vector<int> near(const Vec3& x) const;
  /// The sheets within reach of x, by the numbers of their triangles.
  std::vector<std::vector<int>> sheets(const Vec3& x) const;
  /// Whether the surface ends at one of these triangles.
  bool has_rim(std::span<const int> triangles) const;
  /// The triangles that a straight path crosses, and where, in the order along the path.
  std::vector<std::pair<Crossing, int>> crossings(const Vec3& from, const Vec3& to) const;

 private:
  struct Tree;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<Corners<double>> corners_;
  std::vector<char> at_rim_;  ///< whether a triangle has a vertex on the rim
  ImplicitSurface surface_;
  mutable SheetFinder finder_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace traction
