// The part of a region's motion that is prescribed.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

enum class Axis { x, y, z };
constexpr auto choices_of(Axis) { return std::to_array<Choice<Axis>>({{Axis::x, "x", {}}, {Axis::y, "y", {}}, {Axis::z, "z", {}}}); }

/// The whole motion is prescribed if neither is given.
struct HeldPart {
  SETTING(std::vector<Axis>, components, {}, "Components of the motion that are prescribed; vertices are free in the others.", one_or_more,
          not_empty("names no component, so that nothing is held; name some of x, y and z"));
  SETTING(std::optional<Vec3>, normal, {}, "Direction along which the motion is prescribed; vertices are free across it, as on rollers or a plane of symmetry.",
          direction);
  SETTING(std::optional<double>, until, {}, "Time of release, after which the vertices are free; without it they are held permanently.", unit("s"), positive);

  std::vector<Vec3> directions() const;  ///< orthogonal unit vectors; empty: the whole motion is prescribed
  void complete(const Given& given) const;
  bool operator==(const HeldPart&) const = default;
};

}  // namespace traction
