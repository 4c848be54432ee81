// Discrete elastic rods: the stretching of a segment, and the bending and twist of two segments that meet (docs/theory/rods.md, "Energy").
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// E = EA/2 (|e|/L - 1)^2 L of a segment from x[0] to x[1].
struct RodStretch {
  std::array<int, 2> vertices;  ///< local
  double length;                ///< L at rest [m]
  double stiffness;             ///< EA [N]
  double viscous_time;          ///< beta [s]: the strain counts as strain + beta * its rate

  bool is_viscous() const { return viscous_time != 0; }
  /// The tension for ends at positions x [m] and velocities v [m/s]  [N]
  template <typename T>
  std::array<T, 1> stress(const std::array<Vector3<T>, 2>& x, const std::array<Vector3<T>, 2>& v) const {
    using std::sqrt;
    const Vector3<T> e = x[1] - x[0], rate = v[1] - v[0];
    const T squared = e.dot(e), present = sqrt(squared);
    const T strain = squared / length - length;  // (|e|^2 - L^2)/L, which cancels less than |e| - L
    return {(strain / (present + length) + e.dot(rate) / present * (viscous_time / length)) * stiffness};
  }
  /// The forces of a tension.
  template <typename T>
  std::array<Vector3<T>, 2> forces_of(const std::array<T, 1>& tension, const std::array<Vector3<T>, 2>& x) const {
    using std::sqrt;
    const Vector3<T> e = x[1] - x[0];
    const Vector3<T> pull = e * T(tension[0] / sqrt(e.dot(e)));
    return {pull, Vector3<T>(-pull)};
  }
  template <typename T>
  std::array<Vector3<T>, 2> forces(const std::array<Vector3<T>, 2>& x, const std::array<Vector3<T>, 2>& v) const {
    return forces_of<T>(stress(x, v), x);
  }
  double energy(const std::array<Vec3, 2>& x) const {  // [J]
    const double strain = (x[1] - x[0]).norm() / length - 1;
    return stiffness * strain * strain * length / 2;
  }
};

/// The vector v, orthogonal to the unit tangent `from`, carried to the unit tangent `to` by the rotation without twist between them. NaN where they are
/// opposite.
template <typename T>
Vector3<T> carried_without_twist(const Vector3<T>& v, const Vector3<T>& from, const Vector3<T>& to) {
  return v - (from + to) * T(v.dot(to) / (T(1.0) + from.dot(to)));
}

/// The reference frame of a segment when it was last carried along: its unit tangent and the first director, orthogonal to it.
struct RodFrame {
  Vec3 tangent = Vec3::UnitX(), director = Vec3::UnitY();
};

/// A frame of numbers T.
template <typename T>
struct MovingRodFrame {
  Vector3<T> tangent, director;
};

/// The curvature and twist between two segments that meet in a vertex.
struct RodStrains {
  double first_curvature = 0, second_curvature = 0;  ///< kappa_1, kappa_2 of docs/theory/rods.md, "Kinematics", (R4): integrated over the joint
  double twist = 0;                                  ///< m of (R5) [rad]
};

/// The three vertices x0, x1, x2, and the twists of the segments x0 x1 and x1 x2. A twist is measured as arc length at a radius h: the x of its "position" is h
/// theta. The frames of the joint are those at the start of the step, so that within a step energy and forces depend on the state alone.
struct RodJoint {
  std::array<int, 5> vertices;                     ///< local: three points, two twists
  std::array<double, 2> radius;                    ///< h for each segment [m]
  std::array<RodFrame, 2> frames;                  ///< one for each segment
  double reference_twist;                          ///< m_ref when the frames were last carried along [rad]; not reduced to (-pi, pi]
  RodStrains natural;                              ///< strains in which the joint is free of stress
  double first_bending, second_bending, twisting;  ///< EI1, EI2, GJ over the length of the joint [N m]
  double viscous_time;                             ///< beta [s]: strains count as strain + beta * their rates
  std::array<double, 2> spin = {0, 0};             ///< rates at which the reference frames turn about their segments by themselves [rad/s]

