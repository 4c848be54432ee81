// Takes the events of a system in the order of their times.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "asynchronous/layered_contact.h"
#include "asynchronous/rank_share.h"
#include "solver/interruption.h"

namespace traction {

/// A potential acts in the middle of each of its steps: the vertices of its stencil drift there, and receive its force times the step (P4 Algorithm 1). Events
/// at the same time are taken in the order of the elements, then of contact, then of common potentials.
///
/// Several ranks that each hold the whole system share its events: every rank takes those of the vertices that it owns and of some rings around them through a
/// span of time, then they exchange vertices. They all have the same state after that, which does not depend on their number
/// (docs/theory/asynchronous.md, "Ranks").
class EventLoop {
 public:
  /// `steps`: of each potential of the system [s], all finite and positive. `contact`: what may touch; nothing without it. The system outlives this.
  EventLoop(System& system, const std::vector<double>& steps, State initial, std::optional<ContactSetup> contact = {});
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  /// Shares the events with other ranks, whose loops have the same system, steps, state and contact. From then on advance() is collective, and every rank calls
  /// all functions with the same arguments.
  void share(MPI_Comm communicator);

  const Potentials& potentials() const { return potentials_; }
  const LayeredContact* contact() const { return contact_.get(); }
  LayeredContact* contact() { return contact_.get(); }
  const State& state() const { return vertices_.state(); }  ///< all at one time between calls
  /// Continues from there.
  void set_state(State state);
  void set_velocity(int vertex, const Vec3& velocity) { vertices_.set_velocity(vertex, velocity); }
  MovingVertices& vertices() { return vertices_; }

  /// Gives driven vertices the velocities with which they move uniformly until a time.
  using Drive = std::function<void(double until)>;
  /// Takes all events until `end`, and lets every vertex drift to that time. The time is divided into `pieces` of equal length; `drive` is called at the start
  /// of each piece, and prescribed motions are uniform within it. Throws SolverError if a force is not a finite number, and Interrupted, both on all ranks that
  /// share the events. The state must not be used after an exception.
  void advance(double end, const Interruption& interruption = {}, int pieces = 1, const Drive& drive = {});
  /// The number of events of each kind of potentials in the last advance(), of all ranks.
  const std::vector<long>& events() const { return events_; }
  /// Spans of time of the last advance() after which ranks exchanged their vertices, and spans that had to be repeated; 0 on one rank.
  long spans() const { return spans_; }
  long repeated_spans() const { return repeated_; }
  /// Energy that plastic flow has dissipated in the last advance() [J], of all ranks.
  double lost_by_flow() const { return lost_by_flow_; }

 private:
  using Look = std::function<void()>;

  void take_potential(int potential);
  void take_event();
  void reset_clocks(double time);
  /// The number of windows into which a piece of a row should be divided so that no rod turns far in one: the frames of rods are carried along from window to
  /// window.
  int windows_of_rods(double length) const;
  double end_of_window(double now) const;
  void take_events(double until, const Look& look);
  void take_piece(double until, bool is_prescribed, const Look& look);
  void commit() const;

  /// Several ranks (event_loop_ranks.cpp).
  bool depends_on_unknown(int potential, double time) const;
  void lose(std::span<const int> vertices, double time);
  void take_events_with_others(double until, const Look& look);
  void choose_share(double now, bool may_divide);
  /// Takes the rank's own events until a time. Returns the time and the message of the first one that fails, or Knowledge::kForever.
  std::pair<double, std::string> take_own_events(double end);
  /// Runs an action that may fail on this rank alone. If it fails, all ranks throw in the next span.
  void do_between_spans(double now, const std::function<void()>& action);
  std::array<double, 4> earliest_over_ranks(double error, double other) const;
  void require_copies();
  void save_snapshot();
  void repeat_from_snapshot(double now);
  void take_common_events(double time);
  double next_common_time() const;
  void sum_up();

  System& system_;
  Potentials potentials_;
  std::vector<Clock> clocks_;  ///< by potential
  MovingVertices vertices_;
  EventQueue queue_;
  Knowledge knowledge_;
  std::unique_ptr<LayeredContact> contact_;  ///< null: nothing touches
  std::vector<Vec3> forces_;                 ///< the present potential's
  std::vector<long> events_;
  double lost_by_flow_ = 0;
  double window_end_ = 0;  ///< when the window of contact ends [s]
  double last_window_end_ = 0, shortest_window_ = 0, longest_window_ = 0;

  /// Several ranks.
  std::unique_ptr<RankShare> share_;  ///< null: this rank is the only one
  std::vector<int> common_;           ///< potentials
  MovingVertices::Snapshot start_of_span_;
  std::vector<double> memory_at_start_of_span_;  ///< of the potentials
  std::vector<long> events_at_start_of_span_;
  double lost_at_start_of_span_ = 0;
  double span_ = 0;                                      ///< length of the next span [s]
  double shortest_ = 0;                                  ///< step [s]
  int rings_ = 0;                                        ///< rings of vertices around the rank's own
  double chosen_at_ = 0;                                 ///< when the share was chosen [s]
  std::optional<std::pair<double, std::string>> fault_;  ///< between spans: time, message
  std::size_t links_ = 0;                                ///< near candidates when the vertices were divided
  int short_spans_ = 0;                                  ///< since the share was chosen
  long spans_ = 0, repeated_ = 0;
};

}  // namespace traction
