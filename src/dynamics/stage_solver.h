// Parts that all integrators share: contacts within a step, and the solution of one implicit stage.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "contact/contact_group.h"
#include "dynamics/integrators.h"
#include "dynamics/linearized_stage.h"
#include "dynamics/rigid_guess.h"
#include "dynamics/step_record.h"
#include "parallel/petsc_handle.h"
#include "solver/instability.h"
#include "solver/newton.h"

namespace traction {

/// The start of the previous step.
struct PreviousStep {
  State state;
  double length = 0;  ///< [s]
};

/// A step that is being solved.
struct Step {
  const State& start;                           ///< ghosts valid
  const std::optional<PreviousStep>& previous;  ///< empty: this is the first step
  const std::vector<State>& lagged;  ///< solutions of the stages in the previous pass, at which lagged friction takes its normal forces; empty: the start
  const IntegratorTraits& integrator;
  bool semi_implicit = false;
  double h = 0;                                               ///< [s]
  double end = start.time + h;                                ///< time at its end [s]
  bool settles = false;                                       ///< without inertia: the step may end at an equilibrium that is not near
  std::vector<std::pair<double, const Field*>> velocities{};  ///< known velocities, at ascending times from the step's start [s]
  StepReport report{};
  std::vector<State> stages{};    ///< solutions of the stages solved so far
  std::vector<double> weights{};  ///< see force_weights(); empty if unknown

  const State& lagged_at(std::size_t stage) const { return stage < lagged.size() ? lagged[stage] : start; }
};

/// Solves implicit stages by Newton's method, with lagged friction and first guesses.
class StageSolver {
 public:
  /// `contacts`: those among the system's forces.
  StageSolver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const SolverSettings& settings);
  StageSolver(const StageSolver&) = delete;
  StageSolver& operator=(const StageSolver&) = delete;

  System& system() { return system_; }
  const std::vector<std::shared_ptr<ContactGroup>>& contacts() const { return contacts_; }
  const NewtonSolver& newton() const { return solver_; }
  void begin_step() {
    solver_.begin_step();
    if (reproducible_) deviations_.clear();
  }
  bool foretell_stresses() { return solver_.foretell_stresses(); }
  void set_tolerances(double tolerance, double relative_tolerance) { solver_.set_tolerances(tolerance, relative_tolerance); }
  void outdate_preconditioner() { solver_.outdate_preconditioner(); }  ///< call when other vertices are held than before
  void set_interruption(Interruption interruption) { solver_.set_interruption(std::move(interruption)); }
  /// Performs one iteration of a step from `start` of length h without changing anything. Throws InputError on all ranks for options that PETSc refuses.
  /// @collective
  void rehearse(const State& start, double h);
  void lag_friction(const State& state);
  void set_contact_weight(double weight);

  /// Solves a stage whose last known state is `last`; true on success, with the ghosts of `solution` valid. `time`: of the solution, from the step's start [s].
  /// Adds its cost to the step's report. Semi-implicit steps take one linearized iteration, others as many Newton iterations as necessary. @collective
  bool solve(Step& step, Stage stage, double time, const State& last, State& solution);
  bool solve_fully(Step& step, Stage stage, double time, const State& last, State& solution);
  /// If the solution of the last stage is unstable, a motion that leads away from it (solver/instability.h). @collective
  std::optional<UnstableMotion> unstable_motion(const State& solution, const Field& toward) { return traction::unstable_motion(equation_, solution, toward); }
  /// Linearizes the stage's equation at `base`, whose ghosts are valid, and returns the force there. @collective
  Field linearize(Stage stage, const State& base);
  /// Solves the stage linearized by linearize() (dynamics/linearized_stage.h). @collective
  bool solve_linearized(Step& step, const State& base, Field force, const StageExponential& exponential, State& solution);
  /// Checks a step that no line search has checked: false, with the reason, if it leads through a barrier or ends where a force is undefined. @collective
  bool is_admissible(const State& start, const State& end, std::string& reason);

 private:
  bool keep_admissible(Vec guess);
  std::string failure(const NewtonReport& newton, StepReport& report, double h);
  std::vector<Vec> clear_guesses(std::span<const PetscHandle<Vec>> guesses, const State& start);

  System& system_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
  StageEquation equation_;
  NewtonSolver solver_;
  std::array<PetscHandle<Vec>, 5> guesses_;
  bool reproducible_;  ///< the results of one step must not change the next one
  KeptDeviations deviations_;
  PetscHandle<Vec> solution_;
};

}  // namespace traction
