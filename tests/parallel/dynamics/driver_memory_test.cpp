// A driver restores from an archive everything that it has saved there.

#include <gtest/gtest.h>

#include <string>

#include "dynamics/implicit_driver.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

// A block that slides as it lands on a soft damped floor, its top shaken, until a contact has layers.
TEST(DriverMemory, IsTheSameAfterAnArchive) {
  Scene scene = test::resting_box_scene(Integrator::generalized_alpha);
  scene.time.steps = {{0, 2e-3, std::nullopt}};
  scene.time.end = 0.2;
  scene.bodies[0].initial.velocity = Vec3(0.5, 0, -3);
  scene.bodies[0].volumes[0].inflation = {{0, 1}, {0.1, 1.2}};
  MotionSettings shake, rise;
  shake.velocity = Vec3(0.4, 0, -3);
  rise.velocity = Vec3(0, 0, 0.3);
  scene.bodies[0].driven = {{{}, "top", {shake}, {}}};
  scene.obstacles[0].motion = {rise};
  scene.contacts[0].stiffness = 5;
  scene.contacts[0].damping = 0.05;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 8e-3), Vec3(0.2, 0.2, 0.208), {2, 2, 2}));
  const auto saved = [](const Driver& driver) {
    Archive archive;
    driver.save(archive);
    return archive;
  };
  const auto has_layers = [&] { return saved(*simulation.loop).numbers.contains("balance numerical before layers"); };
  while (!simulation.loop->done() && !has_layers()) simulation.loop->advance();
  simulation.loop->advance();
  Archive archive = saved(*simulation.loop);
  ASSERT_TRUE(has_layers());
  EXPECT_LT(archive.number("gap in rest"), 5e-3);
  EXPECT_GT(archive.number("pairs in rest"), 0);
  for (int kind = 0; kind < 2; ++kind) EXPECT_NE(archive.number("balance power " + std::to_string(kind)), 0) << kind;  // friction, damping
  for (int k = 0; k < 12; ++k) EXPECT_NE(archive.number("balance load of obstacle 0 " + std::to_string(k)), 0) << k;
  for (const char* work : {"pressure", "damping", "driven", "friction", "contact_damping"})
    EXPECT_NE(archive.number(std::string("balance work ") + work), 0) << work;
  archive.numbers["halvings"] = 2;
  archive.numbers["good steps"] = 3;
  ImplicitDriver other(*simulation.system, simulation.contacts, scene.time, scene.solver, State(simulation.system->halo().local()));
  other.load(archive);
  const Archive again = saved(other);
  EXPECT_EQ(again.numbers, archive.numbers);
  EXPECT_EQ(again.fields, archive.fields);
}

}  // namespace
}  // namespace traction
