// The history's columns about joints.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace traction {

/// The names and values of a scene's joints in the history.
class JointColumns {
 public:
  explicit JointColumns(const Simulation& simulation) : simulation_(simulation) {}

  static std::vector<std::string> names(const Scene& scene);
  /// Their values at a state; warns once for each joint that is open too wide. @collective
  std::vector<double> values(const State& state);

 private:
  const Simulation& simulation_;
  std::set<std::string> opened_;  ///< joints that were warned of
};

}  // namespace traction
