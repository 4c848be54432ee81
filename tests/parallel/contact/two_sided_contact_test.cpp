// Contact with sheets, which touch on both sides: each vertex stays on its own, and comes no closer than half the thickness of both.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kThickness = 0.02, kSheet = 0.03, kPatch = 0.01;  // thickness of the contact, and of the two shells [m]

Body shell_body(const std::string& name, double thickness) {
  Body body;
  body.name = name;
  body.shell["skin"] = test::shell_material(1e3, 0.3, 1, 0, thickness);
  return body;
}

ContactSettings contact_of(const BodySurface& vertices, const BodySurface& against, bool both) {
  ContactSettings contact;
  contact.name = "pair";
  contact.vertices = vertices;
  contact.against = against;
  contact.both = both;
  contact.thickness = kThickness;
  contact.stiffness = 50;
  return contact;
}

// A small patch `height` above (or below) the middle of a square sheet in the plane z = 0.
Mesh sheet_and_patch(double height) {
  const test::Sheet sheet = test::irregular_sheet(10, 0.2);
  return test::join(test::shell_mesh("sheet", test::moved(sheet, 1, Vec3::Zero())),
                    test::shell_mesh("patch", test::moved(test::irregular_sheet(2, 0), 0.15, Vec3(0.42, 0.45, height))));
}

Scene sheet_and_patch_scene(bool both) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 2e-3, std::nullopt}};
  scene.time.end = 0.1;
  scene.bodies = {shell_body("sheet", kSheet), shell_body("patch", kPatch)};
  scene.contacts = {contact_of({"patch", "skin"}, {"sheet", "skin"}, both)};
  return scene;
}

// Reverses some triangles of a touched body.
void turn_sides(Mesh& mesh, const std::string& body, bool all) {
  for (Region& region : mesh.regions)
    if (region.name == body + "." + two_sided_region("skin"))
      for (std::size_t i = 0; i < region.members.size(); ++i)
        if (all || i % 3 == 0) std::swap(mesh.triangles[region.members[i]][0], mesh.triangles[region.members[i]][1]);
}

class Side : public testing::TestWithParam<double> {};  // 1: the patch is above, -1: below

TEST_P(Side, GapIsZeroAtHalfOfBothThicknesses) {
  const double side = GetParam(), touching = (kSheet + kPatch) / 2;
  for (const bool turned : {false, true})
    for (const double gap : {-1e-3, 0.0, 0.008}) {
      Mesh mesh = sheet_and_patch(side * (touching + gap));
      if (turned) turn_sides(mesh, "sheet", true);
      Simulation simulation = build_simulation(PETSC_COMM_WORLD, sheet_and_patch_scene(false), mesh);
      const State& state = simulation.loop->state();
      ContactGroup& contact = *simulation.contacts.at(0);
      const ContactSummary summary = contact.summarize(state);
      EXPECT_NEAR(summary.minimum_gap, gap, 1e-15);
      EXPECT_EQ(summary.active, 9);
      // 3 kappa (delta - gap)^2 / delta on each vertex, away from the sheet.
      const double expected = side * 9 * 3 * 50 * (kThickness - gap) * (kThickness - gap) / kThickness;
      EXPECT_NEAR(summary.force.z(), expected, 1e-12 * std::abs(expected));
      EXPECT_NEAR(std::hypot(summary.force.x(), summary.force.y()), 0, 1e-12 * std::abs(expected));
    }
}

TEST_P(Side, NothingBeyondTheThickness) {
  const double height = GetParam() * ((kSheet + kPatch) / 2 + kThickness + 1e-9);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, sheet_and_patch_scene(true), sheet_and_patch(height));
  const ContactSummary summary = simulation.contacts.at(0)->summarize(simulation.loop->state());
  EXPECT_EQ(summary.active, 0);
  EXPECT_EQ(summary.force.norm(), 0);
}

// The sheet bounces back to where it came from, and never comes closer than the two shells are thick.
constexpr double kPath = 0.345;                                                                // without the sheet it would end 25 mm behind the sheet [m]
class Throw : public testing::TestWithParam<std::tuple<double, ContactPotential, double>> {};  // side, potential, distance per step [m]

TEST_P(Throw, StaysOnItsSide) {
  const auto [side, potential, stride] = GetParam();
  const double touching = (kSheet + kPatch) / 2, start = 0.3, speed = 3;  // [m], out of reach, and [m/s]
  Scene scene = sheet_and_patch_scene(true);
  scene.contacts[0].potential = potential;
  scene.bodies[1].initial.velocity = Vec3(0.1 * speed, -0.05 * speed, -speed * side);
  scene.time.steps = {{0, stride / speed, std::nullopt}};
  scene.time.end = kPath / speed;
  scene.time.integrator = Integrator::backward_euler;
  DrivenSettings held;
  held.region = "skin";
  scene.bodies[0].driven = {held};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, sheet_and_patch(side * (touching + start)));
  const auto height = [&] {
    double least = 1;
    for (int vertex : simulation.mesh->region("patch").vertices)
      if (vertex < simulation.mesh->halo->owned()) least = std::min(least, side * simulation.loop->state().q[vertex].z());
    return minimum_over_ranks(PETSC_COMM_WORLD, least);
  };
  double nearest = 1;
  while (!simulation.loop->done()) {
    simulation.loop->advance();
    nearest = std::min(nearest, height());
  }
  EXPECT_LT(nearest, touching + kThickness);
  EXPECT_GT(nearest, touching);
}

