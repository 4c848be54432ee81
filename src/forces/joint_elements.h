// The elements of PointLinks that hold and drive joints (docs/theory/rigid.md, "Joints"). The first kOfFirst points of each are on the first body.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "forces/point_links.h"
#include "math/time_table.h"

namespace traction {

/// Two points that coincide: W = k/2 |x - y|^2.
struct PinElement {
  static constexpr std::size_t kOfFirst = 1;
  std::array<BodyPoint, 2> points;
  int joint;
  double stiffness;  ///< k [N/m]

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 2> forces(const std::array<Vector3<T>, 2>& x, const std::array<Vector3<T>, 2>&) const {
    const Vector3<T> pull = (x[0] - x[1]) * T(stiffness);
    return {-pull, pull};
  }
  double energy(const std::array<Vec3, 2>& x) const { return stiffness * (x[0] - x[1]).squaredNorm() / 2; }
  double gap(const std::array<Vec3, 2>& x) const { return (x[0] - x[1]).norm(); }  ///< [m]
};

/// A point y of the second body that slides along an axis through x of the first: W = k/2 (|w|^2 - (a.w)^2) with w = x - y. The axis a has the direction from
/// the first point to the second.
struct GuideElement {
  static constexpr std::size_t kOfFirst = 3;
  std::array<BodyPoint, 4> points;  ///< two of the axis, x, y
  int joint;
  double stiffness;  ///< k [N/m]

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 4> forces(const std::array<Vector3<T>, 4>& x, const std::array<Vector3<T>, 4>&) const {
    const Vector3<T> A = x[1] - x[0], w = x[2] - x[3];
    const T square = A.dot(A), along = A.dot(w) / square;
    const Vector3<T> across = w - A * along;
    const Vector3<T> pull = across * T(stiffness), turn = pull * along;  // dW/dw, and -dW/dA
    return {-turn, turn, -pull, pull};
  }
  double energy(const std::array<Vec3, 4>& x) const { return stiffness * std::pow(gap(x), 2) / 2; }
  double gap(const std::array<Vec3, 4>& x) const {  // [m]
    const Vec3 a = (x[1] - x[0]).normalized(), w = x[2] - x[3];
    return (w - a.dot(w) * a).norm();
  }
};

/// A number that measures how far a joint has moved, and its derivatives by the points.
template <typename T, int N>
struct JointCoordinate {
  T value;
  std::array<Vector3<T>, N> gradient;
};

/// The angle of a hinge, from a direction e of the second body to d of the first, about the axis A of the first [rad].
struct HingeAngle {
  static constexpr int kPoints = 5;  ///< A runs from the first to the second and d from the first to the third, e from the fourth to the fifth
  static constexpr std::size_t kOfFirst = 3;

  /// The gradient by d is a x d / |d - a (a.d)|^2, that by e the negative of the same with e. The gradient by A is such that the moments of all three balance.
  template <typename T>
  static JointCoordinate<T, kPoints> measure(const std::array<Vector3<T>, kPoints>& x) {
    using std::atan2;
    using std::sqrt;
    const Vector3<T> A = x[1] - x[0], d = x[2] - x[0], e = x[4] - x[3];
    const T square = A.dot(A), length = sqrt(square);
    const Vector3<T> a = A / length;
    const T ad = a.dot(d), ae = a.dot(e);
    const T angle = atan2(a.dot(e.cross(d)), e.dot(d) - ad * ae);
    const Vector3<T> by_d = a.cross(d) / T(d.dot(d) - ad * ad), by_e = e.cross(a) / T(e.dot(e) - ae * ae);
    const Vector3<T> by_A = A.cross(Vector3<T>(d.cross(by_d) + e.cross(by_e))) / square;
    return {angle, {-by_A - by_d, by_A, by_d, -by_e, by_e}};
  }
  /// The difference of two angles, up to half a turn.
  template <typename T>
  static T difference(const T& angle, double other) {
    constexpr double kTurn = 2 * std::numbers::pi;
    return angle - (other + kTurn * std::round((real_part(angle) - other) / kTurn));
  }
};

/// The displacement of a slider's first body against its second, along the axis of the first [m].
struct SliderDisplacement {
  static constexpr int kPoints = 4;  ///< the same as in a GuideElement
  static constexpr std::size_t kOfFirst = 3;

