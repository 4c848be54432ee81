// The bending of an irregular sheet that is curved at rest: an energy of its shape alone, whichever way its triangles are listed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/bending_sheets.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

Vec3 wave(const Vec3& x, double height) { return {x.x(), x.y(), height * std::sin(4 * x.x() + x.y()) * std::cos(3 * x.y())}; }

test::Sheet wavy_sheet() {
  test::Sheet sheet = test::irregular_sheet(7, 0.25);
  for (Vec3& x : sheet.vertices) x = wave(x, 0.1);
  return sheet;
}

Scene sheet_scene(double stiffness_damping, bool flat = false) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  Body body;
  body.name = "sheet";
  body.shell["skin"] = test::shell_material(1e3, 0.35, 1, 0.7, 0);
  body.shell["skin"].flat = flat;
  body.damping = {0, stiffness_damping};
  scene.bodies = {body};
  return scene;
}

State disturbed_sheet(const DistributedMesh& mesh) {
  State state =
      test::placed(mesh, [](const Vec3& x) { return Vec3(wave(1.1 * x, -0.2) + 0.02 * Vec3(std::sin(9 * x.y()), std::cos(7 * x.x()), std::sin(8 * x.x()))); });
  for (int i = 0; i < mesh.halo->local(); ++i) state.v[i] = 0.5 * Vec3(std::cos(5 * state.q[i].y()), state.q[i].x(), std::sin(6 * state.q[i].x()));
  return state;
}

class SheetBending : public testing::TestWithParam<double> {};  // stiffness damping

TEST_P(SheetBending, BlocksAndProductsAreDerivatives) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, sheet_scene(GetParam()), test::shell_mesh("sheet", wavy_sheet()));
  const State state = disturbed_sheet(*simulation.mesh);
  test::expect_blocks_and_products_are_derivatives(simulation, state, 1e-4, GetParam() != 0);
}

TEST_P(SheetBending, RigidMotionsStoreAndDissipateNothing) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, sheet_scene(GetParam()), test::shell_mesh("sheet", wavy_sheet()));
  const Mat3 R = Eigen::AngleAxisd(1.9, Vec3(1, 1, -3).normalized()).toRotationMatrix();
  State state = test::placed(*simulation.mesh, [&](const Vec3& x) { return Vec3(R * x + Vec3(5, -7, 2)); });
  for (int i = 0; i < simulation.mesh->halo->local(); ++i) state.v[i] = Vec3(3, -1, 2) + Vec3(0.4, 5, -2).cross(state.q[i]);
  EXPECT_LT(test::bending_energy(simulation, state), 1e-24);
  EXPECT_LT(test::norm(simulation.system->halo(), test::force_of(test::bending_of(simulation), state)), 1e-10);
  // Bent, without a resultant.
  state = disturbed_sheet(*simulation.mesh);
  EXPECT_GT(test::bending_energy(simulation, state), 0.1);
  const Field force = test::force_of(test::bending_of(simulation), state);
  std::array<double, 6> sums{};
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) {
    const Vec3 moment = state.q[i].cross(force[i]);
    for (int k = 0; k < 3; ++k) sums[k] += force[i][k], sums[3 + k] += moment[k];
  }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  const double scale = test::norm(simulation.system->halo(), force);
  EXPECT_GT(scale, 1);
  for (const double sum : sums) EXPECT_LT(std::abs(sum), 1e-12 * scale);
}

INSTANTIATE_TEST_SUITE_P(StiffnessDamping, SheetBending, testing::Values(0.0, 1e-2));

TEST(SheetBendingEnergy, HasTheForcesForItsGradient) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, sheet_scene(0), test::shell_mesh("sheet", wavy_sheet()));
  const State state = disturbed_sheet(*simulation.mesh), direction = test::direction_for(*simulation.mesh);
  const auto central = [&](double h) {
    State plus = state, minus = state;
    plus.q.array() += h * direction.q.array(), minus.q.array() -= h * direction.q.array();
    return (test::bending_energy(simulation, plus) - test::bending_energy(simulation, minus)) / (2 * h);
  };
  const Field force = test::force_of(test::bending_of(simulation), state);
  const int owned = 3 * simulation.mesh->halo->owned();
  const double power = sum_over_ranks(PETSC_COMM_WORLD, force.array().head(owned).matrix().dot(direction.q.array().head(owned).matrix()));
  EXPECT_NEAR((4 * central(5e-6) - central(1e-5)) / 3, -power, 1e-6 * std::abs(power));
}

