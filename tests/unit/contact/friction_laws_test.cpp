// The friction of one pair under each law: derivatives, dissipation, and what anisotropic friction does to directions.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/pair_forces.h"

namespace traction {
namespace {

using test::obstacle_force;

const Vec3 kGrain = Vec3(1, 0.3, 0.2).normalized();

ContactLaw rough_ground() {
  ContactLaw law;
  law.thickness = 0.1;
  law.stiffness = 50;
  law.friction = true;
  law.curve = {0.6, 0.9, 0.5, 2, 0.3};
  return law;
}
ContactLaw with_decay() {
  ContactLaw law = rough_ground();
  law.curve.decay_velocity = 0.8;
  return law;
}
// Pressures here are normal forces, of 1 to 10 N, over an area of 1 m^2.
ContactLaw ground_from_table() {
  ContactLaw law = rough_ground();
  law.curve.table = FrictionTable{{0, 0.6, 1.5, 3}, {0.5, 3, 8, 20}, {1.1, 0.9, 0.8, 0.4, 0.8, 0.9, 0.6, 0.3, 0.4, 0.5, 0.3, 0.2, 0.3, 0.2, 0.2, 0.1}};
  return law;
}
ContactLaw with_grain(ContactLaw law, double along = 0.4, double across = 1.3) {
  AnisotropySettings anisotropy;
  anisotropy.grain = kGrain;
  anisotropy.along = along;
  anisotropy.across = across;
  law.anisotropy = anisotropy;
  return law;
}

struct LawCase {
  const char* name;
  ContactLaw law;
};
void PrintTo(const LawCase& one, std::ostream* out) { *out << one.name; }

class FrictionLaws : public testing::TestWithParam<LawCase> {
 protected:
  std::mt19937 random_{11};
  Vec3 random_vector() {
    std::uniform_real_distribution<double> number(-1, 1);
    return {number(random_), number(random_), number(random_)};
  }
};

const std::vector<GapFunction> kObstacles = {PlaneGap{Vec3::Zero(), Vec3(0.1, 0, 1).normalized()}, SphereGap{Vec3(0, 0, -0.3), 0.3, 1}};

// Whether the second derivatives of a table jump between two states.
bool is_smooth_between(const ContactLaw& law, const ContactForce<double>& a, const ContactForce<double>& b) {
  if (!law.curve.table) return true;
  const auto is_between = [](const std::vector<double>& knots, double from, double to) {
    return std::any_of(knots.begin(), knots.end(), [&](double knot) { return (from - knot) * (to - knot) <= 0; });
  };
  return !is_between(law.curve.table->speeds, a.sliding.norm(), b.sliding.norm()) && !is_between(law.curve.table->pressures, a.normal.norm(), b.normal.norm());
}

// Along random directions of position and velocity together, by fourth-order central differences. The pressure changes with the gap.
TEST_P(FrictionLaws, ProductsAreTheDerivative) {
  for (const GapFunction& obstacle : kObstacles)
    for (const double speed : {0.1, 1.0, 4.0})
      for (int trial = 0; trial < 10; ++trial) {
        const Vec3 x = Vec3(0, 0, 0.04) + 0.02 * random_vector(), v = speed * random_vector(), dx = random_vector(), dv = random_vector();
        const Vec3 product = derivative_of(obstacle_force<Dual<double>>(obstacle, Pose(), GetParam().law, make_dual(x, dx), make_dual(v, dv)).friction);
        const auto contact = [&](double step) { return obstacle_force<double>(obstacle, Pose(), GetParam().law, x + step * dx, v + step * dv); };
        const auto at = [&](double step) { return contact(step).friction; };
        constexpr double kStep = 2e-5;
        if (!is_smooth_between(GetParam().law, contact(-2 * kStep), contact(2 * kStep))) continue;
        const Vec3 slope = (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
        EXPECT_LT((product - slope).norm(), 1e-6 * product.norm());
      }
}

// Friction lies in the plane of contact and takes energy out, whatever the direction of sliding.
TEST_P(FrictionLaws, TakesEnergyInThePlaneOfContact) {
  for (const GapFunction& obstacle : kObstacles)
    for (int trial = 0; trial < 200; ++trial) {
      const Vec3 x = Vec3(0, 0, 0.04) + 0.02 * random_vector(), v = 3 * random_vector();
      const ContactForce<double> contact = obstacle_force<double>(obstacle, Pose(), GetParam().law, x, v);
      EXPECT_LT(std::abs(contact.friction.dot(contact.normal)), 1e-13 * contact.friction.norm() * contact.normal.norm());
      EXPECT_LT(contact.friction_power, 0);
      EXPECT_NEAR(contact.friction_power, contact.friction.dot(v), 1e-12 * contact.friction.norm() * v.norm());
    }
}

// At rest the force vanishes with a finite slope.
TEST_P(FrictionLaws, AreSmoothAtRest) {
  const Vec3 x(0, 0, 0.04);
  const auto friction = [&](const Vec3& v) { return obstacle_force<double>(kObstacles[0], Pose(), GetParam().law, x, v).friction; };
  EXPECT_EQ(friction(Vec3::Zero()).norm(), 0);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec3 dv = random_vector();
    const Vec3 product =
        derivative_of(obstacle_force<Dual<double>>(kObstacles[0], Pose(), GetParam().law, make_dual(x, Vec3::Zero()), make_dual(Vec3::Zero(), dv)).friction);
    EXPECT_LT((friction(1e-9 * dv) / 1e-9 - product).norm(), 1e-7 * product.norm());
    EXPECT_GT(product.norm(), 0);
  }
}

// With the direction of sliding in place of the primal-dual one, the modified derivative is exact; with any other one, the force is the same.
TEST_P(FrictionLaws, PrimalDualProductsBecomeExact) {
  for (const double speed : {0.1, 1.0, 4.0})
    for (int trial = 0; trial < 10; ++trial) {
      const Vec3 x = Vec3(0, 0, 0.04) + 0.02 * random_vector(), v = speed * random_vector();
      const auto moving_x = make_dual(x, random_vector()), moving_v = make_dual(v, random_vector());
      const auto exact = obstacle_force<Dual<double>>(kObstacles[0], Pose(), GetParam().law, moving_x, moving_v);
      const Vec3 along = real_part(exact.sliding).normalized(), other(0.3, -0.1, 0.2);
      const auto own = obstacle_force<Dual<double>>(kObstacles[0], Pose(), GetParam().law, moving_x, moving_v, &along);
      const auto elsewhere = obstacle_force<Dual<double>>(kObstacles[0], Pose(), GetParam().law, moving_x, moving_v, &other);
      EXPECT_LT((derivative_of(own.friction) - derivative_of(exact.friction)).norm(), 1e-12 * derivative_of(exact.friction).norm());
      EXPECT_LT((real_part(elsewhere.friction) - real_part(exact.friction)).norm(), 1e-14 * real_part(exact.friction).norm());
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, FrictionLaws,
                         testing::Values(LawCase{"stribeck", rough_ground()}, LawCase{"exponential", with_decay()}, LawCase{"table", ground_from_table()},
                                         LawCase{"grain", with_grain(rough_ground())}, LawCase{"grain_decay", with_grain(with_decay(), 1.5, 0.7)},
                                         LawCase{"grain_table", with_grain(ground_from_table())}),
                         [](const auto& info) { return std::string(info.param.name); });

// A floor pressed with 3 kappa delta / 4 at half the thickness, far above the tolerance and without viscosity.
const GapFunction kGround = PlaneGap{Vec3::Zero(), Vec3::UnitZ()};
const Vec3 kOnGround(0.2, -0.1, 0.05);
constexpr double kCoefficient = 0.5, kPress = 3 * 50 * 0.1 / 4;

ContactLaw grained_floor(double along, double across) {
  ContactLaw law = rough_ground();
  law.curve = {kCoefficient, kCoefficient, 1e-3, 1e-2, 0};
  law = with_grain(law, along, across);
  law.anisotropy->grain = Vec3::UnitX();
  return law;
}
Vec3 friction_on(const ContactLaw& law, const Vec3& v) { return obstacle_force<double>(kGround, Pose(), law, kOnGround, v).friction; }

// The associated sliding rule (Mroz and Stupkiewicz 1994): forces lie on the ellipse with the semiaxes mu_x N and mu_y N, and the body slides along its inward
// normal. At 45 degrees f = -mu N (a^2, b^2) / sqrt(a^2 + b^2).
TEST(AnisotropicFriction, FollowsTheAssociatedSlidingRule) {
  const double a = 0.6, b = 1.2, full = kCoefficient * kPress;
  const ContactLaw law = grained_floor(a, b);
  EXPECT_LT((friction_on(law, Vec3(2, 0, 0)) + full * Vec3(a, 0, 0)).norm(), 1e-13 * full);
  EXPECT_LT((friction_on(law, Vec3(0, -2, 0)) - full * Vec3(0, b, 0)).norm(), 1e-13 * full);
  EXPECT_LT((friction_on(law, Vec3(2, 2, 0)) + full / std::hypot(a, b) * Vec3(a * a, b * b, 0)).norm(), 1e-13 * full);
  for (int i = 0; i < 24; ++i) {
    const double angle = 2 * M_PI * i / 24;
    const Vec3 direction(std::cos(angle), std::sin(angle), 0), f = friction_on(law, 3 * direction);
    EXPECT_NEAR(std::hypot(f.x() / a, f.y() / b), full, 1e-13 * full);
    const Vec3 normal = -Vec3(f.x() / (a * a), f.y() / (b * b), 0).normalized();
    EXPECT_LT((normal - direction).norm(), 1e-13);
  }
}

TEST(AnisotropicFriction, IsTheIsotropicLawWhereBothFactorsAreEqual) {
  ContactLaw plain = rough_ground(), equal = with_grain(rough_ground(), 1, 1), half = with_grain(rough_ground(), 0.5, 0.5);
  plain.curve.viscous = equal.curve.viscous = half.curve.viscous = 0;
  for (const double speed : {0.01, 0.3, 1.0, 5.0}) {
    const Vec3 v = speed * Vec3(0.3, -0.9, 0.2), f = friction_on(plain, v);
    EXPECT_LT((friction_on(equal, v) - f).norm(), 1e-13 * f.norm());
    EXPECT_LT((friction_on(half, v) - 0.5 * f).norm(), 1e-13 * f.norm());
  }
}

// At the tolerance friction is developed, in every direction.
TEST(AnisotropicFriction, IsFullyDevelopedAtTheToleranceInAllDirections) {
  const ContactLaw law = grained_floor(0.5, 2);
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0.8, 0.6, 0)}) {
    const Vec3 at = friction_on(law, 1e-3 * direction), fast = friction_on(law, 5 * direction);
    EXPECT_LT((at - fast).norm(), 1e-12 * fast.norm());
  }
  EXPECT_NEAR(friction_on(law, Vec3(0.5e-3, 0, 0)).norm(), 0.75 * 0.5 * kCoefficient * kPress, 1e-12);
}

