#include "support/pair_forces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace traction {
namespace {

constexpr double kMu = 0.4;

ContactLaw rubber() {
  ContactLaw law;
  law.thickness = 0.01;
  law.stiffness = 2e4;
  law.friction = true;
  law.curve = {kMu, kMu, 1e-3, 1e-2, 0};
  return law;
}

const GapFunction kFloor = PlaneGap{Vec3::Zero(), Vec3::UnitZ()};

// lambda at half the thickness: 3 kappa delta / 4.
constexpr double kNormalForce = 3 * 2e4 * 0.01 / 4;
const Vec3 kTouching(0.3, -0.2, 0.005);

TEST(ContactKernel, NoForceBeyondTheThickness) {
  const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(), rubber(), Vec3(1, 2, 0.01), Vec3(3, 0, -5));
  EXPECT_EQ(contact.gap, 0.01);
  EXPECT_EQ(contact.normal.norm(), 0);
  EXPECT_EQ(contact.friction.norm(), 0);
}

TEST(ContactKernel, NormalForceIsThePenaltys) {
  const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(), rubber(), kTouching, Vec3(3, 0, -5));
  EXPECT_NEAR(contact.gap, 0.005, 1e-16);
  EXPECT_LT((contact.normal - Vec3(0, 0, kNormalForce)).norm(), 1e-12);
}

TEST(ContactKernel, FrictionIsOptional) {
  ContactLaw law = rubber();
  law.friction = false;
  const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(), law, kTouching, Vec3(3, 0, -5));
  EXPECT_EQ(contact.friction.norm(), 0);
  EXPECT_NEAR(contact.normal.norm(), kNormalForce, 1e-12);
}

// Beyond the tolerance Coulomb's law holds: mu lambda against the sliding, whatever its speed and the speed of approach.
TEST(ContactKernel, SlidingFrictionIsCoulombs) {
  for (const double speed : {1e-3, 0.02, 7.0})
    for (const double approach : {-4.0, 0.0, 0.5}) {
      const Vec3 direction(0.6, -0.8, 0);
      const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(), rubber(), kTouching, speed * direction + approach * Vec3::UnitZ());
      EXPECT_LT((contact.friction + kMu * kNormalForce * direction).norm(), 1e-12 * kNormalForce);
    }
}

// s(eps/2) = 3/4.
TEST(ContactKernel, StickingFrictionFollowsTheSmoothCurve) {
  const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(), rubber(), kTouching, Vec3(0, 5e-4, 0));
  EXPECT_LT((contact.friction - Vec3(0, -0.75 * kMu * kNormalForce, 0)).norm(), 1e-12 * kNormalForce);
  EXPECT_EQ(test::obstacle_force<double>(kFloor, Pose(), rubber(), kTouching, Vec3(0, 0, -3)).friction.norm(), 0);
}

// On a sphere friction lies in its tangent plane and takes energy out.
TEST(ContactKernel, FrictionOpposesSlidingOnACurvedSurface) {
  const Vec3 center(0, 0, -2);
  const GapFunction sphere = SphereGap{center, 2, 1};
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = Vec3(number(generator), number(generator), number(generator)).normalized();
    const Vec3 v(number(generator), number(generator), number(generator));
    const ContactForce<double> contact = test::obstacle_force<double>(sphere, Pose(), rubber(), center + 2.005 * n, v);
    const Vec3 sliding = v - n * n.dot(v);
    EXPECT_NEAR(contact.friction.dot(n), 0, 1e-12 * kNormalForce);
    EXPECT_NEAR(contact.friction.dot(v), -kMu * kNormalForce * sliding.norm(), 1e-11 * kNormalForce);
  }
}

Pose spinning_pose() {
  MotionSettings motion;
  motion.velocity = Vec3(0.4, -1, 0.2);
  motion.angular_velocity = Vec3(3, 1, -2);
  motion.about = Vec3(0.1, 0.6, -0.3);
  return {motion, 0.7};
}

TEST(ContactKernel, ABodyCarriedByTheObstacleFeelsNoFriction) {
  const Pose pose = spinning_pose();
  for (const GapFunction& surface : {kFloor, GapFunction(SphereGap{Vec3(0.3, -0.2, -1.995), 1.996, 1})}) {
    const Vec3 x = pose.to_world<double>(kTouching);
    const ContactForce<double> contact = test::obstacle_force<double>(surface, pose, rubber(), x, pose.velocity_at<double>(x));
    EXPECT_GT(contact.normal.norm(), 0.1 * kNormalForce);
    EXPECT_LT(contact.friction.norm(), 1e-9 * kNormalForce);
  }
}

