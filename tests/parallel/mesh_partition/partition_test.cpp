// Partitioning is serial: every rank does the same here, into a folder of its own.

#include "mesh_partition/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "errors.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

Mesh cube(int cells) { return test::box_mesh("cube", Vec3::Zero(), Vec3::Ones(), {cells, cells, cells}); }

std::vector<int> counts(const Partition& partition) {
  std::vector<int> result(partition.parts, 0);
  for (int part : partition.element_part) ++result.at(part);
  return result;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// Spread of a number per part, as the quality table has it.
void expect_spread(const Spread& actual, const std::vector<double>& per_part) {
  double sum = 0;
  for (double value : per_part) sum += value;
  EXPECT_EQ(actual.minimum, *std::min_element(per_part.begin(), per_part.end()));
  EXPECT_NEAR(actual.mean, sum / per_part.size(), 1e-12 * sum);
  EXPECT_EQ(actual.maximum, *std::max_element(per_part.begin(), per_part.end()));
}

TEST(PartitionElements, BalancesWithinTenPercent) {
  const Mesh mesh = cube(12);
  for (const int parts : {4, 8}) {
    const Partition partition = partition_elements(mesh, parts);
    ASSERT_EQ(partition.element_part.size(), mesh.tetrahedra.size());
    const double mean = double(mesh.tetrahedra.size()) / parts;
    for (int count : counts(partition)) {
      EXPECT_LT(count, 1.1 * mean);
      EXPECT_GT(count, 0.9 * mean);
    }
    EXPECT_EQ(partition_elements(mesh, parts).element_part, partition.element_part);  // deterministic
  }
}

// Eight cubes of 6^3 cells are a partition whose cut is known: three planes of 12 x 12 cell faces, two triangles each, 864 in all. METIS may be a little
// off it.
TEST(PartitionElements, CutIsNearThatOfEightCubes) {
  const Mesh mesh = cube(12);
  EXPECT_LT(measure_quality(mesh, partition_elements(mesh, 8)).edge_cut, 1.5 * 864);
  Partition cubes{8, {}};
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    Vec3 center = Vec3::Zero();
    for (int vertex : mesh.tetrahedra[e]) center += mesh.vertices[vertex] / 4;
    cubes.element_part.push_back((center.x() > 0.5) + 2 * (center.y() > 0.5) + 4 * (center.z() > 0.5));
  }
  EXPECT_EQ(measure_quality(mesh, cubes).edge_cut, 864);
}

// The cost of each part: its elements, and their share of the cost of their vertices.
std::vector<double> costs_of(const Mesh& mesh, const Partition& partition, const std::vector<double>& vertex_costs) {
  std::vector<int> elements_of(mesh.vertices.size(), 0);
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (int vertex : tetrahedron) ++elements_of[vertex];
  std::vector<double> result(partition.parts, 0.0);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    result[partition.element_part[e]] += 1;
    for (int vertex : mesh.tetrahedra[e]) result[partition.element_part[e]] += vertex_costs[vertex] / elements_of[vertex];
  }
  return result;
}

// Each vertex of the top of a cube costs as much as `cost` tetrahedra.
std::vector<double> heavy_top(const Mesh& mesh, double cost) {
  std::vector<double> costs;
  for (const Vec3& x : mesh.vertices) costs.push_back(x.z() == 1 ? cost : 0);
  return costs;
}

void expect_balanced(const std::vector<double>& costs, double tolerance) {
  double mean = 0;
  for (double cost : costs) mean += cost / double(costs.size());
  for (double cost : costs) EXPECT_NEAR(cost, mean, tolerance * mean);
}

