// Newton's method with accurate linear solves on two curved bodies that slide on each other: of second order if and only if the product is the whole
// derivative.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/collective.h"
#include "support/one_stage.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr double kStep = 0.01;       // [s]
constexpr double kNear = 5e-2;       // velocity defect [m/s] below which the iteration has its asymptotic order
constexpr double kRounding = 1e-13;  // rounding error of a velocity defect [m/s]
constexpr double kNoise = 1e-13;     // smallest error of the last iterate from which the order can be determined [m/s]
constexpr double kConstant = 20;     // C of r_{k+1} < C r_k^2 [s/m]: the ratio of curvature to slope, at most the inverse of the friction's tolerance

struct Case {
  bool both;
  NewtonMethod method;
};

// The boxes are curved, because some terms of the derivative vanish between flat boxes, whose normals do not turn.
Mesh curved_boxes() {
  Mesh mesh = test::two_boxes(0.02);
  for (Vec3& x : mesh.vertices) x += Vec3(0, 0, 0.03 * std::sin(4 * x.x() + 1) * std::cos(3 * x.y()));
  return mesh;
}

Scene sliding_boxes(bool both) {
  Scene scene = test::two_boxes_scene(both);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[1].initial.velocity = Vec3(2.4, 1.8, -0.5);
  scene.bodies[1].initial.angular_velocity = Vec3(0, 0, 0.5);
  DrivenSettings held;
  held.region = "bottom";
  scene.bodies[0].driven = {held};
  return scene;
}

// Velocity defects of iterates that start near the root, where the set of vertices in contact no longer changes.
std::vector<double> defects_near_the_root(const Scene& scene, NewtonMethod method) {
  test::OneStage stage(scene, curved_boxes(), kStep);
  SolverSettings settings;
  settings.tolerance = 0.1;
  settings.relative_tolerance = 1;
  settings.contact_first = false;  // so that the orders are those of Newton's steps alone
  const NewtonReport start = stage.solve(settings);
  EXPECT_TRUE(start.converged);
  const State near = stage.state();
  settings.method = method;
  settings.forcing = 1e-10;
  settings.tolerance = 1e-14;  // below rounding: linear solves stop only at the forcing
  std::vector<double> defects = stage.defects_of_iterates(settings, kRounding, 6, near.v);
  defects.insert(defects.begin(), start.residual);

  const ContactGroup& contact = *stage.simulation().contacts.at(0);
  double slowest = std::numeric_limits<double>::infinity(), count = 0;
  for (const ContactPoint& point : contact.points(stage.state())) {
    slowest = std::min(slowest, point.sliding_speed);
    ++count;
  }
  EXPECT_GT(minimum_over_ranks(PETSC_COMM_WORLD, slowest), contact.friction_tolerance());
  EXPECT_GE(sum_over_ranks(PETSC_COMM_WORLD, count), 20);
  return defects;
}

// The observed orders log(r_{k+1} / r_k) / log(r_k / r_{k-1}) of the iterates that are near the root and above rounding.
std::vector<double> observed_orders(const std::vector<double>& defects) {
  std::vector<double> orders;
  for (std::size_t k = 1; k + 1 < defects.size() && defects[k + 1] > kNoise; ++k)
    if (defects[k - 1] < kNear) orders.push_back(std::log(defects[k + 1] / defects[k]) / std::log(defects[k] / defects[k - 1]));
  return orders;
}

class ContactConvergence : public testing::TestWithParam<Case> {};

TEST_P(ContactConvergence, IsOfSecondOrder) {
  const std::vector<double> defects = defects_near_the_root(sliding_boxes(GetParam().both), GetParam().method), orders = observed_orders(defects);
  EXPECT_LT(defects.back(), kRounding) << test::listing(defects);
  ASSERT_FALSE(orders.empty()) << test::listing(defects);
  for (double order : orders) EXPECT_GT(order, 1.8) << test::listing(defects);
  for (std::size_t k = 0; k + 1 < defects.size(); ++k)
    if (defects[k] < kNear) {
      EXPECT_LT(defects[k + 1], std::max(kRounding, kConstant * defects[k] * defects[k])) << test::listing(defects);
    }
}

// Without a term of the product the test above would find first order.
TEST(ContactConvergenceWithoutBasisDerivative, IsOfFirstOrder) {
  for (const bool both : {false, true}) {
    Scene scene = sliding_boxes(both);
    scene.contacts[0].friction->sliding_basis_derivative = false;
    const std::vector<double> defects = defects_near_the_root(scene, NewtonMethod::newton), orders = observed_orders(defects);
    ASSERT_FALSE(orders.empty()) << test::listing(defects);
    EXPECT_LT(orders.back(), 1.3) << test::listing(defects);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ContactConvergence,
                         testing::Values(Case{false, NewtonMethod::newton}, Case{false, NewtonMethod::inexact_newton}, Case{true, NewtonMethod::newton},
                                         Case{true, NewtonMethod::inexact_newton}),
                         [](const auto& info) {
                           return std::string(info.param.both ? "both_" : "one_way_") +
                                  (info.param.method == NewtonMethod::newton ? "newton" : "inexact_newton");
                         });

}  // namespace
}  // namespace traction