  /// Points and twists do not change alike under translations.
  static constexpr bool kFollowsTranslations = false;

  bool is_viscous() const { return viscous_time != 0; }
  /// The forces at positions x and velocities v [N]. The x components of the twists' forces are moments divided by h.
  template <typename T>
  std::array<Vector3<T>, 5> forces(const std::array<Vector3<T>, 5>& x, const std::array<Vector3<T>, 5>& v) const;
  /// dq df/dx + dv df/dv, by duals of the two segments and twists alone. [N/m]
  Eigen::Matrix<double, 15, 15> derivative(const std::array<Vec3, 5>& x, const std::array<Vec3, 5>& v, double dq, double dv) const;
  double energy(const std::array<Vec3, 5>& x) const;  ///< [J]
  RodStrains strains(const std::array<Vec3, 5>& x) const;
  /// Carries frames and reference twist along to the positions x.
  void carry_along(const std::array<Vec3, 5>& x);

 private:
  template <typename T>
  struct Parts {
    std::array<Vector3<T>, 2> segments;  ///< the segments' vectors, their rates, or minus the derivative of the energy by them
    std::array<T, 2> twists;             ///< the same of the twists
  };
  template <typename T>
  static Parts<T> parts_of(const std::array<Vector3<T>, 5>& x) {
    return {{Vector3<T>(x[1] - x[0]), Vector3<T>(x[2] - x[1])}, {x[3][0], x[4][0]}};
  }
  template <typename T>
  Parts<T> pull(const Parts<T>& x, const Parts<T>& v) const;
};

/// The strains of a joint of two segments with twists, as in a RodJoint, and their gradients; the common factor of the published formulas is that the frames
/// were last carried at the present tangents, which the last terms of (R7) correct.
template <typename T>
struct RodKinematics {
  T curvature[2], twist;                ///< kappa_1, kappa_2, m
  std::array<Vector3<T>, 2> tangents;   ///< the segments' tangents
  std::array<Vector3<T>, 2> directors;  ///< first directors of the reference frames
  T reference_twist;                    ///< m_ref
  /// Derivatives of kappa_1, kappa_2, m by the segments' vectors and by their angles.
  std::array<std::array<Vector3<T>, 2>, 3> by_segment;  ///< [1/m]
  std::array<std::array<T, 2>, 3> by_angle;

  /// `frames`: when they were last carried along, as RodFrame or MovingRodFrame<T>.
  template <typename Frame>
  RodKinematics(const std::array<Frame, 2>& frames, const std::array<double, 2>& radius, double last_reference_twist, const std::array<Vector3<T>, 2>& segments,
                const std::array<T, 2>& twists);
};