// The direction is projected: on a slope the factor along it is whole. Where it is normal to the surface there is no grain, and the factor is that across.
TEST(AnisotropicFriction, HasItsDirectionOnTheSurface) {
  for (const double degrees : {0.0, 30.0, 70.0, 85.0, 90.0}) {
    const double angle = degrees * M_PI / 180;
    const Vec3 normal(-std::sin(angle), 0, std::cos(angle)), downhill(std::cos(angle), 0, std::sin(angle));
    const GapFunction slope = PlaneGap{Vec3::Zero(), normal};
    const auto coefficient = [&](const Vec3& v) {
      return obstacle_force<double>(slope, Pose(), grained_floor(0.5, 2), 0.05 * normal, v).friction.norm() / kPress;
    };
    EXPECT_NEAR(coefficient(Vec3(0, 1, 0)), 2 * kCoefficient, 1e-12) << degrees;
    if (degrees < 80) {
      EXPECT_NEAR(coefficient(downhill), 0.5 * kCoefficient, 1e-12) << degrees;
    } else if (degrees == 90) {
      EXPECT_NEAR(coefficient(downhill), 2 * kCoefficient, 1e-12);
    } else {
      EXPECT_GT(coefficient(downhill), 0.6 * kCoefficient);
      EXPECT_LT(coefficient(downhill), 1.9 * kCoefficient);
    }
  }
}

