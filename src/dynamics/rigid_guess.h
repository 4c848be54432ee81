// Predicts positions by rigid motion, as a starting point for Newton's method. It is nearly exact for free flight with spin, where velocities continued along
// straight lines would stretch a body by (omega h)^2 / 2 (docs/theory/newton.md, "First guesses").
#pragma once

#include <span>
#include <vector>

#include "system/body_motion.h"

namespace traction {

/// positions = those of `state`, moved for a time dt [s] by each body's linear and angular velocity, `motions`; owned vertices only.
void move_rigidly(const System& system, std::span<const BodyMotion> motions, const State& state, double dt, Field& positions);

/// The deviations of the stages' solutions from rigid motion when they were last solved. A body that keeps its deformation while it flies, spins, rolls or lies
/// has the same deviation in every step, except for its rotation since.
class KeptDeviations {
 public:
  /// The stage of a step whose velocities are guessed.
  struct StageOfStep {
    std::size_t number;
    double step;  ///< a h [s]
    double time;  ///< of its solution [s]
  };

  void clear() { kept_.clear(); }
  /// Keeps the velocities that a stage has in addition to those of rigid motion.
  void keep(const StageOfStep& stage, const Field& solution, const Field& rigid);
  /// Adds the kept deviations, turned with the bodies, to the velocities of rigid motion. Does nothing, and returns false, if no such stage of the same length
  /// is known.
  bool add(const System& system, std::span<const BodyMotion> motions, const StageOfStep& stage, Field& velocities) const;

 private:
  struct Deviation {
    StageOfStep stage;
    Field velocities;
  };
  std::vector<Deviation> kept_;  ///< of each stage
};

}  // namespace traction
