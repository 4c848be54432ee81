// How supports turn segments of rods whose twists they hold (docs/theory/rods.md, "Held ends").
#pragma once

#include <map>
#include <span>
#include <vector>

#include "system/system.h"

namespace traction {

/// The frames of held twists turn with the motion of their support, while the twists themselves, and their velocities, stay 0.
class HeldSpins {
 public:
  HeldSpins() = default;
  /// `groups`: those that hold no twists, or do not move, do not matter. Where several that move hold a twist the first one that has not released it counts.
  explicit HeldSpins(std::span<const DrivenGroup> groups);

  /// How fast the frames turn about their segments, as velocities at the twists' radii [m/s], by local vertex.
  std::map<int, double> at(double time) const;

 private:
  struct Group {
    Motion motion;
    double until;  ///< [s]
    std::vector<int> vertices;
    std::vector<HeldTwist> twists;
  };
  std::vector<Group> groups_;
};

/// The velocity of a vertex, or velocities of all, with the spins of held twists [m/s].
inline Vec3 with_spin(const std::map<int, double>& spins, int vertex, const Vec3& velocity) {
  if (spins.empty()) return velocity;
  const auto spin = spins.find(vertex);
  return spin == spins.end() ? velocity : Vec3(velocity.x() + spin->second, velocity.y(), velocity.z());
}
Field with_spins(const std::map<int, double>& spins, Field velocities);

}  // namespace traction