std::string throw_name(const testing::TestParamInfo<Throw::ParamType>& info) {
  const auto& [side, potential, stride] = info.param;
  return std::string(side > 0 ? "Above" : "Below") + (potential == ContactPotential::log_barrier ? "Barrier" : "Penalty") +
         (stride > 0.3   ? "ThroughInAStep"
          : stride > 0.1 ? "Fast"
                         : "Slow");
}

INSTANTIATE_TEST_SUITE_P(Sides, Throw,
                         testing::Combine(testing::Values(1.0, -1.0), testing::Values(ContactPotential::cubic_penalty, ContactPotential::log_barrier),
                                          testing::Values(0.015, 0.12, kPath)),
                         throw_name);

INSTANTIATE_TEST_SUITE_P(Sides, Side, testing::Values(1.0, -1.0), [](const auto& info) { return std::string(info.param > 0 ? "Above" : "Below"); });

// Both bodies are bent and move with friction, on both sides of the sheet at once.
TEST(TwoSidedContact, ForcesBalanceAndProductsAreDerivatives) {
  for (const double side : {1.0, -1.0})
    for (const bool turned : {false, true}) {
      Mesh mesh = sheet_and_patch(side * 0.03);
      if (turned) turn_sides(mesh, "sheet", true);
      Scene scene = sheet_and_patch_scene(true);
      FrictionSettings friction;
      friction.dynamic = friction.static_ = 0.5;
      friction.tolerance = 0.05;
      scene.contacts[0].friction = friction;
      Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
      const Halo& halo = simulation.system->halo();
      ContactGroup& contact = *simulation.contacts.at(0);
      State state(halo.local());
      for (int i = 0; i < halo.local(); ++i) {
        const Vec3 x = simulation.mesh->vertices[i];
        state.q[i] = x + Vec3(0.01 * x.y(), 0, 0.01 * std::sin(6 * x.x()) * std::cos(5 * x.y()));
        state.v[i] = 0.1 * Vec3(x.y(), x.z() + 0.3, -x.x());
        if (std::abs(x.z()) > 0.01) state.v[i] += Vec3(0.3, -0.1, 0.05);
      }
      EXPECT_GT(contact.summarize(state).active, 10);
      const Field force = test::force_of(contact, state);
      std::array<double, 8> sums{};  // force, moment, sizes of both
      for (int i = 0; i < halo.owned(); ++i) {
        const Vec3 f = force[i], moment = Vec3(state.q[i]).cross(f);
        for (int k = 0; k < 3; ++k) sums[k] += f[k], sums[3 + k] += moment[k];
        sums[6] += f.norm();
        sums[7] += moment.norm();
      }
      sum_over_ranks(PETSC_COMM_WORLD, sums);
      EXPECT_GT(sums[6], 1);
      EXPECT_LT(Vec3(sums[0], sums[1], sums[2]).norm() / sums[6], 1e-13);
      EXPECT_LT(Vec3(sums[3], sums[4], sums[5]).norm() / sums[7], 1e-13);
      State direction = test::direction_for(*simulation.mesh);
      EXPECT_LT(test::difference_from_central(contact, halo, state, direction, 1e-5), 1e-6);
    }
}

