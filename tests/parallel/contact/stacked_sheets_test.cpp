// Three sheets of one body, all within reach of each other: each is touched at its own distance.

#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact_group.h"
#include "contact/normal_force_sizes.h"
#include "dynamics/contact_trace.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/force_evaluation.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

constexpr double kTouching = 0.02, kCloth = 0.03, kBetween = 0.01, kSoft = 50;  // [m], [N/m]
constexpr int kLayerCells = 10;

Mesh three_sheets() {
  test::Sheet cloth;
  for (int layer = 0; layer < 3; ++layer) {
    const test::Sheet sheet = test::moved(test::irregular_sheet(kLayerCells, 0.2), 1, layer * (kCloth + kBetween) * Vec3::UnitZ());
    const int first = static_cast<int>(cloth.vertices.size());
    cloth.vertices.insert(cloth.vertices.end(), sheet.vertices.begin(), sheet.vertices.end());
    for (const auto& [a, b, c] : sheet.triangles) cloth.triangles.push_back({first + a, first + b, first + c});
  }
  return test::shell_mesh("cloth", cloth);
}

Simulation three_sheets_in_contact() {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 2e-3, std::nullopt}};
  scene.time.end = 0.1;
  Body cloth;
  cloth.name = "cloth";
  cloth.shell["skin"] = test::shell_material(1e3, 0.3, 1, 0, kCloth);
  scene.bodies = {cloth};
  ContactSettings contact;
  contact.name = "layers";
  contact.vertices = {"cloth", "skin"};
  contact.against = BodySurface{"cloth", "skin"};
  contact.exclusion_ring = 3;
  contact.thickness = kTouching;
  contact.stiffness = kSoft;
  scene.contacts = {contact};
  return build_simulation(PETSC_COMM_WORLD, scene, three_sheets());
}

// The middle sheet touches both outer sheets, which are too far from each other to touch.
TEST(StackedSheets, EachIsTouchedAtItsOwnDistance) {
  Simulation simulation = three_sheets_in_contact();
  const State& state = simulation.loop->state();
  ContactGroup& contact = *simulation.contacts.at(0);
  const ContactSummary summary = contact.summarize(state);
  EXPECT_NEAR(summary.minimum_gap, kBetween, 1e-15);
  EXPECT_EQ(summary.active, 4 * (kLayerCells + 1) * (kLayerCells + 1));
  for (const ContactPoint& point : contact.points(state)) {
    EXPECT_NEAR(point.gap, kBetween, 1e-15);
    EXPECT_NEAR(std::abs(point.normal.z()), 1, 1e-15);
  }
}

// The middle sheet is squeezed by forces that cancel in their sum; what holds a body, and what contact has moved, counts both.
TEST(StackedSheets, ForcesFromBothSidesAddUpInSize) {
  Simulation simulation = three_sheets_in_contact();
  const State& state = simulation.loop->state();
  const double of_a_sheet = std::pow(kLayerCells + 1, 2) * 3 * kSoft / kTouching * std::pow(kTouching - kBetween, 2);  // by its own vertices (C2) [N]
  const ContactTrace trace = trace_contacts(*simulation.system, simulation.contacts, state, {&state, 1}, {});
  // Two pairs of sheets, each side of which bears the forces of its own vertices and of the other's.
  EXPECT_NEAR(trace.force_on(0), 8 * of_a_sheet, 1e-9 * of_a_sheet);
  const NormalForces forces = normal_forces(simulation.contacts, state, simulation.mesh->halo->local());
  double lengths = 0;
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) lengths += forces.sums[i].norm();
  EXPECT_LT(sum_over_ranks(simulation.mesh->halo->communicator(), lengths), 4.5 * of_a_sheet);
}

TEST(StackedSheets, TheProductIsTheDerivativeOfTheForce) {
  Simulation simulation = three_sheets_in_contact();
  const int local = simulation.mesh->halo->local();
  State state = simulation.loop->state(), direction(local);
  for (int i = 0; i < local; ++i) {
    const Vec3 x = simulation.mesh->vertices[i];
    state.q[i] += 1e-3 * Vec3(std::sin(7 * x.y() + x.z()), std::cos(5 * x.x()), std::sin(9 * x.x() + 50 * x.z()));
    direction.q[i] = Vec3(std::cos(4 * x.y()), x.x() * x.y(), std::sin(6 * x.x() - 40 * x.z()));
    direction.v[i] = Vec3(x.y(), std::sin(3 * x.x()), x.z());
  }
  ContactGroup& contact = *simulation.contacts.at(0);
  EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, direction, 1e-5), 1e-6);
}

}  // namespace
}  // namespace traction
