// What holds and drives joints, on vertices that ranks share: products against central differences, forces against their balance, energies and coordinates.

#include "forces/joints.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "support/force_evaluation.h"

namespace traction {
namespace {

// Twelve vertices, dealt out to the ranks in turn: the tetrahedra of two bodies, and four more.
class JointsTest : public testing::Test {
 protected:
  JointsTest() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    is_first_ = rank == 0;
    const int end = kVertices * (rank + 1) / ranks, begin = kVertices * rank / ranks;
    halo_ = std::make_shared<const Halo>(PETSC_COMM_WORLD, end - begin, std::vector<PetscInt>{});
    state_ = direction_ = State(halo_->owned());
    state_.time = 0.3;
    for (int i = 0; i < halo_->owned(); ++i) {
      const auto v = static_cast<double>(halo_->to_global(i));
      const int corner = static_cast<int>(v) % 4;
      const Vec3 x = corner == 0 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(corner - 1));
      state_.q[i] = x + 0.1 * Vec3(std::sin(v), std::cos(3 * v), std::sin(5 * v + 1));
      state_.v[i] = Vec3(std::cos(2 * v), std::sin(7 * v), std::cos(v + 2));
      direction_.q[i] = Vec3(std::sin(4 * v + 1), std::cos(v), std::sin(v * v));
      direction_.v[i] = Vec3(std::cos(6 * v), std::sin(2 * v + 1), std::cos(v * v));
    }
  }
  static BodyPoint point(int body, double a, double b, double c) {
    return {{4 * body, 4 * body + 1, 4 * body + 2, 4 * body + 3}, {1 - a - b - c, a, b, c}, Vec3::Zero()};
  }
  static std::array<BodyPoint, 5> hinge_points() {
    return {point(0, 0, 0, -0.5), point(0, 0, 0, 0.5), point(0, 1, 0, -0.5), point(1, 0, 0, -0.5), point(1, 1, 0.2, -0.5)};
  }
  static std::array<BodyPoint, 4> slider_points() { return {point(0, 0, 0, -0.5), point(0, 0, 0, 0.5), point(0, 0.1, 0, 0), point(1, 0.5, 0.2, 0.3)}; }
  // All kinds of parts, on the first rank.
  Joints joints() const {
    JointParts parts;
    const TimeTable over = {{0, 0}, {1, 1}};
    if (is_first_) {
      parts.pins.push_back({{point(0, 0, 0, -0.5), point(1, 0.1, 0, -0.5)}, 0, 900});
      parts.guides.push_back({slider_points(), 1, 700});
      parts.hinge_springs.push_back({hinge_points(), 0, 30, 4, 0.4});
      parts.slider_springs.push_back({slider_points(), 1, 60, 3, 0.2});
      parts.hinge_motions.push_back({{hinge_points(), 0, 500, 0, 0}, 2, over, false});
      parts.slider_motions.push_back({{slider_points(), 1, 400, 0, 0}, 3, over, true});
      parts.hinge_drives.push_back({hinge_points(), 0, 11, over});
      parts.slider_drives.push_back({slider_points(), 1, 12, over});
    }
    return {halo_, std::move(parts), 2};
  }

  static constexpr int kVertices = 12;
  bool is_first_ = false;
  std::shared_ptr<const Halo> halo_;
  State state_, direction_;
};

TEST_F(JointsTest, ProductsAreThoseOfCentralDifferences) {
  const Joints all = joints();
  ASSERT_EQ(all.forces().size(), 8u);
  for (const auto& force : all.forces()) EXPECT_LT(test::difference_from_central(*force, *halo_, state_, direction_, 1e-4), 1e-9);
}

TEST_F(JointsTest, ForcesAndMomentsBalance) {
  const Joints all = joints();
  for (const auto& force : all.forces()) {
    const Field exerted = test::force_of(*force, state_);
    std::array<double, 6> sums{};
    for (int i = 0; i < halo_->owned(); ++i) {
      const Vec3 moment = Vec3(state_.q[i]).cross(Vec3(exerted[i]));
      for (int k = 0; k < 3; ++k) sums[k] += exerted[i][k], sums[3 + k] += moment[k];
    }
    sum_over_ranks(halo_->communicator(), sums);
    const double scale = test::norm(*halo_, exerted);
    EXPECT_GT(scale, 1);
    for (const double sum : sums) EXPECT_LT(std::abs(sum), 1e-12 * scale);
  }
}

