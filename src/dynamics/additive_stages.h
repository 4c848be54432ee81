// Additive exponential integrators: the motion of the lowest modes is removed from some of the implicit stages, and added by an exponential (P1 Eqs. 18-26).
#pragma once

#include "dynamics/implicit_stages.h"

namespace traction {

/// Keeps the modes. They are computed when they are missing, too few or due for renewal, and turn with free bodies until then. Multiple eigenvalues are kept
/// together, so more modes may be computed than asked for.
class AdditiveStages : public ImplicitStages {
 public:
  AdditiveStages(StageSolver& solver, const SchemeSettings& settings) : ImplicitStages(solver), settings_(settings) {}
  /// Throws InputError, SolverError on all ranks when the modes cannot be computed.
  void take(Step& step, State& next) override;
  void prepare(const State& start) override;
  void accept(bool) override { ++age_; }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override { return settings_.modes + 1; }

 private:
  bool solve_stage(Step& step, Stage stage, const StageRow& row, const State& last, State& solution) override;

  /// Adds the impulse that the forces in H exert on the modes at the last known state, for a time in s. The stage itself weighs these forces with a h, which is
  /// less than the time of the modes' own motion (docs/theory/integrators.md, (I14)). @collective
  void complete_other_forces(double duration, const State& last, Field& momentum) const;
  /// The modes that were computed, turned with the bodies since: exact for bodies that turn as a whole, whose stiffness turns with them. @collective
  std::shared_ptr<const ModalBasis> turned_modes(const State& start) const;

  SchemeSettings settings_;
  std::shared_ptr<const ModalBasis> computed_;
  Field places_;                             ///< positions for which the modes were computed [m]
  std::shared_ptr<const ModalBasis> modes_;  ///< turned since
  long age_ = 0;                             ///< steps since the modes were computed
  std::size_t released_ = 0;                 ///< number of groups of held vertices that had been released at that time
  int asked_for_ = 0;                        ///< number of modes asked for then
};

}  // namespace traction