template <typename T>
template <typename Frame>
RodKinematics<T>::RodKinematics(const std::array<Frame, 2>& frames, const std::array<double, 2>& radius, double last_reference_twist,
                                const std::array<Vector3<T>, 2>& segments, const std::array<T, 2>& twists) {
  using std::atan2;
  using std::cos;
  using std::sin;
  using std::sqrt;
  std::array<T, 2> inverse_length, angle;
  std::array<Vector3<T>, 2> first, second;  // material directors
  for (int j = 0; j < 2; ++j) {
    const Vector3<T>& e = segments[j];
    inverse_length[j] = T(1.0) / sqrt(e.dot(e));
    tangents[j] = e * inverse_length[j];
    directors[j] = carried_without_twist<T>(frames[j].director.template cast<T>(), frames[j].tangent.template cast<T>(), tangents[j]);
    angle[j] = twists[j] / radius[j];
    const Vector3<T> across = tangents[j].cross(directors[j]);
    const T c = cos(angle[j]), s = sin(angle[j]);
    first[j] = directors[j] * c + across * s;
    second[j] = across * c - directors[j] * s;
  }
  const T chi = T(1.0) + tangents[0].dot(tangents[1]), inverse_chi = T(1.0) / chi;
  const Vector3<T> binormal = tangents[0].cross(tangents[1]) * T(2.0 * inverse_chi);  // kappa b
  curvature[0] = (second[0] + second[1]).dot(binormal) * 0.5;
  curvature[1] = (first[0] + first[1]).dot(binormal) * -0.5;
  const Vector3<T> carried = carried_without_twist<T>(directors[0], tangents[0], tangents[1]);
  const T reduced = atan2(tangents[1].dot(carried.cross(directors[1])), carried.dot(directors[1]));
  const double turns = std::round((last_reference_twist - real_part(reduced)) / (2 * std::numbers::pi));
  reference_twist = reduced + 2 * std::numbers::pi * turns;
  twist = angle[1] - angle[0] + reference_twist;

  const Vector3<T> middle = (tangents[0] + tangents[1]) * inverse_chi;
  const Vector3<T> mean_first = (first[0] + first[1]) * inverse_chi, mean_second = (second[0] + second[1]) * inverse_chi;
  by_segment[0] = {(tangents[1].cross(mean_second) - middle * curvature[0]) * inverse_length[0],
                   (tangents[0].cross(mean_second) + middle * curvature[0]) * -inverse_length[1]};
  by_segment[1] = {(tangents[1].cross(mean_first) + middle * curvature[1]) * -inverse_length[0],
                   (tangents[0].cross(mean_first) - middle * curvature[1]) * inverse_length[1]};
  by_segment[2] = {binormal * (inverse_length[0] * 0.5), binormal * (inverse_length[1] * 0.5)};
  for (int j = 0; j < 2; ++j) {
    by_angle[0][j] = first[j].dot(binormal) * -0.5;
    by_angle[1][j] = second[j].dot(binormal) * -0.5;
    by_angle[2][j] = T(j == 0 ? -1.0 : 1.0);
    // Where the tangent leaves the great circle from the place at which the frame was last carried, the frame turns about the tangent by psi.
    const Vector3<T> old = frames[j].tangent.template cast<T>();
    const Vector3<T> turning = old.cross(tangents[j]) * T(-inverse_length[j] / (T(1.0) + old.dot(tangents[j])));
    for (int k = 0; k < 3; ++k) by_segment[k][j] += turning * by_angle[k][j];
  }
}

template <typename T>
RodJoint::Parts<T> RodJoint::pull(const Parts<T>& x, const Parts<T>& v) const {
  const RodKinematics<T> now(frames, radius, reference_twist, x.segments, x.twists);
  const T strain[3] = {now.curvature[0] - natural.first_curvature, now.curvature[1] - natural.second_curvature, now.twist - natural.twist};
  const double stiffness[3] = {first_bending, second_bending, twisting};
  const Vector3<T> none(T(0.0), T(0.0), T(0.0));
  Parts<T> result{{none, none}, {T(0.0), T(0.0)}};
  for (int k = 0; k < 3; ++k) {
    T moment = strain[k];
    if (is_viscous()) {
      T rate = T(0.0);
      for (int j = 0; j < 2; ++j) rate += now.by_segment[k][j].dot(v.segments[j]) + now.by_angle[k][j] * (v.twists[j] / radius[j] + spin[j]);
      moment += rate * viscous_time;
    }
    moment *= T(stiffness[k]);
    for (int j = 0; j < 2; ++j) {
      result.segments[j] -= now.by_segment[k][j] * moment;
      result.twists[j] -= moment * now.by_angle[k][j] / radius[j];
    }
  }
  return result;
}

template <typename T>
std::array<Vector3<T>, 5> RodJoint::forces(const std::array<Vector3<T>, 5>& x, const std::array<Vector3<T>, 5>& v) const {
  const Parts<T> pulls = pull(parts_of(x), parts_of(v));
  const T zero(0.0);
  return {Vector3<T>(-pulls.segments[0]), Vector3<T>(pulls.segments[0] - pulls.segments[1]), pulls.segments[1], Vector3<T>(pulls.twists[0], zero, zero),
          Vector3<T>(pulls.twists[1], zero, zero)};
}

}  // namespace traction
