// Clamps of rods on vertices that ranks share: products against central differences, forces against the energy's gradient and their balance, and rigid motion.

#include "forces/rod_clamps.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "support/force_evaluation.h"
#include "support/sheets.h"

namespace traction {
namespace {

using test::random_vector;
using Places = std::array<Vec3, 6>;

// A clamp of a segment of an elliptic section, free of stress at `rest`, after its frame was carried along to `old`.
RodClampElement clamp_at(const Places& rest, const Places& old, bool begins, const Vec3& director) {
  RodClampElement element{};
  element.begins = begins;
  element.radius = 0.3;
  element.first_bending = 2;
  element.second_bending = 3;
  element.twisting = 1.5;
  const Vec3 tangent = (rest[1] - rest[0]).normalized();
  element.frame = {tangent, (director - director.dot(tangent) * tangent).normalized()};
  const Mat3 axes = RodClampElement::axes<double>(rest[4] - rest[3], rest[5] - rest[3]);
  element.tangent = axes.transpose() * element.frame.tangent;
  element.director = axes.transpose() * element.frame.director;
  element.carry_along(old);
  return element;
}

// A segment, its twist, and three places of a body.
Places random_places(std::mt19937& generator, double by) {
  Places x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3::Zero(), Vec3(0, 0, 0), Vec3(0, 0.5, 0.1), Vec3(0.2, 0, 0.6)};
  for (int p = 0; p < 6; ++p)
    if (p != 2) x[p] += random_vector(generator, by);
  x[2].x() = random_vector(generator, by).x();
  return x;
}

Places at_rest(std::mt19937& generator) {
  Places rest = random_places(generator, 0.2);
  rest[2].setZero();
  return rest;
}

TEST(RodClampElement, ForcesAreTheEnergysGradient) {
  std::mt19937 generator(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Places rest = at_rest(generator), old = random_places(generator, 0.2), x = random_places(generator, 0.2);
    const RodClampElement element = clamp_at(rest, old, trial % 2 == 0, random_vector(generator, 1));
    Places still;
    still.fill(Vec3::Zero());
    const auto forces = element.forces<double>(x, still);
    for (int p = 0; p < 6; ++p)
      for (int i = 0; i < (p == 2 ? 1 : 3); ++i) {
        constexpr double kStep = 1e-4;
        const auto energy = [&](double by) {
          Places moved = x;
          moved[p][i] += by;
          return element.energy(moved);
        };
        const double difference = (8 * (energy(kStep) - energy(-kStep)) - (energy(2 * kStep) - energy(-2 * kStep))) / (12 * kStep);
        EXPECT_NEAR(forces[p][i], -difference, 1e-7 * (1 + std::abs(difference))) << trial << " " << p << " " << i;
      }
  }
}

// The moment on the twist is about the segment, once its frame is where the segment is.
TEST(RodClampElement, ForcesAndMomentsBalance) {
  std::mt19937 generator(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Places rest = at_rest(generator), x = random_places(generator, 0.2);
    RodClampElement element = clamp_at(rest, x, trial % 2 == 0, random_vector(generator, 1));
    element.viscous_time = trial % 3 == 0 ? 0.3 : 0;
    const auto f = element.forces<double>(x, random_places(generator, 0.4));
    Vec3 force = Vec3::Zero(), moment = f[2].x() * element.radius * (x[1] - x[0]).normalized();
    for (const int p : {0, 1, 3, 4, 5}) {
      force += f[p];
      moment += x[p].cross(f[p]);
    }
    EXPECT_LT(force.norm(), 1e-12);
    EXPECT_LT(moment.norm(), 1e-12) << trial;
  }
}

// The body and the segment turn about any axis together, by many turns in all: nothing is strained, and the moment of a twist by a known angle stays.
TEST(RodClampElement, RigidMotionLeavesStrainsAlone) {
  std::mt19937 generator(3);
  for (const bool begins : {true, false}) {
    const Places rest = at_rest(generator);
    RodClampElement element = clamp_at(rest, rest, begins, random_vector(generator, 1));
    const Vec3 tangent = (rest[1] - rest[0]).normalized();
    constexpr double kTwist = 5;
    constexpr int kSteps = 400;
    for (int step = 0; step <= kSteps; ++step) {
      const double angle = 0.05 * step;
      const Mat3 turn = Eigen::AngleAxisd(angle, tangent).toRotationMatrix();  // about the segment, whose reference frame does not turn with it
      Places x = rest;
      for (const int p : {0, 1, 3, 4, 5}) x[p] = turn * rest[p] + Vec3(angle, 0, 0);
      x[2].x() = element.radius * (angle + kTwist * step / kSteps);
      const auto strains = element.strains<double>(x);
      EXPECT_NEAR(strains.value[0], 0, 1e-9);
      EXPECT_NEAR(strains.value[1], 0, 1e-9);
      EXPECT_NEAR(strains.value[2], (begins ? 1 : -1) * kTwist * step / kSteps, 1e-9) << step;
      element.carry_along(x);
    }
  }
}

// Two clamps on the ends of one segment, held by bodies of four vertices each, dealt out to the ranks.
TEST(RodClamps, ProductsAndMemoryOnAnyRanks) {
  constexpr int kVertices = 11;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const int begin = kVertices * rank / ranks, end = kVertices * (rank + 1) / ranks;
  const auto halo = std::make_shared<const Halo>(PETSC_COMM_WORLD, end - begin, std::vector<PetscInt>{});
  std::mt19937 generator(4);  // the same on all ranks
  std::vector<Vec3> q(kVertices), dq(kVertices), v(kVertices), dv(kVertices);
  const Places rest = at_rest(generator);
  for (int i = 0; i < kVertices; ++i) {
    q[i] = i < 3 ? rest[i] : Vec3(rest[3] + (i % 4 == 3 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(i % 4))));
    for (auto* field : {&dq, &v, &dv}) (*field)[i] = random_vector(generator, 1);
    q[i] += random_vector(generator, 0.1);
  }
  std::vector<RodClampElement> elements;
  for (const bool begins : {true, false}) {
    RodClampElement element = clamp_at(rest, rest, begins, Vec3(0.2, 0.3, 1));
    element.viscous_time = begins ? 0.2 : 0;
    const PetscInt first = begins ? 3 : 7;
    for (int p = 0; p < 3; ++p) element.points[p] = BodyPoint::vertex(p);
    element.points[3] = {{first, first + 1, first + 2, first + 3}, {1, 0, 0, 0}, Vec3::Zero()};
    element.points[4] = {{first, first + 1, first + 2, first + 3}, {-0.2, 0.3, 0.5, 0.4}, Vec3::Zero()};
    element.points[5] = {{first, first + 1, first + 2, first + 3}, {0.3, -0.6, 0.2, 1.1}, Vec3::Zero()};
    element.twist = 2 - begin;
    if (2 >= begin && 2 < end) elements.push_back(element);
  }
  RodClamps clamps(halo, elements, std::vector<int>(elements.size(), 0), 1, "bending");
  State state(halo->owned()), direction(halo->owned());
  for (int i = 0; i < halo->owned(); ++i) {
    const auto g = static_cast<std::size_t>(halo->to_global(i));
    state.q[i] = q[g], state.v[i] = v[g], direction.q[i] = dq[g], direction.v[i] = dv[g];
  }
  EXPECT_LT(test::difference_from_central(clamps, *halo, state, direction, 1e-4), 1e-8);

  clamps.memory()->commit(state);
  std::vector<double> saved(static_cast<std::size_t>(clamps.memory()->components()) * halo->owned(), 0.0);
  clamps.memory()->save(saved);
  RodClamps again(halo, elements, std::vector<int>(elements.size(), 0), 1, "bending");
  again.memory()->load(saved);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const RodClampElement &one = clamps.elements()[e], &other = again.elements()[e];
    EXPECT_EQ(one.reference_twist, other.reference_twist);
    EXPECT_EQ(one.frame.tangent, other.frame.tangent);
    EXPECT_EQ(one.frame.director, other.frame.director);
    EXPECT_NE(one.frame.tangent, elements[e].frame.tangent);
  }
}

}  // namespace
}  // namespace traction
