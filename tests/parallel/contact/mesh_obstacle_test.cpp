// An obstacle's mesh: a flat one acts on the block like the analytic plane, and for a curved one the product is the derivative of the force.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/force_evaluation.h"
#include "support/scenes.h"

namespace traction {
namespace {

// A sheet over [-1, 2]^2 in triangles, at the height that a function gives.
template <typename Height>
void write_sheet(const std::string& path, int cells, Height height) {
  on_first_rank(PETSC_COMM_WORLD, [&] {
    std::ofstream file(path);
    file.precision(17);
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        const double x = -1 + 3.0 * i / cells, y = -1 + 3.0 * j / cells;
        file << "v " << x << " " << y << " " << height(x, y) << "\n";
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const int a = 1 + j * (cells + 1) + i, c = a + cells + 1;
        file << "f " << a << " " << a + 1 << " " << c + 1 << "\nf " << a << " " << c + 1 << " " << c << "\n";
      }
  });
}

class MeshObstacle : public testing::Test {
 protected:
  MeshObstacle() : path_((std::filesystem::temp_directory_path() / "traction_mesh_obstacle.obj").string()) {}
  ~MeshObstacle() override {
    on_first_rank(PETSC_COMM_WORLD, [&] { std::filesystem::remove(path_); });
  }

  Simulation build(bool mesh) const {
    Scene scene = test::resting_box_scene(Integrator::sdirk2);
    if (mesh) scene.obstacles[0].shape = MeshObstacleSettings{{}, path_, 1};
    return build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {3, 3, 3}));
  }
  static State moving(const Simulation& simulation) {
    State state(simulation.mesh->halo->local());
    for (int i = 0; i < simulation.mesh->halo->local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[i];
      state.q[i] = x + 0.001 * Vec3(std::sin(3 * x.y()), x.x(), std::cos(2 * x.x()));
      state.v[i] = Vec3(0.3 + 0.1 * x.y(), -0.2, 0.1 * x.x());
    }
    return state;
  }

  std::string path_;
};

TEST_F(MeshObstacle, FlatOnesAreThePlane) {
  write_sheet(path_, 7, [](double, double) { return 0.0; });
  Simulation plane = build(false), mesh = build(true);
  const State state = moving(plane);
  EXPECT_EQ(plane.contacts[0]->summarize(state).active, 16);
  const Halo& halo = *plane.mesh->halo;
  Field difference = test::force_of(*mesh.contacts[0], state);
  const double size = test::norm(halo, difference);
  difference.array() -= test::force_of(*plane.contacts[0], state).array();
  EXPECT_LT(test::norm(halo, difference), 1e-12 * size);
}

TEST_F(MeshObstacle, ProductIsTheDerivativeOfTheForce) {
  write_sheet(path_, 9, [](double x, double y) { return 0.001 * std::sin(4 * x + y); });
  Simulation simulation = build(true);
  ContactGroup& contact = *simulation.contacts[0];
  const int local = simulation.mesh->halo->local();
  const State state = moving(simulation);
  EXPECT_GT(contact.summarize(state).active, 8);
  State direction(local);
  for (int i = 0; i < local; ++i) {
    const Vec3 x = simulation.mesh->vertices[i];
    direction.q[i] = Vec3(std::sin(5 * x.y()), std::cos(4 * x.x()), std::sin(3 * x.x() + x.y()));
    direction.v[i] = Vec3(x.y(), -x.x(), 1 + x.x());
  }
  EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, direction, 2e-6), 1e-6);
}

}  // namespace
}  // namespace traction
