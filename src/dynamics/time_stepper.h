// One step of any integrator: its stages, each through the one stage solver.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/stage_table.h"
#include "solver/newton.h"

namespace traction {

// Where a run stands: all that the next step depends on.
struct Trajectory {
  State current;
  std::optional<State> previous;   // start of the last step; multistep schemes need it
  double previous_step = 0;        // [s]
};

struct StepReport {
  bool converged = false;
  int newton_iterations = 0;
  long linear_iterations = 0;
  double residual = 0;             // velocity defect, largest of the stages [m/s]
  std::string reason;
};

class TimeStepper {
 public:
  TimeStepper(System& system, const SolverSettings& settings);
  ~TimeStepper();
  TimeStepper(const TimeStepper&) = delete;
  TimeStepper& operator=(const TimeStepper&) = delete;

  // Solves for the state a time h after trajectory.current; ghosts of `next` are valid. The trajectory is left as it is. Collective.
  StepReport step(const Trajectory& trajectory, Integrator integrator, double h, State& next);

  const NewtonSolver& solver() const { return solver_; }

 private:
  System& system_;
  StageEquation equation_;
  NewtonSolver solver_;
  Vec guesses_[3] = {nullptr, nullptr, nullptr};
  Vec solution_ = nullptr;
};

}  // namespace traction
