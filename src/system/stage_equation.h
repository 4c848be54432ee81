// The one implicit equation all time integrators are made of (docs/theory/integrators.md, "The stage equation").
#pragma once

#include <petscvec.h>

#include "system/modal_basis.h"
#include "system/operator_settings.h"
#include "system/system.h"

namespace traction {

// Find v with  r(v) = M (v - v_hat) - s a h f(q, v) - momentum = 0,  q = q_hat + a h v.
// Where low modes X are split off (docs/theory/integrators.md, "Additive exponential schemes"), P = X X^T M takes a motion's part in them: then q = q_hat + a h
// (v - P v), and f is without that part of the modal forces, X^T f = 0.
struct Stage {
  double step = 0;                                    // a h [s]
  double time = 0;                                    // of the stage's solution [s]
  Field q_hat;                                        // [m], ghosts valid
  Field v_hat;                                        // [m/s]
  Field momentum;                                     // explicit part [kg m/s]
  double force_share = 1;                             // s
  std::shared_ptr<const ModalBasis> split = nullptr;  // none: null
};

// Residual, Jacobian product and blocks of a stage, on PETSc vectors of 3 x owned vertices. All functions are collective.
class StageEquation {
 public:
  StageEquation(System& system, OperatorKind kind);

  void begin(Stage stage);
  const Stage& stage() const { return stage_; }
  double impulse() const { return stage_.force_share * stage_.step; }  // s a h [s]
  System& system() const { return system_; }

  // Sets the driven vertices' entries of v to the velocities that take them where they must be, in the directions in which they are held.
  void impose_driven(Vec v) const;
  // residual [kg m/s]; not finite where a force is undefined. In directions in which vertices are held it is M (q - q_driven) / (a h).
  void residual(Vec v, Vec residual);
  // The part of a change of v, at most 1, up to which all forces stay defined: steps must not lead through a barrier. None when they are not at v.
  std::optional<double> admissible_part(Vec v, Vec change);
  // Prepares products and blocks at v,
  void linearize(Vec v);
  // or at a state that need not satisfy q = q_hat + a h v, ghosts valid, but has the stage's time.
  void linearize(const State& state);
  // product = dr/dv direction at the last linearize: M p - s a h (df/dq a h p + df/dv p), exact; M p in directions in which vertices are held.
  void product(Vec direction, Vec product);
  // Brings the exact blocks of a h df/dq + df/dv, between neighbouring vertices, to the last linearize.
  void assemble();
  const BlockMatrix& blocks() const { return blocks_; }
  // The block on the diagonal of dr/dv of an owned vertex at the last assemble, without forces that have VertexForces [kg].
  Mat3 vertex_block(int vertex) const;
  // What stands in preconditioners for what these leave out: blocks between vertices anywhere, this rank's share of them.
  std::vector<Coupling> couplings() const;
  // The blocks leave terms c g g^T of rank one out of dr/dv. This is their number, always and on all ranks the same,
  int rank_one_count() const;
  // and the terms at the last linearize, g zero in the directions in which vertices are held. c |g|^2 is in kg.
  std::vector<RankOneTerm> rank_one_terms() const;
  // and the quantities at v whose gradients these have. Collective.
  std::vector<double> rank_one_quantities(Vec v);

  // What a residual at v is worth, r / max(1, s) being the unbalanced impulse (docs/theory/newton.md, "When Newton stops", (N5)).
  struct Defect {
    double velocity = 0;  // mass-weighted root mean square of the velocity error that the impulse would make if nothing resisted it, of the worst body [m/s]
    double excess = 0;    // that error over the allowed one, of the worst body, or a tenth of that of the worst vertex where this is more; NaN if r has any
  };
  // Allowed is `tolerance` [m/s], or less: `relative` times what the forces change the body's velocities by, or weight does in that time, if that is more.
  Defect defect(Vec v, Vec residual, double tolerance, double relative) const;

  // Where a residual at v is worst.
  struct WorstVertex {
    std::size_t body = 0;          // its number
    Vec3 position = Vec3::Zero();  // [m]
    double velocity = 0;  // the velocity error that the unbalanced impulse would make if nothing resisted it [m/s]; infinite where a force is undefined
  };
  WorstVertex worst_vertex(Vec v, Vec residual);

  // The state that belongs to v, ghosts valid.
  State state_of(Vec v);
  // The state at which the residual was evaluated last, ghosts valid; all forces are prepared for it.
  const State& evaluated() const { return trial_; }

 private:
  // The velocity that the unbalanced impulse gives the fastest body of which no vertex is held whole, as a rigid body [m/s]. Collective.
  double drift(Vec residual) const;
  Linearization linearization() const { return {linearized_, stage_.step, 1}; }
  void set_state(Vec v);
  void set_split_state(Vec v);
  void split_force();

  System& system_;
  OperatorKind kind_;
  BlockMatrix blocks_;                // of a h df/dq + df/dv
  std::vector<Mat3> other_diagonal_;  // of these blocks, without forces that have VertexForces
  bool assembled_ = false;            // at the last linearize
  Stage stage_;
  State trial_;       // where the residual was last evaluated
  State linearized_;  // where products are taken
  State direction_;
  Field work_, other_;
};

}  // namespace traction
