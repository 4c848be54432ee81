// Signed distance to an obstacle and its outward normal, over any scalar (docs/theory/contact.md, "Gap functions").
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "contact/obstacle_settings.h"
#include "contact/static_surface.h"
#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// The gap is positive where bodies may be. The normal is its gradient, of unit length, or nearly so for a mesh.
template <typename T>
struct GapSample {
  T gap;
  Vector3<T> normal;
};

/// Gap to the half-space behind a plane.
struct PlaneGap {
  Vec3 point, normal;

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    T gap(-normal.dot(point));
    for (int i = 0; i < 3; ++i) gap += x[i] * normal[i];
    return {gap, normal.cast<T>()};
  }
};

/// Gap to a round surface at the end of `radial`, which begins at its middle; `sign` -1 when bodies live inside. `outward`: a unit vector that is normal to the
/// surface somewhere. It serves in the very middle, where all directions lead outward alike.
template <typename T>
GapSample<T> round_gap(const Vector3<T>& radial, double radius, double sign, const Vec3& outward) {
  using std::sqrt;
  const T square = radial[0] * radial[0] + radial[1] * radial[1] + radial[2] * radial[2];
  if (!(real_part(square) > 0)) return {T(-sign * radius), Vec3(sign * outward).template cast<T>()};
  const T distance = sqrt(square);
  const T scale = sign / distance;
  Vector3<T> normal;
  for (int i = 0; i < 3; ++i) normal[i] = radial[i] * scale;
  return {(distance - radius) * sign, normal};
}

/// Gap to a sphere, from outside or inside.
struct SphereGap {
  Vec3 center;
  double radius, sign;  ///< sign: 1 outside, -1 inside

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    return round_gap<T>(x - center.cast<T>(), radius, sign, Vec3::UnitX());
  }
};

/// Gap to an infinitely long cylinder, from outside or inside.
struct CylinderGap {
  Vec3 point, axis;
  double radius, sign;

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    const Vector3<T> offset = x - point.cast<T>();
    T along(0.0);
    for (int i = 0; i < 3; ++i) along += offset[i] * axis[i];
    Vector3<T> radial;
    for (int i = 0; i < 3; ++i) radial[i] = offset[i] - along * axis[i];
    return round_gap<T>(radial, radius, sign, axis.unitOrthogonal());
  }
};

/// Gap to an axis-aligned box from outside.
struct BoxGap {
  Vec3 center, half;

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    using std::sqrt;
    Vector3<T> beyond;  // signed distance past each face pair
    std::array<double, 3> side;
    int nearest = 0;
    bool outside = false;
    for (int i = 0; i < 3; ++i) {
      const T offset = x[i] - center[i];
      side[i] = real_part(offset) < 0 ? -1.0 : 1.0;
      beyond[i] = offset * side[i] - half[i];
      if (real_part(beyond[i]) > real_part(beyond[nearest])) nearest = i;
      outside = outside || real_part(beyond[i]) > 0;
    }
    GapSample<T> sample{beyond[nearest], Vector3<T>::Constant(T(0.0))};
    if (!outside) {
      sample.normal[nearest] = T(side[nearest]);
      return sample;
    }
    T square(0.0);
    for (int i = 0; i < 3; ++i)
      if (real_part(beyond[i]) > 0) square += beyond[i] * beyond[i];
    sample.gap = sqrt(square);
    for (int i = 0; i < 3; ++i)
      if (real_part(beyond[i]) > 0) sample.normal[i] = beyond[i] / sample.gap * side[i];
    return sample;
  }
};

/// One sheet of the smooth implicit surface of a mesh.
struct SheetGap {
  const ImplicitSurface& surface;
  std::span<const Corners<double>> near;
  bool has_rim = false;  ///< whether the surface ends among these triangles

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    std::vector<Corners<T>> triangles(near.size());
    for (std::size_t i = 0; i < near.size(); ++i)
      for (int a = 0; a < 3; ++a) triangles[i][a] = near[i][a].template cast<T>();
    const ImplicitSurfaceSample<T> sample(surface, x, triangles, has_rim);
    if (!sample.within_reach()) return {T(std::numeric_limits<double>::infinity()), Vec3(Vec3::UnitZ()).cast<T>()};
    return {sample.gap(), sample.gradient()};
  }
};

/// Gap to the smooth implicit surface of a mesh, using its nearest sheet; infinite out of reach.
struct MeshGap {
  std::shared_ptr<const StaticSurface> surface;

  template <typename T>
  GapSample<T> operator()(const Vector3<T>& x) const {
    GapSample<T> nearest{T(std::numeric_limits<double>::infinity()), Vec3(Vec3::UnitZ()).cast<T>()};
    std::vector<Corners<double>> corners;
    for (const std::vector<int>& sheet : surface->sheets(Vec3(real_part(x[0]), real_part(x[1]), real_part(x[2])))) {
      corners.clear();
      for (int triangle : sheet) corners.push_back(surface->triangle(triangle));
      const GapSample<T> sample = SheetGap{surface->surface(), corners, surface->has_rim(sheet)}(x);
      if (real_part(sample.gap) < real_part(nearest.gap)) nearest = sample;
    }
    return nearest;
  }
};

using GapFunction = std::variant<PlaneGap, SphereGap, CylinderGap, BoxGap, MeshGap>;

/// How far a point can move without passing through the obstacle and leaving it at another side [m]: a part of the obstacle's depth.
double depth_of(const GapFunction& gap);

/// The gap functions of an analytic surface. It has one, except for the inside of a box: each of its six planes may touch by itself. Empty for a mesh.
std::vector<GapFunction> gap_functions(const Obstacle& obstacle);

}  // namespace traction
