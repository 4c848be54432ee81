#include "system/held_spins.h"

namespace traction {

HeldSpins::HeldSpins(std::span<const DrivenGroup> groups) {
  for (const DrivenGroup& group : groups)
    if (!group.twists.empty() && !group.twists.front().frame.motion.empty())
      groups_.push_back({group.twists.front().frame.motion, group.until, group.vertices, group.twists});
}

std::map<int, double> HeldSpins::at(double time) const {
  std::map<int, double> spins;
  for (const Group& group : groups_) {
    if (time > group.until) continue;
    const Pose pose(group.motion, time);
    for (std::size_t k = 0; k < group.twists.size(); ++k)
      spins.try_emplace(group.vertices[k], group.twists[k].radius * pose.angular_velocity.dot(pose.rotation * group.twists[k].frame.tangent));
  }
  return spins;
}

Field with_spins(const std::map<int, double>& spins, Field velocities) {
  for (const auto& [vertex, spin] : spins) velocities[vertex].x() += spin;
  return velocities;
}

}  // namespace traction
