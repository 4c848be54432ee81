// How contact holds the rigid motions of bodies (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"
#include "system/body_motion.h"
#include "system/system.h"

namespace traction {

/// What presses on a body.
struct ContactSupport {
  Eigen::Matrix<double, 6, 6> normal;  ///< normal forces as springs against the body's rigid motions, about its center, each as stiff as it is large [N, N m^2]
  Eigen::Matrix<double, 6, 6> grip;    ///< the same across normal forces, where friction acts
  double pressed;                      ///< sum of the sizes of the normal forces [N]
};

/// One for each body of the system. A vertex has a spring along the sum of the normal forces on it, as stiff as their sizes add up to. Forces from the two
/// sides of a sheet, which cancel in the sum, hold it all the more; where they cancel but for rounding, no direction is known. @collective
std::vector<ContactSupport> contact_supports(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts,
                                             const std::vector<BodyMotion>& motions, const State& state);

}  // namespace traction
