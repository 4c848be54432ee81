// The part of the equations of motion that additive exponential schemes split off: G of u' = F(u) = G(u) + H(u), the motion of the lowest modes
// (docs/theory/integrators.md, "Additive exponential schemes").
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "system/modal_basis.h"

namespace traction {

/// G = (P v, M^-1 P^T f), P = X X^T M, with f the modal forces, and its linearization J_G = P J P. Contact and its friction stay in H. P1 has no driven
/// vertices nor forces that depend on time: here driven vertices continue at their velocity of the base state and such forces change from one given time to
/// another, so that f changes at a constant rate, which is included in G.
class ModalSplit {
 public:
  /// Computes the split at `base`, where ghosts are valid and the system is linearized; driven vertices must have the velocity that takes them to their
  /// positions at the end. `start`, `end`: times between which the modes' own motion leads away from the base state [s]. Costs 2 products per mode, and a third
  /// one if other forces act. @collective
  ModalSplit(const System& system, std::shared_ptr<const ModalBasis> basis, const State& base, double start, double end);

  /// A change of positions [m] and velocities [m/s], in the modes' coordinates.
  struct Increment {
    Eigen::VectorXd q, v;
  };
  /// phi_1(tau J_G) G, tau in s: the increment per unit of time.
  Increment exponential(double tau) const;

  const ModalBasis& basis() const { return *basis_; }
  const Eigen::MatrixXd& stiffness() const { return stiffness_; }  ///< X^T df/dq X, of modal forces
  const Eigen::MatrixXd& damping() const { return damping_; }      ///< X^T df/dv X
  const Eigen::VectorXd& loads() const { return loads_; }          ///< X^T f at `start`
  const Eigen::VectorXd& drive() const { return drive_; }          ///< X^T (df/dq v + df/dt) for the velocities v of driven vertices
  const Field& gradient(int k) const { return gradients_[k]; }     ///< df/dq x_k of all forces, on owned vertices [N]

 private:
  std::shared_ptr<const ModalBasis> basis_;
  Eigen::MatrixXd stiffness_, damping_;
  Eigen::VectorXd velocities_, loads_, drive_;
  std::vector<Field> gradients_;
};

}  // namespace traction
