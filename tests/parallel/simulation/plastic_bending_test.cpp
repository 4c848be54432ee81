// Shells that yield where they bend: closed forms of a strip on a cylinder, derivatives, and what is remembered.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "parallel/collective.h"
#include "simulation/element_slots.h"
#include "simulation/simulation.h"
#include "support/bending_sheets.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kStiffness = 0.7, kYield = 0.4;  // [N m], [1/m]

Scene yielding_scene(double yield_curvature, double poisson_ratio = 0, double stiffness_damping = 0) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  Body body;
  body.name = "sheet";
  body.shell["skin"] = test::shell_material(1e3, poisson_ratio, 1, kStiffness, 0);
  body.shell["skin"].yield_curvature = yield_curvature;
  body.damping = {0, stiffness_damping};
  scene.bodies = {body};
  return scene;
}

Simulation sheet(const Scene& scene, MPI_Comm communicator = PETSC_COMM_WORLD) {
  return build_simulation(communicator, scene, test::shell_mesh("sheet", test::irregular_sheet(12, 0.2)));
}

// The flat sheet on a cylinder.
State rolled(const DistributedMesh& mesh, double curvature) {
  return test::placed(mesh, [&](const Vec3& x) {
    return curvature == 0 ? x : Vec3(std::sin(curvature * x.x()) / curvature, x.y(), (1 - std::cos(curvature * x.x())) / curvature);
  });
}

State crumpled(const DistributedMesh& mesh) {
  State state = test::placed(
      mesh, [](const Vec3& x) { return Vec3(x.x() + 0.03 * std::sin(9 * x.y()), 1.1 * x.y(), 0.1 * std::sin(5 * x.x() + x.y()) * std::cos(4 * x.y())); });
  for (int i = 0; i < mesh.halo->local(); ++i) state.v[i] = 0.5 * Vec3(std::cos(5 * state.q[i].y()), state.q[i].x(), std::sin(6 * state.q[i].x()));
  return state;
}

double loss_of(const Simulation& simulation, const State& state) { return sum_over_ranks(PETSC_COMM_WORLD, test::bending_of(simulation).flow_loss(state)); }

// M = B kappa until kappa_y, then M = B kappa_y. Poisson's ratio is 0. The triangles at the free edges across the strip bear no moment: one in twelve.
TEST(PlasticBending, OfAStripOnACylinderIsPerfectlyPlastic) {
  const Simulation simulation = sheet(yielding_scene(kYield)), elastic = sheet(yielding_scene(0));
  const DistributedMesh& mesh = *simulation.mesh;
  EXPECT_EQ(test::bending_energy(simulation, rolled(mesh, 0.9 * kYield)), test::bending_energy(elastic, rolled(mesh, 0.9 * kYield)));
  EXPECT_EQ(loss_of(simulation, rolled(mesh, 0.9 * kYield)), 0);
  double flow = 0, lost = 0;  // [1/m], [J]
  constexpr double kArea = 11.0 / 12;
  const double most = kArea * kStiffness * kYield * kYield / 2, moment = kArea * kStiffness * kYield;
  for (const double curvature : {0.5, 0.9, 1.2}) {
    const State state = rolled(mesh, curvature);
    EXPECT_NEAR(test::bending_energy(simulation, state), most, 1e-3 * most) << curvature;
    EXPECT_NEAR(loss_of(simulation, state), moment * (curvature - kYield - flow), 2e-3 * moment * (curvature - kYield));
    lost += loss_of(simulation, state);
    const Field before = test::force_of(test::bending_of(simulation), state);
    simulation.system->commit(state);
    flow = curvature - kYield;
    EXPECT_LT(difference(by_id(mesh, test::force_of(test::bending_of(simulation), state)), by_id(mesh, before)), 1e-12);
    EXPECT_NEAR(test::bending_energy(simulation, state), most, 1e-3 * most);
    EXPECT_LT(loss_of(simulation, state), 1e-12 * most);
  }
  EXPECT_NEAR(lost, moment * flow, 2e-3 * moment * flow);
  // Without moment where it springs back to; half of the way there, a quarter of the energy is left.
  EXPECT_LT(test::bending_energy(simulation, rolled(mesh, flow)), 1e-3 * most);
  EXPECT_NEAR(test::bending_energy(simulation, rolled(mesh, flow + kYield / 2)), most / 4, 5e-3 * most);
  // Bent on to the other side it yields again, from flow - kappa_y on.
  EXPECT_NEAR(test::bending_energy(simulation, rolled(mesh, 0)), most, 1e-3 * most);
  EXPECT_NEAR(loss_of(simulation, rolled(mesh, 0)), moment * (flow - kYield), 2e-3 * moment * flow);
}

TEST(PlasticBending, BelowTheYieldCurvatureForcesAreThoseOfAnElasticShellToTheLastBit) {
  for (const double damping : {0.0, 1e-2}) {
    const Simulation simulation = sheet(yielding_scene(100, 0.35, damping)), elastic = sheet(yielding_scene(0, 0.35, damping));
    const State state = crumpled(*simulation.mesh);
    const Field force = test::force_of(test::bending_of(simulation), state), expected = test::force_of(test::bending_of(elastic), state);
    for (std::size_t k = 0; k < force.values().size(); ++k) ASSERT_EQ(force.values()[k], expected.values()[k]);
    simulation.system->commit(state);
    const Field after = test::force_of(test::bending_of(simulation), state);
    for (std::size_t k = 0; k < after.values().size(); ++k) ASSERT_EQ(after.values()[k], expected.values()[k]);
  }
}

