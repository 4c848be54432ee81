// The primal-dual linearization of friction: its limits, and the convergence of its direction.

#include "contact/friction_directions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/pair_forces.h"

namespace traction {
namespace {

ContactLaw sliding_rubber() {
  ContactLaw law;
  law.thickness = 0.02;
  law.stiffness = 1e5;
  law.friction = true;
  law.curve = {0.6, 0.9, 0.01, 0.1, 3};
  return law;
}

using Dual3 = Dual<double, 3>;

// d friction / d sliding velocity.
template <typename Friction>
Mat3 derivative(const Vec3& sliding, Friction friction) {
  Vector3<Dual3> s;
  for (int i = 0; i < 3; ++i) {
    s[i] = Dual3(sliding[i]);
    s[i].derivative[i] = 1;
  }
  const Vector3<Dual3> f = friction(s);
  Mat3 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = f[i].derivative[j];
  return result;
}

const Vec3 kSlidings[] = {Vec3(0.002, -0.003, 0.001), Vec3(0.03, 0.02, -0.05), Vec3(2, -1, 3), Vec3(0, 0, 0)};

TEST(FrictionDirections, TheForceIsTheSame) {
  for (const Vec3& s : kSlidings)
    for (const Vec3& direction : {Vec3(0, 0, 0), Vec3(0.6, 0, 0.8)})
      EXPECT_LT((friction_force<double>(sliding_rubber().curve, s, 7.0, direction) - friction_force<double>(sliding_rubber().curve, s, 7.0)).norm(), 1e-14);
}

TEST(FrictionDirections, TheProductIsExactWhereTheDirectionIsThatOfSliding) {
  for (const Vec3& s : kSlidings) {
    const Vec3 direction = s.norm() > 0 ? Vec3(s.normalized()) : Vec3(0, 0, 0);
    const Mat3 exact = derivative(s, [&](const Vector3<Dual3>& x) { return friction_force<Dual3>(sliding_rubber().curve, x, Dual3(7.0)); });
    const Mat3 own = derivative(s, [&](const Vector3<Dual3>& x) { return friction_force<Dual3>(sliding_rubber().curve, x, Dual3(7.0), direction); });
    EXPECT_LT((own - exact).norm(), 1e-12 * exact.norm());
  }
}

// With w = 0: -c / |s| times the identity.
TEST(FrictionDirections, TheProductIsTheSecantsAtFirst) {
  const Vec3 s(2, -1, 3);  // beyond the Stribeck velocity: friction mu_d N, and the viscous part
  const double resistance = 0.6 * 7 / s.norm() + 3;
  const Mat3 own = derivative(s, [&](const Vector3<Dual3>& x) { return friction_force<Dual3>(sliding_rubber().curve, x, Dual3(7.0), Vec3::Zero()); });
  EXPECT_LT((own + resistance * Mat3::Identity()).norm(), 1e-12 * resistance);
}

// Newton on |s| w = s for sliding velocities that converge.
TEST(FrictionDirections, ConvergeWithTheSlidingVelocity) {
  FrictionDirections directions;
  EXPECT_FALSE(directions.active());
  EXPECT_EQ(directions.of(0), nullptr);
  directions.set_active(true);
  const Vec3 limit(0.3, -0.4, 1.2);
  double error = 1;
  for (double distance : {1.0, 0.1, 1e-3, 1e-6, 0.0}) {
    directions.update(1, true, limit + distance * Vec3(0.5, 0.7, -0.2));
    const Vec3 w = *directions.of(1);
    EXPECT_LE(w.norm(), 1 + 1e-15);
    error = (w - limit.normalized()).norm();
  }
  EXPECT_LT(error, 1e-9);
  EXPECT_EQ(directions.of(0)->norm(), 0);  // another contact
  directions.update(1, false, limit);      // lets go
  EXPECT_EQ(directions.of(1)->norm(), 0);
  directions.set_active(false);
  EXPECT_EQ(directions.of(1), nullptr);
}

}  // namespace
}  // namespace traction
