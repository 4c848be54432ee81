// Every rank knows the whole mesh here and checks its share against it by brute force.

#include "mesh_partition/distribute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "errors.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

Mesh block() { return test::box_mesh("block", Vec3(0, 0, 0), Vec3(1, 2, 0.5), {6, 5, 4}); }

double volume_of(const std::vector<Vec3>& vertices, const std::array<int, 4>& t) {
  return (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).dot(vertices[t[3]] - vertices[t[0]]) / 6;
}

double area_of(const std::vector<Vec3>& vertices, const std::array<int, 3>& t) {
  return (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).norm() / 2;
}

// Adds up a number per element of the undistributed mesh over ranks.
std::vector<int> sum_of(std::vector<int> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return values;
}

// An element of a share in the numbers of the undistributed mesh.
template <std::size_t N>
std::array<int, N> by_id(const DistributedMesh& share, const std::array<int, N>& element) {
  std::array<int, N> result;
  for (std::size_t a = 0; a < N; ++a) result[a] = share.vertex_ids[element[a]];
  return result;
}

template <std::size_t N>
std::map<std::array<int, N>, int> numbers_of(const std::vector<std::array<int, N>>& elements) {
  std::map<std::array<int, N>, int> result;
  for (std::size_t e = 0; e < elements.size(); ++e) result[elements[e]] = static_cast<int>(e);
  return result;
}

class Distribute : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const int size = test::size_of(MPI_COMM_WORLD);
    if (GetParam()) {  // all elements in the last part: the other ranks are empty
      partition_ = {size, std::vector<int>(whole_.tetrahedra.size(), size - 1)};
    } else {
      partition_ = partition_elements(whole_, size);
    }
    const bool first = test::rank_in(MPI_COMM_WORLD) == 0;
    share_ = distribute(PETSC_COMM_WORLD, first ? whole_ : Mesh{}, first ? partition_ : Partition{});
  }
  int owned() const { return share_.halo->owned(); }

  const Mesh whole_ = block();
  Partition partition_;
  DistributedMesh share_;
};

TEST_P(Distribute, OwnedVerticesPartitionAllIds) {
  std::vector<int> owners(whole_.vertices.size(), 0);
  for (int i = 0; i < owned(); ++i) ++owners.at(share_.vertex_ids[i]);
  EXPECT_EQ(sum_of(owners), std::vector<int>(whole_.vertices.size(), 1));
  EXPECT_EQ(share_.halo->global_count(), static_cast<PetscInt>(whole_.vertices.size()));
  EXPECT_EQ(std::set<int>(share_.vertex_ids.begin(), share_.vertex_ids.end()).size(), share_.vertex_ids.size());
  const std::vector<int> expected = vertex_owners(whole_, partition_);
  for (int i = 0; i < owned(); ++i) ASSERT_EQ(expected[share_.vertex_ids[i]], test::rank_in(MPI_COMM_WORLD));
}

TEST_P(Distribute, PositionsBelongToTheirIds) {
  ASSERT_EQ(static_cast<int>(share_.vertices.size()), share_.halo->local());
  for (std::size_t i = 0; i < share_.vertices.size(); ++i) ASSERT_EQ(share_.vertices[i], whole_.vertices[share_.vertex_ids[i]]);
}

// The ghosts' global numbers match those of their owners: an exchange must bring the ids.
TEST_P(Distribute, HaloConnectsTheSameVertices) {
  std::vector<double> values(3 * share_.vertices.size(), -1);
  for (int i = 0; i < owned(); ++i)
    for (int k = 0; k < 3; ++k) values[3 * i + k] = 10.0 * share_.vertex_ids[i] + k;
  share_.halo->exchange(values);
  for (std::size_t i = 0; i < share_.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) ASSERT_EQ(values[3 * i + k], 10.0 * share_.vertex_ids[i] + k);
}

