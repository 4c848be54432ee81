// Warnings about smooth surfaces and small obstacles when a scene is built: counts and lengths of boxes.

#include "simulation/smooth_surface_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/scenes.h"
#include "support/sheets.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr int kAlong = 8;  // cells

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

std::vector<std::string> warnings_of(const Scene& scene, const Mesh& mesh) {
  std::vector<std::string> warnings = build_simulation(PETSC_COMM_WORLD, scene, mesh).warnings;
  std::erase_if(warnings, [](const std::string& warning) {
    return warning.find("moment of inertia") != std::string::npos || warning.find("layer of linear tetrahedra") != std::string::npos;
  });
  return warnings;
}

TEST(SmoothSurfaceCheck, ABoxHasSharpEdges) {
  const std::vector<std::string> warnings = warnings_of(test::two_boxes_scene(false), test::two_boxes(0.1, kAlong));
  ASSERT_EQ(warnings.size(), 1u);
  expect_parts(warnings[0], {"'lower.surface'", std::to_string(12 * kAlong) + " edges", "90 degrees", "geometry: edges_and_faces"});
}

TEST(SmoothSurfaceCheck, APlateIsThin) {
  Mesh mesh = test::join(test::box_mesh("lower", Vec3::Zero(), Vec3(1, 1, 0.06), {kAlong, kAlong, 1}),
                         test::box_mesh("upper", Vec3(0.13, 0.17, 0.16), Vec3(0.83, 0.87, 0.9), {3, 3, 3}));
  test::add_outward_region(mesh, "lower");
  test::add_outward_region(mesh, "upper");
  const std::vector<std::string> warnings = warnings_of(test::two_boxes_scene(false), mesh);
  ASSERT_EQ(warnings.size(), 2u);
  expect_parts(warnings[0], {std::to_string(8 * kAlong + 4) + " edges"});
  expect_parts(warnings[1], {"0.06 m thick", "geometry: edges_and_faces"});
}

TEST(SmoothSurfaceCheck, ObstaclesThatFitBetweenVertices) {
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  const Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {4, 4, 4});
  EXPECT_TRUE(warnings_of(scene, mesh).empty());
  scene.contacts[0].geometry = ContactGeometry::smooth_surface;
  // The diagonal of a cell is 0.354 m long.
  for (const bool fits : {true, false}) {
    const double radius = fits ? 0.17 : 0.18;
    for (const Obstacle::Shape& shape : {Obstacle::Shape(SphereSettings{Vec3(0.5, 0.5, -radius), radius, false}),
                                         Obstacle::Shape(CylinderSettings{Vec3(0.5, 0.5, -radius), Vec3::UnitX(), radius, false}),
                                         Obstacle::Shape(BoxSettings{Vec3(-2, 0, -2 * radius), Vec3(2, 2 * radius, 0), false})}) {
      scene.obstacles[0].shape = shape;
      const std::vector<std::string> warnings = warnings_of(scene, mesh);
      const bool is_round = !std::holds_alternative<BoxSettings>(shape);
      ASSERT_EQ(warnings.size(), fits || is_round ? 1u : 0u);
      if (fits) expect_parts(warnings[0], {"'floor'", "0.34 m wide", "0.354 m apart"});
      // By Pythagoras a cylinder lies 0.18 - sqrt(0.18^2 - 0.177^2) m deep between two vertices, and a sphere whole between three.
      else if (is_round) expect_parts(warnings[0], {"'floor'", "0.354 m apart", std::holds_alternative<SphereSettings>(shape) ? "0.18 m deep" : "0.15 m deep"});
    }
  }
}

TEST(SmoothSurfaceCheck, ARoundMeshIsInOrder) {
  const std::string path = (std::filesystem::temp_directory_path() / "traction_round_obstacle.obj").string();
  on_first_rank(PETSC_COMM_WORLD, [&] {
    std::ofstream file(path);
    file.precision(17);
    const test::Sheet sphere = test::sphere(3);
    for (const Vec3& x : sphere.vertices) file << "v " << 0.5 + x.x() << " " << 0.5 + x.y() << " " << x.z() - 1.01 << "\n";
    for (const auto& [a, b, c] : sphere.triangles) file << "f " << a + 1 << " " << b + 1 << " " << c + 1 << "\n";
  });
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.obstacles[0].shape = MeshObstacleSettings{{}, path, 1};
  EXPECT_TRUE(warnings_of(scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {4, 4, 4})).empty());
  on_first_rank(PETSC_COMM_WORLD, [&] { std::filesystem::remove(path); });
}

}  // namespace
}  // namespace traction
