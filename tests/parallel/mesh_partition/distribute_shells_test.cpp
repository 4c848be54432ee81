// Shares of meshes of shells, and of shells and solids: every rank knows the whole mesh here and checks its share by brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "mesh_partition/distribute.h"
#include "parallel/collective.h"
#include "support/shared_folder.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

struct Case {
  const char* name;
  Mesh (*mesh)();
  bool scattered = false;  // elements in random parts, instead of METIS's
};

Mesh balloon() { return test::shell_mesh("balloon", test::sphere(2)); }

Mesh tube() {
  Mesh mesh = test::shell_mesh("tube", test::cylinder(9, 6, 0.4, 1));
  test::add_closed_region(mesh, "tube", true);
  return mesh;
}

Mesh box_and_sheet() {
  return test::join(test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {4, 4, 4}),
                    test::shell_mesh("sheet", test::moved(test::irregular_sheet(7, 0.2), 1, Vec3(0, 0, 2))));
}

Mesh covered_box() { return test::covered_box("box", Vec3::Zero(), Vec3(1, 1.2, 0.5), {5, 6, 3}); }

class DistributeShells : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const int size = test::size_of(MPI_COMM_WORLD);
    partition_ = partition_elements(whole_, size);
    std::mt19937 random(5);
    if (GetParam().scattered)
      for (int& part : partition_.element_part) part = static_cast<int>(random() % static_cast<unsigned>(size));
    const bool first = test::rank_in(MPI_COMM_WORLD) == 0;
    share_ = distribute(PETSC_COMM_WORLD, first ? whole_ : Mesh{}, first ? partition_ : Partition{});
    for (int i = 0; i < share_.halo->owned(); ++i) mine_.insert(share_.vertex_ids[i]);
    // Copies of a triangle, in regions for contact and volume, differ in number only: a region distinguishes them, and lists its members in the order of the
    // mesh.
    for (std::size_t r = 0; r < whole_.regions.size(); ++r) {
      if (whole_.regions[r].dimension != 2) continue;
      std::map<std::array<int, 3>, int> numbers;
      for (int t : whole_.regions[r].members) numbers[whole_.triangles[t]] = t;
      for (int t : share_.regions[r].members) number_of_[t] = numbers.at(ids(share_.triangles[t]));
    }
  }
  template <std::size_t N>
  std::array<int, N> ids(const std::array<int, N>& element) const {
    std::array<int, N> result;
    for (std::size_t a = 0; a < N; ++a) result[a] = share_.vertex_ids[element[a]];
    return result;
  }
  template <typename Element>
  bool is_mine(const Element& element) const {
    return std::any_of(element.begin(), element.end(), [&](int vertex) { return mine_.count(vertex) > 0; });
  }
  static std::vector<int> sum_of(std::vector<int> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return values;
  }

  const Mesh whole_ = GetParam().mesh();
  Partition partition_;
  DistributedMesh share_;
  std::set<int> mine_;            // vertices owned
  std::map<int, int> number_of_;  // numbers of local triangles in the undistributed mesh
};

TEST_P(DistributeShells, EveryShellCountsOnce) {
  std::vector<int> counts(whole_.triangles.size(), 0), expected(whole_.triangles.size(), 0);
  for (int t : whole_.shells) expected[t] = 1;
  for (int t : share_.shells)
    if (share_.owns(share_.triangles[t])) ++counts.at(number_of_.at(t));
  EXPECT_EQ(sum_of(counts), expected);
}

TEST_P(DistributeShells, HoldsTheShellsAtOwnedVertices) {
  std::set<int> expected, here;
  for (int t : whole_.shells)
    if (is_mine(whole_.triangles[t])) expected.insert(t);
  for (int t : share_.shells)
    if (is_mine(ids(share_.triangles[t]))) here.insert(number_of_.at(t));
  EXPECT_EQ(here, expected);
  EXPECT_TRUE(std::is_sorted(share_.shells.begin(), share_.shells.end()));
}