TEST_P(Distribute, EveryElementIsOwnedOnce) {
  const auto tetrahedron_number = numbers_of(whole_.tetrahedra);
  std::vector<int> tetrahedra(whole_.tetrahedra.size(), 0), triangles(whole_.triangles.size(), 0);
  for (const auto& t : share_.tetrahedra)
    if (share_.owns(t)) ++tetrahedra.at(tetrahedron_number.at(by_id(share_, t)));
  const auto triangle_number = numbers_of(whole_.triangles);
  for (const auto& t : share_.triangles)
    if (share_.owns(t)) ++triangles.at(triangle_number.at(by_id(share_, t)));
  EXPECT_EQ(sum_of(tetrahedra), std::vector<int>(whole_.tetrahedra.size(), 1));
  EXPECT_EQ(sum_of(triangles), std::vector<int>(whole_.triangles.size(), 1));
}

// No other elements are held: one that touches no owned vertex would only cost time.
TEST_P(Distribute, HoldsTheElementsThatTouchOwnedVertices) {
  const std::set<int> mine(share_.vertex_ids.begin(), share_.vertex_ids.begin() + owned());
  auto touching = [&](const auto& elements) {
    std::set<typename std::decay_t<decltype(elements)>::value_type> result;
    for (const auto& element : elements)
      if (std::any_of(element.begin(), element.end(), [&](int vertex) { return mine.count(vertex) > 0; })) result.insert(element);
    return result;
  };
  std::set<std::array<int, 4>> tetrahedra;
  for (const auto& t : share_.tetrahedra) tetrahedra.insert(by_id(share_, t));
  EXPECT_EQ(tetrahedra, touching(whole_.tetrahedra));
  EXPECT_EQ(tetrahedra.size(), share_.tetrahedra.size());
  std::set<std::array<int, 3>> triangles;
  for (const auto& t : share_.triangles) triangles.insert(by_id(share_, t));
  EXPECT_EQ(triangles, touching(whole_.triangles));
  EXPECT_EQ(triangles.size(), share_.triangles.size());
}

TEST_P(Distribute, IsWhatThePartitionsQualityCounts) {
  const PartCounts counts = measure_quality(whole_, partition_).counts.at(test::rank_in(MPI_COMM_WORLD));
  EXPECT_EQ(counts.vertices, owned());
  EXPECT_EQ(counts.local_elements, static_cast<int>(share_.tetrahedra.size()));
  EXPECT_EQ(counts.interior_elements, share_.interior_tetrahedra);
  EXPECT_EQ(counts.ghosts, share_.halo->ghosts());
  std::vector<int> ghosts(whole_.vertices.size(), 0);
  for (int i = owned(); i < share_.halo->local(); ++i) ++ghosts[share_.vertex_ids[i]];
  ghosts = sum_of(ghosts);  // the number of ranks on which each vertex is a ghost
  int sent = 0;
  for (int i = 0; i < owned(); ++i) sent += ghosts[share_.vertex_ids[i]];
  EXPECT_EQ(counts.sent, sent);
}

TEST_P(Distribute, InteriorTetrahedraComeFirst) {
  for (std::size_t e = 0; e < share_.tetrahedra.size(); ++e) {
    const auto& t = share_.tetrahedra[e];
    const bool interior = std::all_of(t.begin(), t.end(), [&](int vertex) { return vertex < owned(); });
    ASSERT_EQ(interior, static_cast<int>(e) < share_.interior_tetrahedra) << e;
  }
}

TEST_P(Distribute, RegionsKeepTheirMembers) {
  ASSERT_EQ(share_.regions.size(), whole_.regions.size());
  for (std::size_t r = 0; r < whole_.regions.size(); ++r) {
    const LocalRegion& local = share_.regions[r];
    const Region& region = whole_.regions[r];
    ASSERT_EQ(local.name, region.name);
    ASSERT_EQ(local.dimension, region.dimension);
    EXPECT_TRUE(std::is_sorted(local.members.begin(), local.members.end()));
    std::set<int> vertices;
    if (region.dimension == 3)
      for (int member : local.members) vertices.insert(share_.tetrahedra.at(member).begin(), share_.tetrahedra.at(member).end());
    if (region.dimension == 2)
      for (int member : local.members) vertices.insert(share_.triangles.at(member).begin(), share_.triangles.at(member).end());
    if (region.dimension == 0) vertices.insert(local.members.begin(), local.members.end());
    EXPECT_EQ(local.vertices, std::vector<int>(vertices.begin(), vertices.end())) << region.name;
  }
  EXPECT_THROW(share_.region("block.nowhere"), InputError);
}

