#include "app/still_scene.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/read_scene.h"

namespace traction {
namespace {

// Whether nothing happens in a scene of a cube above a floor. `body`: further settings of the cube. `more`: further sections.
bool is_still_with(const std::string& body, const std::string& more = "") {
  const std::string text =
      "time: {step: 1e-3, end: 1}\nbodies: {cube: {mesh: cube.msh, solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}" + body + "}}\n" +
      more;
  return is_still(read_scene(text, "scene.yaml", {}));
}

TEST(StillScene, IsOneWithoutAnythingThatMovesOrLoads) {
  const std::string floor = "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}MOTION}}\n";
  const auto moving_floor = [&](const std::string& motion) { return std::string(floor).replace(floor.find("MOTION"), 6, motion); };
  for (const char* body : {"", ", initial: {translate: [0, 0, 1], rotate: {angle: 30}}", ", fixed: bottom",
                           ", driven: [{vertices: top, motion: {velocity: [0, 0, 0]}}]", ", damping: {stiffness: 1e-3}"})
    EXPECT_TRUE(is_still_with(body)) << body;
  for (const char* body :
       {", initial: {velocity: [0, 0, 1]}", ", initial: {angular_velocity: [0, 0, 1]}", ", initial: {positions: frame.vtu}",
        ", driven: [{vertices: top, motion: {velocity: [0, 0, 1]}}]", ", loads: {pull: {region: top, force: [1, 0, 0]}}", ", volume: {surface: skin}"})
    EXPECT_FALSE(is_still_with(body)) << body;
  EXPECT_TRUE(is_still_with("", "gravity: [0, 0, 0]\n"));
  EXPECT_TRUE(is_still_with("", "gravity: [0, 0, -9.81]\ngravity_over: [{time: 0, factor: 0}, {time: 1, factor: 0}]\n"));
  EXPECT_FALSE(is_still_with("", "gravity: [0, 0, -9.81]\n"));
  EXPECT_FALSE(is_still_with("", "gravity: [0, 0, -9.81]\ngravity_over: [{time: 0, factor: 0}, {time: 1, factor: 1}]\n"));
  EXPECT_TRUE(is_still_with("", moving_floor("")));
  EXPECT_FALSE(is_still_with("", moving_floor(", motion: {velocity: [0, 0, 1]}")));
}

TEST(StillScene, HasNoSpringOrJointThatActs) {
  const auto sprung = [](const std::string& spring) { return "springs: {tether: {from: cube, anchor: [0, 0, 2], " + spring + "}}\n"; };
  EXPECT_TRUE(is_still_with("", sprung("stiffness: 10")));
  EXPECT_TRUE(is_still_with("", sprung("damping: 1, rest_length: 1")));
  EXPECT_FALSE(is_still_with("", sprung("stiffness: 10, rest_length: 1")));
  const auto joined = [](const std::string& more) { return "joints: {axle: {kind: hinge, between: cube, at: [0, 0, 0], axis: [0, 0, 1]" + more + "}}\n"; };
  EXPECT_TRUE(is_still_with("", joined("")));
  EXPECT_TRUE(is_still_with("", joined(", spring: {stiffness: 1}")));
  EXPECT_FALSE(is_still_with("", joined(", spring: {stiffness: 1, rest: 0.5}")));
  EXPECT_FALSE(is_still_with("", joined(", motor: {torque: 1}")));
}

// A curved wire springs open, and a curved sheet flattens, without any load.
TEST(StillScene, HasNoShapeThatStoresEnergy) {
  const auto is_still_as = [](const std::string& material) {
    return is_still(read_scene("time: {step: 1e-3, end: 1}\nbodies: {wire: {mesh: wire.msh, " + material + "}}\n", "scene.yaml", {}));
  };
  const std::string rod = "rod: {all: {radius: 1e-3, youngs_modulus: 1e9, density: 1000",
                    shell = "shell: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1000, thickness: 1e-3";
  EXPECT_TRUE(is_still_as(rod + "}}"));
  EXPECT_FALSE(is_still_as(rod + ", natural: straight}}"));
  EXPECT_FALSE(is_still_as(rod + ", natural_curvature: [1, 0, 0]}}"));
  EXPECT_TRUE(is_still_as(shell + "}}"));
  EXPECT_FALSE(is_still_as(shell + ", flat: true}}"));
}

TEST(StillScene, IsNamedWithARemedy) { EXPECT_NE(doubt_about_stillness().find("If the bodies should fall, give gravity: [0, 0, -9.81]"), std::string::npos); }

}  // namespace
}  // namespace traction
