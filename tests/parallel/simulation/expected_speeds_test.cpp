// The speeds at which rigid bodies are expected to meet, on any number of ranks: those of starts, falls and prescribed motions, unless something unknown acts.

#include "simulation/expected_speeds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "parallel/collective.h"
#include "scene/read_scene.h"
#include "simulation/known_pulls.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"
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

  Expected expected() const { return expected_in(scene, *mesh_); }
  std::optional<double> impact() const { return impact_speed(scene, *mesh_, expected()); }

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

TEST(ExpectedSpeeds, FollowTheLargestGravityOverTime) {
  ThrownCube thrown;
  thrown.scene.gravity = Vec3(0, 0, -10);
  const double size = std::sqrt(3.0) * kEdge;
  for (const double factor : {1.0, 4.0, -4.0}) {
    thrown.scene.gravity_over = {{0, 0}, {0.5, factor}, {1, 0.5}};
    EXPECT_NEAR(largest_gravity(thrown.scene), std::abs(factor) * 10, 1e-12);
    EXPECT_NEAR(thrown.expected().speed, std::sqrt(2 * std::abs(factor) * 10 * size), 1e-12);
    EXPECT_NEAR(*thrown.impact(), thrown.expected().speed, 1e-12);
  }
  thrown.scene.gravity_over.clear();
  EXPECT_EQ(largest_gravity(thrown.scene), 10);
  thrown.scene.gravity_over = {{0, 0}};
  EXPECT_EQ(thrown.expected().speed, 1);  // the throw
}

// A drum of 1 m radius moves at the speed of its wall, wherever a small body starts in it.
TEST(ExpectedSpeeds, FollowTheOutermostPointOfWhatTurns) {
  constexpr double kSpin = 3;  // [rad/s]
  for (const double height : {0.0, -0.9}) {
    ThrownCube thrown(Vec3(0, 0, height));
    Obstacle& drum = thrown.scene.obstacles.emplace_back();
    drum.name = "drum";
    drum.motion = {MotionSettings{}};
    drum.motion[0].angular_velocity = Vec3(0, kSpin, 0);
    CylinderSettings cylinder;
    cylinder.axis = Vec3::UnitY();
    cylinder.radius = 1;
    cylinder.inside = true;
    SphereSettings sphere;
    sphere.radius = 1;
    sphere.inside = true;
    BoxSettings box;
    box.lower = Vec3::Constant(-1);
    box.upper = Vec3::Ones();
    const double corner = (Vec3(0, 0, std::abs(height)) + Vec3::Constant(kEdge / 2)).norm();
    for (const auto& [shape, reach] : {std::pair<Obstacle::Shape, double>{cylinder, 1}, {sphere, 1}, {box, std::sqrt(3.0)}, {PlaneSettings{}, corner}}) {
      drum.shape = shape;
      ASSERT_TRUE(thrown.impact());
      EXPECT_NEAR(*thrown.impact(), 1 + kSpin * reach, 1e-12) << shape.index() << " at " << height;
    }
  }
}

TEST(ExpectedSpeeds, FollowDrivenRegionsWhileTheyMove) {
  ThrownCube thrown;
  thrown.scene.bodies[0].driven = {DrivenSettings{}};
  Motion& motion = thrown.scene.bodies[0].driven[0].motion;
  motion.resize(2);
  motion[0].angular_velocity = Vec3(0, 0, 2);
  motion[0].about = Vec3(0, 1, 0);
  motion[1].velocity = Vec3(0, 0, 5);
  const double reach = Vec3(kEdge / 2, 1 + kEdge / 2, kEdge / 2).norm();
  EXPECT_NEAR(*thrown.impact(), 1 + 2 * reach + 5, 1e-12);
  motion[0].stop = 0.5;
  motion[1].start = 0.5;  // one after the other
  EXPECT_NEAR(*thrown.impact(), 1 + 5, 1e-12);
  motion[1].start = 1;  // never
  EXPECT_NEAR(*thrown.impact(), 1 + 2 * reach, 1e-12);
}

// The twists of a rod are numbered among its vertices, each with a unit vector in place of a position.
TEST(ExpectedSpeeds, FollowTheExtentOfRodsWithoutTheirTwists) {
  const test::SharedFolder folder(PETSC_COMM_WORLD);
  on_first_rank(PETSC_COMM_WORLD, [&] {
    std::ofstream points(folder.path("wire.txt"));
    for (int i = 0; i <= 10; ++i) points << 0.03 * i << " 0 0\n";
  });
  const Scene scene = read_scene(
      "time: {step: 1e-3, end: 1}\nbodies: {wire: {mesh: wire.txt, rod: {rod: {radius: 1e-3, youngs_modulus: 1e9, density: 1000}}}}\ngravity: [0, 0, -10]\n",
      folder.path("scene.yaml"), {});
  Mesh mesh;
  on_first_rank(PETSC_COMM_WORLD, [&] { mesh = load_scene_mesh(scene, folder.path("")); });
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  const Expected expected = expected_in(scene, *simulation.mesh);
  EXPECT_NEAR(expected.size, 0.3, 1e-12);
  EXPECT_NEAR(expected.speed, std::sqrt(2 * 10 * 0.3), 1e-12);
}

}  // namespace
}  // namespace traction
