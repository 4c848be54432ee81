// A torque on vertices that ranks share: its forces' sum and moment, and products against central differences.

#include "forces/torque_load.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "support/force_evaluation.h"

namespace traction {
namespace {

class TorqueLoadTest : public testing::Test {
 protected:
  TorqueLoadTest() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    const int begin = kVertices * rank / ranks, end = kVertices * (rank + 1) / ranks;
    halo_ = std::make_shared<const Halo>(PETSC_COMM_WORLD, end - begin, std::vector<PetscInt>{});
    state_ = direction_ = State(halo_->owned());
    state_.time = 0.5;
    for (int i = 0; i < halo_->owned(); ++i) {
      const auto v = static_cast<double>(halo_->to_global(i));
      state_.q[i] = Vec3(3 + std::sin(v), std::cos(3 * v), -2 + std::sin(5 * v + 1));
      direction_.q[i] = Vec3(std::sin(4 * v + 1), std::cos(v), std::sin(v * v));
    }
  }
  TorqueLoad load() const {
    std::vector<int> vertices;
    std::vector<double> weights;
    for (int i = 0; i < halo_->owned(); ++i)
      if (halo_->to_global(i) > 0) {  // all but the first
        vertices.push_back(i);
        weights.push_back(2.0 * static_cast<double>(halo_->to_global(i)) / (kVertices * (kVertices - 1)));
      }
    return {PETSC_COMM_WORLD, std::move(vertices), std::move(weights), torque_, {{0, 0}, {1, 1}}};
  }

  static constexpr int kVertices = 11;
  const Vec3 torque_ = Vec3(3, -2, 7);
  std::shared_ptr<const Halo> halo_;
  State state_, direction_;
};

TEST_F(TorqueLoadTest, ForcesSumToZeroAndTheirMomentIsTheTorque) {
  TorqueLoad force = load();
  EXPECT_TRUE(force.can_turn(state_.q));
  const Field exerted = test::force_of(force, state_);
  std::array<double, 6> sums{};
  for (int i = 0; i < halo_->owned(); ++i) {
    const Vec3 moment = Vec3(state_.q[i]).cross(Vec3(exerted[i]));
    for (int k = 0; k < 3; ++k) sums[k] += exerted[i][k], sums[3 + k] += moment[k];
    if (halo_->to_global(i) == 0) {
      EXPECT_EQ(exerted[i].norm(), 0);
    }
  }
  sum_over_ranks(halo_->communicator(), sums);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sums[k], 0, 1e-14);
    EXPECT_NEAR(sums[3 + k], 0.5 * torque_[k], 1e-13);
  }
}

TEST_F(TorqueLoadTest, ProductsAreThoseOfCentralDifferences) {
  TorqueLoad force = load();
  EXPECT_LT(test::difference_from_central(force, *halo_, state_, direction_, 1e-4), 1e-9);
}

TEST_F(TorqueLoadTest, PointsOfOneLineCannotTurn) {
  for (int i = 0; i < halo_->owned(); ++i) state_.q[i] = Vec3(1, 2, 3) * static_cast<double>(halo_->to_global(i));
  EXPECT_FALSE(load().can_turn(state_.q));
}

}  // namespace
}  // namespace traction
