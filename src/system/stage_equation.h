// The implicit equation that all time integrators consist of (docs/theory/integrators.md, "The stage equation").
#pragma once

#include <petscvec.h>

#include <array>
#include <optional>
#include <vector>

#include "system/modal_basis.h"
#include "system/operator_settings.h"
#include "system/system.h"

namespace traction {

/// Find v with  r(v) = M (v - v_hat) - s a h f(q, v) - momentum = 0,  q = q_hat + a h v. If low modes X are split off (docs/theory/integrators.md, "Additive
/// exponential schemes"), P = X X^T M gives a motion's part in them: then q = q_hat + a h (v - P v), and the modes' part of the modal forces is removed from f,
/// X^T f = 0.
struct Stage {
  double step = 0;                                    ///< a h [s]
  double time = 0;                                    ///< time of the stage's solution [s]
  Field q_hat;                                        ///< [m], ghosts valid
  Field v_hat;                                        ///< [m/s]
  Field momentum;                                     ///< explicit part [kg m/s]
  double force_share = 1;                             ///< s
  std::shared_ptr<const ModalBasis> split = nullptr;  ///< null: none
  std::optional<MeanVelocity> mean = std::nullopt;    ///< of what v is a mean; nothing: it is the velocity at `time`
};

/// Residual, Jacobian product and blocks of a stage, on PETSc vectors of 3 x owned vertices. All functions are collective.
class StageEquation {
 public:
  StageEquation(System& system, OperatorKind kind);

  void begin(Stage stage);
  const Stage& stage() const { return stage_; }
  double impulse() const { return stage_.force_share * stage_.step; }  ///< s a h [s]
  System& system() const { return system_; }

  /// Sets the driven vertices' entries of v to the velocities that take them to their prescribed positions, in the directions in which they are held.
  void impose_driven(Vec v) const;
  /// Computes the residual [kg m/s]; not finite where a force is undefined. In directions in which vertices are held it is M (q - q_driven) / (a h).
  void residual(Vec v, Vec residual);
  /// The largest part of a change of v, at most 1, that keeps all forces defined, because no step may lead through a barrier. Nothing if they are undefined
  /// at v.
  std::optional<double> admissible_part(Vec v, Vec change);
  /// Prepares products and blocks at v.
  void linearize(Vec v);
  /// Prepares products and blocks at a state that need not satisfy q = q_hat + a h v, but has the stage's time and valid ghosts.
  void linearize(const State& state);
  /// product = dr/dv direction at the last linearize: M p - s a h (df/dq a h p + df/dv p), exact; M p in directions in which vertices are held.
  void product(Vec direction, Vec product);
  /// Splits off the equations M p = r in directions in which vertices are held in part: removes their right sides from `residual` and returns them. The product
  /// leaves the rest without a part along these directions, but for rounding.
  std::vector<Vec3> set_held_aside(Vec residual) const;
  /// Puts the right sides back, and their solutions into `solution`.
  void solve_held(const std::vector<Vec3>& aside, Vec residual, Vec solution) const;
  /// Assembles the exact blocks of a h df/dq + df/dv between neighbouring vertices, at the last linearize.
  void assemble();
  const BlockMatrix& blocks() const { return blocks_; }
  /// The diagonal block of dr/dv for an owned vertex at the last assemble, without forces that have VertexForces [kg].
  Mat3 vertex_block(int vertex) const;
  /// The forces' couplings, by which preconditioners approximate the part of the derivative that the blocks omit: blocks between any vertices, this rank's
  /// share of them. Without `off_diagonal` only those of a vertex with itself. What couples dependent vertices couples their masters. @collective
  std::vector<Coupling> couplings(bool off_diagonal) const;
  /// The number of terms c g g^T of rank one in dr/dv that the blocks omit; constant, and equal on all ranks.
  int rank_one_count() const;
  /// @collective These terms at the last linearize, with g zero in the directions in which vertices are held. c |g|^2 is in kg.
  std::vector<RankOneTerm> rank_one_terms() const;
  /// The quantities at v whose gradients these terms contain. @collective
  std::vector<double> rank_one_quantities(Vec v);

