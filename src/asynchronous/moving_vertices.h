// Vertices that move uniformly between impulses, each known at a time of its own.
#pragma once

#include <functional>
#include <vector>

#include "system/held_vertices.h"
#include "system/state.h"

namespace traction {

/// Positions and velocities of all vertices, each at a time of its own up to which it has moved uniformly.
class MovingVertices {
 public:
  /// `inverse_mass`: of each vertex [1/kg]; 0 for vertices that no force moves. `held` must outlive this.
  MovingVertices(State state, std::vector<double> inverse_mass, const HeldVertices& held)
      : state_(std::move(state)), inverse_mass_(std::move(inverse_mass)), held_(&held), times_(inverse_mass_.size(), state_.time) {}

  /// Positions and velocities, each vertex at its own time.
  const State& state() const { return state_; }
  double inverse_mass(int vertex) const { return held_->whole()[static_cast<std::size_t>(vertex)] ? 0 : inverse_mass_[static_cast<std::size_t>(vertex)]; }
  /// The inverse mass with which a vertex yields along a unit vector, along which it may be held in part [1/kg].
  double inverse_mass(int vertex, const Vec3& direction) const {
    return inverse_mass_[static_cast<std::size_t>(vertex)] * direction.dot(held_->free_part(vertex, direction));
  }
  double time_of(int vertex) const { return times_[static_cast<std::size_t>(vertex)]; }
  Vec3 position(int vertex, double time) const { return state_.q[vertex] + (time - time_of(vertex)) * state_.v[vertex]; }

  /// Where all vertices are and how fast they move, each at its own time.
  struct Snapshot {
    State state;
    std::vector<double> times;
  };
  void save(Snapshot& snapshot) const {
    snapshot.state = state_;
    snapshot.times = times_;
  }
  void restore(const Snapshot& snapshot) {
    state_ = snapshot.state;
    times_ = snapshot.times;
  }
  /// Gives a vertex a position and a velocity at a time of its own.
  void place(int vertex, const Vec3& position, const Vec3& velocity, double time) {
    state_.q[vertex] = position;
    state_.v[vertex] = velocity;
    times_[static_cast<std::size_t>(vertex)] = time;
  }
  void set_state(State state) {
    state_ = std::move(state);
    times_.assign(times_.size(), state_.time);
  }
  /// Calls watcher(vertex) before every change of a velocity, when the vertex is where it changes.
  void watch(std::function<void(int)> watcher) { watcher_ = std::move(watcher); }
  void set_velocity(int vertex, const Vec3& velocity) {
    if (watcher_) watcher_(vertex);
    state_.v[vertex] = velocity;
  }
  /// Sets the time of the next events, on which forces depend.
  void set_time(double time) { state_.time = time; }
  void drift(int vertex, double time) {
    double& own = times_[static_cast<std::size_t>(vertex)];
    if (own == time) return;
    state_.q[vertex] += (time - own) * state_.v[vertex];
    own = time;
  }
  void drift_all(double time) {
    for (std::size_t i = 0; i < times_.size(); ++i) drift(static_cast<int>(i), time);
    state_.time = time;
  }
  /// Changes the velocity of a vertex by an impulse [N s], as far as the vertex is free.
  void kick(int vertex, const Vec3& impulse) {
    if (watcher_) watcher_(vertex);
    state_.v[vertex] += held_->free_part(vertex, inverse_mass_[static_cast<std::size_t>(vertex)] * impulse);
  }

 private:
  State state_;
  std::vector<double> inverse_mass_;
  const HeldVertices* held_;
  std::vector<double> times_;
  std::function<void(int)> watcher_;  ///< may be empty
};

}  // namespace traction
