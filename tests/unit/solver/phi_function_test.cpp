// y(1) of y' = A y + b_0 + b_1 t + b_2 t^2 / 2 from rest, for an oscillator: against the solution by hand.
#include "solver/phi_function.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

constexpr double kOmega = 3;

void oscillator(const PetscScalar* x, PetscScalar* y) {  // q' = omega p, p' = -omega q
  y[0] = kOmega * x[1];
  y[1] = -kOmega * x[0];
}

// p' + omega q = c_0 + c_1 t + c_2 t^2 / 2 and q' = omega p: with w = omega^2 and g the right side, q = (g - c_2 / w) / omega is one solution.
Eigen::Vector2d by_hand(const Eigen::Vector3d& c) {
  const double w = kOmega * kOmega;
  const double start = (c[0] - c[2] / w) / kOmega, rate = c[1] / w;  // q and p at t = 0
  const double q = (c[0] + c[1] + c[2] / 2 - c[2] / w) / kOmega, p = (c[1] + c[2]) / w;
  return {q - start * std::cos(kOmega) - rate * std::sin(kOmega), p + start * std::sin(kOmega) - rate * std::cos(kOmega)};
}

TEST(PhiFunction, FollowsForcesThatChangeOverTime) {
  PhiFunction phi(PETSC_COMM_SELF, 2);
  for (const Eigen::Vector3d& c : {Eigen::Vector3d(2, 0, 0), Eigen::Vector3d(0, 5, 0), Eigen::Vector3d(0, 0, -7), Eigen::Vector3d(1e-3, 40, 3)}) {
    PhiFunction::Columns columns;
    for (int k = 0; k < 3; ++k) columns[k] = Eigen::Vector2d(0, c[k]);
    const auto result = phi.apply(oscillator, kOmega, 1e-12, columns);
    ASSERT_TRUE(result);
    EXPECT_LT((*result - by_hand(c)).norm(), 1e-10 * c.norm()) << c.transpose();
  }
}

TEST(PhiFunction, StaysAtRestWithoutForcesAndRefusesUndefinedOnes) {
  PhiFunction phi(PETSC_COMM_SELF, 2);
  PhiFunction::Columns columns;
  columns.fill(Eigen::Vector2d::Zero());
  EXPECT_EQ(phi.apply(oscillator, kOmega, 1e-12, columns)->norm(), 0);
  columns[1][0] = std::nan("");
  EXPECT_FALSE(phi.apply(oscillator, kOmega, 1e-12, columns));
}

}  // namespace
}  // namespace traction
