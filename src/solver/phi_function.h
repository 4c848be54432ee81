// The phi functions of a large matrix times vectors, by Krylov spaces (SLEPc's MFN).
#pragma once

#include <slepcmfn.h>

#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>

#include "parallel/petsc_handle.h"

namespace traction {

/// Computes y(1) of y' = A y + b_0 + b_1 t + b_2 t^2 / 2, y(0) = 0, which is phi_1(A) b_0 + phi_2(A) b_1 + phi_3(A) b_2 (docs/theory/integrators.md,
/// "Exponential Rosenbrock Euler"), by one exponential of A with a row more for each b. The number of sub-steps of Expokit's Arnoldi method depends on the norm
/// of A.
class PhiFunction {
 public:
  using Product = std::function<void(const PetscScalar* x, PetscScalar* y)>;  ///< y = A x, for this rank's parts. @collective
  static constexpr int kColumns = 3;
  using Columns = std::array<Eigen::VectorXd, kColumns>;  ///< the rank's parts of b_0, b_1 and b_2, each of `size`

  /// `size`: of this rank's part of a vector. Collective, like all functions below.
  PhiFunction(MPI_Comm communicator, PetscInt size);
  PhiFunction(const PhiFunction&) = delete;
  PhiFunction& operator=(const PhiFunction&) = delete;

  /// Returns y(1), with an error of `tolerance` times the larger of |b_0|, |b_1| / (1 + norm) and |b_2| / (1 + norm). `norm`: approximate norm of A, also for
  /// the first sub-step. Nothing if it does not converge.
  std::optional<Eigen::VectorXd> apply(const Product& product, double norm, double tolerance, Columns columns);
  long products() const { return products_; }  ///< number of products in the last call

 private:
  static PetscErrorCode multiply(Mat matrix, Vec x, Vec y);
  static PetscErrorCode estimate_norm(Mat matrix, NormType, PetscReal* norm);

  MPI_Comm communicator_;
  PetscInt size_;
  bool has_powers_;  ///< whether this rank holds the additional entries, 1, t and t^2 / 2 at the time t, behind its others
  PetscHandle<Mat> matrix_;
  PetscHandle<MFN> solver_;
  PetscHandle<Vec> vector_, result_;
  const Product* product_ = nullptr;
  Columns columns_;  ///< all scaled alike
  int used_ = 0;     ///< the number of columns, without those at the end that are zero on all ranks
  double norm_ = 0;
  long products_ = 0;
};

/// phi_1(A) b for a small matrix that every rank holds. Serial.
Eigen::VectorXd phi_1(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace traction
