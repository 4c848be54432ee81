#include "dynamics/sudden_starts.h"

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

namespace {

// Whether a motion starts or stops without a ramp from `from` on and before `to`.
bool jerks(const System& system, double from, double to, double step) {
  const auto within = [&](double time) { return time >= from && time < to; };
  for (const DrivenGroup& group : system.driven())
    for (const MotionSettings& motion : group.motion)
      if ((within(motion.start) && motion.ramp < step) || (motion.stop && within(*motion.stop))) return true;
  return false;
}

}  // namespace

double uncertain_work_of_jerks(const System& system, const Field& before, const Field& after, const State& start, const State& end) {
  const double step = end.time - start.time;
  if (!jerks(system, start.time - kStepsOfAJump * step, end.time, step)) return 0;
  double jump = 0, fastest = 0;
  for (int i = 0; i < system.halo().owned(); ++i) {
    if (system.dependents().marks()[i]) continue;  // these count as held, whether anything drives them or not
    const Vec3 way = system.held().held_part(i, end.q[i] - start.q[i]);
    jump += (after[i] - before[i]).dot(way);
    fastest = std::max(fastest, way.norm() / step);
  }
  jump = std::abs(sum_over_ranks(system.communicator(), jump));
  fastest = maximum_over_ranks(system.communicator(), fastest);
  return jerks(system, start.time, end.time, step) ? jump + system.total_mass() * fastest * fastest : jump;
}

}  // namespace traction
