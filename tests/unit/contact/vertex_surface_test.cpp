// The force of one vertex on a mesh: the forces on triangles and vertex are opposite, contact by contact.

#include <gtest/gtest.h>

#include <cmath>

#include "support/bumpy_patch.h"
#include "support/pair_forces.h"

namespace traction {
namespace {

constexpr ImplicitSurface kContactSurface{0.9, 1e-3, 0.6, 0.4};

ContactLaw soft_rubber() {
  ContactLaw law;
  law.thickness = 0.2;
  law.stiffness = 300;
  law.friction = true;
  law.curve = {0.4, 0.4, 1e-2, 0.1, 0.5};
  return law;
}

struct Touch {
  Vec3 x, v;
};

// Above and below the surface, sticking (v near the surface's own) and sliding.
const std::vector<Touch> kTouches = {{{0.15, -0.1, 0.08}, {0.3, -1, 2}},
                                     {{-0.4, 0.3, 0.02}, {2, 0.1, -0.5}},
                                     {{0.33, 0.11, 0.05}, {0.4, 0, 0.1}},
                                     {{-0.21, -0.37, -0.2}, {-3, 0.7, 0.01}},
                                     {{0.05, 0.22, 0.1}, {0.101, -0.198, 0.3}}};

std::vector<Corners<double>> moving(const std::vector<Corners<double>>& triangles) {
  std::vector<Corners<double>> velocities = triangles;
  for (auto& triangle : velocities)
    for (Vec3& x : triangle) x = Vec3(0.1 + 0.05 * x.y(), -0.2 + 0.3 * x.x() * x.y(), 0.3 - 0.1 * x.x());
  return velocities;
}

TEST(MeshContactKernel, EveryContactBalances) {
  const auto triangles = test::bumpy_patch(), velocities = moving(triangles);
  for (const Touch& touch : kTouches) {
    std::vector<Corners<double>> reactions(triangles.size(), test::zero_corners());
    const ContactForce<double> contact = test::surface_force(kContactSurface, soft_rubber(), touch.x, touch.v, triangles, velocities, reactions);
    ASSERT_LT(contact.gap, soft_rubber().thickness);
    const Vec3 force = contact.normal + contact.friction;
    EXPECT_GT(contact.friction.norm(), 0.01 * contact.normal.norm());
    Vec3 sum = force, moment = touch.x.cross(force);
    double size = force.norm(), moment_size = moment.norm();
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) {
        sum += reactions[i][a];
        moment += triangles[i][a].cross(reactions[i][a]);
        size += reactions[i][a].norm();
        moment_size += triangles[i][a].cross(reactions[i][a]).norm();
      }
    EXPECT_LT(sum.norm(), 1e-13 * size);
    EXPECT_LT(moment.norm(), 1e-13 * moment_size);
  }
}

// Friction takes out energy: its power on vertex and triangles together is minus its size times the sliding speed.
TEST(MeshContactKernel, FrictionsPowerIsLost) {
  const auto triangles = test::bumpy_patch(), velocities = moving(triangles);
  ContactLaw frictionless = soft_rubber();
  frictionless.friction = false;
  for (const Touch& touch : kTouches) {
    std::vector<Corners<double>> reactions(triangles.size(), test::zero_corners()), normal_reactions = reactions;
    const ContactForce<double> contact = test::surface_force(kContactSurface, soft_rubber(), touch.x, touch.v, triangles, velocities, reactions);
    test::surface_force(kContactSurface, frictionless, touch.x, touch.v, triangles, velocities, normal_reactions);
    double power = contact.friction.dot(touch.v);
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) power += (reactions[i][a] - normal_reactions[i][a]).dot(velocities[i][a]);
    const ImplicitSurfaceSample<double> sample(kContactSurface, touch.x, triangles);
    const double speed = sliding_speed(sample.gradient().normalized(), touch.v - sample.velocity<double>(velocities));
    EXPECT_NEAR(power, -contact.friction.norm() * speed, 1e-12 * contact.friction.norm() * touch.v.norm());
  }
}

}  // namespace
}  // namespace traction
