// The effect of lumping on moments of inertia: numbers for cubes and sheets whose cells are cut along one diagonal, worked out by hand, on any number of ranks.

#include "simulation/lumped_mass.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/shell_meshes.h"
#include "support/ten_nodes.h"

namespace traction {
namespace {

Scene free_body(const std::string& name) {
  Scene scene;
  Body body;
  body.name = name;
  scene.bodies = {body};
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1;
  return scene;
}

double excess(const Scene& scene, const Mesh& mesh, std::size_t warnings) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  EXPECT_EQ(simulation.warnings.size(), warnings);
  return excess_of_inertia(*simulation.mesh, materials_of(scene, *simulation.mesh), {{scene.bodies[0].name, {}}}).at(0).share;
}

// The warnings of a scene, which are as many as given.
std::string build(const Scene& scene, const Mesh& mesh, std::size_t warnings) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  EXPECT_EQ(simulation.warnings.size(), warnings);
  return fmt::format("{}", fmt::join(simulation.warnings, "\n"));
}

// A cell of side a and mass m has second moments of m a^2 / 4, and m a^2 / 12 between two axes, where a uniform one has m a^2 / 12 and 0. The excess of inertia
// across the diagonal is 5/12 m a^2 per cell, compared with m (n a)^2 / 6 of the whole cube.
TEST(LumpedMass, ACubeOfNCellsHasTooMuchInertia) {
  Scene scene = free_body("cube");
  scene.bodies[0].solid["solid"] = {1e5, 0.4, 1000, {}};
  for (const int n : {1, 2, 4, 6})
    EXPECT_NEAR(excess(scene, test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.3), {n, n, n}), n < 5 ? 1 : 0), 2.5 / (n * n), 1e-12) << n;
}

// Ten-node tetrahedra of mass m have second moments of 11/108 m sum d d^T in the arms d of their corners, four-node ones 1/4 and uniform ones 1/20: what is too
// much is 7/27 of what four-node tetrahedra have.
TEST(LumpedMass, TenNodeTetrahedraHaveLessTooMuchInertia) {
  Scene scene = free_body("cube");
  scene.bodies[0].solid["solid"] = {1e5, 0.4, 1000, {}};
  for (const int n : {1, 2, 4}) {
    const Mesh mesh = test::ten_nodes(test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.3), {n, n, n}));
    EXPECT_NEAR(excess(scene, mesh, n < 3 ? 1 : 0), 7.0 / 27 * 2.5 / (n * n), 1e-12) << n;
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    double mass = 0;
    for (int i = 0; i < simulation.mesh->halo->owned(); ++i) mass += simulation.system->mass()[i];
    EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, mass), 27, 1e-12);
  }
}

// Each triangle of legs a and mass m has an excess of m a^2 / 6 along both axes, compared with the sheet's twelfth of (n a)^2; cells are halved along either
// diagonal.
TEST(LumpedMass, ASheetOfNCellsHasTooMuchInertia) {
  Scene scene = free_body("sheet");
  scene.bodies[0].shell["skin"] = test::shell_material(1e5, 0.4, 1, 0, 0);
  for (const int n : {2, 4, 6}) EXPECT_NEAR(excess(scene, test::shell_mesh("sheet", test::irregular_sheet(n, 0)), n < 6 ? 1 : 0), 2.0 / (n * n), 1e-12) << n;
}

// The axes are those of scipy's generalised eigenvectors of the same sums over cells that are cut along the diagonal (1, 1, 1).
TEST(LumpedMass, TheAxisOfTheExcessIsNamed) {
  Scene scene = free_body("block");
  scene.bodies[0].solid["solid"] = {1e5, 0.4, 1000, {}};
  const auto axis = [&](const Vec3& size, const std::array<int, 3>& cells) {
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), size, cells));
    const InertiaExcess found = excess_of_inertia(*simulation.mesh, materials_of(scene, *simulation.mesh), {{"block", {}}}).at(0);
    EXPECT_NE(fmt::format("{}", fmt::join(simulation.warnings, "\n")).find(fmt::format("turns too slowly about {} through its center", found.axis)),
              std::string::npos)
        << found.axis;
    return found.axis;
  };
  EXPECT_EQ(axis(Vec3::Constant(0.3), {1, 1, 1}), "all axes across the direction (0.58, 0.58, 0.58)");
  EXPECT_EQ(axis({10, 1, 1}, {10, 1, 1}), "the axis (1, -0.01, -0.01)");
  EXPECT_EQ(axis({2, 2, 1}, {2, 2, 1}), "the axis (0.71, -0.71, 0)");
  EXPECT_EQ(axis({4, 2, 1}, {1, 1, 1}), "the axis (0.89, -0.44, -0.15)");
}

TEST(LumpedMass, ABodyThatIsHeldAtAFaceDoesNotTurn) {
  Scene scene = free_body("cube");
  scene.bodies[0].solid["solid"] = {1e5, 0.4, 1000, {}};
  scene.bodies[0].driven = {DrivenSettings{}};
  scene.bodies[0].driven[0].region = "bottom";
  build(scene, test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.3), {1, 1, 1}), 0);
  scene.bodies[0].driven[0].until = 0.5;  // it turns afterwards
  build(scene, test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.3), {1, 1, 1}), 1);
}

// Lumping a cube of n^3 cells that hangs by an edge adds m a^2 / (3 n^2) to the moment 2/3 m a^2 about that edge.
TEST(LumpedMass, ABodyThatHangsTurnsAboutItsSupports) {
  Scene scene = free_body("cube");
  scene.bodies[0].solid["solid"] = {1e5, 0.4, 1000, {}};
  scene.bodies[0].driven = {DrivenSettings{}};
  scene.bodies[0].driven[0].region = "edge";
  for (const int n : {1, 2, 4}) {
    Mesh mesh = test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.3), {n, n, n});
    Region edge{"cube.edge", 0, {}};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (mesh.vertices[v].head<2>().isZero(0)) edge.members.push_back(static_cast<int>(v));
    mesh.regions.push_back(edge);
    const std::string warning = n < 3 ? fmt::format(
                                            "turns too slowly about the axis (0, 0, 1) on its supports: masses at the vertices of so coarse a mesh "
                                            "have a moment of inertia {:.0f} % above",
                                            50.0 / (n * n))
                                      : "";
    EXPECT_NE(build(scene, mesh, n < 3 ? 1 : 0).find(warning), std::string::npos) << n;
  }
}

}  // namespace
}  // namespace traction
