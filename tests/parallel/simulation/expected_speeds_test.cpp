// The speeds at which rigid bodies are expected to meet, on any number of ranks: those of starts, falls and prescribed motions, unless something unknown acts.

#include "simulation/expected_speeds.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

constexpr double kEdge = 0.1;  // [m]

// A cube that starts at 1 m/s, with its middle at a place.
class ThrownCube {
 public:
  explicit ThrownCube(const Vec3& middle = Vec3::Zero()) {
    scene.time.steps = {{0, 1e-3, std::nullopt}};
    scene.time.end = 1;
    scene.bodies.resize(1);
    scene.bodies[0].name = "cube";
    scene.bodies[0].solid["solid"] = {1e5, 0.3, 1000, {}};
    scene.bodies[0].initial.velocity = Vec3(1, 0, 0);
    const Vec3 half = Vec3::Constant(kEdge / 2);
    mesh_ = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("cube", middle - half, middle + half, {2, 2, 2})).mesh;
  }

  std::optional<double> impact() const { return impact_speed(scene, *mesh_, expected_in(scene, *mesh_)); }

  Scene scene;

 private:
  std::shared_ptr<const DistributedMesh> mesh_;
};

TEST(ExpectedSpeeds, AreUnknownWhereBodiesMayStartStrained) {
  ThrownCube thrown;
  ASSERT_TRUE(thrown.impact());
  EXPECT_NEAR(*thrown.impact(), 1, 1e-12);
  Body& other = thrown.scene.bodies.emplace_back();
  other.name = "other";
  RodMaterialSettings& rod = other.rod["rod"];
  ShellMaterialSettings& shell = other.shell["shell"] = test::shell_material(1e5, 0.4, 1, 1e-3, 0);
  EXPECT_TRUE(thrown.impact());
  rod.natural = NaturalShape::straight;
  EXPECT_FALSE(thrown.impact());
  rod.natural = NaturalShape::as_meshed;
  rod.natural_curvature = Vec3(1, 0, 0);
  EXPECT_FALSE(thrown.impact());
  rod.natural_curvature.reset();
  shell.flat = true;
  EXPECT_FALSE(thrown.impact());
  shell.flat = false;
  other.initial.positions = "frame.vtu";
  EXPECT_FALSE(thrown.impact());
}

}  // namespace
}  // namespace traction
