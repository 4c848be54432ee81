// Rods that bodies carry with their direction and twist (docs/theory/rods.md, "Clamps").
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/rod_element.h"
#include "forces/point_links.h"

namespace traction {

/// The strains of a clamp and their gradients by its points.
template <typename T>
struct RodClampStrains {
  std::array<T, 3> value;                             ///< kappa_1, kappa_2, m of docs/theory/rods.md, "Kinematics", against the shape without stress
  std::array<std::array<Vector3<T>, 6>, 3> gradient;  ///< one for each strain
  std::array<MovingRodFrame<T>, 2> frames;            ///< of body and segment
  T reference_twist;                                  ///< m_ref
};

/// The half of a segment next to a vertex that a body carries with its direction: a joint of the rod between the segment and one that would be part of the
/// body. Free of stress where the segment lies in the body as it did in the mesh.
struct RodClampElement {
  std::array<BodyPoint, 6> points;  ///< both ends of the segment, its twist (an arc length, as in a RodJoint), three places of the body
  int attachment;                   ///< number
  int twist;                        ///< local number of the twist's vertex, which this rank owns
  bool begins;                      ///< whether the segment begins at the carried vertex; else it ends there
  double radius;                    ///< of the segment's twist [m]
  Vec3 tangent, director;  ///< tangent and director of the body's segment in the body's axes. The axes lie along the first two places, and in the plane of
                           ///< these with the third
  double first_bending, second_bending, twisting;  ///< EI1, EI2, GJ over half of the segment's length [N m]
  double viscous_time;                             ///< as in a RodJoint [s]
  RodFrame frame = {};                             ///< of the segment, when it was last carried along
  double reference_twist = 0;                      ///< m_ref then [rad]

  /// The axes of the frame of three places: along the first side, across that side in the plane of the three, and normal to the plane.
  template <typename T>
  static Eigen::Matrix<T, 3, 3> axes(const Vector3<T>& side, const Vector3<T>& other);

  bool is_viscous() const { return viscous_time != 0; }
  template <typename T>
  RodClampStrains<T> strains(const std::array<Vector3<T>, 6>& x) const;
  template <typename T>
  std::array<Vector3<T>, 6> forces(const std::array<Vector3<T>, 6>& x, const std::array<Vector3<T>, 6>& v) const;
  double energy(const std::array<Vec3, 6>& x) const;
  /// Carries frame and reference twist along to the points' positions.
  void carry_along(const std::array<Vec3, 6>& x);
  std::array<double, 3> stiffness() const { return {first_bending, second_bending, twisting}; }
};

/// All clamps of a scene. Remembers the frames of their segments from step to step.
class RodClamps : public PointLinks<RodClampElement, 6>, private Memory {
 public:
  using PointLinks::PointLinks;

  Memory* memory() override { return this; }

 private:
  static constexpr int kComponents = 8;  ///< for each end of a segment, which may be clamped at both: reference twist; tangent and director
  std::string name() const override { return "rod clamps"; }
  int components() const override { return kComponents; }
  void commit(const State& accepted) override;
  void save(std::span<double> values) const override;
  void load(std::span<const double> values) override;
};

template <typename T>
Eigen::Matrix<T, 3, 3> RodClampElement::axes(const Vector3<T>& side, const Vector3<T>& other) {
  using std::sqrt;
  const Vector3<T> across = side.cross(other);
  Eigen::Matrix<T, 3, 3> result;
  result.col(0) = side / T(sqrt(side.dot(side)));
  result.col(2) = across / T(sqrt(across.dot(across)));
  result.col(1) = Vector3<T>(result.col(2)).cross(Vector3<T>(result.col(0)));
  return result;
}

template <typename T>
RodClampStrains<T> RodClampElement::strains(const std::array<Vector3<T>, 6>& x) const {
  using std::sqrt;
  const int own = begins ? 1 : 0, body = 1 - own;
  const Vector3<T> side = x[4] - x[3], other = x[5] - x[3];
  const Eigen::Matrix<T, 3, 3> Q = axes<T>(side, other);
  RodClampStrains<T> result;
  result.frames[body] = {Q * tangent.template cast<T>(), Q * director.template cast<T>()};
  result.frames[own] = {frame.tangent.template cast<T>(), frame.director.template cast<T>()};
  const Vector3<T> segment = x[1] - x[0], &t = result.frames[body].tangent;
  const RodKinematics<T> now = begins ? RodKinematics<T>(result.frames, {radius, radius}, reference_twist, {t, segment}, {T(0.0), x[2][0]})
                                      : RodKinematics<T>(result.frames, {radius, radius}, reference_twist, {segment, t}, {x[2][0], T(0.0)});
  result.value = {now.curvature[0], now.curvature[1], now.twist};
  result.reference_twist = now.reference_twist;
  result.frames[own] = {now.tangents[own], now.directors[own]};
  // The body's axes turn by w = sum of axis_i (turn_i . changes of its sides).
  const Vector3<T> a = Q.col(0), b = Q.col(1), n = Q.col(2);
  const T inverse = T(1.0) / sqrt(side.dot(side)), along = a.dot(other), height = T(1.0) / b.dot(other);
  for (int k = 0; k < 3; ++k) {
    auto& gradient = result.gradient[k];
    const Vector3<T>& by_own = now.by_segment[k][own];
    gradient[0] = -by_own;
    gradient[1] = by_own;
    gradient[2] = Vector3<T>(now.by_angle[k][own] / radius, T(0.0), T(0.0));
    const Vector3<T> moment = t.cross(now.by_segment[k][body]) + t * now.by_angle[k][body];
    const T about_a = moment.dot(a), about_b = moment.dot(b), about_n = moment.dot(n);
    gradient[5] = n * T(about_a * height);
    gradient[4] = b * T(about_n * inverse) - n * T((about_b + about_a * along * height) * inverse);
    gradient[3] = -gradient[4] - gradient[5];
  }
  return result;
}

template <typename T>
std::array<Vector3<T>, 6> RodClampElement::forces(const std::array<Vector3<T>, 6>& x, const std::array<Vector3<T>, 6>& v) const {
  const RodClampStrains<T> now = strains<T>(x);
  std::array<Vector3<T>, 6> force;
  for (Vector3<T>& f : force) f = Vector3<T>(T(0.0), T(0.0), T(0.0));
  for (int k = 0; k < 3; ++k) {
    T moment = now.value[k];
    if (is_viscous())
      for (int p = 0; p < 6; ++p) moment += now.gradient[k][p].dot(v[p]) * viscous_time;
    moment *= T(stiffness()[k]);
    for (int p = 0; p < 6; ++p) force[p] -= now.gradient[k][p] * moment;
  }
  return force;
}

}  // namespace traction