// A rank needs the hinges of a triangle and of its neighbours, with both triangles, because their shapes and materials count.
TEST_P(DistributeShells, HoldsTheHingesOfPatchesAtOwnedVertices) {
  std::map<std::array<int, 4>, int> numbers;
  for (std::size_t h = 0; h < whole_.hinges.size(); ++h) numbers[whole_.hinges[h].vertices] = static_cast<int>(h);
  std::vector<int> counts(whole_.hinges.size(), 0);
  std::set<int> expected, here;
  for (int t : whole_.shells) {
    std::set<int> near{t}, patch;
    for (const Hinge& hinge : whole_.hinges)
      if (hinge.triangles[0] == t || hinge.triangles[1] == t) near.insert(hinge.triangles.begin(), hinge.triangles.end());
    bool mine = false;
    for (std::size_t h = 0; h < whole_.hinges.size(); ++h)
      if (near.contains(whole_.hinges[h].triangles[0]) || near.contains(whole_.hinges[h].triangles[1])) {
        patch.insert(static_cast<int>(h));
        mine = mine || is_mine(whole_.hinges[h].vertices);
      }
    if (mine) expected.insert(patch.begin(), patch.end());
  }
  for (const Hinge& hinge : share_.hinges) {
    const int h = numbers.at(ids(hinge.vertices));
    here.insert(h);
    if (share_.owns(hinge.vertices)) ++counts[h];
    for (int side : {0, 1}) {
      EXPECT_EQ(number_of_.at(hinge.triangles[side]), whole_.hinges[h].triangles[side]);
      EXPECT_TRUE(std::binary_search(share_.shells.begin(), share_.shells.end(), hinge.triangles[side]));
    }
  }
  EXPECT_EQ(here, expected);
  EXPECT_EQ(here.size(), share_.hinges.size());
  EXPECT_EQ(sum_of(counts), std::vector<int>(whole_.hinges.size(), 1));
}

TEST_P(DistributeShells, RegionsHaveTheMembersAtOwnedVertices) {
  for (std::size_t r = 0; r < whole_.regions.size(); ++r) {
    if (whole_.regions[r].dimension != 2) continue;
    std::set<int> expected, here;
    for (int t : whole_.regions[r].members)
      if (is_mine(whole_.triangles[t])) expected.insert(t);
    for (int t : share_.regions[r].members)
      if (is_mine(ids(share_.triangles[t]))) here.insert(number_of_.at(t));
    EXPECT_EQ(here, expected) << whole_.regions[r].name;
  }
}

