// The part of a force that the support of one driven group carries.
#pragma once

#include "system/system.h"

namespace traction {

/// The part of the force on the group's vertex k that the group's support balances [N]: A^T force. Several groups may hold the vertex along directions that are
/// not perpendicular: each of them pushes along its own directions, and their parts sum to the force along all of these.
inline Vec3 supported_part(const DrivenGroup& group, std::size_t k, const Vec3& force) {
  return group.shares.empty() ? force : Vec3(group.shares[k].transpose() * force);
}

}  // namespace traction
