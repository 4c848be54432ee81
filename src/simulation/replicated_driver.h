// Lets several ranks share the events of an asynchronous simulation (docs/theory/asynchronous.md, "Ranks").
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asynchronous/asynchronous_driver.h"
#include "simulation/simulation.h"

namespace traction {

/// Every rank holds the whole simulation beside its part of the distributed one, which has the same state after every row: output, checkpoints and all that the
/// program computes from a state are those of the part.
class ReplicatedDriver : public Driver {
 public:
  /// `part`: this rank's of the distributed simulation, complete but for its driver; it outlives this. `whole`: the same scene built on each rank by itself.
  /// @collective
  ReplicatedDriver(const Simulation& part, std::unique_ptr<Simulation> whole);

  bool done() const override { return driver_.done(); }
  StepRecord advance() override;
  void rehearse() override {}
  void set_interruption(Interruption interruption) override { driver_.set_interruption(std::move(interruption)); }
  const State& state() const override { return state_; }
  void start_from(State state) override;
  long steps() const override { return driver_.steps(); }
  std::vector<std::pair<std::string, double>> history() const override { return driver_.history(); }
  std::vector<std::pair<std::string, double>> energy_balance() const override { return driver_.energy_balance(); }
  std::vector<std::string> closing_warnings() const override { return driver_.closing_warnings(); }
  std::vector<std::pair<std::string, long>> counts() const override { return driver_.counts(); }
  std::vector<std::pair<std::string, double>> expected_events() const override { return driver_.expected_events(); }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override { return driver_.saved_fields(); }

 private:
  /// Copies the state of the whole to the part.
  void follow();
  /// Selects the numbers of the part's local vertices from a field of the whole; and the other way round. The second is collective.
  std::vector<double> part_of(std::span<const double> whole) const;
  std::vector<double> whole_of(std::span<const double> part) const;

  System& system_;  ///< the part's
  std::unique_ptr<Simulation> whole_;
  AsynchronousDriver& driver_;             ///< the whole's
  std::vector<std::size_t> whole_number_;  ///< for each local vertex of the part
  State state_;
};

}  // namespace traction
