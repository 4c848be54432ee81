// Viscous friction: a drag for each vertex with a mean share of the surface's area.

#include <gtest/gtest.h>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

// A cube whose faces are n^2 squares has 6 n^2 + 2 vertices on its surface. Those of its bottom have its area and, of the 4 n squares above its edges, half:
// in all 1 + 2 / n faces of 6.
TEST(ViscousFriction, GoesBySharesOfArea) {
  for (const int n : {1, 2, 5}) {
    Scene scene = test::resting_box_scene(Integrator::backward_euler);
    scene.contacts[0].friction->dynamic = scene.contacts[0].friction->static_ = 0;
    scene.contacts[0].friction->viscous = 3;
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {n, n, n}));
    State state = simulation.loop->state();
    for (int i = 0; i < simulation.system->halo().local(); ++i) state.v[i] = Vec3(0.6, -0.8, 0);
    const double drag = 3 * (1 + 2.0 / n) / 6 * (6 * n * n + 2);
    const Vec3 force = simulation.contacts.at(0)->summarize(state).force;
    EXPECT_NEAR(force.x(), -0.6 * drag, 1e-12 * drag);
    EXPECT_NEAR(force.y(), 0.8 * drag, 1e-12 * drag);
  }
}

}  // namespace
}  // namespace traction
