// The generalized-alpha method as one stage (docs/theory/integrators.md, "Generalized-alpha"): second order, with adjustable damping of fast oscillations.
#pragma once

#include "dynamics/scheme.h"

namespace traction {

///   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),  v1 = v0 + h ((1 - gamma) a0 + gamma a1),
///   M ((1 - alpha_m) a1 + alpha_m a0) = f at alpha_f u0 + (1 - alpha_f) u1.
/// Remembers the acceleration a1; the first step after another family's begins with a0 = M^-1 f.
class GeneralizedAlpha : public Scheme {
 public:
  /// `spectral_radius`: the spectral radius of a step's linear map in the limit omega h -> infinity, from 0 to 1.
  GeneralizedAlpha(StageSolver& solver, double spectral_radius);

  void take(Step& step, State& next) override;
  void accept(bool own) override;
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;
  int saved_fields() const override { return 1; }

 private:
  /// The stage whose solution is alpha_f u0 + (1 - alpha_f) u1, for a step of length h [s].
  Stage stage(const State& start, const Field& acceleration, double h) const;
  /// Computes u1, with driven vertices at their prescribed positions; stores a1 in next_.
  State end(const State& start, const Field& acceleration, double h, const State& solution);

  StageSolver& solver_;
  double alpha_m_, alpha_f_, beta_, gamma_;
  std::optional<Field> acceleration_;  ///< a0 [m/s^2], 0 on driven vertices, ghosts valid
  Field next_;                         ///< a1 of the last solved step
};

}  // namespace traction
