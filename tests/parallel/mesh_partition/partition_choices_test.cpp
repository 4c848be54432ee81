// Choices of partitions whose outcome can be written down. Serial: every rank does the same here.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "errors.h"
#include "mesh_partition/partition.h"
#include "mesh_partition/partition_graph.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

// Vertices that as many elements of either part have go to the part that has fewer by then.
TEST(VertexOwners, TiesGoToThePartWithFewerVertices) {
  Mesh mesh;
  mesh.vertices = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}};
  mesh.tetrahedra = {{1, 2, 3, 0}, {1, 3, 2, 4}};
  EXPECT_EQ(vertex_owners(mesh, {2, {0, 1}}), (std::vector<int>{0, 1, 0, 1, 1}));
}

// A box, and one vertex more for each of those at its top, which follows it and belongs to no element.
Mesh box_with_followers() {
  Mesh mesh = test::box_mesh("box", Vec3::Zero(), Vec3(1, 1, 2), {6, 6, 12});
  const int count = static_cast<int>(mesh.vertices.size());
  for (int v = 0; v < count; ++v)
    if (mesh.vertices[v].z() > 2 - 1e-9) {
      mesh.dependents.push_back({static_cast<int>(mesh.vertices.size()), {v, 0, 1, 2}, {1, 0, 0, 0}});
      mesh.vertices.push_back(mesh.vertices[v] + Vec3(0, 0, 0.1));
    }
  return mesh;
}

TEST(VertexOwners, FollowersLieWithTheFirstVertexThatTheyFollow) {
  const Mesh mesh = box_with_followers();
  const std::vector<int> owners = vertex_owners(mesh, partition_elements(mesh, 4));
  ASSERT_EQ(mesh.dependents.size(), 49u);
  int elsewhere = 0;
  for (const DependentVertex& follower : mesh.dependents) {
    EXPECT_EQ(owners[follower.vertex], owners[follower.masters[0]]);
    elsewhere += owners[follower.vertex] != 0;
  }
  EXPECT_GT(elsewhere, 0);
}

// All followers together cost as much as the 2,592 elements. The cheapest cut without them is across the middle, which leaves all of them to one part.
TEST(PartitionElements, WhatFollowersCostWeighsWhereTheyLie) {
  const Mesh mesh = box_with_followers();
  std::vector<double> costs(mesh.vertices.size(), 0);
  for (const DependentVertex& follower : mesh.dependents) costs[follower.vertex] = 2592.0 / 49;
  const auto cost_of_first = [&](const Partition& partition) {
    std::vector<double> all(mesh.vertices.size(), 0), here(mesh.vertices.size(), 0);  // elements of each vertex
    double cost = 0;
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
      for (const int vertex : mesh.tetrahedra[e]) {
        ++all[vertex];
        if (partition.element_part[e] == 0) ++here[vertex], cost += 0.25;
      }
    for (const DependentVertex& follower : mesh.dependents) cost += costs[follower.vertex] * here[follower.masters[0]] / all[follower.masters[0]];
    return cost / (2 * 2592);
  };
  EXPECT_NEAR(cost_of_first(partition_elements(mesh, 2, costs)), 0.5, 0.05);
  EXPECT_GT(std::abs(cost_of_first(partition_elements(mesh, 2)) - 0.5), 0.2);
}

TEST(WholeWeights, AreNeverZero) {
  const std::vector<double> costs{1e-300, 1e-9, 1, 1e9};
  const std::vector<idx_t> weights = whole_weights(costs);
  ASSERT_EQ(weights.size(), costs.size());
  EXPECT_EQ(weights[0], 1);
  EXPECT_TRUE(std::is_sorted(weights.begin(), weights.end()));
}

// Four parts around an edge: those side by side share 48 faces, those on top of each other 8.
TEST(ChangePartCount, PartsThatShareManyFacesAreUnited) {
  const Mesh mesh = test::box_mesh("box", Vec3::Zero(), Vec3(2, 12, 4), {2, 12, 4});
  Partition quarters{4, {}};
  for (const auto& tetrahedron : mesh.tetrahedra) {
    Vec3 center = Vec3::Zero();
    for (const int vertex : tetrahedron) center += mesh.vertices[vertex] / 4;
    quarters.element_part.push_back((center.x() > 1) + 2 * (center.y() > 6));
  }
  EXPECT_EQ(measure_quality(mesh, quarters).edge_cut, 2 * 48 + 2 * 8);
  EXPECT_EQ(measure_quality(mesh, change_part_count(mesh, quarters, 2)).edge_cut, 2 * 8);
}

TEST(PartitionFiles, MorePartsThanElementsAreRefused) {
  const test::SharedFolder folder{MPI_COMM_SELF};
  const Mesh mesh = test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {1, 1, 1});
  const std::string path = folder.path("parts.h5");
  write_partition(path, mesh, {7, {0, 1, 2, 3, 4, 6}});
  EXPECT_THROW(read_partition(path, mesh), InputError);
  write_partition(path, mesh, {6, {0, 1, 2, 3, 4, 5}});
  EXPECT_EQ(read_partition(path, mesh).parts, 6);
}

TEST(PartitionFiles, AnotherFormatIsRefused) {
  const test::SharedFolder folder{MPI_COMM_SELF};
  const Mesh mesh = test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {1, 1, 1});
  const std::string path = folder.path("parts.h5");
  write_partition(path, mesh, {2, {0, 0, 0, 1, 1, 1}});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), attribute = H5Aopen(file, "format", H5P_DEFAULT);
  const unsigned long long later = 2;
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_ULLONG, &later), 0);
  H5Aclose(attribute);
  H5Fclose(file);
  EXPECT_THROW(read_partition(path, mesh), InputError);
}

}  // namespace
}  // namespace traction
