#include "system/held_spins.h"

namespace traction {

HeldSpins::HeldSpins(std::span<const DrivenGroup> groups) {
  for (const DrivenGroup& group : groups)
    for (std::size_t k = 0; k < group.twists.size(); ++k)
      if (!group.twists[k].frame.motion.empty()) held_.push_back({group.vertices[k], group.twists[k], group.until});
}

std::map<int, double> HeldSpins::at(double time) const {
  std::map<int, double> spins;
  for (const auto& [vertex, twist, until] : held_) {
    if (time > until) continue;
    const Pose pose(twist.frame.motion, time);
    spins.try_emplace(vertex, twist.radius * pose.angular_velocity.dot(pose.rotation * twist.frame.tangent));
  }
  return spins;
}

Field with_spins(const std::map<int, double>& spins, Field velocities) {
  for (const auto& [vertex, spin] : spins) velocities[vertex].x() += spin;
  return velocities;
}

}  // namespace traction
