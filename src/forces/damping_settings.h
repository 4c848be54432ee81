// Rayleigh damping: what a user can choose.
#pragma once

namespace traction {

struct DampingSettings {  // Rayleigh: f = -(mass M + stiffness K(q)) v
  double mass = 0;        // alpha [1/s]
  double stiffness = 0;   // beta [s]
};

}  // namespace traction
