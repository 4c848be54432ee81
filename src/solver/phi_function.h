// phi_1 of a large matrix times a vector, by Krylov spaces (SLEPc's MFN).
#pragma once

#include <slepcmfn.h>

#include <Eigen/Core>
#include <functional>

#include "parallel/petsc_handle.h"

namespace traction {

/// Computes phi_1(A) b with phi_1(Z) = Z^-1 (e^Z - 1) (docs/theory/integrators.md, "Exponential Rosenbrock Euler"), from  exp([A b; 0 0]) (0, 1) = (phi_1(A) b,
/// 1). The number of sub-steps of Expokit's Arnoldi method depends on the norm of A.
class PhiFunction {
 public:
  using Product = std::function<void(const PetscScalar* x, PetscScalar* y)>;  ///< y = A x, for this rank's parts. @collective

  /// `size`: of this rank's part of a vector. Collective, like all functions below.
  PhiFunction(MPI_Comm communicator, PetscInt size);
  PhiFunction(const PhiFunction&) = delete;
  PhiFunction& operator=(const PhiFunction&) = delete;

  /// Replaces `b` by phi_1(A) b, with an error of `tolerance` times |b|. `norm`: approximate norm of A, for the first sub-step. False if it does not converge.
  bool apply(const Product& product, double norm, double tolerance, Eigen::Ref<Eigen::VectorXd> b);
  long products() const { return products_; }  ///< number of products in the last call

 private:
  static PetscErrorCode multiply(Mat matrix, Vec x, Vec y);
  static PetscErrorCode estimate_norm(Mat matrix, NormType, PetscReal* norm);

  MPI_Comm communicator_;
  PetscInt size_;
  bool has_last_;  ///< whether this rank holds the additional last entry
  PetscHandle<Mat> matrix_;
  PetscHandle<MFN> solver_;
  PetscHandle<Vec> vector_, result_;
  const Product* product_ = nullptr;
  Eigen::VectorXd column_;  ///< b, scaled to unit length over all ranks
  double norm_ = 0;
  long products_ = 0;
};

/// phi_1(A) b for a small matrix that every rank holds. Serial.
Eigen::VectorXd phi_1(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace traction