  /// Notes the sizes of the forces where the residual was evaluated last, if they are to balance. Where the forces of the solution vanish, defects are judged
  /// by the largest that were noted since `begin`. @collective
  void note_forces();

  /// Measures of a residual r at v, where r / max(1, s) is the unbalanced impulse (docs/theory/newton.md, "When Newton stops", (N5)).
  struct Defect {
    double velocity = 0;  ///< mass-weighted root mean square of the velocity error that the impulse would cause if nothing resisted it, in the worst body [m/s]
    /// The velocity error divided by the allowed one, in the worst body; or a tenth of this ratio at the worst vertex, if that is larger. NaN if r contains
    /// NaN.
    double excess = 0;
  };
  /// The allowed error is `tolerance` [m/s], or less: `relative` times the change of the body's velocities by the forces, or by weight in that time if that is
  /// larger. Where forces are to balance it is also enough that the unbalanced rest, in its sum over a body and at its largest, is `relative` times the size of
  /// the forces, or 1e-9 of the noted ones. v must be where the residual was evaluated last in this case.
  Defect defect(Vec v, Vec residual, double tolerance, double relative) const;

  /// The vertex with the worst residual at v.
  struct WorstVertex {
    std::size_t body = 0;          ///< index of its body
    Vec3 position = Vec3::Zero();  ///< [m]
    double velocity = 0;  ///< the velocity error that the unbalanced impulse would cause if nothing resisted it [m/s]; infinite where a force is undefined
  };
  WorstVertex worst_vertex(Vec v, Vec residual);

  /// The state that belongs to v, ghosts valid.
  State state_of(Vec v);
  /// The state at which the residual was evaluated last, ghosts valid; all forces are prepared for it.
  const State& evaluated() const { return trial_; }

 private:
  /// Whether no more than a small part of inertia resists the forces, which are to balance.
  bool seeks_balance() const { return !system_.has_inertia() && stage_.force_share > 1; }
  struct ForceSizes {
    double sum = 0, largest = 0;  ///< over a body's vertices, of the remaining impulse or of the forces' impulse [N s]
    void add(double size) { sum += size, largest = std::max(largest, size); }
  };
  /// For each body the size of its forces at the last residual, if balance is sought, summed over its vertices and at its largest. @collective
  std::vector<ForceSizes> force_sizes() const;
  /// For each body the size of a residual. @collective
  std::vector<ForceSizes> residual_sizes(Vec residual) const;
  /// For each body the larger of its forces and of a share of those that were noted.
  std::vector<ForceSizes> at_least_noted(std::vector<ForceSizes> forces, double share) const;
  /// The sizes of all bodies from each body's on this rank. @collective
  std::vector<ForceSizes> over_ranks(const std::vector<ForceSizes>& sizes) const;
  /// The velocity that the unbalanced impulse gives a body as a rigid body, divided by the allowed one, in the worst body. Bodies with vertices that are held
  /// whole do not count. Allowed are `tolerance` [m/s], or `relative` times the velocity that the forces would give the body, and a large multiple of this if
  /// it is joined to another. @collective
  double drift(Vec residual, double tolerance, double relative, const std::vector<ForceSizes>& forces) const;
  Linearization linearization() const { return {linearized_, stage_.step, 1}; }
  void set_state(Vec v);
  void set_split_state(Vec v);
  void split_force();
  void gather(RankOneTerm& term) const;
  void add_blocks_of_dependents(std::vector<Coupling>& couplings) const;

  System& system_;
  OperatorKind kind_;
  BlockMatrix blocks_;                ///< blocks of a h df/dq + df/dv
  std::vector<Mat3> other_diagonal_;  ///< diagonal of these blocks, without forces that have VertexForces
  bool assembled_ = false;            ///< assembled at the last linearize
  Stage stage_;
  State trial_;       ///< where the residual was last evaluated
  State linearized_;  ///< where products are taken
  State direction_;
  Field work_, other_;
  std::optional<std::vector<double>> term_sizes_;  ///< sizes of the forces on each owned vertex at the last residual, if balance is sought [N]
  std::vector<ForceSizes> noted_;                  ///< for each body the largest noted since `begin`
};

}  // namespace traction
