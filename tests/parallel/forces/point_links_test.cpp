// Links between points of vertices on any ranks: products against central differences, couplings against products, forces against their balance and their
// energy, sums against those of one rank.

#include "forces/point_links.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>
#include <random>

#include "support/force_evaluation.h"

namespace traction {
namespace {

// A spring and damper along the line between two points; the spring's length at rest grows over time.
struct Strut {
  std::array<BodyPoint, 2> points;
  double stiffness, damping, length;

  bool is_viscous() const { return damping > 0; }
  template <typename T>
  std::array<Vector3<T>, 2> forces(const std::array<Vector3<T>, 2>& x, const std::array<Vector3<T>, 2>& v) const {
    using std::sqrt;
    const Vector3<T> e = x[0] - x[1], rate = v[0] - v[1];
    const T now = sqrt(e.dot(e));
    const Vector3<T> pull = e * T(((now - length) * stiffness + e.dot(rate) / now * damping) / now);
    return {-pull, pull};
  }
  double energy(const std::array<Vec3, 2>& x) const { return stiffness * std::pow((x[0] - x[1]).norm() - length, 2) / 2; }
};

struct GrowingStrut : Strut {
  Strut at(double time) const {
    Strut strut = *this;
    strut.length *= 1 + time;
    return strut;
  }
};

// Rank 1 owns nothing, the others more and more. Each strut lies on one rank, whoever owns its vertices.
class PointLinksTest : public testing::Test {
 protected:
  PointLinksTest() {
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank_);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks_);
    // As many vertices on any number of ranks.
    std::vector<int> owned(ranks_, kVertices / ranks_);
    owned.back() += kVertices % ranks_;
    if (ranks_ > 2) owned[2] += std::exchange(owned[1], 0);
    halo_ = std::make_shared<const Halo>(PETSC_COMM_WORLD, owned[rank_], std::vector<PetscInt>{});
    state_ = direction_ = State(halo_->owned());
    state_.time = 0.4;
    for (int i = 0; i < halo_->owned(); ++i) {
      const auto vertex = static_cast<double>(halo_->to_global(i));
      state_.q[i] = Vec3(std::sin(vertex), std::cos(3 * vertex), std::sin(5 * vertex + 1));
      state_.v[i] = Vec3(std::cos(2 * vertex), std::sin(7 * vertex), std::cos(vertex + 2));
      direction_.q[i] = Vec3(std::sin(4 * vertex + 1), std::cos(vertex), std::sin(vertex * vertex));
      direction_.v[i] = Vec3(std::cos(6 * vertex), std::sin(2 * vertex + 1), std::cos(vertex * vertex));
    }
  }
  // The struts of this rank: between points of one to six vertices each, vertices themselves, and one fixed place.
  template <typename Element = Strut>
  std::vector<Element> struts(double damping) const {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> number(-0.5, 0.8);
    std::uniform_int_distribution<int> any(0, kVertices - 1);
    std::vector<Element> result;
    for (int k = 0; k < kStruts; ++k) {
      Element strut{};
      for (BodyPoint& point : strut.points) {
        double rest = 1;
        const int count = 1 + any(generator) % 6;
        for (int m = 0; m < count; ++m) {
          point.vertices.push_back(any(generator));
          point.weights.push_back(m < count - 1 ? number(generator) : rest);
          rest -= point.weights[m];
        }
      }
      if (k % 3 == 1) strut.points[1] = BodyPoint::vertex(any(generator));
      if (k == kGrounded) strut.points[0] = BodyPoint::fixed(Vec3(2, -1, 3));
      strut.stiffness = 700 + 10 * k;
      strut.damping = damping * (1 + k);
      strut.length = 0.3;
      if (k % ranks_ == rank_) result.push_back(strut);
    }
    return result;
  }
  template <typename Element = Strut>
  PointLinks<Element, 2> links(double damping, bool grounded = true) const {
    std::vector<Element> mine = struts<Element>(damping);
    if (!grounded) std::erase_if(mine, [](const Element& strut) { return strut.points[0].is_fixed(); });
    std::vector<int> sets(mine.size());
    for (std::size_t e = 0; e < mine.size(); ++e) sets[e] = static_cast<int>(mine[e].stiffness - 700) / 10;
    return {halo_, std::move(mine), sets, kStruts, "joint"};
  }
  std::array<double, 6> force_and_moment(const Field& force) const {
    std::array<double, 6> sums{};
    for (int i = 0; i < halo_->owned(); ++i) {
      const Vec3 f = force[i], moment = Vec3(state_.q[i]).cross(f);
      for (int k = 0; k < 3; ++k) sums[k] += f[k], sums[3 + k] += moment[k];
    }
    sum_over_ranks(halo_->communicator(), sums);
    return sums;
  }

  static constexpr int kVertices = 23, kStruts = 8, kGrounded = 6;
  int rank_ = 0, ranks_ = 1;
  std::shared_ptr<const Halo> halo_;
  State state_, direction_;
};

TEST_F(PointLinksTest, ProductsAreThoseOfCentralDifferences) {
  for (const double damping : {0.0, 11.0}) {
    auto force = links(damping);
    EXPECT_LT(test::difference_from_central(force, *halo_, state_, direction_, 1e-4), 1e-9) << damping;
  }
  auto growing = links<GrowingStrut>(0);
  EXPECT_LT(test::difference_from_central(growing, *halo_, state_, direction_, 1e-4), 1e-9);
}