// A box falls on a sheet that is held at its edge, from above or below: the orientation of the mesh's triangles has no effect.
TEST(TwoSidedContact, OrientationOfTheTrianglesDoesNotMatter) {
  const auto mesh_of = [](bool turned) {
    test::Sheet sheet = test::moved(test::irregular_sheet(8, 0.1), 1, Vec3::Zero());
    Mesh mesh = test::shell_mesh("sheet", sheet);
    Region rim{"sheet.rim", 0, {}};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const Vec3& x = mesh.vertices[v];
      if (x.x() == 0 || x.x() == 1 || x.y() == 0 || x.y() == 1) rim.members.push_back(static_cast<int>(v));
    }
    mesh.regions.push_back(rim);
    Mesh box = test::box_mesh("box", Vec3(0.3, 0.35, 0.035), Vec3(0.65, 0.7, 0.385), {3, 3, 2});
    test::add_outward_region(box, "box");
    Mesh all = test::join(mesh, box);
    if (turned) turn_sides(all, "sheet", true);
    return all;
  };
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 4e-3, std::nullopt}};
  scene.time.end = 0.08;
  scene.gravity = Vec3(0, 0, -9.81);
  Body box;
  box.name = "box";
  box.solid["solid"] = {5e4, 0.4, 200, {}};
  box.initial.velocity = Vec3(0.2, 0.1, -0.5);
  scene.bodies = {shell_body("sheet", kSheet), box};
  DrivenSettings held;
  held.region = "rim";
  scene.bodies[0].driven = {held};
  scene.contacts = {contact_of({"box", "surface"}, {"sheet", "skin"}, true)};
  FrictionSettings friction;
  friction.dynamic = friction.static_ = 0.3;
  friction.tolerance = 0.05;
  scene.contacts[0].friction = friction;
  scene.solver.tolerance = 1e-11;
  Simulation up = build_simulation(PETSC_COMM_WORLD, scene, mesh_of(false)), down = build_simulation(PETSC_COMM_WORLD, scene, mesh_of(true));
  long touched = 0;
  for (Simulation* simulation : {&up, &down})
    while (!simulation->loop->done())
      for (const ContactSummary& contact : simulation->loop->advance().contacts) {
        touched += contact.active;
        EXPECT_GT(contact.minimum_gap, 0);
      }
  EXPECT_GT(touched, 100);
  EXPECT_LT(difference(by_id(*up.mesh, up.loop->state().q), by_id(*down.mesh, down.loop->state().q)), 1e-10);
  EXPECT_LT(difference(by_id(*up.mesh, up.loop->state().v), by_id(*down.mesh, down.loop->state().v)), 1e-9);
}

// A sheet folded on itself, the lower layer held: the upper one, which has no stiffness against bending, floats on the penalty's pressure.
TEST(TwoSidedContact, AFoldedSheetStaysApart) {
  constexpr int kLong = 10, kWide = 8;
  constexpr double kCell = 0.1, kStart = kSheet + 0.6 * kThickness, kGravity = 9.81, kDensity = 1;
  test::Sheet sheet;
  const int columns = 2 * kLong + 2;  // number of vertices: along the lower layer, and back along the upper one
  for (int j = 0; j <= kWide; ++j)
    for (int i = 0; i < columns; ++i) {
      const bool upper = i > kLong;
      sheet.vertices.emplace_back(kCell * (upper ? 2 * kLong + 1 - i : i), kCell * j, upper ? kStart : 0);
    }
  for (int j = 0; j < kWide; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
      sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
    }
  Mesh mesh = test::shell_mesh("cloth", sheet);
  Region lower{"cloth.lower", 0, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].z() == 0) lower.members.push_back(static_cast<int>(v));
  mesh.regions.push_back(lower);
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 2e-2, std::nullopt}};
  scene.time.end = 1.2;
  scene.time.integrator = Integrator::backward_euler;
  scene.gravity = Vec3(0, 0, -kGravity);
  Body body = shell_body("cloth", kSheet);
  body.damping = {20, 0};
  DrivenSettings held;
  held.region = "lower";
  body.driven = {held};
  scene.bodies = {body};
  ContactSettings contact = contact_of({"cloth", "skin"}, {"cloth", "skin"}, false);
  contact.exclusion_ring = 2;
  contact.stiffness = 10;
  scene.contacts = {contact};
  scene.solver.tolerance = 1e-8;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  StepRecord last;
  while (!simulation.loop->done()) last = simulation.loop->advance();
  const double kappa = simulation.contacts.at(0)->stiffness();
  EXPECT_EQ(kappa, 10);
  // Each of two opposite vertices presses on the other's layer: 2 x 3 kappa (delta - gap)^2 / delta is a vertex's weight. kappa belongs to a vertex with the
  // mean share of the area; these vertices have a cell each.
  std::array<double, 2> shares{};  // area, vertices
  for (double area : simulation.contact_area)
    if (area > 0) shares[0] += area, shares[1] += 1;
  sum_over_ranks(PETSC_COMM_WORLD, shares);
  const double weight = kDensity * kGravity * kCell * kCell, own = kappa * kCell * kCell * shares[1] / shares[0];
  const double gap = kThickness - std::sqrt(weight * kThickness / (6 * own));
  double lowest = 1, highest = 0;
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) {
    const Vec3& rest = simulation.mesh->vertices[i];
    if (rest.z() == 0 || std::abs(rest.x() - 0.5) > 0.21 || std::abs(rest.y() - 0.4) > 0.21) continue;
    lowest = std::min(lowest, simulation.loop->state().q[i].z());
    highest = std::max(highest, simulation.loop->state().q[i].z());
  }
  lowest = minimum_over_ranks(PETSC_COMM_WORLD, lowest) - kSheet;
  highest = maximum_over_ranks(PETSC_COMM_WORLD, highest) - kSheet;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::printf("gap %.6g to %.6g m, expected %.6g m\n", lowest, highest, gap);
  EXPECT_NEAR(lowest, gap, 0.01 * gap);
  EXPECT_NEAR(highest, gap, 0.015 * gap);  // vertices beside the fold have less area
  EXPECT_GT(last.contacts.at(0).minimum_gap, 0);
}

}  // namespace
}  // namespace traction
