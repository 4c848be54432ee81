// The history's columns about joints.
#pragma once

#include <string>
#include <vector>

#include "dynamics/growing_warnings.h"
#include "simulation/simulation.h"

namespace traction {

/// The names and values of a scene's joints in the history.
class JointColumns {
 public:
  explicit JointColumns(const Simulation& simulation) : simulation_(simulation) {}

  static std::vector<std::string> names(const Scene& scene);
  /// The joints' values at a state. Warns of each joint that is open too wide, and again when it is ten times as wide open. @collective
  std::vector<double> values(const State& state);

 private:
  const Simulation& simulation_;
  GrowingWarnings gaps_;
};

}  // namespace traction