  template <typename T>
  static JointCoordinate<T, kPoints> measure(const std::array<Vector3<T>, kPoints>& x) {
    using std::sqrt;
    const Vector3<T> A = x[1] - x[0], w = x[2] - x[3];
    const T length = sqrt(T(A.dot(A)));
    const Vector3<T> a = A / length;
    const T along = a.dot(w);
    const Vector3<T> by_A = (w - a * along) / length;
    return {along, {-by_A, by_A, a, -a}};
  }
  template <typename T>
  static T difference(const T& displacement, double other) {
    return displacement - other;
  }
};

/// A spring and damper in a joint's coordinate c. Its effort, a torque or force, is -k (c - rest) - d c'.
template <typename Coordinate>
struct JointSpring {
  static constexpr int kPoints = Coordinate::kPoints;
  static constexpr std::size_t kOfFirst = Coordinate::kOfFirst;
  std::array<BodyPoint, kPoints> points;
  int joint;
  double stiffness, damping, rest;  ///< k, d, rest

  bool is_viscous() const { return damping > 0; }
  template <typename T>
  T effort(const JointCoordinate<T, kPoints>& c, const std::array<Vector3<T>, kPoints>& v) const {
    T effort = Coordinate::difference(c.value, rest) * (-stiffness);
    if (damping > 0) effort -= rate(c, v) * damping;
    return effort;
  }
  template <typename T>
  std::array<Vector3<T>, kPoints> forces(const std::array<Vector3<T>, kPoints>& x, const std::array<Vector3<T>, kPoints>& v) const {
    const JointCoordinate<T, kPoints> c = Coordinate::measure(x);
    return times(effort(c, v), c);
  }
  double energy(const std::array<Vec3, kPoints>& x) const {
    return stiffness * std::pow(Coordinate::difference(Coordinate::template measure<double>(x).value, rest), 2) / 2;
  }

  template <typename T>
  static T rate(const JointCoordinate<T, kPoints>& c, const std::array<Vector3<T>, kPoints>& v) {
    T rate(0.0);
    for (int a = 0; a < kPoints; ++a) rate += c.gradient[a].dot(v[a]);
    return rate;
  }
  template <typename T>
  static std::array<Vector3<T>, kPoints> times(const T& effort, const JointCoordinate<T, kPoints>& c) {
    std::array<Vector3<T>, kPoints> result;
    for (int a = 0; a < kPoints; ++a) result[a] = c.gradient[a] * effort;
    return result;
  }
};

/// A stiff spring whose rest is prescribed over time.
template <typename Coordinate>
struct JointMotion : JointSpring<Coordinate> {
  double amount;    ///< the rest, or its rate, which `over` multiplies
  TimeTable over;   ///< factor over time
  bool integrates;  ///< whether `amount` is the rate

  JointSpring<Coordinate> at(double time) const {
    JointSpring<Coordinate> spring = *this;
    spring.rest = amount * (integrates ? integral_of(over, time) : factor_at(over, time));
    return spring;
  }
  /// The integral of a table's factor from time 0.
  static double integral_of(const TimeTable& table, double time);
};

/// A torque or force that is given over time.
template <typename Coordinate>
struct JointDrive {
  static constexpr int kPoints = Coordinate::kPoints;
  static constexpr std::size_t kOfFirst = Coordinate::kOfFirst;
  std::array<BodyPoint, kPoints> points;
  int joint;
  double amount;   ///< torque [N m] or force [N], which `over` multiplies
  TimeTable over;  ///< factor over time

  /// The drive at one time.
  struct Now {
    double given;
    template <typename T>
    T effort(const JointCoordinate<T, kPoints>&, const std::array<Vector3<T>, kPoints>&) const {
      return T(given);
    }
    template <typename T>
    std::array<Vector3<T>, kPoints> forces(const std::array<Vector3<T>, kPoints>& x, const std::array<Vector3<T>, kPoints>&) const {
      return JointSpring<Coordinate>::times(T(given), Coordinate::measure(x));
    }
  };
  bool is_viscous() const { return false; }
  Now at(double time) const { return {amount * factor_at(over, time)}; }
};

template <typename Coordinate>
double JointMotion<Coordinate>::integral_of(const TimeTable& table, double time) {
  if (table.empty()) return time;
  double sum = 0, last = 0;
  const auto add_until = [&](double next) {
    if (next <= last) return;
    sum += (next - last) * (factor_at(table, last) + factor_at(table, next)) / 2;
    last = next;
  };
  for (const TimePoint& point : table) add_until(std::min(point.time, time));
  add_until(time);
  return sum;
}

}  // namespace traction