TEST_F(PointLinksTest, CouplingsAreTheWholeProduct) {
  for (const double damping : {0.0, 11.0}) {
    auto force = links(damping);
    constexpr double kPosition = 0.7, kVelocity = 1.3;
    State both = direction_;  // one direction, times the two factors
    both.q.array() = kPosition * direction_.v.array();
    both.v.array() = kVelocity * direction_.v.array();
    Field product = test::product_of(force, state_, both);
    const double scale = test::norm(*halo_, product);
    std::vector<Coupling> couplings;
    force.assembly()->add_couplings({state_, kPosition, kVelocity}, couplings);
    std::vector<PetscInt> rows, columns;
    for (const Coupling& coupling : couplings) rows.push_back(coupling.row), columns.push_back(coupling.column);
    Field along(static_cast<int>(columns.size())), changes(static_cast<int>(rows.size()));
    Scatter(*halo_, columns, 3).forward(direction_.v.values(), along.values());
    for (std::size_t c = 0; c < couplings.size(); ++c) changes[static_cast<int>(c)] = -(couplings[c].block * along[static_cast<int>(c)]);
    Scatter(*halo_, rows, 3).add_back(changes.values(), product.values());
    EXPECT_LT(test::norm(*halo_, product), 1e-12 * scale) << damping;
  }
}

TEST_F(PointLinksTest, ForcesAndMomentsBalance) {
  auto force = links(11, false);
  const Field exerted = test::force_of(force, state_);
  const double scale = test::norm(*halo_, exerted);
  for (const double sum : force_and_moment(exerted)) EXPECT_LT(std::abs(sum), 1e-12 * scale);
  EXPECT_GT(scale, 100);
}

// The work along a small displacement is what the energy changes by; what a fixed place pulls at is the force on what is linked with it.
TEST_F(PointLinksTest, ForcesDeriveFromTheirEnergy) {
  auto force = links<GrowingStrut>(0);
  const Field exerted = test::force_of(force, state_);
  const auto energy = [&](double h) {
    State moved = state_;
    moved.q.array() += h * direction_.q.array();
    return sum_over_ranks(halo_->communicator(), force.energy(moved));
  };
  double work = 0;
  for (int i = 0; i < halo_->owned(); ++i) work += exerted[i].dot(direction_.q[i]);
  work = sum_over_ranks(halo_->communicator(), work);
  constexpr double kStep = 1e-5;
  EXPECT_NEAR((energy(-kStep) - energy(kStep)) / (2 * kStep), work, 1e-6 * std::abs(work));
  EXPECT_EQ(force.work_name(), "loads");
  EXPECT_EQ(links(11).work_name(), "damping");  // on all ranks
  EXPECT_EQ(links(0).work_name(), "");
  const std::array<double, 6> sums = force_and_moment(exerted);
  Vec3 ground = Vec3::Zero();
  force.for_each(state_, [&](std::size_t e, const auto&, const auto&, const auto& forces) {
    if (force.elements()[e].points[0].is_fixed()) ground = forces[0];
  });
  sum_over_ranks(halo_->communicator(), {ground.data(), 3});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(sums[k], -ground[k], 1e-11 * ground.norm());
}

// The same on any number of ranks: these are the numbers of one.
TEST_F(PointLinksTest, ForcesDoNotDependOnTheRanks) {
  auto force = links(11);
  const Field exerted = test::force_of(force, state_);
  std::vector<double> whole(3 * kVertices, 0.0), alone(3 * kVertices, 0.0);
  for (int i = 0; i < halo_->owned(); ++i) Eigen::Map<Vec3>(whole.data() + 3 * halo_->to_global(i)) = exerted[i];
  sum_over_ranks(halo_->communicator(), whole);
  const auto position = [](PetscInt v) { return Vec3(std::sin(v), std::cos(3.0 * v), std::sin(5.0 * v + 1)); };
  const auto velocity = [](PetscInt v) { return Vec3(std::cos(2.0 * v), std::sin(7.0 * v), std::cos(v + 2.0)); };
  for (const Strut& strut : struts(11)) {
    std::array<Vec3, 2> x, v;
    for (int a = 0; a < 2; ++a) {
      x[a] = strut.points[a].place, v[a] = Vec3::Zero();
      for (std::size_t m = 0; m < strut.points[a].vertices.size(); ++m)
        x[a] += strut.points[a].weights[m] * position(strut.points[a].vertices[m]), v[a] += strut.points[a].weights[m] * velocity(strut.points[a].vertices[m]);
    }
    const auto f = strut.forces<double>(x, v);
    for (int a = 0; a < 2; ++a)
      for (std::size_t m = 0; m < strut.points[a].vertices.size(); ++m)
        Eigen::Map<Vec3>(alone.data() + 3 * strut.points[a].vertices[m]) += strut.points[a].weights[m] * f[a];
  }
  sum_over_ranks(halo_->communicator(), alone);
  const double scale = *std::max_element(alone.begin(), alone.end());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(whole[k], alone[k], 1e-12 * scale);
}

TEST_F(PointLinksTest, JoinTheVerticesOfTheirPoints) {
  auto force = links(0);
  const auto joined = force.joined();
  ASSERT_EQ(joined.size(), static_cast<std::size_t>(kStruts));
  std::vector<double> found(kStruts * kVertices, 0.0), expected(kStruts * kVertices, 0.0);
  for (int set = 0; set < kStruts; ++set)
    for (const int vertex : joined[set]) found[set * kVertices + halo_->to_global(vertex)] = 1;
  for (const Strut& strut : struts(0))
    for (const BodyPoint& point : strut.points)
      for (const PetscInt vertex : point.vertices) expected[(static_cast<int>(strut.stiffness - 700) / 10) * kVertices + vertex] = 1;
  sum_over_ranks(halo_->communicator(), found);
  sum_over_ranks(halo_->communicator(), expected);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace traction
