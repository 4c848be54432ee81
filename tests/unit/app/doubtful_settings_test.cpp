#include "app/doubtful_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scene/read_scene.h"

namespace traction {
namespace {

// A cube of 0.1 m, of rubber unless `material` says otherwise. Nothing in it is doubtful.
std::string cube(const std::string& material = "{youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}", const std::string& time = "{step: 1e-3, end: 1}") {
  return "time: " + time + "\ngravity: [0, 0, -9.81]\nbodies:\n  cube: {mesh: cube.msh, solid: {all: " + material + "}}\n";
}

std::vector<std::string> doubts_about(const std::string& text) {
  const Scene scene = read_scene(text, "scene.yaml", {});
  std::vector<BodySummary> bodies(scene.bodies.size());
  for (BodySummary& body : bodies) body.extent = {Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1)};
  return doubts_about_settings(scene, bodies);
}

// The only doubt, or all of them in a row.
std::string doubt_about(const std::string& text) {
  std::string all;
  for (const std::string& doubt : doubts_about(text)) all += doubt;
  return all;
}

TEST(DoubtfulSettings, NoneAboutAUsualScene) { EXPECT_EQ(doubt_about(cube()), ""); }

TEST(DoubtfulSettings, ModulusInMegapascals) {
  // The weight of 0.1 m of rubber is 1100 * 9.81 * 0.1 = 1079 Pa, half of it 540.
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 5, poisson_ratio: 0.4, density: 1100}")),
            "scene.yaml:4: bodies.cube.solid.all: Young's modulus for small strains is 5 Pa, and 1.08e+03 Pa of weight press on the lowest layer: the body "
            "would collapse under itself. Moduli are in Pa; if this one is in MPa, give 5e+06");
  EXPECT_NE(doubt_about(cube("{youngs_modulus: 2157, poisson_ratio: 0.4, density: 1100}")), "");
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 2159, poisson_ratio: 0.4, density: 1100}")), "");
  EXPECT_NE(doubt_about(cube("{youngs_modulus: 2.1e5, poisson_ratio: 0.3, density: 7850}")).find("the density of stone or metal"), std::string::npos);
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7850}")), "");
}

TEST(DoubtfulSettings, StepLongerThanTheRun) {
  const std::string rubber = "{youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}";
  EXPECT_EQ(doubt_about(cube(rubber, "{step: 2, end: 1}")),
            "time.step is 2 s, and the run ends at 1 s: the run is a single step, cut to its end; give a shorter step");
  EXPECT_EQ(doubt_about(cube(rubber, "{step: 1, end: 1}")), "");
}

TEST(DoubtfulSettings, BodiesWithoutContacts) {
  const std::string second = "  other: {mesh: cube.msh, solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}}\n";
  EXPECT_NE(doubt_about(cube() + second).find("the scene has no contacts: its bodies pass through each other"), std::string::npos);
  EXPECT_EQ(doubt_about(cube() + second + "contacts: {everything: {all: true, thickness: 1e-3}}\n"), "");
  EXPECT_EQ(doubt_about(cube() + second + "joints: {pin: {kind: ball, between: [cube, other], at: [0.1, 0, 0]}}\n"), "");
  EXPECT_EQ(doubt_about(cube() + second + "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n" +
                        "contacts: {landing: {vertices: cube, against: floor, thickness: 1e-3}}\n"),
            "body 'other' is in no contact: it passes through everything");
}

}  // namespace
}  // namespace traction
