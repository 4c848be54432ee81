#include "dynamics/travel_limits.h"

#include <algorithm>

#include "dynamics/joined_bodies.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kTravel = 5, kTravelOfHeld = 100;  // in parts of the reach of bodies

}  // namespace

std::vector<double> travel_limits(const System& system, const std::vector<BodyMotion>& motions) {
  const JoinedBodies joined(system);
  const std::vector<int> group_of = joined.groups({});
  const std::size_t count = motions.size();
  std::vector<double> held(count, 0.0);  // by group: vertices that are held in some direction, and joints with fixed points
  for (std::size_t b = 0; b < count; ++b)
    for (const int vertex : system.bodies()[b])
      if (system.held().free_part(vertex, Vec3(Vec3::Ones())) != Vec3(Vec3::Ones())) ++held[group_of[b]];
  sum_over_ranks(system.communicator(), held);
  for (const std::vector<std::size_t>& set : joined.joined_by_forces())
    if (set.size() == 1) ++held[group_of[set.front()]];
  std::vector<std::vector<std::size_t>> members(count);  // the bodies of each group
  for (std::size_t b = 0; b < count; ++b) members[group_of[b]].push_back(b);
  std::vector<double> limits;
  for (std::size_t b = 0; b < count; ++b) {
    double reach = 0;
    for (const std::size_t other : members[group_of[b]])
      reach = std::max(reach, (motions[other].center - motions[b].center).norm() + motions[other].gyration_radius());
    const bool is_joined_to_held = held[group_of[b]] > 0 && (!motions[b].held);
    limits.push_back((is_joined_to_held ? kTravelOfHeld : kTravel) * reach);
  }
  return limits;
}

}  // namespace traction
