// Small scenes for tests, as structs.
#pragma once

#include "scene/scene.h"

namespace traction::test {

// One body "block" whose region "solid" is soft rubber, under gravity, on the plane z = 0 with friction, with a gas behind its surface.
inline Scene resting_box_scene(Integrator integrator) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 5e-3, std::nullopt}};
  scene.time.end = 0.05;
  scene.time.integrator = integrator;
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.45, 1000, {}};
  body.damping = {0.1, 1e-3};
  VolumePenaltySettings volume;
  volume.surface = "surface";
  volume.gauge_pressure = 1000;
  body.volumes = {volume};
  scene.bodies = {body};
  Obstacle floor;
  floor.name = "floor";
  floor.shape = PlaneSettings{Vec3::Zero(), Vec3::UnitZ()};
  scene.obstacles = {floor};
  ContactSettings contact;
  contact.name = "rest";
  contact.vertices = {"block", "surface"};
  contact.against = "floor";
  contact.thickness = 5e-3;
  FrictionSettings friction;
  friction.dynamic = 0.4;
  friction.static_ = 0.4;
  friction.tolerance = 1e-2;
  friction.stribeck_velocity = 0.1;
  contact.friction = friction;
  scene.contacts = {contact};
  scene.output.every.reset();
  return scene;
}

}  // namespace traction::test
