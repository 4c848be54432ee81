// From implicit step to step: schedule, contact stiffening, retry with smaller steps, steps as large as an error tolerance allows.
#pragma once

#include <span>

#include "dynamics/contact_stiffening.h"
#include "dynamics/driver.h"
#include "dynamics/energy_balance.h"
#include "dynamics/moved_energy.h"
#include "dynamics/time_stepper.h"

namespace traction {

class ImplicitDriver : public Driver {
 public:
  ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver, State initial);

  bool done() const override;
  StepRecord advance() override;
  void rehearse() override;
  void set_interruption(Interruption interruption) override;
  const State& state() const override { return state_; }
  void start_from(State state) override { state_ = std::move(state); }
  long steps() const override { return last_.step; }
  std::vector<std::pair<std::string, double>> history() const override;
  std::vector<std::pair<std::string, double>> energy_balance() const override;
  std::vector<std::string> closing_warnings() const override;
  std::vector<std::pair<std::string, long>> counts() const override;
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override;

 private:
  // Finds a next state and what it takes, while all that is remembered stays that of the step's start; but halvings_ and the contacts' hardness may change.
  // Collective.
  StepRecord attempt(State& next, std::optional<EnergyBalance::Step>& account, Integrator& integrator);
  // Finds out about the contacts and energies where the first step, or the first after load(), starts. Collective.
  void begin();
  // Whether a solved step has added so much energy, in error, that the contacts in it are to be resolved by shorter ones. Leaves the
  // step's account, if that was needed. Collective.
  bool gains_energy_in_contact(const State& next, const std::vector<ContactSummary>& contacts, std::optional<EnergyBalance::Step>& account);
  // Why a solved step must be shorter: a vertex goes through what it touches, which contact at the step's end does not see. Empty where none does. Collective.
  std::string passage(const State& next) const;
  // How many times a step with such an error is to be halved; 0 if it is within the tolerance, or cannot be halved any more.
  int halvings_for(double error, Integrator integrator) const;

  System& system_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
  ContactStiffening stiffening_;
  EnergyBalance balance_;
  MovedEnergy moved_;
  TimeSettings time_;
  double tolerance_;  // of the solver [m/s]
  TimeStepper stepper_;
  std::vector<double> releases_;  // of held vertices, times at which steps end [s]
  Interruption interruption_;     // may be empty
  State state_;
  std::vector<ContactSummary> at_start_;  // the contacts at that state; empty until begin()
  StepRecord last_;
  std::optional<double> error_before_layers_;  // the numerical error in the balance when a contact got layers, while one has some [J]
  int halvings_ = 0;                           // the scheduled step is halved so many times at present
  int good_steps_ = 0;                         // since the last change of halvings_
};

struct ScheduledStep {
  double length = 0;  // [s]
  Integrator integrator = Integrator::sdirk2;
};

// The scheduled step at a time: that of the last piece that has begun. A step never crosses the end of its piece, nor one of the times `ends` [s]: the rest
// until then is divided evenly.
ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings, std::span<const double> ends = {});

}  // namespace traction
