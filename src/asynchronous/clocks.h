// The potentials of a system and their steps (docs/theory/asynchronous.md, "Clocks").
#pragma once

#include <span>
#include <string>
#include <vector>

#include "system/system.h"

namespace traction {

/// A potential acts in the middle of each of its steps, at (k - 1/2) step, k = 1, 2, ...
struct Clock {
  double step = 0;  ///< [s]
  long tick = 1;    ///< k of its next event

  double time() const { return (static_cast<double>(tick) - 0.5) * step; }
  /// Sets the tick of the first event after a time.
  void start_after(double time);
};

/// All terms of all forces, in the order of the forces, with their vertices.
class Potentials {
 public:
  /// Every force of the system has terms. The system outlives this; later forces are ignored.
  explicit Potentials(const System& system);

  int count() const { return static_cast<int>(potentials_.size()); }
  std::span<const int> stencil(int potential) const {
    const Potential& own = potentials_[static_cast<std::size_t>(potential)];
    return std::span(vertices_).subspan(own.first, own.size);
  }
  /// Whether the potential acts on more vertices than an element has, as a load or the pressure of a volume does.
  bool is_common(int potential) const { return potentials_[static_cast<std::size_t>(potential)].size > kMostOfElement; }
  /// Whether its forces depend on velocities.
  bool reads_velocities(int potential) const {
    const Potential& own = potentials_[static_cast<std::size_t>(potential)];
    return own.terms->reads_velocities();
  }
  /// Index into kinds().
  int kind(int potential) const { return potentials_[static_cast<std::size_t>(potential)].kind; }
  /// What the potentials are, by the names that the history has for their energy or work: "elastic", "gravity", "damping".
  const std::vector<std::string>& kinds() const { return kinds_; }
  /// The forces on the vertices of the potential's stencil (SeparateTerms::forces) [N].
  void forces(int potential, const State& state, std::span<Vec3> forces) const {
    const Potential& own = potentials_[static_cast<std::size_t>(potential)];
    own.terms->forces(own.term, state, forces);
  }
  /// The same at the moment at which the potential acts (FlowingTerms::act). Returns the energy that its flow dissipates, 0 if it does not flow [J].
  double act(int potential, const State& state, std::span<Vec3> forces) const {
    const Potential& own = potentials_[static_cast<std::size_t>(potential)];
    if (own.flowing) return own.flowing->act(own.term, state, forces);
    own.terms->forces(own.term, state, forces);
    return 0;
  }
  /// The numbers that the potential remembers from one event to the next; empty for most.
  std::span<double> memory(int potential) const {
    const Potential& own = potentials_[static_cast<std::size_t>(potential)];
    return own.flowing ? own.flowing->memory(own.term) : std::span<double>();
  }
  /// Potentials that remember anything.
  const std::vector<int>& remembering() const { return remembering_; }
  std::size_t largest_stencil() const { return largest_; }

 private:
  static constexpr std::size_t kMostOfElement = 16;  ///< vertices
  struct Potential {
    const SeparateTerms* terms;
    FlowingTerms* flowing;  ///< null: it does not flow
    int term, kind;
    std::size_t first, size;  ///< where its stencil is among the vertices
  };
  std::vector<Potential> potentials_;
  std::vector<int> vertices_, remembering_;
  std::vector<std::string> kinds_;
  std::size_t largest_ = 0;
};

/// The largest step [s] for which each potential is stable at a state, if it has its share of the vertices' masses. It is infinite without stiffness and
/// damping, and NaN where a force is undefined.
std::vector<double> stable_steps(const Potentials& potentials, const System& system, const State& state);

}  // namespace traction
