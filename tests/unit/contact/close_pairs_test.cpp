// Pairs of vertices and an obstacle that are too far apart to touch are left out, and the forces stay the same.

#include <gtest/gtest.h>
#include <mpi.h>

#include <memory>
#include <random>

#include "contact/pair_force.h"
#include "contact/vertex_obstacle.h"

namespace traction {
namespace {

constexpr int kAcross = 20;     // vertices along an edge of the cube between the walls
constexpr double kLayer = 0.1;  // relative to the distance of vertices
const std::vector<GapFunction> kThreeWalls = {PlaneGap{Vec3::Zero(), Vec3::UnitX()}, PlaneGap{Vec3::Zero(), Vec3::UnitY()},
                                              PlaneGap{Vec3::Zero(), Vec3::UnitZ()}};

std::shared_ptr<VertexObstacle> pairs_with_walls(double reach) {
  std::vector<int> vertices;
  for (int i = 0; i < kAcross * kAcross * kAcross; ++i) vertices.push_back(i);
  auto result = std::make_shared<VertexObstacle>(MPI_COMM_SELF, vertices, std::vector<PairWeight>(vertices.size()), kThreeWalls, Motion());
  if (reach > 0) result->leave_out_beyond(reach);
  return result;
}

State vertices_of_lattice() {
  State state(kAcross * kAcross * kAcross);
  for (int i = 0; i < kAcross * kAcross * kAcross; ++i) {
    state.q[i] = Vec3(i % kAcross, i / kAcross % kAcross, i / kAcross / kAcross) + Vec3::Constant(0.5 * kLayer);
    state.v[i] = Vec3(0.1, -0.2, -0.3);
  }
  return state;
}

std::shared_ptr<const ContactLaw> law_of_walls() {
  auto result = std::make_shared<ContactLaw>();
  result->thickness = kLayer;
  result->stiffness = 1e3;
  return result;
}

// A layer of vertices touches each of the three walls.
TEST(ClosePairs, AreThoseNearTheWalls) {
  const auto all = pairs_with_walls(0), close = pairs_with_walls(kLayer);
  EXPECT_EQ(all->close_surroundings(vertices_of_lattice()).count(), 3u * kAcross * kAcross * kAcross);
  EXPECT_EQ(close->surroundings(vertices_of_lattice()).count(), 3u * kAcross * kAcross * kAcross);
  EXPECT_EQ(close->close_surroundings(vertices_of_lattice()).count(), 3u * kAcross * kAcross);
}

// Also where vertices come from afar, in small steps and at once.
TEST(ClosePairs, ExertTheForcesOfAll) {
  PairForce<VertexObstacle> all(pairs_with_walls(0), law_of_walls()), close(pairs_with_walls(kLayer), law_of_walls());
  State state = vertices_of_lattice();
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const double size : {0.02, 0.02, 0.02, 0.02, 0.5, 3.0, 0.05}) {
    for (int i = 0; i < kAcross * kAcross * kAcross; ++i) {
      state.q[i] += size * Vec3(number(generator), number(generator), number(generator));
      state.q[i] = Vec3(state.q[i]).cwiseAbs();  // outside the walls
    }
    Field expected(kAcross * kAcross * kAcross), found(kAcross * kAcross * kAcross);
    all.add_force(state, Zone::interior, expected);
    close.add_force(state, Zone::interior, found);
    double largest = 0;
    for (int i = 0; i < kAcross * kAcross * kAcross; ++i) {
      EXPECT_EQ(Vec3(found[i]), Vec3(expected[i])) << i;
      largest = std::max(largest, Vec3(expected[i]).norm());
    }
    EXPECT_GT(largest, 0);
    EXPECT_EQ(close.energy(state), all.energy(state));
    EXPECT_EQ(close.summarize(state).minimum_gap, all.summarize(state).minimum_gap);
  }
}

}  // namespace
}  // namespace traction
