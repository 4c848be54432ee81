// A place over the edge between two triangles that form a valley touches three features at once: both triangles, and their edge with the factor -1.
#include "contact/sheet_force.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/sheet_sample.h"

namespace traction {
namespace {

constexpr double kReach = 0.1, kEdgeLength = 1;

ContactLaw rough_law(double damping) {
  ContactLaw law;
  law.thickness = kReach;
  law.stiffness = 50;
  law.guard_thickness = 0.02;
  law.guard_stiffness = 500;
  law.damping = damping;
  law.friction = true;
  law.curve.dynamic = 0.6;
  law.curve.static_ = 0.9;
  law.curve.tolerance = 0.5;
  law.curve.stribeck_velocity = 2;
  law.curve.viscous = 0.3;
  return law;
}

const PairWeight kWeight{0.7, 0.3, 1, 0.2, 0.2, 0, 0.2};

// The place, the two ends of the edge, and the third corners, each of which is raised by `rise`. The edge runs along x.
std::vector<Vec3> valley(const Vec3& place, double rise) { return {place, Vec3(0, 0, 0), Vec3(kEdgeLength, 0, 0), Vec3(0.4, 1, rise), Vec3(0.6, -1, rise)}; }

std::vector<PairedFeatures> three_parts() {
  return {{FeaturePair::place_triangle, {}, {1, 2, 3}, 1}, {FeaturePair::place_triangle, {}, {1, 2, 4}, 1}, {FeaturePair::place_edge, {}, {1, 2}, -1}};
}

template <typename T>
ContactForce<T> force_on(const ContactLaw& law, std::span<const Vector3<T>> x, std::span<const Vector3<T>> v, std::span<Vector3<T>> forces,
                         const std::vector<PairedFeatures>& parts = three_parts()) {
  const SheetSample<T> sample(parts, TurningSide{}, kReach, x);
  if (sample.part_count() == 1) return contact_force<T>(law, kWeight, sample, ObstacleTurns{}, v, forces);
  return sheet_force<T>(law, kWeight, sample, ObstacleTurns{}, v, forces);
}

std::vector<Vec3> random_velocities(std::mt19937& generator) {
  std::uniform_real_distribution<double> speed(-1, 1);
  std::vector<Vec3> v(5);
  for (Vec3& each : v) each = Vec3(speed(generator), speed(generator), speed(generator));
  return v;
}

class SheetForce : public testing::TestWithParam<double> {};

// Along random directions of positions and velocities, by central differences.
TEST_P(SheetForce, HasExactDerivatives) {
  std::mt19937 generator(7);
  const ContactLaw law = rough_law(GetParam());
  for (int i = 0; i < 20; ++i) {
    const std::vector<Vec3> x = valley(Vec3(0.5, 0.02, 0.05), 0.5), v = random_velocities(generator), dx = random_velocities(generator),
                            dv = random_velocities(generator);
    std::vector<Vector3<Dual<double>>> dual_x, dual_v, changes(5, Vec3::Zero().cast<Dual<double>>());
    for (int p = 0; p < 5; ++p) {
      dual_x.push_back(make_dual(x[p], dx[p]));
      dual_v.push_back(make_dual(v[p], dv[p]));
    }
    force_on<Dual<double>>(law, dual_x, dual_v, changes);
    const auto moved = [&](double step) {
      std::vector<Vec3> at = x, velocities = v, forces(5, Vec3::Zero());
      for (int p = 0; p < 5; ++p) {
        at[p] += step * dx[p];
        velocities[p] += step * dv[p];
      }
      force_on<double>(law, at, velocities, forces);
      return forces;
    };
    constexpr double kStep = 1e-6;
    const std::vector<Vec3> after = moved(kStep), before = moved(-kStep);
    double size = 0;
    for (const auto& change : changes) size = std::max(size, derivative_of(change).norm());
    for (int p = 0; p < 5; ++p) EXPECT_LT(((after[p] - before[p]) / (2 * kStep) - derivative_of(changes[p])).norm(), 1e-6 * size) << p;
  }
}

// The forces' power is that of the potential, of damping and of friction, of which the last two only take; they add up to nothing.
TEST_P(SheetForce, DissipatesAndKeepsMomentum) {
  std::mt19937 generator(8);
  const ContactLaw law = rough_law(GetParam());
  ContactLaw conservative = law;
  conservative.friction = false;
  conservative.damping = 0;
  for (double height : {0.02, 0.05, 0.08})
    for (int i = 0; i < 50; ++i) {
      const std::vector<Vec3> x = valley(Vec3(0.5, 0.01, height), 0.5), v = random_velocities(generator);
      std::vector<Vec3> forces(5, Vec3::Zero()), elastic = forces;
      const ContactForce<double> contact = force_on<double>(law, x, v, forces);
      force_on<double>(conservative, x, v, elastic);
      Vec3 sum = Vec3::Zero();
      double power = 0, size = 0;
      for (int p = 0; p < 5; ++p) {
        sum += forces[p];
        power += (forces[p] - elastic[p]).dot(v[p]);
        size += forces[p].norm();
      }
      EXPECT_LT(sum.norm(), 1e-13 * size);
      EXPECT_LT(contact.friction_power, 0);
      EXPECT_LE(contact.damping, 0);
      EXPECT_NEAR(power, contact.friction_power + contact.damping, 1e-12 * size);
      EXPECT_LT((contact.normal + contact.friction - forces[0]).norm(), 1e-13 * size);
    }
}

// A valley that becomes flat acts like the edge alone, and with a flat sheet's force.
TEST_P(SheetForce, IsContinuousWhereAValleyBecomesFlat) {
  std::mt19937 generator(9);
  const ContactLaw law = rough_law(GetParam());
  const std::vector<PairedFeatures> edge{{FeaturePair::place_edge, {}, {1, 2}}};
  const std::vector<Vec3> v = random_velocities(generator), x = valley(Vec3(0.5, 0, 0.05), 1e-9);
  std::vector<Vec3> several(5, Vec3::Zero()), one = several;
  const ContactForce<double> with_parts = force_on<double>(law, x, v, several), alone = force_on<double>(law, x, v, one, edge);
  EXPECT_NEAR(with_parts.friction_power, alone.friction_power, 1e-7 * std::abs(alone.friction_power));
  for (int p = 0; p < 5; ++p) EXPECT_LT((several[p] - one[p]).norm(), 1e-7 * one[0].norm()) << p;
}

INSTANTIATE_TEST_SUITE_P(Dampings, SheetForce, testing::Values(0.0, 0.4));

// Along the edge friction is the coefficient times the sum of both normal forces, and across it a narrow valley holds what its walls press, although the mean
// of their directions has no component there.
TEST(NarrowValley, HoldsWhatItsWallsPress) {
  ContactLaw law = rough_law(0);
  law.curve.static_ = law.curve.dynamic;
  law.curve.viscous = 0;
  law.guard_thickness = 0;
  const std::vector<Vec3> x = valley(Vec3(0.5, 0, 0.5), 10);
  ContactLaw frictionless = law;
  frictionless.friction = false;
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0, 0, 1)}) {
    std::vector<Vec3> v(5, Vec3::Zero()), forces(5, Vec3::Zero()), unused = forces;
    v[0] = 100 * direction;
    const SheetSample<double> sample(three_parts(), TurningSide{}, kReach, std::span<const Vec3>(x));
    double pressed = 0;  // both walls; the edge is out of reach
    for (int wall : {0, 1}) pressed += law.normal_force(sample.part(wall).gap(), kWeight);
    ASSERT_GT(pressed, 0);
    const double upward = force_on<double>(frictionless, x, v, unused).normal.dot(direction), slope = std::sqrt(1 + 0.1 * 0.1);
    force_on<double>(law, x, v, forces);
    EXPECT_NEAR(forces[0].dot(direction) - upward, -0.6 * pressed / (direction.z() > 0 ? slope : 1), 4e-3 * pressed);
  }
}

}  // namespace
}  // namespace traction
