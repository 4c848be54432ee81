// Bodies that drift in a run without inertia along motions that nothing resists.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_group.h"
#include "dynamics/growing_warnings.h"
#include "system/system.h"

namespace traction {

/// Sums how far bodies move as wholes along motions that neither supports, nor attachments, joints and springs, nor contact resist: contact without friction
/// resists motions along its normals alone, and weight the swinging of what hangs. Equilibria do not determine these motions; what moves the bodies is a load
/// without a counterpart, or the imbalance that the solver's tolerance allows.
class DriftingBodies {
 public:
  /// Adds a step between two states whose ghosts are valid, and returns a sentence for the user about every body that has drifted by a tenth of its size, and
  /// again by ten times as much. @collective
  std::vector<std::string> warnings(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, const State& start, const State& end);

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;  ///< a displacement and a rotation, both in parts of the body's size
  std::vector<Vec6> drifts_;                 ///< of each body
  GrowingWarnings warned_;
};

}  // namespace traction
