// Advances a simulation event by event: every potential acts at times of its own (docs/theory/asynchronous.md, "Clocks").
#pragma once

#include "asynchronous/event_loop.h"
#include "dynamics/changed_settings.h"
#include "dynamics/driver.h"
#include "dynamics/time_settings.h"

namespace traction {

/// An asynchronous variational integrator (Lew et al. 2003; P4). With one common step and without contact it is the Störmer-Verlet scheme. advance() takes all
/// events until the next row of the history, where every vertex drifts to the same time. Driven vertices and obstacles move uniformly from row to row. The
/// system is that of one rank; several ranks may share its events.
class AsynchronousDriver : public Driver {
 public:
  /// `steps`, `contact`: see EventLoop. The system outlives this.
  AsynchronousDriver(System& system, const TimeSettings& time, const std::vector<double>& steps, State initial, std::optional<ContactSetup> contact = {});

  /// What LayeredContact::fault_at_start finds where the run starts.
  std::optional<LayeredContact::Fault> fault_at_start() {
    return loop_.contact() ? loop_.contact()->fault_at_start(state().time) : std::optional<LayeredContact::Fault>();
  }

  /// Shares the events among ranks (EventLoop::share). Afterwards all of these ranks call the same functions with the same arguments.
  void share(MPI_Comm communicator) { loop_.share(communicator); }

  bool done() const override;
  StepRecord advance() override;
  void rehearse() override {}
  void set_interruption(Interruption interruption) override { interruption_ = std::move(interruption); }
  const State& state() const override { return loop_.state(); }
  void start_from(State state) override;
  long steps() const override { return last_.step; }
  std::vector<std::pair<std::string, double>> history() const override;
  std::vector<std::pair<std::string, double>> energy_balance() const override;
  std::vector<std::string> closing_warnings() const override;
  std::vector<std::pair<std::string, long>> counts() const override;
  std::vector<std::pair<std::string, double>> expected_events() const override { return expected_events_; }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override;

 private:
  /// When the next row is due: after the step of the settings, or earlier at the end, or where vertices are released.
  double end_of_row() const;
  int pieces_until(double end) const;
  void drive_until(double end);
  void begin();
  std::vector<double> energies() const;  ///< by energy_names
  double kinetic_energy() const;
  double energy_without_contact() const;  ///< kinetic and stored [J]
  bool flows() const;                     ///< whether anything may flow plastically
  double flow_loss() const;  ///< energy that plastic flow has taken since the start: in events, and in the flow that the present state would cause [J]
  double lost() const;       ///< energy taken by everything that dissipates and is counted [J]
  /// Whether the energy of the run also has sources other than potentials, contact and damping: prescribed motions, sources of pressure, or loads without a
  /// potential.
  bool is_driven() const;
  /// The growth since the start of kinetic and stored energy plus the energy that restitution, friction and plastic flow have taken [J]; damping makes it
  /// negative.
  double energy_gained(const StepRecord& record) const;
  /// A sentence for the user, once per run, if energy_gained() has exceeded 1 % of the largest kinetic energy in all of the last rows. A single row does not
  /// suffice, because the energy of every symplectic scheme oscillates.
  std::optional<std::string> gain_to_warn_of(const StepRecord& record);
  std::optional<std::string> lasting_gain() const;  ///< the same for the rows so far
  std::vector<Reaction> reactions() const;          ///< reactions of the driven groups in the last row, contact included
  std::vector<LayeredContact::Summary> contacts() const;
  std::vector<std::pair<std::string, long>> events_of_row() const;

  System& system_;
  TimeSettings time_;
  EventLoop loop_;
  std::vector<double> releases_;                                 ///< times at which rows end [s]
  Interruption interruption_;                                    ///< may be empty
  std::vector<std::pair<std::string, double>> expected_events_;  ///< per second of simulation, by kind
  std::vector<long> events_;                                     ///< events since the start or load(): those of the potentials by kind, then those of contact
  double lost_by_restitution_ = 0, lost_by_friction_ = 0;        ///< since the start of the run [J]
  double lost_by_flow_ = 0;                                      ///< the same, in the events so far
  std::optional<std::vector<double>> energies_at_start_;         ///< kinetic energy, then those by name
  ChangedSettings changed_;
  StepRecord last_;
  std::vector<double> gains_;  ///< energy_gained() of the last rows [J]
  double largest_kinetic_ = 0;
  double warned_of_ = 0;  ///< gain [J]; 0: none
};

}  // namespace traction
