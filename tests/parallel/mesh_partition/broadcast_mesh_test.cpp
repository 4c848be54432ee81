// A mesh arrives on all ranks as it is on the first.
#include "mesh_partition/broadcast_mesh.h"

#include <gtest/gtest.h>

#include "support/box_mesh.h"

namespace traction {
namespace {

Mesh full_mesh() {
  Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0), Vec3(1, 2, 0.5), {3, 2, 2});
  mesh.source = "block.msh";
  mesh.hinges.push_back({{0, 1, 2, 3}, {0, 1}});
  mesh.dependents.push_back({5, {0, 1, 2, 3}, {0.25, 0.25, 0.25, 0.25}});
  mesh.frames.push_back({2.5, 2.25, {0, 1, 2, 3}, {Vec3(1, 2, 3), Vec3(4, 5, 6), Vec3(7, 8, 9), Vec3(1, 0, 1)}, 0.7});
  mesh.insides.push_back({{Vec3(1, 1, 1), Vec3(2, 2, 2)}, {{0, 1, 2, 3}}});
  mesh.start_positions = mesh.vertices;
  mesh.start_velocities.assign(mesh.vertices.size(), Vec3(1, 2, 3));
  return mesh;
}

TEST(BroadcastMesh, GivesEveryRankTheFirstRanksMesh) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Mesh expected = full_mesh();
  Mesh mesh = rank == 0 ? full_mesh() : test::box_mesh("other", Vec3(0, 0, 0), Vec3(1, 1, 1), {1, 1, 1});
  broadcast(MPI_COMM_WORLD, mesh);
  EXPECT_EQ(mesh.vertices, expected.vertices);
  EXPECT_EQ(mesh.tetrahedra, expected.tetrahedra);
  EXPECT_EQ(mesh.triangles, expected.triangles);
  EXPECT_EQ(mesh.hinges[0].vertices, expected.hinges[0].vertices);
  EXPECT_EQ(mesh.dependents[0].weights, expected.dependents[0].weights);
  EXPECT_EQ(mesh.frames[0].positions, expected.frames[0].positions);
  EXPECT_EQ(mesh.frames[0].reach, expected.frames[0].reach);
  EXPECT_EQ(mesh.frames[0].own_mass, expected.frames[0].own_mass);
  EXPECT_EQ(mesh.insides[0].vertices, expected.insides[0].vertices);
  EXPECT_EQ(mesh.insides[0].tetrahedra, expected.insides[0].tetrahedra);
  ASSERT_EQ(mesh.regions.size(), expected.regions.size());
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    EXPECT_EQ(mesh.regions[r].name, expected.regions[r].name);
    EXPECT_EQ(mesh.regions[r].dimension, expected.regions[r].dimension);
    EXPECT_EQ(mesh.regions[r].members, expected.regions[r].members);
  }
  EXPECT_EQ(mesh.source, expected.source);
  EXPECT_EQ(mesh.start_velocities, expected.start_velocities);
}

}  // namespace
}  // namespace traction
