// From step to step: schedule, contact stiffening, retry with smaller steps, steps as large as an error tolerance allows.
#pragma once

#include <memory>
#include <vector>

#include "contact/contact_group.h"
#include "dynamics/time_stepper.h"

namespace traction {

struct StepRecord {
  long step = 0;                         // 1 for the first
  double time = 0;                       // at its end [s]
  double dt = 0;                         // [s]
  StepReport solver;                     // summed over repeats of the step
  int repeats = 0;                       // solves thrown away, for stiffening or after a failure
  double error = 0;                      // as StepReport has it [m]
  double stiffening_energy = 0;          // what stiffening adds to the energy of contacts that are touching at the step's start [J]
  std::vector<ContactSummary> contacts;  // as the contacts are listed
};

class TimeLoop {
 public:
  TimeLoop(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver, State initial);

  bool done() const;
  // Takes one step; throws SolverError on all ranks when the step fails at its smallest size. State and stiffnesses are then those of the last good step.
  // Collective.
  StepRecord advance();

  const State& state() const { return trajectory_.current; }
  const Trajectory& trajectory() const { return trajectory_; }
  long steps() const { return steps_; }
  // Puts the loop where an earlier run stood.
  void restore(Trajectory trajectory, long steps, int halvings, int good_steps);
  int halvings() const { return halvings_; }
  int good_steps() const { return good_steps_; }
  const TimeStepper& stepper() const { return stepper_; }

 private:
  // Stiffens contacts whose vertices went through the surface (docs/theory/contact.md, "Stiffening"); true if any did, and the step must be repeated. Adds to
  // `energy` what that does to the penalty's energy where the step starts [J].
  bool stiffen(const std::vector<ContactSummary>& summaries, double& energy);
  void relax(const std::vector<ContactSummary>& summaries);
  // How many times a step with such an error is to be halved; 0 if it is within the tolerance, or cannot be halved any more.
  int halvings_for(double error) const;

  MPI_Comm communicator_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
  TimeSettings time_;
  TimeStepper stepper_;
  Trajectory trajectory_;
  long steps_ = 0;
  int halvings_ = 0;    // the scheduled step is halved so many times at present
  int good_steps_ = 0;  // since the last change of halvings_
};

struct ScheduledStep {
  double length = 0;  // [s]
  Integrator integrator = Integrator::sdirk2;
};

// The scheduled step at a time: that of the last piece that has begun. A step never crosses the end of its piece: the rest of the piece is divided evenly.
ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings);

}  // namespace traction
