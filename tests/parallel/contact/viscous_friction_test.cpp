// Viscous friction: a drag per area that is in contact.

#include <gtest/gtest.h>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr double kWidth = 0.2;  // [m]
constexpr double kDrag = 3;     // [N s/m^3]

class ViscousFriction : public testing::TestWithParam<ContactGeometry> {
 protected:
  // On a cube of n^3 cells that slides at 1 m/s, 4 mm above the floor.
  static Vec3 force(int n, bool on_box) {
    Scene scene = test::resting_box_scene(Integrator::backward_euler);
    scene.contacts[0].friction->dynamic = scene.contacts[0].friction->static_ = 0;
    scene.contacts[0].friction->viscous = kDrag;
    scene.contacts[0].geometry = on_box ? ContactGeometry::edges_and_faces : ContactGeometry::smooth_surface;
    if (on_box) scene.obstacles[0].shape = BoxSettings{Vec3(-1, -1, -1), Vec3(1, 1, 0)};
    Mesh mesh = test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(kWidth, kWidth, kWidth + 4e-3), {n, n, n});
    test::add_outward_region(mesh, "block");
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    State state = simulation.loop->state();
    for (int i = 0; i < simulation.system->halo().local(); ++i) state.v[i] = Vec3(0.6, -0.8, 0);
    return simulation.contacts.at(0)->summarize(state).force;
  }
};

// The vertices of a cube's bottom have its area, and nothing of the sides above them.
TEST_P(ViscousFriction, GoesByTheAreaOfWhatTouches) {
  for (const int n : {1, 2, 5}) {
    const double drag = kDrag * kWidth * kWidth;
    const Vec3 on_cube = force(n, GetParam() == ContactGeometry::edges_and_faces);
    EXPECT_NEAR(on_cube.x(), -0.6 * drag, 1e-9 * drag);
    EXPECT_NEAR(on_cube.y(), 0.8 * drag, 1e-9 * drag);
  }
}

// Two boxes, each of whose sides presses: the drag is that of the area of contact, not of both sides together, whatever the mesh.
TEST_P(ViscousFriction, CountsTheAreaBetweenTwoBodiesOnce) {
  double coarse = 0;
  for (const int cells : {3, 6}) {
    Scene scene = test::two_boxes_scene(true);
    scene.contacts[0].geometry = GetParam();
    scene.contacts[0].friction->dynamic = scene.contacts[0].friction->static_ = 0;
    scene.contacts[0].friction->viscous = kDrag;
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.03, cells));
    State state = simulation.loop->state();
    const Vec3 at_rest = simulation.contacts.at(0)->summarize(state).force;  // near edges the normals lean
    for (const int vertex : simulation.system->bodies()[1]) state.v[vertex] = Vec3(0.6, -0.8, 0);
    simulation.system->halo().exchange(state.v.values());
    const ContactSummary contact = simulation.contacts.at(0)->summarize(state);
    const double drag = (at_rest - contact.force).dot(Vec3(0.6, -0.8, 0));
    EXPECT_NEAR(drag, kDrag * contact.area, 0.02 * drag) << cells;
    if (coarse > 0) {
      EXPECT_NEAR(drag, coarse, 0.25 * drag);  // the rims of both areas depend on the mesh
    }
    coarse = drag;
  }
}

// A bottom alone has the same area in any mesh.
TEST(ViscousFrictionOfAFace, IsTheSameInAnyMesh) {
  for (const int n : {2, 4, 8}) {
    Scene scene = test::resting_box_scene(Integrator::backward_euler);
    scene.contacts[0].friction->dynamic = scene.contacts[0].friction->static_ = 0;
    scene.contacts[0].friction->viscous = kDrag;
    scene.contacts[0].vertices = {"block", "top"};
    scene.obstacles[0].shape = PlaneSettings{Vec3(0, 0, kWidth + 4e-3), Vec3(0, 0, -1)};
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(kWidth, kWidth, kWidth), {n, n, n}));
    State state = simulation.loop->state();
    for (int i = 0; i < simulation.system->halo().local(); ++i) state.v[i] = Vec3(1, 0, 0);
    EXPECT_NEAR(simulation.contacts.at(0)->summarize(state).force.x(), -kDrag * kWidth * kWidth, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, ViscousFriction, testing::Values(ContactGeometry::smooth_surface, ContactGeometry::edges_and_faces));

}  // namespace
}  // namespace traction
