#include "solver/phi_function.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr PetscInt kMaximumSubSteps = 500;  // far more than waves need; a motion that needs more grows without bound, and a shorter step is the remedy

}  // namespace

PhiFunction::PhiFunction(MPI_Comm communicator, PetscInt size) : communicator_(communicator), size_(size) {
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  has_powers_ = rank == 0;
  const PetscInt all = size_ + (has_powers_ ? kColumns : 0);
  check_petsc(MatCreateShell(communicator_, all, all, PETSC_DETERMINE, PETSC_DETERMINE, this, matrix_.receive()));
  check_petsc(MatShellSetOperation(matrix_, MATOP_MULT, reinterpret_cast<void (*)()>(petsc_callback<&PhiFunction::multiply>)));
  check_petsc(MatShellSetOperation(matrix_, MATOP_NORM, reinterpret_cast<void (*)()>(&PhiFunction::estimate_norm)));
  check_petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  check_petsc(MatCreateVecs(matrix_, vector_.receive(), result_.receive()));
  FN exponential = nullptr;
  check_petsc(MFNCreate(communicator_, solver_.receive()));
  check_petsc(MFNSetOperator(solver_, matrix_));
  check_petsc(MFNGetFN(solver_, &exponential));
  check_petsc(FNSetType(exponential, FNEXP));
  check_petsc(MFNSetType(solver_, MFNEXPOKIT));
  check_petsc(MFNSetFromOptions(solver_));
}

std::optional<Eigen::VectorXd> PhiFunction::apply(const Product& product, double norm, double tolerance, Columns columns) {
  products_ = 0;
  std::array<double, kColumns> lengths;
  for (int k = 0; k < kColumns; ++k) lengths[k] = columns[k].squaredNorm();
  sum_over_ranks(communicator_, lengths);
  double length = 0;
  used_ = 0;
  for (int k = 0; k < kColumns; ++k) {
    if (!std::isfinite(lengths[k])) return std::nullopt;
    if (lengths[k] > 0) used_ = k + 1;
    length = std::max(length, std::sqrt(lengths[k]) / (k == 0 ? 1 : 1 + norm));
  }
  if (!std::isfinite(norm)) return std::nullopt;
  if (length == 0) return Eigen::VectorXd::Zero(size_);
  columns_ = std::move(columns);
  for (Eigen::VectorXd& column : columns_) column /= length;
  product_ = &product;
  norm_ = norm + 1;
  check_petsc(VecZeroEntries(vector_));
  PetscScalar* values = nullptr;
  check_petsc(VecGetArray(vector_, &values));
  if (has_powers_) values[size_] = 1;
  check_petsc(VecRestoreArray(vector_, &values));
  check_petsc(MFNSetTolerances(solver_, tolerance, kMaximumSubSteps));
  check_petsc(MFNSolve(solver_, vector_, result_));
  MFNConvergedReason reason = MFN_CONVERGED_ITERATING;
  check_petsc(MFNGetConvergedReason(solver_, &reason));
  const PetscScalar* solution = nullptr;
  check_petsc(VecGetArrayRead(result_, &solution));
  Eigen::VectorXd result = length * Eigen::Map<const Eigen::VectorXd>(solution, size_);
  check_petsc(VecRestoreArrayRead(result_, &solution));
  if (reason <= 0 || !std::isfinite(sum_over_ranks(communicator_, result.squaredNorm()))) return std::nullopt;
  return result;
}

PetscErrorCode PhiFunction::multiply(Mat matrix, Vec x, Vec y) {
  PhiFunction* self = nullptr;
  PetscCall(MatShellGetContext(matrix, &self));
  ++self->products_;
  const PetscScalar* input = nullptr;
  PetscScalar* output = nullptr;
  PetscCall(VecGetArrayRead(x, &input));
  PetscCall(VecGetArray(y, &output));
  std::array<double, kColumns> powers{};
  if (self->has_powers_) std::copy_n(input + self->size_, kColumns, powers.begin());
  MPI_Bcast(powers.data(), kColumns, MPI_DOUBLE, 0, self->communicator_);
  (*self->product_)(input, output);
  for (int k = 0; k < self->used_; ++k) Eigen::Map<Eigen::VectorXd>(output, self->size_) += powers[k] * self->columns_[k];
  for (int k = 0; self->has_powers_ && k < kColumns; ++k) output[self->size_ + k] = k > 0 && k < self->used_ ? powers[k - 1] : 0;
  PetscCall(VecRestoreArray(y, &output));
  PetscCall(VecRestoreArrayRead(x, &input));
  return 0;
}

PetscErrorCode PhiFunction::estimate_norm(Mat matrix, NormType, PetscReal* norm) {
  PhiFunction* self = nullptr;
  PetscCall(MatShellGetContext(matrix, &self));
  *norm = self->norm_;
  return 0;
}

Eigen::VectorXd phi_1(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index size = b.size();
  Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(size + 1, size + 1);
  augmented.topLeftCorner(size, size) = A;
  augmented.topRightCorner(size, 1) = b;
  return augmented.exp().topRightCorner(size, 1);
}

}  // namespace traction
