// Where a body starts, and how fast.
#pragma once

#include "math/tensor.h"

namespace traction {

struct InitialSettings {
  Vec3 rotation_axis = Vec3::UnitZ();    // rotation about the body's centroid, before translation
  double rotation_angle = 0;             // [degrees]
  Vec3 translate = Vec3::Zero();         // [m]
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s], about the mass centroid
};

}  // namespace traction
