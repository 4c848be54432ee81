// The bending and twist of rods (docs/theory/rods.md, "Energy").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elements/rod_element.h"
#include "forces/stencil_force.h"
#include "system/system.h"

namespace traction {

/// Two segments of a rod and the vertex between them, where the rod bends and twists.
struct RodBendingElement : RodJoint {
  /// The prescribed frame of a segment.
  struct Driven {
    DrivenFrame frame;
    double until;          ///< when the segment is released [s]
    const System* system;  ///< which outlives the rod's forces
  };
  std::array<std::shared_ptr<const Driven>, 2> driven = {};  ///< one for each segment; null: it is not driven

  /// The joint with the frames that are prescribed at a time [s].
  RodJoint at(double time) const;
};

/// All joints of a scene. Remembers their frames and reference twists from step to step.
class RodBending : public StencilForce<RodBendingElement, 5>, private Memory {
 public:
  using StencilForce::StencilForce;

  Memory* memory() override { return this; }
  /// The state of each local joint, of both its segments, at positions whose ghosts are valid: for output.
  struct Reading {
    std::array<int, 2> twists;  ///< the segments' local twist vertices
    RodStrains strains;         ///< integrals over the joint, minus those of the shape without stress
  };
  std::vector<Reading> readings(const State& state) const;

 private:
  std::string name() const override { return "rod frames"; }
  static constexpr int kComponents = 7;
  int components() const override { return kComponents; }
  void commit(const State& accepted) override;
  void save(std::span<double> values) const override;
  void load(std::span<const double> values) override;
};

}  // namespace traction
