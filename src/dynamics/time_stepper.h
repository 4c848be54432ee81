// One step of any integrator: its stages, each through the one stage solver.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "contact/contact.h"
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
  double error = 0;                // estimate of what the positions are off by, root mean square over the worst body [m]; 0 where the integrator has none
  std::string reason;
};

class TimeStepper {
 public:
  // `contacts`: those among the system's forces.
  TimeStepper(System& system, std::vector<std::shared_ptr<Contact>> contacts, const SolverSettings& settings);
  ~TimeStepper();
  TimeStepper(const TimeStepper&) = delete;
  TimeStepper& operator=(const TimeStepper&) = delete;

  // Solves for the state a time h after trajectory.current; ghosts of `next` are valid. The trajectory is left as it is. Collective.
  StepReport step(const Trajectory& trajectory, Integrator integrator, double h, State& next);

  const NewtonSolver& solver() const { return solver_; }

 private:
  // One solve of the step. Friction that lags has its normal forces from `lagged`.
  StepReport solve(const Trajectory& trajectory, Integrator integrator, double h, const State& lagged, State& next);
  double step_error(const ErrorEstimate& estimate, double h, const Field& start, const Field& middle, const Field& end) const;
  void lag_friction(const State& state);
  void keep_guesses_admissible();
  void set_contact_weight(double weight);

  System& system_;
  std::vector<std::shared_ptr<Contact>> contacts_;
  StageEquation equation_;
  NewtonSolver solver_;
  std::array<Vec, 4> guesses_{};
  Vec solution_ = nullptr;
};

}  // namespace traction
