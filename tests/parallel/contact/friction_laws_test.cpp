// Friction with an exponential decay or from a table, between bodies and against obstacles, on any number of ranks.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

const FrictionTable kTable{{0, 0.3, 2}, {0, 3e3, 3e4}, {0.9, 0.8, 0.6, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1}};

struct LawBetweenBoxes {
  const char* name;
  ContactGeometry geometry;
  bool lagged, from_table;
};

class FrictionBetweenBoxes : public testing::TestWithParam<LawBetweenBoxes> {
 protected:
  static Simulation build(MPI_Comm communicator) {
    Scene scene = test::two_boxes_scene(GetParam().geometry == ContactGeometry::smooth_surface);
    FrictionSettings& friction = *scene.contacts[0].friction;
    scene.contacts[0].geometry = GetParam().geometry;
    scene.contacts[0].damping = 0.5;
    if (GetParam().lagged) friction.coupling = FrictionCoupling::lagged;
    if (GetParam().from_table) {
      friction.table = kTable;
    } else {
      friction.static_ = 0.8;
      friction.decay_velocity = 0.4;
    }
    return build_simulation(communicator, scene, test::two_boxes(0.02));
  }
  // Both boxes deformed, the upper one sliding within the layer of contact.
  static State sliding(const Simulation& simulation) {
    const DistributedMesh& mesh = *simulation.mesh;
    State state(mesh.halo->local());
    for (int i = 0; i < mesh.halo->local(); ++i) {
      const Vec3 x = mesh.vertices[i];
      state.q[i] = x + 0.02 * Vec3(std::sin(3 * x.y()), x.x() * x.z(), 0.5 * std::cos(2 * x.x() + x.y()));
      state.v[i] = 0.03 * Vec3(x.z(), -x.x(), x.y() * x.x());
      if (x.z() > 1.001) state.v[i] += Vec3(0.48, 0.36, 0.06);
    }
    return state;
  }
};

TEST_P(FrictionBetweenBoxes, ProductIsTheDerivativeOfTheForceOnAnyPartition) {
  Simulation alone = build(PETSC_COMM_SELF), together = build(PETSC_COMM_WORLD);
  std::map<int, Vec3> forces[2], products[2];
  for (Simulation* simulation : {&alone, &together}) {
    ContactGroup& contact = *simulation->contacts.at(0);
    const State state = sliding(*simulation), direction = test::direction_for(*simulation->mesh);
    contact.lag_friction(state);
    const ContactSummary summary = contact.summarize(state);
    EXPECT_GT(summary.active, 10);
    EXPECT_LT(summary.friction_power, 0);
    EXPECT_LT(test::difference_from_central(contact, simulation->system->halo(), state, direction, 2e-5), 1e-6);
    forces[simulation == &together] = test::by_id(*simulation->mesh, test::force_of(contact, state));
    products[simulation == &together] = test::by_id(*simulation->mesh, test::product_of(contact, state, direction));
  }
  EXPECT_LT(test::difference(forces[1], forces[0]), 1e-12);
  EXPECT_LT(test::difference(products[1], products[0]), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Laws, FrictionBetweenBoxes,
                         testing::Values(LawBetweenBoxes{"decay_smooth", ContactGeometry::smooth_surface, false, false},
                                         LawBetweenBoxes{"decay_edges", ContactGeometry::edges_and_faces, false, false},
                                         LawBetweenBoxes{"table_smooth", ContactGeometry::smooth_surface, false, true},
                                         LawBetweenBoxes{"table_edges", ContactGeometry::edges_and_faces, false, true},
                                         LawBetweenBoxes{"table_lagged", ContactGeometry::edges_and_faces, true, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// A block whose top is at the same distance from a ceiling everywhere, so that its pressure is the normal force over the top's area, and the table gives the
// coefficient. Whatever weight a scheme gives to contact, the coefficient is that of the whole pressure.
class PressureOfAFace : public testing::TestWithParam<ContactGeometry> {};

TEST_P(PressureOfAFace, GivesTheCoefficient) {
  constexpr double kWidth = 0.2, kSpeed = 0.7;
  for (const int cells : {2, 5}) {
    Scene scene = test::resting_box_scene(Integrator::backward_euler);
    scene.contacts[0].vertices = {"block", "top"};
    scene.contacts[0].geometry = GetParam();
    scene.contacts[0].pressure = 5e4;
    scene.contacts[0].friction->table = kTable;
    if (GetParam() == ContactGeometry::edges_and_faces) scene.obstacles[0].shape = BoxSettings{Vec3(-1, -1, kWidth + 4e-3), Vec3(1, 1, 1)};
    else scene.obstacles[0].shape = PlaneSettings{Vec3(0, 0, kWidth + 4e-3), Vec3(0, 0, -1)};
    Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3(kWidth, kWidth, kWidth), {cells, cells, cells});
    mesh.regions.push_back({"block." + outward_region("top"), 2, mesh.find_region("block.top")->members});
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    State state = simulation.loop->state();
    for (int i = 0; i < simulation.system->halo().local(); ++i) state.v[i] = kSpeed * Vec3(0.6, -0.8, 0);
    const Vec3 force = simulation.contacts[0]->summarize(state).force;
    // The penalty has the given pressure at zero gap, and (1 / 5)^2 of it at four fifths of its thickness.
    EXPECT_NEAR(force.z(), -5e4 / 25 * kWidth * kWidth, 1e-9 * 80);
    const double coefficient = kTable.at(kSpeed, 2000.0);
    EXPECT_NEAR(coefficient, 0.55, 0.05);
    EXPECT_LT((Vec3(force.x(), force.y(), 0) - coefficient * force.z() * Vec3(0.6, -0.8, 0)).norm(), 1e-11 * 80);
    simulation.contacts[0]->set_weight(0.3);
    EXPECT_LT((simulation.contacts[0]->summarize(state).force - 0.3 * force).norm(), 1e-12 * 80);
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, PressureOfAFace, testing::Values(ContactGeometry::smooth_surface, ContactGeometry::edges_and_faces));

// Both sides of a contact between two bodies press, each with half of the force on half of the area. The rims press less than the middle.
TEST(PressureBetweenBodies, IsNotThatOfHalfTheForce) {
  for (const ContactGeometry geometry : {ContactGeometry::smooth_surface, ContactGeometry::edges_and_faces}) {
    Scene scene = test::two_boxes_scene(true);
    scene.contacts[0].geometry = geometry;
    scene.contacts[0].friction->table = FrictionTable{{}, {0, 2e4, 4e4, 8e4, 1.6e5, 3.2e5}, {0, 0.05, 0.1, 0.2, 0.4, 0.8}};  // in proportion to the pressure
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.02, 6));
    ContactGroup& contact = *simulation.contacts.at(0);
    State state = simulation.loop->state();
    const ContactSummary at_rest = contact.summarize(state);
    for (const int vertex : simulation.system->bodies()[1]) state.v[vertex] = Vec3(0.6, -0.8, 0);
    simulation.system->halo().exchange(state.v.values());
    const double friction = (at_rest.force - contact.summarize(state).force).dot(Vec3(0.6, -0.8, 0)), pressure = at_rest.force.z() / at_rest.area;
    EXPECT_GT(pressure, 2e4);
    EXPECT_LT(pressure, 1.6e5);
    EXPECT_NEAR(friction / at_rest.force.z(), scene.contacts[0].friction->table->at(0.0, pressure), 0.2 * friction / at_rest.force.z());
  }
}

}  // namespace
}  // namespace traction