// The pressure of a pair is its normal force over its area, or over its share if it has no area; a factor on the whole law changes the force but not the
// coefficient.
TEST(PressureOfAPair, IsTheNormalForceOverItsArea) {
  ContactLaw law = rough_ground();
  law.curve = {0, 0, 1e-3, 1e-2, 0};
  law.curve.table = FrictionTable{{}, {10, 20}, {0.2, 0.6}};
  const auto coefficient = [&](const PairWeight& weight) {
    const std::array<Vec3, 1> v{Vec3(3, 0, 0)};
    std::array<Vec3, 1> force{Vec3::Zero()};
    const auto contact = contact_force<double>(law, weight, ObstacleSample<double>(kGround, Pose(), kOnGround), Pose(), std::span<const Vec3>(v), force);
    return contact.friction.norm() / contact.normal.norm();
  };
  const double middle = kPress / 15, quarter = kPress / 12.5;  // areas for which the pressure is that of the table's middle and quarter
  EXPECT_NEAR(coefficient({1, 0, 1, middle, 7}), 0.4, 1e-12);
  EXPECT_NEAR(coefficient({1, 0, 1, 0, quarter}), 0.2 + 0.4 * (3 - 2 * 0.25) * 0.25 * 0.25, 1e-12);
  law.stiffness *= 0.3;
  EXPECT_NEAR(coefficient({1, 0, 1, middle, 7}), 0.2, 1e-12);  // beyond the table
  law.factor = 0.3;
  EXPECT_NEAR(coefficient({1, 0, 1, middle, 7}), 0.4, 1e-12);
}

}  // namespace
}  // namespace traction
