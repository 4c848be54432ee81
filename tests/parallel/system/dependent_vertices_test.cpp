// Vertices that follow others on any rank, against the matrix W made whole on every rank.

#include "system/dependent_vertices.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "parallel/collective.h"

namespace traction {
namespace {

// Rank 1 owns nothing, the others more and more. Every third vertex follows four of the others, wherever they are.
class DependentVerticesTest : public testing::Test {
 protected:
  DependentVerticesTest() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    const auto owned_by = [](int r) { return r == 1 ? 0 : 9 + r; };
    for (int r = 0; r < ranks; ++r) count_ += owned_by(r);
    mesh_.halo = std::make_shared<const Halo>(PETSC_COMM_WORLD, owned_by(rank), std::vector<PetscInt>{});
    mesh_.vertices.assign(static_cast<std::size_t>(owned_by(rank)), Vec3::Zero());
    W_ = Eigen::MatrixXd::Identity(count_, count_);
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> number(-1, 1);
    std::uniform_int_distribution<int> any(0, count_ - 1);
    for (int vertex = 2; vertex < count_; vertex += 3) {
      LocalDependent dependent{vertex - static_cast<int>(mesh_.halo->first_owned()), {}, {}};
      W_(vertex, vertex) = 0;
      double rest = 1;
      for (int m = 0; m < 4; ++m) {
        int master = any(generator);
        while (is_dependent(master)) master = (master + 1) % count_;
        dependent.masters[m] = master;
        dependent.weights[m] = m < 3 ? number(generator) : rest;
        rest -= dependent.weights[m];
        W_(vertex, master) += dependent.weights[m];
      }
      if (dependent.vertex >= 0 && dependent.vertex < mesh_.halo->owned()) mesh_.dependents.push_back(dependent);
    }
    mass_.assign(mesh_.vertices.size(), 0.5);
    for (const LocalDependent& dependent : mesh_.dependents) mass_[dependent.vertex] = 0;
  }
  static bool is_dependent(int vertex) { return vertex % 3 == 2; }
  static Vec3 value(int vertex) { return Vec3(std::sin(vertex), std::cos(3.0 * vertex), vertex * 0.1); }
  // All values of W or its transpose times value().
  Eigen::MatrixXd times(const Eigen::MatrixXd& matrix) const {
    Eigen::MatrixXd all(count_, 3);
    for (int vertex = 0; vertex < count_; ++vertex) all.row(vertex) = value(vertex).transpose();
    return matrix * all;
  }
  Field field() const {
    Field result(mesh_.halo->owned());
    for (int i = 0; i < mesh_.halo->owned(); ++i) result[i] = value(static_cast<int>(mesh_.halo->to_global(i)));
    return result;
  }
  void expect(const Field& found, const Eigen::MatrixXd& expected) const {
    for (int i = 0; i < mesh_.halo->owned(); ++i)
      EXPECT_LT((found[i] - Vec3(expected.row(mesh_.halo->to_global(i)).transpose())).norm(), 1e-13) << mesh_.halo->to_global(i);
  }