// Files list the vertices of triangles in either direction, starting with any of them. Each rank computes alone, because partitions depend on the order.
TEST(SheetBendingEnergy, DoesNotDependOnHowTrianglesAreListed) {
  test::Sheet sheet = wavy_sheet();
  Simulation one = build_simulation(PETSC_COMM_SELF, sheet_scene(0), test::shell_mesh("sheet", sheet));
  std::mt19937 random(4);
  for (auto& triangle : sheet.triangles) {
    std::rotate(triangle.begin(), triangle.begin() + random() % 3, triangle.end());
    if (random() % 2) std::swap(triangle[0], triangle[1]);
  }
  Simulation other = build_simulation(PETSC_COMM_SELF, sheet_scene(0), test::shell_mesh("sheet", sheet));
  const State state = disturbed_sheet(*one.mesh), same = disturbed_sheet(*other.mesh);
  const double energy = test::bending_of(one).energy(state);
  EXPECT_NEAR(test::bending_of(other).energy(same), energy, 1e-12 * energy);
  EXPECT_LT(difference(by_id(*other.mesh, test::force_of(test::bending_of(other), same)), by_id(*one.mesh, test::force_of(test::bending_of(one), state))),
            1e-11);
}

// A closed cylinder of radius r at rest, bent towards a plane: B/2 r^-2 per area. The edges of a regular cylinder are axial or across both, and the ends are
// free.
TEST(SheetBendingEnergy, OfAFlatMaterialOnACylinderIsThatOfItsCurvature) {
  constexpr double kRadius = 0.3, kHeight = 1, kNu = 0.35;
  double last = 0;
  for (const int around : {16, 32, 64}) {
    Simulation simulation =
        build_simulation(PETSC_COMM_WORLD, sheet_scene(0, true), test::shell_mesh("sheet", test::cylinder(around, around / 2, kRadius, kHeight)));
    const double energy = test::bending_energy(simulation, test::placed(*simulation.mesh, [](const Vec3& x) { return x; }));
    const double expected = 0.7 / 2 / (kRadius * kRadius) * 2 * M_PI * kRadius * kHeight;
    const double error = energy / expected - 1;
    // Triangles at the free ends bend across them without resistance, like a plate without moment there: the ends' rows are too soft by nu^2.
    EXPECT_NEAR(error, 0, 0.03 * 32 / around + kNu * kNu * 2.0 / around) << around;
    if (last != 0) {
      EXPECT_LT(std::abs(error), 0.7 * std::abs(last));
    }
    last = error;
  }
  Simulation curved = build_simulation(PETSC_COMM_WORLD, sheet_scene(0), test::shell_mesh("sheet", test::cylinder(16, 8, kRadius, kHeight)));
  EXPECT_EQ(test::bending_energy(curved, test::placed(*curved.mesh, [](const Vec3& x) { return x; })), 0);
}

// A strip of four triangles, creased in the middle nearly onto itself: it resists being opened beyond flat the more, although the way to its rest angle through
// the fold would be shorter.
TEST(SheetBendingEnergy, SharpCreasesAreNotTakenThroughTheFold) {
  const auto strip = [](double angle) {
    test::Sheet sheet;
    for (const double s : {-1.0, 0.0, 1.0})
      for (const double y : {0.0, 0.8}) sheet.vertices.emplace_back(s <= 0 ? Vec3(s, y, 0) : Vec3(std::cos(angle), y, -std::sin(angle)));
    sheet.triangles = {{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3}};
    return sheet;
  };
  Simulation simulation = build_simulation(PETSC_COMM_SELF, sheet_scene(0), test::shell_mesh("sheet", strip(3)));
  double last = 0;
  for (const double angle : {2.0, 0.5, -0.1, -0.2, -1.0, -3.0}) {
    const test::Sheet bent = strip(angle);
    State state(simulation.mesh->halo->local());
    for (int i = 0; i < simulation.mesh->halo->local(); ++i) state.q[i] = bent.vertices[simulation.mesh->vertex_ids[i]];
    const double energy = test::bending_of(simulation).energy(state);
    EXPECT_GT(energy, last) << angle;
    last = energy;
  }
}

}  // namespace
}  // namespace traction
