// The damping of the normal force.

#include "contact/contact_damping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/bumpy_patch.h"
#include "support/pair_forces.h"

namespace traction {
namespace {

ContactLaw damped(double coefficient) {
  ContactLaw law;
  law.thickness = 0.01;
  law.stiffness = 2e4;
  law.damping = coefficient;
  return law;
}

const GapFunction kDampedFloor = PlaneGap{Vec3::Zero(), Vec3::UnitZ()};
const Vec3 kDampedTouch(0.3, -0.2, 0.005);
constexpr double kForce = 3 * 2e4 * 0.01 / 4;

TEST(ContactDamping, FollowsHuntAndCrossley) {
  for (const double rate : {-3.0, -0.1, 0.0, 0.1, 1.9}) {
    const ContactForce<double> contact = test::obstacle_force<double>(kDampedFloor, Pose(), damped(0.5), kDampedTouch, Vec3(7, -2, rate));
    EXPECT_NEAR(contact.normal.z(), kForce * (1 - 0.5 * rate), 1e-11);
    EXPECT_NEAR(contact.damping, -kForce * 0.5 * rate * rate, 1e-11);
  }
}

TEST(ContactDamping, NeverAttracts) {
  const ContactForce<double> contact = test::obstacle_force<double>(kDampedFloor, Pose(), damped(0.5), kDampedTouch, Vec3(0, 0, 5));
  EXPECT_EQ(contact.normal.norm(), 0);
  EXPECT_NEAR(contact.damping, -kForce * 5, 1e-11);  // what the potential gives is taken away
}

// However fast the gap seems to open, a tenth of the guard's force remains, and the whole of it never does work.
TEST(ContactDamping, LeavesAPartOfBarriers) {
  ContactLaw law = damped(0.5);
  law.guard_thickness = kGuardThickness * law.thickness;
  law.guard_stiffness = 10 * law.stiffness;
  PairWeight weight;
  weight.guard = 1;
  const double gap = law.guard_thickness / 4;
  const double guard = law.normal_forces<double>(gap, weight).guard;
  EXPECT_GT(guard, 0);
  EXPECT_EQ(damped_force(0.5, 100 + guard, 5.0, guard), kLeastOfBarrier * guard);
  EXPECT_EQ(damped_force(0.5, 100 + guard, 1.0, guard), (100 + guard) / 2);
  EXPECT_EQ(damped_force(0.5, 100.0, 5.0, -10.0), 0);  // parts that correct for others may leave less than nothing
  law.potential = ContactPotential::log_barrier;
  EXPECT_EQ(law.of_barriers(law.normal_forces<double>(gap, weight)), law.normal_force<double>(gap, weight));
}

// The damping depends on the motion relative to the obstacle.
TEST(ContactDamping, IsThatOfTheGap) {
  Pose rising;
  rising.velocity = Vec3(1, 0, 2);
  const ContactForce<double> contact = test::obstacle_force<double>(kDampedFloor, rising, damped(0.5), kDampedTouch, Vec3(0, 0, 2));
  EXPECT_NEAR(contact.normal.z(), kForce, 1e-11);
  EXPECT_NEAR(contact.damping, 0, 1e-11);
}

// The rate of the gap of a deforming mesh, against a difference along the motion.
TEST(ContactDamping, RateIsThatOfTheGapToAMesh) {
  const ImplicitSurface surface{1.2, 1e-3, 0.9, 0.2};
  const std::vector<Corners<double>> triangles = test::bumpy_patch();
  const auto at = [&](double t) {
    std::vector<Vec3> points{Vec3(0.1 + 0.3 * t, -0.2, 0.15 - 0.7 * t)};
    for (const Corners<double>& triangle : triangles)
      for (const Vec3& x : triangle) points.push_back(x + t * Vec3(0.2 * x.y(), 0.1, 0.5 * std::sin(3 * x.x())));
    return points;
  };
  const std::vector<Vec3> x = at(0), later = at(1);
  std::vector<Vec3> v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) v[i] = later[i] - x[i];
  const double rate = gap_rate<double>(SurfaceSample<double>(surface, x), VertexSurface::Frame(), std::span<const Vec3>(v));
  const double step = 1e-5;
  const std::vector<Vec3> after = at(step), before = at(-step);
  const double difference = (SurfaceSample<double>(surface, after).gap() - SurfaceSample<double>(surface, before).gap()) / (2 * step);
  EXPECT_NEAR(rate, difference, 1e-6);
  EXPECT_LT(rate, -0.1);
}

}  // namespace
}  // namespace traction
