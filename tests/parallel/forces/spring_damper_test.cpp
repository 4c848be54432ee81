// Springs and dampers on a block that ranks share: products against central differences, terms of rank one against products, forces against their own balance.

#include "forces/spring_damper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/force_evaluation.h"

namespace traction {
namespace {

SpringSettings spring(const std::string& name, double stiffness, double damping, std::optional<double> rest_length) {
  SpringSettings settings;
  settings.name = name;
  settings.from = {"block", "top"};  // a surface
  settings.to = {"block", "left"};   // points, some of them on the top, too
  settings.stiffness = stiffness;
  settings.damping = damping;
  settings.rest_length = rest_length;
  return settings;
}

SpringSettings to_ground(SpringSettings settings) {
  settings.to = {};
  settings.anchor = Vec3(0.2, -0.4, 0.3);
  return settings;
}

class Springs : public testing::Test {
 protected:
  void build(std::vector<SpringSettings> springs) {
    Scene scene;
    Body body;
    body.name = "block";
    body.solid["solid"] = {1e5, 0.3, 1000, {}};
    scene.bodies = {body};
    scene.springs = std::move(springs);
    simulation_ = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3}));
    const DistributedMesh& mesh = *simulation_.mesh;
    state_ = direction_ = State(mesh.halo->local());
    for (int i = 0; i < mesh.halo->local(); ++i) {
      const Vec3 x = mesh.vertices[i];
      state_.q[i] = x + Vec3(0.1 * x.y() * x.z(), 0.05 * std::sin(3 * x.x()), 0.08 * x.x());
      state_.v[i] = Vec3(0.5 + 0.3 * x.z(), 0.3 - 0.2 * x.x(), 0.4 * x.y());
      direction_.q[i] = Vec3(std::cos(5 * x.x()), std::sin(7 * x.y() + 1), std::cos(3 * x.z() + x.x()));
      direction_.v[i] = Vec3(std::sin(4 * x.y()), std::cos(6 * x.z()), std::sin(2 * x.x() + 2));
    }
  }
  SpringDampers& springs() {
    for (const auto& force : simulation_.system->forces())
      if (auto* found = dynamic_cast<SpringDampers*>(force.get())) return *found;
    throw std::runtime_error("the scene has no springs");
  }
  const Halo& halo() const { return simulation_.system->halo(); }
  Vec3 sum(const Field& field) const {
    std::array<double, 3> total{};
    for (int i = 0; i < halo().owned(); ++i)
      for (int k = 0; k < 3; ++k) total[k] += field[i][k];
    sum_over_ranks(halo().communicator(), total);
    return {total[0], total[1], total[2]};
  }
  Vec3 moment(const Field& field) const {
    Field moments(halo().local());
    for (int i = 0; i < halo().owned(); ++i) moments[i] = Vec3(state_.q[i]).cross(field[i]);
    return sum(moments);
  }
  Simulation simulation_;
  State state_, direction_;
};

TEST_F(Springs, ProductsAreThoseOfCentralDifferences) {
  for (const double rest_length : {0.3, 2.0, 0.0}) {
    build({spring("one", 700, 30, rest_length), to_ground(spring("other", 200, 11, rest_length))});
    EXPECT_LT(test::difference_from_central(springs(), halo(), state_, direction_, 1e-4), 1e-9) << rest_length;
  }
}

// Without damping, stretched and pushed together, the terms of rank one are the whole product.
TEST_F(Springs, TermsOfRankOneAreTheProduct) {
  for (const double rest_length : {0.1, 2.0, 0.0}) {
    build({spring("one", 700, 0, rest_length), to_ground(spring("other", 200, 0, rest_length))});
    Field change = test::product_of(springs(), state_, direction_);
    const double scale = test::norm(halo(), change);
    std::vector<RankOneTerm> terms;
    springs().assembly()->add_rank_one_terms({state_, 1, 0}, terms);
    ASSERT_EQ(static_cast<int>(terms.size()), springs().assembly()->rank_one_terms());
    for (const RankOneTerm& term : terms) {
      double along = 0;
      for (std::size_t k = 0; k < term.vertices.size(); ++k) along += term.gradient[k].dot(direction_.q[term.vertices[k]]);
      along = sum_over_ranks(halo().communicator(), along);
      for (std::size_t k = 0; k < term.vertices.size(); ++k) change[term.vertices[k]] -= term.coefficient * along * term.gradient[k];
    }
    EXPECT_LT(test::norm(halo(), change) / scale, 1e-12) << rest_length;
  }
}

// A spring exerts opposite forces on its ends: their sum and the sum of their moments vanish.
TEST_F(Springs, ForcesAndMomentsBalance) {
  build({spring("one", 700, 30, 0.3)});
  const Field force = test::force_of(springs(), state_);
  const double scale = test::norm(halo(), force);
  EXPECT_LT(sum(force).norm(), 1e-12 * scale);
  EXPECT_LT(moment(force).norm(), 1e-12 * scale);
  EXPECT_GT(scale, 10);
}

// The middle of the top is (0.5, 0.55, 0.9) by area; that of the left side's vertices, by mass, is summed up here.
TEST_F(Springs, TakeHoldOfMeanPositions) {
  build({spring("one", 700, 0, std::nullopt), spring("two", 700, 0, 0.1), to_ground(spring("three", 200, 5, 0.0))});
  for (int i = 0; i < halo().local(); ++i) {
    state_.q[i] = simulation_.mesh->vertices[i];
    state_.v[i] = Vec3(1, 2, 3);
  }
  const auto readings = springs().readings(state_);
  Field of_left(halo().local()), mass_of_left(halo().local());
  for (const int vertex : simulation_.mesh->region("block.left").vertices) {
    of_left[vertex] = simulation_.system->mass()[vertex] * simulation_.mesh->vertices[vertex];
    mass_of_left[vertex].setConstant(simulation_.system->mass()[vertex]);
  }
  const Vec3 top(0.5, 0.55, 0.9), left = sum(of_left).cwiseQuotient(sum(mass_of_left));
  EXPECT_NEAR(left.x(), 0, 1e-15);
  EXPECT_NEAR(readings[0].length, (top - left).norm(), 1e-12);
  EXPECT_NEAR(readings[0].force, 0, 1e-10);
  EXPECT_NEAR(readings[1].force, 700 * (readings[1].length - 0.1), 1e-10);
  const Vec3 e = top - Vec3(0.2, -0.4, 0.3);
  EXPECT_NEAR(readings[2].length, e.norm(), 1e-12);
  EXPECT_NEAR(readings[2].force, 200 * e.norm() + 5 * e.normalized().dot(Vec3(1, 2, 3)), 1e-9);
  const double energy = sum_over_ranks(halo().communicator(), springs().energy(state_));
  EXPECT_NEAR(energy, 350 * std::pow(readings[1].length - 0.1, 2) + 100 * std::pow(readings[2].length, 2), 1e-9);
}

}  // namespace
}  // namespace traction
