// The terms of a force one by one, for schemes that give each a clock of its own (docs/theory/asynchronous.md, "Clocks").
#pragma once

#include <span>
#include <vector>

#include "system/state.h"

namespace traction {

/// Gives the terms of a force one by one: each element, hinge or spring, or the force itself if it has no such parts. For runs on one rank; nothing is
/// collective.
class SeparateTerms {
 public:
  virtual ~SeparateTerms() = default;

  virtual int count() const = 0;
  /// The local vertices on which a term depends and acts, each once.
  virtual std::vector<int> stencil(int term) const = 0;
  /// Sets the forces of a term on these vertices, in their order, at the positions and velocities that the state has for them, and at its time [N]. Other
  /// vertices are not read.
  virtual void forces(int term, const State& state, std::span<Vec3> forces) const = 0;
  /// Whether forces depend on velocities.
  virtual bool reads_velocities() const { return true; }
};

/// Terms that flow plastically: what a term remembers changes where it acts.
class FlowingTerms : public SeparateTerms {
 public:
  /// The doubles that a term remembers.
  virtual std::span<double> memory(int term) = 0;
  /// Sets the forces of a term as forces() does, and changes what it remembers. Returns the energy that its flow dissipates [J].
  virtual double act(int term, const State& state, std::span<Vec3> forces) = 0;
};

class Force;

/// The terms of a force that has only one: itself.
class WholeForce : public SeparateTerms {
 public:
  /// `force`: the owner of this. `stencil`: the local vertices on which it depends and acts.
  WholeForce(const Force& force, std::vector<int> stencil) : force_(force), stencil_(std::move(stencil)) {}

  int count() const override { return stencil_.empty() ? 0 : 1; }
  std::vector<int> stencil(int) const override { return stencil_; }
  void forces(int term, const State& state, std::span<Vec3> forces) const override;

 private:
  const Force& force_;
  std::vector<int> stencil_;
  mutable Field sums_;  ///< 0 between calls
};

}  // namespace traction