TEST(PartitionElements, BalancesWhatVerticesCostToo) {
  const Mesh mesh = cube(12);
  const std::vector<double> costs = heavy_top(mesh, 100);  // costs of all vertices together: 1.6 times the elements
  for (const int parts : {2, 4, 8}) {
    const Partition partition = partition_elements(mesh, parts, costs);
    expect_balanced(costs_of(mesh, partition, costs), 0.1);
    const std::vector<int> elements = counts(partition);
    EXPECT_GT(*std::max_element(elements.begin(), elements.end()), 1.1 * *std::min_element(elements.begin(), elements.end()));
    EXPECT_EQ(partition_elements(mesh, parts, costs).element_part, partition.element_part);  // deterministic
  }
}

TEST(PartitionElements, CostsOfZeroChangeNothing) {
  const Mesh mesh = cube(6);
  EXPECT_EQ(partition_elements(mesh, 4, heavy_top(mesh, 0)).element_part, partition_elements(mesh, 4).element_part);
}

// METIS adds costs up as 32-bit whole numbers.
TEST(PartitionElements, CostsMayBeAnySize) {
  const Mesh mesh = cube(6);
  for (const double cost : {1e-300, 1e-9, 1e9, 1e300}) {
    const std::vector<double> costs = heavy_top(mesh, cost);
    const Partition partition = partition_elements(mesh, 2, costs);
    if (cost > 1) expect_balanced(costs_of(mesh, partition, costs), 0.15);
    for (int count : counts(partition)) EXPECT_GT(count, 0) << cost;
  }
}

TEST(PartitionElements, MorePartsThanElementsAreRefused) {
  const Mesh mesh = cube(1);
  EXPECT_EQ(counts(partition_elements(mesh, 1)), std::vector<int>{6});
  const std::string message = message_of([&] { partition_elements(mesh, 7); });
  EXPECT_NE(message.find("6 elements"), std::string::npos) << message;
  EXPECT_NE(message.find("at most 6"), std::string::npos) << message;
  EXPECT_THROW(partition_elements(mesh, 0), InputError);
  EXPECT_THROW(change_part_count(mesh, {1, std::vector<int>(6, 0)}, 7), InputError);
}

TEST(VertexOwners, HaveTheMostElementsOfTheVertex) {
  const Mesh mesh = cube(6);
  const Partition partition = partition_elements(mesh, 5);
  const std::vector<int> owners = vertex_owners(mesh, partition);
  std::vector<std::map<int, int>> elements(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    for (int vertex : mesh.tetrahedra[e]) ++elements[vertex][partition.element_part[e]];
  for (std::size_t v = 0; v < owners.size(); ++v)
    for (const auto& [part, count] : elements[v]) ASSERT_LE(count, elements[v][owners[v]]) << "vertex " << v;
}

TEST(PartitionQuality, AgreesWithARecount) {
  const Mesh mesh = cube(5);
  const Partition partition = partition_elements(mesh, 6);
  const PartitionQuality quality = measure_quality(mesh, partition);
  const std::vector<int> owners = vertex_owners(mesh, partition);

  std::map<std::array<int, 3>, std::vector<int>> parts_of_face;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::vector<int> face;
      for (int a = 0; a < 4; ++a)
        if (a != left_out) face.push_back(mesh.tetrahedra[e][a]);
      std::sort(face.begin(), face.end());
      parts_of_face[{face[0], face[1], face[2]}].push_back(partition.element_part[e]);
    }
  int cut = 0;
  for (const auto& [face, parts] : parts_of_face)
    if (parts.size() == 2 && parts[0] != parts[1]) ++cut;

  std::vector<double> vertices(6), elements(6), ghosts(6), neighbours(6);
  for (int part = 0; part < 6; ++part) {
    vertices[part] = double(std::count(owners.begin(), owners.end(), part));
    elements[part] = double(std::count(partition.element_part.begin(), partition.element_part.end(), part));
    std::set<int> seen, others;
    for (const auto& tetrahedron : mesh.tetrahedra) {
      if (std::none_of(tetrahedron.begin(), tetrahedron.end(), [&](int vertex) { return owners[vertex] == part; })) continue;
      for (int vertex : tetrahedron)
        if (owners[vertex] != part) seen.insert(vertex), others.insert(owners[vertex]);
    }
    ghosts[part] = double(seen.size());
    neighbours[part] = double(others.size());
  }
  EXPECT_EQ(quality.parts, 6);
  EXPECT_EQ(quality.vertices_total, 216);
  EXPECT_EQ(quality.elements_total, 750);
  EXPECT_EQ(quality.edge_cut, cut);
  expect_spread(quality.vertices, vertices);
  expect_spread(quality.elements, elements);
  expect_spread(quality.ghosts, ghosts);
  expect_spread(quality.neighbours, neighbours);

  std::istringstream table(quality_table(quality));
  std::string line, word;
  std::getline(table, line);
  EXPECT_EQ(line, "partition: 6 parts, 216 vertices, 750 elements, edge cut " + std::to_string(cut));
  std::getline(table, line);
  for (const Spread* spread : {&quality.vertices, &quality.elements, &quality.ghosts, &quality.neighbours}) {
    double minimum = -1, mean = -1, maximum = -1;
    table >> word >> minimum >> mean >> maximum;
    EXPECT_EQ(minimum, spread->minimum) << word;
    EXPECT_NEAR(mean, spread->mean, 0.05) << word;
    EXPECT_EQ(maximum, spread->maximum) << word;
  }
}

