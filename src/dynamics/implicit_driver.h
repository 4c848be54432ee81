// Advances a simulation by implicit steps: schedule, contact stiffening, retries with smaller steps, and steps as large as an error tolerance allows.
#pragma once

#include "dynamics/contact_stiffening.h"
#include "dynamics/drifting_bodies.h"
#include "dynamics/driver.h"
#include "dynamics/end_forces.h"
#include "dynamics/energy_balance.h"
#include "dynamics/growing_warnings.h"
#include "dynamics/moved_energy.h"
#include "dynamics/remaining_inertia.h"
#include "dynamics/time_stepper.h"

namespace traction {

/// The driver of all integrators that take one step for everything.
class ImplicitDriver : public Driver {
 public:
  /// `corners`: times [s] at which loads change their course; steps end there. `stored_rounding`: error of the stored energy by rounding that does not become
  /// less with that energy [J].
  ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver, State initial,
                 std::vector<double> corners = {}, double stored_rounding = 0);

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
  /// A solved step.
  struct Solved {
    EnergyBalance::Step account;
    MovedEnergy::Moved moved;    ///< empty if nothing touches in the step
    std::vector<double> noises;  ///< numerical errors that the solver's tolerance may cause in each body that something touches [J]
    double noise = 0;            ///< the sum of these, and of the error of rounding [J]
  };
  /// A step that was tried: its end, its record, its account if it had to be judged by that, what touched in its stages, and how it was integrated.
  struct Attempt {
    State next;
    StepRecord record;
    std::optional<Solved> solved;
    ContactTrace trace;
    Integrator integrator{};
  };
  /// What becomes of an attempt. Only the reason of one that must be halved is read.
  struct Judgement {
    std::string reason;  ///< the message if the step cannot be halved any more
    ContactStiffening::Verdict verdict = ContactStiffening::Verdict::halve;
    int halvings = 1;           ///< how many times to halve it
    bool gains_energy = false;  ///< whether it is to be halved for the energy that it gains in contact
  };

  std::vector<std::string> contact_names() const;
  /// Finds a next state and records its cost. Remembered data stays that of the step's start, except that halvings_ and the contacts' hardness may change.
  /// Throws SolverError if no step is found, and Interrupted on a signal. @collective
  Attempt attempt();
  /// Solves a step of the length and with the integrator that `found` has. `settles`: as for TimeStepper::step. @collective
  StepReport solve(Attempt& found, bool settles);
  /// Judges a solved step. `examines_energy`: whether a gain of energy in contact speaks against it. @collective
  Judgement judge(Attempt& found, const StepReport& report, bool settles, bool examines_energy);
  /// Evaluates the contacts and energies where the first step, or the first after load(), starts. @collective
  void begin();
  /// Accounts for a solved step. @collective
  Solved account_for(const Attempt& found);
  /// Whether a step has added enough energy by numerical error that shorter steps should resolve its contacts.
  bool gains_energy_in_contact(const Solved& solved) const;
  /// The same for each group of bodies that touch each other, whose gain may be little beside the energy of the whole scene, or hidden by another one's loss.
  /// @collective
  bool hides_gain_of_group(const Attempt& found) const;
  /// Whether a solved step without inertia has jumped to another branch of equilibria. Accounts for it to find out. @collective
  bool jumps(Attempt& found);
  /// The reason why a solved step must be shorter: a vertex passes through a surface, which contact at the step's end does not detect. Empty if no vertex does.
  /// @collective
  std::string passage(const State& next) const;
  /// How many times a step with this error should be halved; 0 if the error is within the tolerance, or the step cannot be halved any more.
  int halvings_for(double error, Integrator integrator) const;
  /// The factor by which halving a step reduces the error of its positions.
  static double gain_of_halving(Integrator integrator);
  /// The end of a step [s]: that of the schedule, if rounding alone lies between.
  double scheduled_end(const StepRecord& record) const;
  /// Throws SolverError if a step ends with energies that are no numbers, or gains energy without bound.
  void refuse_runaway(const Attempt& found) const;
  /// Adds an accepted step to the sums from which warnings follow. @collective
  void count(Attempt& found);
  /// Sentences for the user about an accepted step, which is counted already. @collective
  std::vector<std::string> warnings_of(const Attempt& found);
  /// Compares the forces at an accepted step's end with those that move the bodies, for the warnings at the run's end. @collective
  void watch_forces(const Attempt& found);

  System& system_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
  ContactStiffening stiffening_;
  EnergyBalance balance_;
  MovedEnergy moved_;
  ContactGains gains_;
  TimeSettings time_;
  double tolerance_, relative_tolerance_;  ///< the solver's; tolerance in m/s
  double stored_rounding_;
  TimeStepper stepper_;
  std::vector<double> ends_;   ///< times at which steps end: those of releases of held vertices, and corners of loads [s]
  Interruption interruption_;  ///< may be empty
  State state_;
  std::vector<ContactSummary> at_start_;  ///< the contacts at that state; empty until begin()
  StepRecord last_;
  double stiffened_ = 0;                       ///< energy that changes of stiffness at the start of the step have given contacts [J]
  std::optional<double> error_before_layers_;  ///< while a contact has layers, the numerical error in the balance at the time at which it got them [J]
  int halvings_ = 0;                           ///< how many times the scheduled step is currently halved
  long calmed_ = 0;                            ///< steps in which SDIRK2 took the place of TR-SDIRK2, which gained energy in contact
  long settled_ = 0;                           ///< steps without inertia that have ended at an equilibrium which was not near
  GrowingWarnings settled_warnings_;
  bool warned_of_rounding_ = false;
  DriftingBodies drifting_;
  EndForces end_forces_;
  RemainingInertia remaining_inertia_;
  int good_steps_ = 0;  ///< number of good steps since the last change of halvings_
};

}  // namespace traction