TEST_P(DistributeShells, IsWhatThePartitionsQualityCounts) {
  const PartCounts counts = measure_quality(whole_, partition_).counts.at(test::rank_in(MPI_COMM_WORLD));
  EXPECT_EQ(counts.vertices, share_.halo->owned());
  int elements = static_cast<int>(share_.tetrahedra.size());
  for (int t : share_.shells) elements += is_mine(ids(share_.triangles[t]));
  EXPECT_EQ(counts.local_elements, elements);
  if (!whole_.find_region("tube")) {  // the caps of these bring ghosts of their own
    EXPECT_EQ(counts.ghosts, share_.halo->ghosts());
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, DistributeShells,
                         testing::Values(Case{"Balloon", balloon}, Case{"BalloonScattered", balloon, true}, Case{"TubeWithCaps", tube},
                                         Case{"TubeWithCapsScattered", tube, true}, Case{"BoxAndSheet", box_and_sheet},
                                         Case{"BoxAndSheetScattered", box_and_sheet, true}, Case{"CoveredBox", covered_box},
                                         Case{"CoveredBoxScattered", covered_box, true}),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

// Elements that share a face, or an edge where a shell is one of them.
bool are_neighbours(const Mesh& mesh, std::size_t a, std::size_t b) {
  int shared = 0;
  for (int vertex : mesh.element(a)) shared += std::count(mesh.element(b).begin(), mesh.element(b).end(), vertex) > 0;
  return shared >= (a < mesh.tetrahedra.size() && b < mesh.tetrahedra.size() ? 3 : 2);
}

// The number of connected pieces of a part's elements.
int pieces_of(const Mesh& mesh, const Partition& partition, int part) {
  std::vector<std::size_t> left;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    if (partition.element_part[e] == part) left.push_back(e);
  int pieces = 0;
  for (; !left.empty(); ++pieces) {
    std::vector<std::size_t> front{left.back()};
    left.pop_back();
    while (!front.empty()) {
      const std::size_t e = front.back();
      front.pop_back();
      const auto reached = std::partition(left.begin(), left.end(), [&](std::size_t other) { return !are_neighbours(mesh, e, other); });
      front.insert(front.end(), reached, left.end());
      left.erase(reached, left.end());
    }
  }
  return pieces;
}

// A shell costs twice as much as a tetrahedron.
void expect_balanced(const Mesh& mesh, const Partition& partition, double tolerance) {
  std::vector<double> costs(partition.parts, 0.0);
  double sum = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const double cost = e < mesh.tetrahedra.size() ? 1 : 2;
    costs[partition.element_part[e]] += cost;
    sum += cost;
  }
  for (double cost : costs) EXPECT_NEAR(cost, sum / partition.parts, tolerance * sum / partition.parts);
}

TEST(PartitionShells, PartsAreBalancedAndConnected) {
  for (const Mesh& mesh : {test::shell_mesh("balloon", test::sphere(3)), test::covered_box("box", Vec3::Zero(), Vec3(1, 1, 0.5), {12, 12, 6})})
    for (const int parts : {2, 4, 8}) {
      const Partition partition = partition_elements(mesh, parts);
      expect_balanced(mesh, partition, 0.1);
      for (int part = 0; part < parts; ++part) EXPECT_LE(pieces_of(mesh, partition, part), 2) << mesh.source << ", part " << part << " of " << parts;
      EXPECT_EQ(partition_elements(mesh, parts).element_part, partition.element_part);
    }
}

// A sheet of 288 triangles beside a box of 384 tetrahedra costs more, and so gets more of the parts.
TEST(PartitionShells, ShellsCountForWhatTheyCost) {
  const Mesh mesh = test::join(test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {4, 4, 4}),
                               test::shell_mesh("sheet", test::moved(test::irregular_sheet(12, 0), 1, Vec3(0, 0, 2))));
  for (const int parts : {2, 5}) expect_balanced(mesh, partition_elements(mesh, parts), 0.1);
  expect_balanced(mesh, change_part_count(mesh, partition_elements(mesh, 32), 2), 0.15);
}

TEST(PartitionShells, CutCountsEdgesBetweenShells) {
  const Mesh mesh = test::shell_mesh("balloon", test::sphere(2));
  const Partition partition = partition_elements(mesh, 6);
  std::map<int, int> part_of;  // parts of triangles
  for (std::size_t s = 0; s < mesh.shells.size(); ++s) part_of[mesh.shells[s]] = partition.element_part[s];
  int cut = 0;
  for (const Hinge& hinge : mesh.hinges) cut += part_of.at(hinge.triangles[0]) != part_of.at(hinge.triangles[1]);
  EXPECT_GT(cut, 0);
  EXPECT_EQ(measure_quality(mesh, partition).edge_cut, cut);
}

// A partition file of the same solid does not fit once a face of it is a shell.
TEST(PartitionShells, TheFingerprintKnowsShells) {
  Mesh mesh = test::covered_box("box", Vec3::Zero(), Vec3::Ones(), {3, 3, 3});
  const auto with = fingerprint(mesh);
  mesh.shells.pop_back();
  EXPECT_NE(fingerprint(mesh), with);
  mesh.shells.clear();
  EXPECT_NE(fingerprint(mesh), with);
}

}  // namespace
}  // namespace traction
