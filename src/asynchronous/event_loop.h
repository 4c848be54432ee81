// Takes the events of a system in the order of their times.
#pragma once

#include <memory>
#include <optional>

#include "asynchronous/layered_contact.h"
#include "solver/interruption.h"

namespace traction {

// A potential acts in the middle of each of its steps: the vertices of its stencil drift there, and receive its force times the step (P4 Algorithm 1). Events
// at the same time are taken in the order of the potentials, then of contact.
class EventLoop {
 public:
  // `steps`: of each potential of the system [s], all finite and positive. `contact`: what may touch; nothing without it. The system outlives this.
  EventLoop(System& system, const std::vector<double>& steps, State initial, std::optional<ContactSetup> contact = {});
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  const Potentials& potentials() const { return potentials_; }
  const LayeredContact* contact() const { return contact_.get(); }
  LayeredContact* contact() { return contact_.get(); }
  const State& state() const { return vertices_.state(); }  // all at one time between calls
  // Continues from there.
  void set_state(State state);
  void set_velocity(int vertex, const Vec3& velocity) { vertices_.set_velocity(vertex, velocity); }
  MovingVertices& vertices() { return vertices_; }

  // Takes all events until a time, to which every vertex drifts. Throws SolverError where a force is no finite number, and Interrupted; the state is then of no
  // use.
  void advance(double end, const Interruption& interruption = {});
  // The number of events of each kind of potentials in the last advance().
  const std::vector<long>& events() const { return events_; }

 private:
  void take_potential(int potential);
  // The number of windows into which a row should be divided so that no rod turns far in one: the frames of rods are carried along from window to window.
  int windows_of_rods(double length) const;

  System& system_;
  Potentials potentials_;
  std::vector<Clock> clocks_;  // by potential
  MovingVertices vertices_;
  EventQueue queue_;
  std::unique_ptr<LayeredContact> contact_;  // null: nothing touches
  std::vector<Vec3> forces_;                 // the present potential's
  std::vector<long> events_;
};

}  // namespace traction
