#include "contact/pressing_sides.h"

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

constexpr int kMostParts = 8;
constexpr double kMuchSmaller = 0.5;  // relative to the other body's extent
constexpr double kFineness = 0.25;    // length of parts of edges on bodies that are alike, relative to the smaller extent
constexpr double kRounding = 1e-6;

}  // namespace

PressingSide pressing_side(const SurfaceScale& own, const SurfaceScale& other) {
  if (!(own.cell > 0 && other.cell > 0)) return PressingSide::both;
  const auto is_much_finer = [](const SurfaceScale& one, const SurfaceScale& two) { return two.cell > (kMostParts + kRounding) * one.cell; };
  const auto is_much_smaller = [](const SurfaceScale& one, const SurfaceScale& two) {
    return one.extent > 0 && one.extent < (kMuchSmaller - kRounding) * two.extent;
  };
  if (is_much_finer(own, other)) return PressingSide::own;
  if (is_much_finer(other, own)) return PressingSide::other;
  if (is_much_smaller(own, other)) return PressingSide::own;
  if (is_much_smaller(other, own)) return PressingSide::other;
  return PressingSide::both;
}

int parts_against(const SurfaceScale& own, const SurfaceScale& other) {
  const PressingSide side = pressing_side(own, other);
  const double wanted = side == PressingSide::own ? other.cell : side == PressingSide::both ? kFineness * std::min(own.extent, other.extent) : 0;
  if (!(wanted > 0)) return 1;
  return std::clamp(static_cast<int>(std::ceil((1 - kRounding) * own.cell / wanted)), 1, kMostParts);
}

}  // namespace traction
