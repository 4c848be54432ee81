// Takes one step of any integrator, through the class of its family.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dynamics/quasi_static.h"
#include "dynamics/scheme.h"

namespace traction {

/// Chooses the scheme of a step's integrator, and lets it take the step.
class TimeStepper {
 public:
  /// `contacts`: the contacts among the system's forces.
  TimeStepper(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const SolverSettings& settings, const SchemeSettings& scheme);

  /// Solves for the state a time h after `start`; ghosts of both are valid. Remembered data stays that of previous steps. `settles`: whether a step
  /// without inertia may end at an equilibrium that is not near. Throws InputError, SolverError on all ranks when modes cannot be computed. @collective
  StepReport step(const State& start, Integrator integrator, double h, State& next, bool settles = false);
  /// Without inertia: whether a step of length h that was solved has jumped to another branch of equilibria (QuasiStatic::has_jumped). `report` receives the
  /// cost. @collective
  bool has_jumped(const State& start, const State& next, double h, StepReport& report) {
    return quasi_static_ && quasi_static_->has_jumped(start, next, h, previous_, report);
  }
  /// Detects mistakes with which a first step of length h [s] from `start` would fail, without taking it. Throws InputError, SolverError on all ranks.
  /// @collective
  void rehearse(const State& start, Integrator integrator, double h);
  /// `interruption` is called between the iterations of a step, on all ranks together: it returns the number of a signal that has arrived, 0 for none.
  void set_interruption(Interruption interruption) { solver_.set_interruption(std::move(interruption)); }
  /// Accepts the step that was solved last, of length h [s] from `start`.
  void accept(State start, Integrator integrator, double h);
  /// Called when forces or their rates have jumped, as they do when held vertices are released and at corners of loads: the next step is taken as if it were
  /// the first.
  void restart();

  /// Saves the data of previous steps: the start of the last one, and the data of each family of integrators.
  void save(Archive& archive) const;
  void load(const Archive& archive);
  /// The most fields that save() writes in the course of a run with these integrators.
  int saved_fields(std::span<const Integrator> integrators) const;

  const NewtonSolver& solver() const { return solver_.newton(); }

 private:
  Scheme& scheme(Integrator integrator) const { return quasi_static_ ? *quasi_static_ : *schemes_[static_cast<std::size_t>(traits(integrator).family)]; }

  StageSolver solver_;
  bool semi_implicit_;
  std::array<std::unique_ptr<Scheme>, 4> schemes_;  ///< by family
  std::unique_ptr<QuasiStatic> quasi_static_;       ///< used instead if the scene has no inertia
  std::optional<PreviousStep> previous_;            ///< needed by two-step schemes and by all first guesses
  long steps_since_jump_ = 0;                       ///< accepted steps since the last restart(), or since the run began
};

}  // namespace traction
