// How supports turn segments of rods whose twists they hold (docs/theory/rods.md, "Held ends").
#pragma once

#include <map>

#include "system/system.h"

namespace traction {

/// The frames of held twists turn with the motion of their support, while the twists themselves, and their velocities, stay 0.
class HeldSpins {
 public:
  HeldSpins() = default;
  /// `system` must outlive this: its groups count as they hold at the moment.
  explicit HeldSpins(const System& system) : system_(&system) {}

  /// How fast the frames turn about their segments, as velocities at the twists' radii [m/s], by local vertex.
  std::map<int, double> at(const State& state) const;
  /// The angular accelerations of the frames about their segments, as accelerations at the twists' radii [m/s²], by local vertex.
  std::map<int, double> accelerations_at(const State& state) const;

 private:
  template <typename Value>
  std::map<int, double> along_segments(const State& state, Value value) const;

  const System* system_ = nullptr;
};

/// Whether the groups that hold until this time [s] have released what they held.
bool has_released(const System& system, double until);
/// Releases what is held until the state's time, as System::release does. Segments that their support has turned about themselves keep their spins, as
/// velocities of their twists. @collective
bool release_with_spins(System& system, State& state);
/// Takes the spins that release_with_spins gave back from owned twists, where a run was saved after the release and loaded before it.
void take_back_spins(const System& system, State& state);

/// The velocity of a vertex, or velocities of all, with the spins of held twists [m/s].
inline Vec3 with_spin(const std::map<int, double>& spins, int vertex, const Vec3& velocity) {
  if (spins.empty()) return velocity;
  const auto spin = spins.find(vertex);
  return spin == spins.end() ? velocity : Vec3(velocity.x() + spin->second, velocity.y(), velocity.z());
}
Field with_spins(const std::map<int, double>& spins, Field velocities);

}  // namespace traction
