// One step of any integrator, by the class of its family.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dynamics/scheme.h"

namespace traction {

class TimeStepper {
 public:
  // `contacts`: those among the system's forces.
  TimeStepper(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const SolverSettings& settings, const SchemeSettings& scheme);

  // Solves for the state a time h after `start`; ghosts of both are valid. What is remembered stays that of the steps before. Throws InputError, SolverError on
  // all ranks when modes cannot be computed. Collective.
  StepReport step(const State& start, Integrator integrator, double h, State& next);
  // Finds out what a first step of length h [s] from `start` would be refused for, without taking it. Throws InputError, SolverError on all ranks. Collective.
  void rehearse(const State& start, Integrator integrator, double h);
  // Asked between the iterations of a step, on all ranks together: the number of a signal that has come, 0 for none.
  void set_interruption(Interruption interruption) { solver_.set_interruption(std::move(interruption)); }
  // The run goes on from the end of the step that was solved last: of length h [s], from `start`.
  void accept(State start, Integrator integrator, double h);

  // What the steps before have left to remember: the last one's start, and what each family of integrators does.
  void save(Archive& archive) const;
  void load(const Archive& archive);
  // How many fields that is in the course of a run with these integrators.
  int saved_fields(std::span<const Integrator> integrators) const;

  const NewtonSolver& solver() const { return solver_.newton(); }

 private:
  Scheme& scheme(Integrator integrator) const { return quasi_static_ ? *quasi_static_ : *schemes_[static_cast<std::size_t>(traits(integrator).family)]; }

  StageSolver solver_;
  bool semi_implicit_;
  std::array<std::unique_ptr<Scheme>, 4> schemes_;  // by family
  std::unique_ptr<Scheme> quasi_static_;            // in their place, where there is no inertia
  std::optional<PreviousStep> previous_;            // two-step schemes and the first guesses of all need it
};

}  // namespace traction