TEST(ChangePartCount, FewerPartsKeepEachOldPartTogether) {
  const Mesh mesh = cube(8);
  const Partition fine = partition_elements(mesh, 12);
  for (const int parts : {1, 3, 4, 11}) {
    const Partition united = change_part_count(mesh, fine, parts);
    EXPECT_EQ(united.parts, parts);
    std::map<int, std::set<int>> new_parts;
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) new_parts[fine.element_part[e]].insert(united.element_part[e]);
    for (const auto& [old_part, targets] : new_parts) EXPECT_EQ(targets.size(), 1u) << "part " << old_part << " of 12 into " << parts;
    for (int count : counts(united)) EXPECT_GT(count, 0) << parts;
  }
}

TEST(ChangePartCount, MorePartsStayInsideTheOldOnes) {
  const Mesh mesh = cube(8);
  const Partition coarse = partition_elements(mesh, 3);
  for (const int parts : {4, 6, 8, 17}) {
    const Partition split = change_part_count(mesh, coarse, parts);
    EXPECT_EQ(split.parts, parts);
    std::map<int, std::set<int>> old_parts;
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) old_parts[split.element_part[e]].insert(coarse.element_part[e]);
    EXPECT_EQ(static_cast<int>(old_parts.size()), parts);
    for (const auto& [new_part, sources] : old_parts) EXPECT_EQ(sources.size(), 1u) << "part " << new_part << " of " << parts;
    // The mean is a third of the elements; pieces differ by METIS's tolerance.
    const double largest = double(mesh.tetrahedra.size()) / 3 / (parts / 3);
    for (int count : counts(split)) EXPECT_LT(count, 1.15 * largest) << parts;
  }
}

// Six elements, divided so unevenly that some parts are asked for more pieces than they have elements: a piece may then be empty, but no element leaves its old
// part.
TEST(ChangePartCount, TinyPartsMayLeaveEmptyPieces) {
  const Mesh mesh = cube(1);
  for (const Partition& coarse : {Partition{4, {0, 1, 2, 2, 3, 3}}, Partition{2, {0, 0, 0, 0, 0, 1}}, Partition{3, {0, 0, 0, 2, 2, 2}}})
    for (int parts = coarse.parts + 1; parts <= 6; ++parts) {
      const Partition split = change_part_count(mesh, coarse, parts);
      EXPECT_EQ(split.parts, parts);
      std::map<int, std::set<int>> old_parts;
      for (std::size_t e = 0; e < 6; ++e) old_parts[split.element_part[e]].insert(coarse.element_part[e]);
      for (const auto& [new_part, sources] : old_parts) {
        EXPECT_EQ(sources.size(), 1u);
        EXPECT_TRUE(new_part >= 0 && new_part < parts) << new_part;
      }
      EXPECT_GE(measure_quality(mesh, split).elements.maximum, 1);
    }
}

