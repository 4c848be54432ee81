#include "system/held_spins.h"

#include <algorithm>

namespace traction {

template <typename Value>
std::map<int, double> HeldSpins::along_segments(const State& state, Value value) const {
  std::map<int, double> results;
  if (!system_) return results;
  for (const DrivenGroup& group : system_->driven()) {
    if (group.twists.empty() || group.twists.front().frame.motion.empty()) continue;
    const Pose pose(group.twists.front().frame.motion, state);
    for (std::size_t k = 0; k < group.twists.size(); ++k)
      results.try_emplace(group.vertices[k], group.twists[k].radius * value(pose).dot(pose.rotation * group.twists[k].frame.tangent));
  }
  return results;
}

std::map<int, double> HeldSpins::at(const State& state) const {
  return along_segments(state, [](const Pose& pose) -> const Vec3& { return pose.angular_velocity; });
}

// The part of the angular acceleration along a tangent t that turns with the frame is the rate of ω · t, because dt/dt = ω × t has none along ω.
std::map<int, double> HeldSpins::accelerations_at(const State& state) const {
  return along_segments(state, [](const Pose& pose) -> const Vec3& { return pose.angular_acceleration; });
}

// System::release counts the groups that end at a time or before it.
bool has_released(const System& system, double until) {
  const std::vector<DrivenGroup>& given = system.given();
  const auto count = std::count_if(given.begin(), given.end(), [&](const DrivenGroup& group) { return group.until <= until; });
  return static_cast<std::size_t>(count) <= system.constraints().released;
}

bool release_with_spins(System& system, State& state) {
  const std::map<int, double> before = HeldSpins(system).at(state);
  if (!system.release(state.time)) return false;
  if (!system.has_inertia()) return true;
  const std::map<int, double> still = HeldSpins(system).at(state);
  for (const auto& [twist, spin] : before) {
    const auto found = still.find(twist);
    state.v[twist].x() = spin - (found == still.end() ? 0 : found->second);  // another support that holds it changes the spin from there
  }
  system.exchange(state.v);
  return true;
}

void take_back_spins(const System& system, State& state) {
  for (const auto& [twist, spin] : HeldSpins(system).at(state)) state.v[twist].x() = 0;
}

Field with_spins(const std::map<int, double>& spins, Field velocities) {
  for (const auto& [vertex, spin] : spins) velocities[vertex].x() += spin;
  return velocities;
}

}  // namespace traction