// Volume 1, surface 2 (1 x 2 + 1 x 0.5 + 2 x 0.5) = 7, 42 vertices at the bottom and 30 at the left, on any number of ranks.
TEST_P(Distribute, RegionsHaveTheMeasureOfTheWhole) {
  double volume = 0, area = 0, bottom = 0, left = 0;
  for (int member : share_.region("block.solid").members)
    if (share_.owns(share_.tetrahedra[member])) volume += volume_of(share_.vertices, share_.tetrahedra[member]);
  for (int member : share_.region("block.surface").members)
    if (share_.owns(share_.triangles[member])) area += area_of(share_.vertices, share_.triangles[member]);
  for (int member : share_.region("block.bottom").members) bottom += member < owned();
  for (int member : share_.region("block.left").members) left += member < owned();
  EXPECT_NEAR(sum_over_ranks(MPI_COMM_WORLD, volume), 1, 1e-14);
  EXPECT_NEAR(sum_over_ranks(MPI_COMM_WORLD, area), 7, 1e-13);
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, bottom), 42);
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, left), 30);
}

TEST_P(Distribute, RanksWithoutElementsAreEmpty) {
  if (!GetParam()) return;
  const bool last = test::rank_in(MPI_COMM_WORLD) == test::size_of(MPI_COMM_WORLD) - 1;
  EXPECT_EQ(share_.vertices.size(), last ? whole_.vertices.size() : 0);
  EXPECT_EQ(share_.tetrahedra.size(), last ? whole_.tetrahedra.size() : 0);
  EXPECT_EQ(share_.interior_tetrahedra, last ? static_cast<int>(whole_.tetrahedra.size()) : 0);
  EXPECT_EQ(share_.halo->ghosts(), 0);
}

INSTANTIATE_TEST_SUITE_P(Shares, Distribute, testing::Values(false, true),
                         [](const testing::TestParamInfo<bool>& info) { return info.param ? "EmptyRanks" : "Metis"; });

// A whole run with a rank that owns nothing follows the run on one rank.
TEST(EmptyRank, TakesPartInARun) {
  const int size = test::size_of(MPI_COMM_WORLD);
  const Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {3, 3, 3});
  const test::SharedFolder folder(MPI_COMM_WORLD);
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.1, -1);
  scene.solver.tolerance = 1e-12;
  Simulation alone = build_simulation(PETSC_COMM_SELF, scene, mesh);
  scene.partition.file = folder.path("parts.h5");
  on_first_rank(MPI_COMM_WORLD, [&] {
    Partition partition = partition_elements(mesh, std::max(1, size - 1));
    for (int& part : partition.element_part) part += size > 1 ? 1 : 0;  // none left for rank 0
    write_partition(*scene.partition.file, mesh, {size, partition.element_part});
  });
  Simulation together = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  if (size > 1 && test::rank_in(MPI_COMM_WORLD) == 0) {
    EXPECT_EQ(together.system->halo().local(), 0);
  }
  for (int step = 0; step < 3; ++step) {
    alone.loop->advance();
    together.loop->advance();
  }
  std::map<int, Vec3> reference;
  for (int i = 0; i < alone.system->halo().owned(); ++i) reference[alone.mesh->vertex_ids[i]] = alone.loop->state().q[i];
  for (int i = 0; i < together.system->halo().owned(); ++i) ASSERT_LT((together.loop->state().q[i] - reference.at(together.mesh->vertex_ids[i])).norm(), 1e-9);
}

}  // namespace
}  // namespace traction
