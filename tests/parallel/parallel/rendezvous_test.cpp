// Points reach the ranks that search near them, and triangles the vertices near them: compared with a search over all pairs.

#include "parallel/rendezvous.h"

#include <gtest/gtest.h>
#include <petscsys.h>

#include <map>
#include <random>
#include <set>

#include "contact/pair_search.h"
#include "contact/surface_rings.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

struct Point {
  int number;
  double x, y, z;
  Vec3 position() const { return {x, y, z}; }
};

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

TEST(Rendezvous, EveryRankGetsThePointsInItsBox) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  const int rank = rank_in(PETSC_COMM_WORLD);
  std::mt19937 generator(3);  // the same points on all ranks, of which each rank holds an equal share
  std::uniform_real_distribution<double> coordinate(0, 1);
  std::vector<Point> all, mine;
  for (int i = 0; i < 500; ++i) {
    all.push_back({i, coordinate(generator), coordinate(generator), coordinate(generator)});
    if (i % size == rank) mine.push_back(all.back());
  }
  BoundingBox box;
  box.include(Vec3(0.1 * rank, 0, 0.2));
  box.include(Vec3(0.1 * rank + 0.5, 0.6, 0.9));
  std::set<int> expected, found;
  for (const Point& point : all)
    if (box.contains(point.position())) expected.insert(point.number);
  for (const Point& point : find_in_box<Point>(PETSC_COMM_WORLD, box, mine)) EXPECT_TRUE(found.insert(point.number).second);
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 20u);
  EXPECT_TRUE(find_in_box<Point>(PETSC_COMM_WORLD, BoundingBox{}, mine).empty());  // a rank with an empty box receives nothing
}

TEST(Rendezvous, MessagesArriveInTheOrderOfTheirSenders) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  const int rank = rank_in(PETSC_COMM_WORLD);
  // Everyone writes to rank 0 and to the next one.
  std::vector<int> receivers{0};
  if ((rank + 1) % size != 0) receivers.push_back((rank + 1) % size);
  const std::vector<std::vector<char>> messages(receivers.size(), std::vector<char>(3, static_cast<char>(rank)));
  const auto received = exchange_messages(PETSC_COMM_WORLD, receivers, messages);
  std::vector<int> senders;
  for (const auto& message : received) senders.push_back(message.at(2));
  std::vector<int> expected;
  for (int sender = 0; sender < size; ++sender)
    if (rank == 0 || sender + 1 == rank) expected.push_back(sender);
  EXPECT_EQ(senders, expected);
}

// Candidates within reach equal those of a loop over all pairs, after any motion; a search is repeated only after a large one.
TEST(PairSearch, FindsAllPairs) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, test::two_boxes_scene(false), test::two_boxes(0.02));
  const DistributedMesh& mesh = *simulation.mesh;
  const double reach = 0.3;
  std::vector<int> vertices;
  for (int vertex : mesh.region("upper.surface").vertices)
    if (vertex < mesh.halo->owned()) vertices.push_back(vertex);
  std::vector<std::array<int, 3>> triangles;
  for (int t : mesh.region("lower.surface").members)
    if (mesh.owns(mesh.triangles[t])) triangles.push_back(mesh.triangles[t]);
  std::vector<std::array<int, 1>> queries;
  for (int vertex : vertices) queries.push_back({vertex});
  PairSearch<1, 3> candidates(mesh.halo, queries, triangles, reach, {});

  // All centroids, on all ranks.
  const auto all_centroids = [&](const Field& q) {
    std::vector<double> gathered;
    for (const auto& t : triangles) {
      const Vec3 centroid = (q[t[0]] + q[t[1]] + q[t[2]]) / 3;
      gathered.insert(gathered.end(), centroid.data(), centroid.data() + 3);
    }
    int count = static_cast<int>(gathered.size()), size = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    std::vector<int> counts(size), offsets(size, 0);
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, PETSC_COMM_WORLD);
    for (int r = 1; r < size; ++r) offsets[r] = offsets[r - 1] + counts[r - 1];
    std::vector<double> all(offsets.back() + counts.back());
    MPI_Allgatherv(gathered.data(), count, MPI_DOUBLE, all.data(), counts.data(), offsets.data(), MPI_DOUBLE, PETSC_COMM_WORLD);
    return all;
  };
  Field q(mesh.halo->local());
  for (const double shift : {0.0, 0.02, 0.05, 0.5, -0.4}) {
    for (int i = 0; i < mesh.halo->local(); ++i) {
      const Vec3 x = mesh.vertices[i];
      q[i] = x + (x.z() > 1.001 ? Vec3(shift, -0.5 * shift, -0.1 * shift) : Vec3(0, 0.01 * std::sin(3 * x.x()), 0));
    }
    candidates.update(q);
    const NearbyItems<3>& nearby = *candidates.nearby();
    Field copies(nearby.copies().count());
    nearby.copies().forward(q.values(), copies.values());
    const std::vector<double> centroids = all_centroids(q);
    double within = 0;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      int expected = 0, found = 0;
      for (std::size_t i = 0; i < centroids.size(); i += 3) expected += (Eigen::Map<const Vec3>(centroids.data() + i) - q[vertices[k]]).norm() < reach;
      for (int t : nearby.near(k)) {
        const auto& triangle = nearby.items()[t];
        found += ((copies[triangle[0]] + copies[triangle[1]] + copies[triangle[2]]) / 3 - q[vertices[k]]).norm() < reach;
      }
      EXPECT_EQ(found, expected);
      within += expected;
    }
    EXPECT_GT(sum_over_ranks(PETSC_COMM_WORLD, within), 50);
  }
  EXPECT_EQ(candidates.searches(), 3);  // at first, and after the motions by 0.5 and 0.9; the others are less than a quarter of the reach
}

// Rings on the surface of a box of 3 x 3 x 3 cells, counted by walking the edges of the whole surface.
TEST(SurfaceRings, AreThoseOfTheGraph) {
  const Mesh whole = test::box_mesh("block", Vec3::Zero(), Vec3::Ones(), {3, 3, 3});
  std::map<int, std::set<int>> edges;
  for (const auto& t : whole.triangles)
    for (int a : t) edges[a].insert(t.begin(), t.end());
  Scene scene;
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.4, 1000, {}};
  scene.bodies = {body};
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, whole);
  const DistributedMesh& mesh = *simulation.mesh;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> vertices;
  for (int t : mesh.region("block.surface").members) triangles.push_back(mesh.triangles[t]);
  for (int vertex : mesh.region("block.surface").vertices)
    if (vertex < mesh.halo->owned()) vertices.push_back(vertex);
  // Global numbers of all vertices by their number in the whole mesh.
  std::vector<double> global(whole.vertices.size(), 0);
  for (int i = 0; i < mesh.halo->owned(); ++i) global[mesh.vertex_ids[i]] = mesh.halo->to_global(i);
  sum_over_ranks(PETSC_COMM_WORLD, global);
  for (const int rings : {0, 1, 2, 3}) {
    const auto found = surface_rings(*mesh.halo, triangles, vertices, rings);
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      std::set<int> reached{mesh.vertex_ids[vertices[k]]};
      for (int ring = 0; ring < rings; ++ring)
        for (int vertex : std::set<int>(reached)) reached.insert(edges[vertex].begin(), edges[vertex].end());
      std::set<PetscInt> expected;
      for (int vertex : reached) expected.insert(static_cast<PetscInt>(global[vertex]));
      EXPECT_EQ(std::set<PetscInt>(found[k].begin(), found[k].end()), expected) << rings;
    }
  }
}

}  // namespace
}  // namespace traction