  int count_ = 0;
  DistributedMesh mesh_;
  std::vector<double> mass_;
  Eigen::MatrixXd W_;
};

TEST_F(DependentVerticesTest, FollowTheirMasters) {
  DependentVertices dependents(mesh_, mass_);
  Field found = field();
  dependents.spread(found);
  expect(found, times(W_));
}

TEST_F(DependentVerticesTest, PassForcesToTheirMasters) {
  DependentVertices dependents(mesh_, mass_);
  Field found = field();
  dependents.gather(found);
  expect(found, times(W_.transpose()));
}

TEST_F(DependentVerticesTest, PassBlocksToTheirMasters) {
  DependentVertices dependents(mesh_, mass_);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  Eigen::MatrixXd before = Eigen::MatrixXd::Zero(count_, count_), after = before;  // sums over all ranks; one number for each block
  std::mt19937 generator(3);
  std::uniform_int_distribution<PetscInt> any(0, count_ - 1);
  std::vector<Coupling> couplings;
  for (int k = 0; k < 60; ++k) {
    const Coupling coupling{any(generator), any(generator), (k + 1.0) * Mat3::Identity()};
    before(coupling.row, coupling.column) += k + 1.0;
    if (k % ranks == rank) couplings.push_back(coupling);
  }
  dependents.reduce(couplings);
  for (const Coupling& coupling : couplings) {
    EXPECT_FALSE(is_dependent(static_cast<int>(coupling.row)) || is_dependent(static_cast<int>(coupling.column)));
    after(coupling.row, coupling.column) += coupling.block(1, 1);
  }
  sum_over_ranks(PETSC_COMM_WORLD, {after.data(), static_cast<std::size_t>(after.size())});
  EXPECT_LT((after - W_.transpose() * before * W_).norm(), 1e-12 * before.norm());
}

// Two bodies of which all vertices follow the same four particles have 16 blocks between them, and 16 of their own, however many of their vertices touch.
TEST(DependentVertices, BlocksAreOfBodiesAndNotOfVertices) {
  constexpr int kParticles = 4, kDependents = 50, kBody = kParticles + kDependents;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const int owned = rank == 0 ? 2 * kBody : 0;  // all on the first rank
  DistributedMesh mesh;
  mesh.halo = std::make_shared<const Halo>(PETSC_COMM_WORLD, owned, std::vector<PetscInt>{});
  mesh.vertices.assign(static_cast<std::size_t>(owned), Vec3::Zero());
  std::vector<double> mass(mesh.vertices.size(), 1.0);
  std::vector<Coupling> couplings;
  for (int body = 0; body < 2 && rank == 0; ++body)
    for (int i = kParticles; i < kBody; ++i) {
      const PetscInt first = body * kBody;
      mesh.dependents.push_back({static_cast<int>(first) + i, {first, first + 1, first + 2, first + 3}, {0.1, 0.2, 0.3, 0.4}});
      mass[static_cast<std::size_t>(first + i)] = 0;
      for (int j = kParticles; j < kBody; ++j)
        for (const PetscInt other : {PetscInt{0}, PetscInt{kBody}}) couplings.push_back({first + i, other + j, Mat3::Identity()});
    }
  const DependentVertices dependents(mesh, mass);
  dependents.reduce(couplings);
  EXPECT_EQ(couplings.size(), rank == 0 ? 4u * kParticles * kParticles : 0u);
  for (const Coupling& coupling : couplings) {
    const auto weight = [](PetscInt vertex) { return 0.1 * (vertex % kBody + 1); };
    EXPECT_NEAR(coupling.block(0, 0), kDependents * kDependents * weight(coupling.row) * weight(coupling.column), 1e-9);
  }
}

// A force on a dependent vertex alone accelerates it, by its masters, as one on its effective mass.
TEST_F(DependentVerticesTest, ResistByTheirEffectiveMass) {
  DependentVertices dependents(mesh_, mass_);
  for (const LocalDependent& dependent : mesh_.dependents) {
    // Several of the four may be the same vertex, whose shares of the force then add up; the formula takes them for different ones.
    std::map<PetscInt, int> times;
    for (const PetscInt master : dependent.masters) ++times[master];
    if (times.size() < 4) continue;
    const PetscInt vertex = mesh_.halo->to_global(dependent.vertex);
    EXPECT_NEAR(dependents.effective_mass()[dependent.vertex], 0.5 / W_.row(vertex).squaredNorm(), 1e-12);
  }
}

// By their weights, or if that would leave a master with little mass by the positive ones.
TEST_F(DependentVerticesTest, PassTheirMassToTheirMasters) {
  for (const double own : {1e-3, 25.0}) {
    const bool only_positive = own > 1;
    mass_.assign(mesh_.vertices.size(), 0.5);
    for (const LocalDependent& dependent : mesh_.dependents) mass_[dependent.vertex] = own;
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(count_);  // as the dependent vertices of all ranks add to it
    for (const LocalDependent& dependent : mesh_.dependents) {
      std::array<double, 4> weights = dependent.weights;
      double sum = 0;
      for (double& weight : weights) sum += weight = only_positive ? std::max(weight, 0.0) : weight;
      for (int m = 0; m < 4; ++m) expected[dependent.masters[m]] += own * weights[m] / sum;
    }
    sum_over_ranks(PETSC_COMM_WORLD, {expected.data(), static_cast<std::size_t>(expected.size())});
    const DependentVertices dependents(mesh_, mass_);
    for (int i = 0; i < mesh_.halo->owned(); ++i) {
      const int vertex = static_cast<int>(mesh_.halo->to_global(i));
      EXPECT_NEAR(mass_[i], is_dependent(vertex) ? 0 : 0.5 + expected[vertex], 1e-12);
    }
  }
}

TEST_F(DependentVerticesTest, AreMarkedWithAllTheirMasters) {
  DependentVertices dependents(mesh_, mass_);
  std::vector<char> marks;
  for (int i = 0; i < mesh_.halo->owned(); ++i) marks.push_back(mesh_.halo->to_global(i) < count_ / 2);
  const std::vector<char> found = dependents.all_masters_marked(marks);
  for (int i = 0; i < mesh_.halo->owned(); ++i) {
    const int vertex = static_cast<int>(mesh_.halo->to_global(i));
    bool expected = is_dependent(vertex);
    for (int master = 0; master < count_ && expected; ++master) expected = W_(vertex, master) == 0 || master < count_ / 2;
    EXPECT_EQ(found[i] != 0, expected) << vertex;
  }
}

}  // namespace
}  // namespace traction
