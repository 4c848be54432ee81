#include "contact/vertex_obstacle.h"

#include <algorithm>

#include "contact/admissible_part.h"
#include "parallel/collective.h"

namespace traction {

std::optional<double> VertexObstacle::admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const {
  const Pose pose = frame_at(state.time);
  double part = 1;  // negative when the start is not admissible
  for (int vertex : vertices_)
    for (const GapFunction& obstacle : obstacle_) {
      const auto gap_after = [&](double part_done) {
        const Vec3 x = state.q[vertex] + part_done * displacement[vertex];
        return ObstacleSample<double>(obstacle, pose, x).gap() - law.offset;
      };
      const double start = gap_after(0), distance = displacement[vertex].norm();
      const auto admissible = [&](double done) { return gap_after(done) >= least_gap(start, law.thickness); };
      part = start > 0 ? std::min(part, traction::admissible_part(depth_of(obstacle) / distance, admissible)) : -1;
    }
  part = minimum_over_ranks(communicator_, part);
  if (part < 0) return std::nullopt;
  return part;
}

}  // namespace traction