TEST(ChangePartCount, BalancesWhatVerticesCost) {
  const Mesh mesh = cube(12);
  const std::vector<double> costs = heavy_top(mesh, 100);
  expect_balanced(costs_of(mesh, change_part_count(mesh, partition_elements(mesh, 32, costs), 4, costs), costs), 0.15);
  // Layers that cost unlike: the top one is cut into more pieces than the other.
  Partition layers{2, {}};
  for (const auto& tetrahedron : mesh.tetrahedra) {
    double z = 0;
    for (int vertex : tetrahedron) z += mesh.vertices[vertex].z() / 4;
    layers.element_part.push_back(z > 0.5);
  }
  expect_balanced(costs_of(mesh, change_part_count(mesh, layers, 5, costs), costs), 0.1);  // 1 : 4.26, so into 1 and 4
}

TEST(ChangePartCount, TheSameCountChangesNothing) {
  const Mesh mesh = cube(4);
  const Partition partition = partition_elements(mesh, 5);
  EXPECT_EQ(change_part_count(mesh, partition, 5).element_part, partition.element_part);
}

class PartitionFile : public testing::Test {
 protected:
  const test::SharedFolder folder_{MPI_COMM_SELF};
  const std::string path_ = folder_.path("parts.h5");
  const Mesh mesh_ = cube(4);
  const Partition partition_ = partition_elements(mesh_, 5);
};

TEST_F(PartitionFile, ReadsBackWhatWasWritten) {
  write_partition(path_, mesh_, partition_);
  const Partition read = read_partition(path_, mesh_);
  EXPECT_EQ(read.parts, 5);
  EXPECT_EQ(read.element_part, partition_.element_part);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"parts.h5"});
}

// A mesh of another size, and one of the same size with another connectivity.
TEST_F(PartitionFile, AnotherMeshIsRefused) {
  write_partition(path_, mesh_, partition_);
  EXPECT_NE(message_of([&] { read_partition(path_, cube(3)); }).find("another mesh (384 elements, the scene has 162)"), std::string::npos);
  Mesh renumbered = mesh_;
  std::swap(renumbered.tetrahedra[0], renumbered.tetrahedra[1]);
  EXPECT_NE(message_of([&] { read_partition(path_, renumbered); }).find("another mesh"), std::string::npos);
}

TEST_F(PartitionFile, DamagedFilesAreRefused) {
  write_partition(path_, mesh_, partition_);
  const auto size = std::filesystem::file_size(path_);
  for (const double share : {0.9, 0.5, 0.1, 0.0}) {
    const std::string cut = folder_.path("cut.h5");
    std::filesystem::copy_file(path_, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, static_cast<std::uintmax_t>(share * double(size)));
    const std::string message = message_of([&] { read_partition(cut, mesh_); });
    EXPECT_NE(message.find(cut), std::string::npos) << share << ": " << message;
  }
  std::ofstream(path_) << "step,time\n";
  EXPECT_THROW(read_partition(path_, mesh_), InputError);
  EXPECT_NE(message_of([&] { read_partition(folder_.path("none.h5"), mesh_); }).find("no such partition file"), std::string::npos);
}

TEST_F(PartitionFile, PartNumbersOutOfRangeAreRefused) {
  for (const int wrong : {-1, 5}) {
    Partition damaged = partition_;
    damaged.element_part[17] = wrong;
    write_partition(path_, mesh_, damaged);
    EXPECT_THROW(read_partition(path_, mesh_), InputError) << wrong;
  }
}

TEST_F(PartitionFile, AFolderThatIsNotThereIsAFileError) { EXPECT_THROW(write_partition(folder_.path("none") + "/parts.h5", mesh_, partition_), FileError); }

}  // namespace
}  // namespace traction
