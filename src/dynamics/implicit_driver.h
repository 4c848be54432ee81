// From implicit step to step: schedule, contact stiffening, retry with smaller steps, steps as large as an error tolerance allows.
#pragma once

#include "dynamics/driver.h"
#include "dynamics/time_stepper.h"

namespace traction {

class ImplicitDriver : public Driver {
 public:
  ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver, State initial);

  bool done() const override;
  StepRecord advance() override;
  const State& state() const override { return state_; }
  long steps() const override { return last_.step; }
  std::vector<std::pair<std::string, double>> history() const override;
  std::vector<std::pair<std::string, long>> counts() const override;
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override;

 private:
  // Stiffens contacts whose vertices went through the surface (P0 Sec. IV-D); true if any did, and the step must be repeated. Adds to `energy` what that does
  // to the penalty's energy where the step starts [J].
  bool stiffen(const std::vector<ContactSummary>& summaries, double& energy);
  void relax(const std::vector<ContactSummary>& summaries);
  // How many times a step with such an error is to be halved; 0 if it is within the tolerance, or cannot be halved any more.
  int halvings_for(double error, Integrator integrator) const;

  MPI_Comm communicator_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
  TimeSettings time_;
  TimeStepper stepper_;
  State state_;
  StepRecord last_;
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