class YieldingSheet : public testing::TestWithParam<double> {};  // stiffness damping

TEST_P(YieldingSheet, BlocksAndProductsAreDerivatives) {
  Simulation simulation = sheet(yielding_scene(2, 0.35, GetParam()));
  simulation.system->commit(rolled(*simulation.mesh, 3));
  const State state = crumpled(*simulation.mesh);
  EXPECT_GT(loss_of(simulation, state), 0.1);
  test::expect_blocks_and_products_are_derivatives(simulation, state, 1e-5, GetParam() != 0);
}

INSTANTIATE_TEST_SUITE_P(StiffnessDamping, YieldingSheet, testing::Values(0.0, 1e-2));

// What is stored and what flow would dissipate are the potential of the forces: no path within a step gains energy.
TEST(PlasticBending, StoredAndLostEnergyHaveTheForcesForTheirGradient) {
  Simulation simulation = sheet(yielding_scene(2, 0.35));
  simulation.system->commit(rolled(*simulation.mesh, 3));
  const State state = crumpled(*simulation.mesh), direction = test::direction_for(*simulation.mesh);
  const auto central = [&](double h) {
    State plus = state, minus = state;
    plus.q.array() += h * direction.q.array(), minus.q.array() -= h * direction.q.array();
    return (test::bending_energy(simulation, plus) + loss_of(simulation, plus) - test::bending_energy(simulation, minus) - loss_of(simulation, minus)) /
           (2 * h);
  };
  const Field force = test::force_of(test::bending_of(simulation), state);
  const int owned = 3 * simulation.mesh->halo->owned();
  const double power = sum_over_ranks(PETSC_COMM_WORLD, force.array().head(owned).matrix().dot(direction.q.array().head(owned).matrix()));
  EXPECT_NEAR((4 * central(5e-7) - central(1e-6)) / 3, -power, 1e-6 * std::abs(power));
}

// What several ranks remember is what one does, and another simulation continues with it.
TEST(PlasticBending, IsRememberedByTriangle) {
  const Simulation shared = sheet(yielding_scene(1, 0.35)), alone = sheet(yielding_scene(1, 0.35), PETSC_COMM_SELF), other = sheet(yielding_scene(1, 0.35));
  shared.system->commit(crumpled(*shared.mesh));
  alone.system->commit(crumpled(*alone.mesh));
  const auto memory = shared.system->remembered();
  ASSERT_EQ(memory.size(), 1u);
  const auto& [name, values] = *memory.begin();
  const std::vector<double> whole = alone.system->remembered().at(name);
  const std::size_t width = values.size() / static_cast<std::size_t>(shared.mesh->halo->local());
  ASSERT_EQ(width, whole.size() / alone.mesh->vertex_ids.size());
  EXPECT_LE(width, 12u);
  double largest = 0, apart = 0;
  for (int i = 0; i < shared.mesh->halo->local(); ++i)
    for (int k = 0; k < alone.mesh->halo->local(); ++k)
      if (alone.mesh->vertex_ids[static_cast<std::size_t>(k)] == shared.mesh->vertex_ids[static_cast<std::size_t>(i)])
        for (std::size_t c = 0; c < width; ++c) {
          const double expected = whole[width * static_cast<std::size_t>(k) + c];
          largest = std::max(largest, std::abs(expected));
          apart = std::max(apart, std::abs(values[width * static_cast<std::size_t>(i) + c] - expected));
        }
  EXPECT_GT(largest, 0.01);
  EXPECT_LT(apart, 1e-12 * largest);
  const State bent = rolled(*shared.mesh, 0.5);
  EXPECT_GT(std::abs(test::bending_energy(other, bent) / test::bending_energy(shared, bent) - 1), 0.1);
  other.system->recall(memory);
  EXPECT_EQ(test::bending_energy(other, bent), test::bending_energy(shared, bent));
}

// Sixty triangles around a vertex: each is kept with a vertex of the rim.
TEST(PlasticBending, FieldsStayNarrowWhereManyTrianglesMeet) {
  constexpr int kAround = 60;
  test::Sheet fan;
  fan.vertices.emplace_back(0, 0, 0);
  for (int i = 0; i < kAround; ++i) {
    fan.vertices.emplace_back(std::cos(2 * M_PI * i / kAround), std::sin(2 * M_PI * i / kAround), 0);
    fan.triangles.push_back({0, 1 + i, 1 + (i + 1) % kAround});
  }
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, yielding_scene(1), test::shell_mesh("sheet", fan));
  const std::size_t shells = simulation.mesh->shells.size();
  std::vector<char> marked(simulation.mesh->triangles.size(), 0);
  for (const int t : simulation.mesh->shells) marked[static_cast<std::size_t>(t)] = 1;
  const ElementSlots slots(*simulation.mesh, std::span<const std::array<int, 3>>(simulation.mesh->triangles), marked);
  EXPECT_LE(slots.per_vertex, 2);
  EXPECT_EQ(slots.places.size(), shells);
}

}  // namespace
}  // namespace traction