// Without velocity, forces that store energy do the work that it loses; drives, that of their effort along the coordinate.
TEST_F(JointsTest, ForcesDeriveFromTheirEnergies) {
  state_.v.set_zero();
  const Joints all = joints();
  constexpr double kStep = 1e-5;
  const auto moved = [&](double h) {
    State result = state_;
    result.q.array() += h * direction_.q.array();
    return result;
  };
  for (std::size_t f = 0; f < all.forces().size(); ++f) {
    Force& force = *all.forces()[f];
    const Field exerted = test::force_of(force, state_);
    double work = 0;
    for (int i = 0; i < halo_->owned(); ++i) work += exerted[i].dot(direction_.q[i]);
    work = sum_over_ranks(halo_->communicator(), work);
    const auto energy = [&](double h) { return sum_over_ranks(halo_->communicator(), force.energy(moved(h))); };
    double expected = (energy(-kStep) - energy(kStep)) / (2 * kStep);
    if (f >= 6) {
      const std::size_t joint = f - 6;
      expected = 0.3 * (joint == 0 ? 11 : 12) * (all.readings(moved(kStep))[joint].coordinate - all.readings(moved(-kStep))[joint].coordinate) / (2 * kStep);
    }
    EXPECT_NEAR(work, expected, 1e-6 * std::abs(work)) << f;
    EXPECT_GT(std::abs(work), 0.1) << f;
  }
}

// The first body of a hinge, turned by any angle about the axis, and far beyond a turn: the motion pulls it by its lag.
TEST_F(JointsTest, HingesMeasureAnglesAndMotionsFollowThroughWholeTurns) {
  const Vec3 axis(0, 0, 1);
  for (const double angle : {-3.0, -0.7, 0.0, 0.4, 2.9}) {
    State state = state_;
    for (int i = 0; i < halo_->owned(); ++i) {
      const int vertex = static_cast<int>(halo_->to_global(i)), corner = vertex % 4;
      const Vec3 x = corner == 0 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(corner - 1));
      state.q[i] = vertex < 4 ? Vec3(Eigen::AngleAxisd(angle, axis) * x) : x;
      state.v[i] = vertex < 4 ? Vec3(axis.cross(state.q[i]) * 0.5) : Vec3(Vec3::Zero());
    }
    for (const int turns : {0, -3, 40}) {
      JointParts parts;
      std::array<BodyPoint, 5> points = hinge_points();
      points[4] = point(1, 1, 0, -0.5);
      constexpr double kStiffness = 50, kLag = 0.01;
      const double target = angle + kLag + 2 * std::numbers::pi * turns;
      if (is_first_) {
        parts.pins.push_back({{point(0, 0, 0, 0), point(1, 0, 0, 0)}, 0, 900});
        parts.hinge_springs.push_back({points, 0, 0, 0, 0});
        parts.hinge_motions.push_back({{points, 0, kStiffness, 0, 0}, target, {}, false});
      }
      const JointReading reading = Joints(halo_, std::move(parts), 1).readings(state).front();
      EXPECT_NEAR(reading.coordinate, angle, 1e-14);
      EXPECT_NEAR(reading.effort, kStiffness * kLag, 1e-12);
      EXPECT_NEAR(reading.power, 0.5 * kStiffness * kLag, 1e-12);
      EXPECT_LT((reading.moment - kStiffness * kLag * axis).norm(), 1e-12);
      EXPECT_LT(reading.force.norm(), 1e-12);
      EXPECT_NEAR(reading.gap, 0, 1e-15);
    }
  }
}

TEST_F(JointsTest, SpeedsAddUpToMotions) {
  using Motion = JointMotion<HingeAngle>;
  EXPECT_EQ(Motion::integral_of({}, 3), 3);
  const TimeTable ramp = {{1, 0}, {2, 1}, {4, 3}};
  EXPECT_EQ(Motion::integral_of(ramp, 0.5), 0);
  EXPECT_NEAR(Motion::integral_of(ramp, 1.5), 0.125, 1e-15);
  EXPECT_NEAR(Motion::integral_of(ramp, 3), 0.5 + 1.5, 1e-15);
  EXPECT_NEAR(Motion::integral_of(ramp, 6), 0.5 + 4 + 6, 1e-15);
}

}  // namespace
}  // namespace traction