// A resting vertex on a moving floor is dragged along with mu lambda.
TEST(ContactKernel, AMovingObstacleDragsARestingBody) {
  MotionSettings motion;
  motion.velocity = Vec3(0, 2, 0);
  const ContactForce<double> contact = test::obstacle_force<double>(kFloor, Pose(motion, 1), rubber(), kTouching, Vec3::Zero());
  EXPECT_LT((contact.friction - Vec3(0, kMu * kNormalForce, 0)).norm(), 1e-12 * kNormalForce);
}

// Surface and vertex moved together by a rigid motion: the force turns with them.
TEST(ContactKernel, ForceTurnsWithTheFrame) {
  const Pose pose = spinning_pose();
  ContactLaw law = rubber();
  law.curve = {0.3, 0.7, 0.02, 0.2, 5};
  const std::vector<GapFunction> surfaces = {kFloor, SphereGap{Vec3(0, 0, -1), 1.045, 1}, CylinderGap{Vec3(0, 0, 0.3), Vec3::UnitX(), 0.305, -1},
                                             BoxGap{Vec3(0, 0, -0.5), Vec3(0.296, 1, 0.5)}};
  for (const GapFunction& surface : surfaces)
    for (const double speed : {0.005, 0.1, 3.0}) {
      const Vec3 x = kTouching + Vec3(0, 0.15, 0), v = speed * Vec3(0.3, 0.8, -0.2);
      const ContactForce<double> still = test::obstacle_force<double>(surface, Pose(), law, x, v);
      const Vec3 x_moved = pose.to_world<double>(x), v_moved = pose.velocity_at<double>(x_moved) + pose.rotation * v;
      const ContactForce<double> moved = test::obstacle_force<double>(surface, pose, law, x_moved, v_moved);
      ASSERT_LT(still.gap, law.thickness);
      EXPECT_NEAR(moved.gap, still.gap, 1e-14);
      EXPECT_LT((moved.normal - pose.rotation * still.normal).norm(), 1e-11 * still.normal.norm());
      EXPECT_LT((moved.friction - pose.rotation * still.friction).norm(), 1e-10 * still.normal.norm());
    }
}

// The normal force is minus the gradient of the penalty's energy.
TEST(ContactKernel, NormalForceIsTheEnergysGradient) {
  using Dual3 = Dual<double, 3>;
  const ContactLaw law = rubber();
  const Pose pose = spinning_pose();
  const GapFunction sphere = SphereGap{Vec3(0, 0, -1), 1.02, 1};
  const Vec3 x = pose.to_world<double>(Vec3(0.1, 0.05, 0.01));
  Vector3<Dual3> seeded;
  for (int i = 0; i < 3; ++i) {
    seeded[i] = Dual3(x[i]);
    seeded[i].derivative[i] = 1;
  }
  const auto contact = test::obstacle_force<Dual3>(sphere, pose, law, seeded, Vec3::Zero().cast<Dual3>());
  const Dual3 energy = cubic_penalty(contact.gap, law.thickness, law.stiffness);
  ASSERT_LT(contact.gap.value, law.thickness);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(contact.normal[i].value, -energy.derivative[i], 1e-12 * kNormalForce);
}

// Without the sliding basis's derivative a product loses only that term: on a plane, where the basis is constant, nothing changes; on a sphere something does,
// but never the force.
TEST(ContactKernel, SlidingBasisDerivativeChangesTheProductOnly) {
  ContactLaw exact = rubber(), dropped = rubber();
  dropped.sliding_basis_derivative = false;
  const GapFunction sphere = SphereGap{Vec3(0, 0, -1), 1.02, 1};
  for (const bool plane : {true, false}) {
    Vector3<Dual<double>> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = make_dual(Vec3(0.1, 0.05, 0.005)[i], Vec3(0.3, -0.2, 0.1)[i]);
      v[i] = make_dual(Vec3(0.4, 0.7, -0.3)[i], 0);
    }
    const GapFunction& surface = plane ? kFloor : sphere;
    const auto a = test::obstacle_force<Dual<double>>(surface, Pose(), exact, x, v), b = test::obstacle_force<Dual<double>>(surface, Pose(), dropped, x, v);
    double value_difference = 0, derivative_difference = 0, scale = 0;
    for (int i = 0; i < 3; ++i) {
      value_difference += std::abs(a.friction[i].value - b.friction[i].value);
      derivative_difference += std::abs(a.friction[i].derivative[0] - b.friction[i].derivative[0]);
      scale += std::abs(a.friction[i].derivative[0]);
    }
    EXPECT_LT(value_difference, 1e-12 * kNormalForce);
    if (plane) {
      EXPECT_LT(derivative_difference, 1e-12 * scale);
    } else {
      EXPECT_GT(derivative_difference, 1e-4 * scale);
    }
  }
}

}  // namespace
}  // namespace traction
