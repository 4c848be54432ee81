// One step of any integrator: its stages, each through the one stage solver.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "contact/contact.h"
#include "dynamics/exponential_euler.h"
#include "dynamics/linearized_stage.h"
#include "dynamics/stage_table.h"
#include "solver/newton.h"

namespace traction {

// Where a run stands: all that the next step depends on.
struct Trajectory {
  State current;
  std::optional<State> previous;            // start of the last step; multistep schemes need it
  double previous_step = 0;                 // [s]
  std::shared_ptr<const ModalBasis> modes;  // that additive schemes split off
  long modes_age = 0;                       // steps since they were computed
  int modes_asked_for = 0;                  // there may be more: multiple eigenvalues are kept whole
};

struct StepReport {
  bool converged = false;
  int newton_iterations = 0;
  long linear_iterations = 0;
  double residual = 0;              // velocity defect, largest of the stages [m/s]
  double error = 0;                 // estimate of what the positions are off by, root mean square over the worst body [m]; 0 where the integrator has none
  std::vector<Reaction> reactions;  // of the driven groups, in the balance that the last stage solved: driven vertices move there as the scheme has it
  std::string reason;
};

class TimeStepper {
 public:
  // `contacts`: those among the system's forces.
  TimeStepper(System& system, std::vector<std::shared_ptr<Contact>> contacts, const SolverSettings& settings, const SchemeSettings& scheme);
  ~TimeStepper();
  TimeStepper(const TimeStepper&) = delete;
  TimeStepper& operator=(const TimeStepper&) = delete;

  // Computes the trajectory's modes where the integrator needs them and there are none, or they are due. Throws InputError, SolverError on all ranks.
  // Collective.
  void refresh_modes(Trajectory& trajectory, Integrator integrator);
  // Solves for the state a time h after trajectory.current; ghosts of `next` are valid. The trajectory is left as it is. Collective.
  StepReport step(const Trajectory& trajectory, Integrator integrator, double h, State& next);

  const NewtonSolver& solver() const { return solver_; }

 private:
  // What the stages of a step share.
  struct Step {
    const Trajectory& trajectory;
    const State& lagged;  // where friction that lags has its normal forces
    Integrator integrator;
    double h;                                                 // [s]
    std::vector<std::pair<double, const Field*>> velocities;  // known ones, at times from the step's start
    StepReport report;
  };
  StepReport take_stages(Step& step, State& next);
  StepReport take_exponential_step(Step& step, State& next);
  StepReport take_generalized_alpha_step(Step& step, State& next);
  // Whether it could: `solution` is the stage's, `last` the last known state. The scheme's explicit part is in `stage`; `row` says how much of the step it
  // covers.
  bool solve_stage(Step& step, Stage stage, const StageRow& row, const State& last, State& solution);
  bool solve_fully(Step& step, const State& last, double time, State& solution);
  bool solve_once(Step& step, const StageRow& row, const State& last, State& solution);
  StageExponential exponential_part(const Step& step, const StageRow& row, const ModalSplit& split, double stage_step) const;
  State with_mean_drive(const State& state, double time) const;
  bool is_admissible(const State& start, const State& end, std::string& reason);
  // One solve of the step. Friction that lags has its normal forces from `lagged`.
  StepReport solve(const Trajectory& trajectory, Integrator integrator, double h, const State& lagged, State& next);
  double step_error(const ErrorEstimate& estimate, double h, const Field& start, const Field& middle, const Field& end) const;
  void lag_friction(const State& state);
  void keep_guesses_admissible();
  void set_contact_weight(double weight);

  System& system_;
  std::vector<std::shared_ptr<Contact>> contacts_;
  SchemeSettings scheme_;
  StageEquation equation_;
  NewtonSolver solver_;
  std::optional<ExponentialEuler> exponential_;
  std::array<Vec, 4> guesses_{};
  Vec solution_ = nullptr;
};

}  // namespace traction
