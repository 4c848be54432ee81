#include "solver/rank_one_correction.h"

#include <Eigen/LU>
#include <cmath>

#include "parallel/collective.h"
#include "parallel/log_event.h"

namespace traction {

RankOneCorrection::RankOneCorrection(StageEquation& equation, KSP ksp) : equation_(equation) {
  const MPI_Comm communicator = equation_.system().communicator();
  PC inner = nullptr;
  check_petsc(KSPGetPC(ksp, &inner));
  check_petsc(PetscObjectReference(reinterpret_cast<PetscObject>(inner)));
  inner_ = PetscHandle<PC>(inner);
  PetscHandle<PC> shell;
  check_petsc(PCCreate(communicator, shell.receive()));
  check_petsc(PCSetType(shell, PCSHELL));
  check_petsc(PCShellSetContext(shell, this));
  check_petsc(PCShellSetName(shell, "correction for terms of rank one"));
  check_petsc(PCShellSetSetUp(shell, petsc_callback<&RankOneCorrection::set_up_shell>));
  check_petsc(PCShellSetApply(shell, petsc_callback<&RankOneCorrection::apply_shell>));
  check_petsc(PCShellSetView(shell, petsc_callback<&RankOneCorrection::view_shell>));
  check_petsc(KSPSetPC(ksp, shell));
}

PetscErrorCode RankOneCorrection::set_up_shell(PC shell) {
  void* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  static_cast<RankOneCorrection*>(context)->set_up(shell);
  return 0;
}

PetscErrorCode RankOneCorrection::apply_shell(PC shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  static_cast<RankOneCorrection*>(context)->apply(x, y);
  return 0;
}

PetscErrorCode RankOneCorrection::view_shell(PC shell, PetscViewer viewer) {
  void* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  return PCView(static_cast<RankOneCorrection*>(context)->inner_, viewer);
}

void RankOneCorrection::set_up(PC shell) {
  static const LogEvent event("RankOneSetUp");
  Mat system = nullptr, matrix = nullptr;
  check_petsc(PCGetOperators(shell, &system, &matrix));
  check_petsc(PCSetOperators(inner_, system, matrix));
  check_petsc(PCSetUp(inner_));
  check_petsc(PCSetUpOnBlocks(inner_));
  PCFailedReason reason = PC_NOERROR;
  check_petsc(PCGetFailedReason(inner_, &reason));
  check_petsc(PCSetFailedReason(shell, reason));

  const LogEvent::Scope timed(event);
  find_strong_terms();
  if (terms_.empty()) return;
  const auto count = static_cast<Eigen::Index>(terms_.size());
  if (!work_) check_petsc(MatCreateVecs(system, work_.receive(), nullptr));
  Eigen::MatrixXd coupling(count, count);  // G^T Z
  for (Eigen::Index k = 0; k < count; ++k) {
    if (k == static_cast<Eigen::Index>(solved_.size())) check_petsc(VecDuplicate(work_, solved_.emplace_back().receive()));
    PetscScalar* values = nullptr;
    check_petsc(VecZeroEntries(work_));
    check_petsc(VecGetArray(work_, &values));
    for (std::size_t v = 0; v < terms_[k].vertices.size(); ++v) Eigen::Map<Vec3>(values + 3 * terms_[k].vertices[v]) = terms_[k].gradient[v];
    check_petsc(VecRestoreArray(work_, &values));
    check_petsc(PCApply(inner_, work_, solved_[k]));
    multiply_transposed(terms_, solved_[k], coupling.col(k).data());
  }
  sum_over_ranks(equation_.system().communicator(), {coupling.data(), static_cast<std::size_t>(coupling.size())});
  Eigen::VectorXd coefficients(count);
  for (Eigen::Index k = 0; k < count; ++k) coefficients[k] = terms_[k].coefficient;
  const Eigen::MatrixXd diagonal = coefficients.asDiagonal();
  weights_ = (Eigen::MatrixXd::Identity(count, count) + diagonal * coupling).partialPivLu().solve(diagonal);
  if (!weights_.allFinite()) weights_.setZero();  // M could not be built, or M + G C G^T is singular: use M alone
}

void RankOneCorrection::find_strong_terms() {
  // A term adds c g^T A^-1 g to one eigenvalue, 1, of a well preconditioned system. A contains the mass and everything that resists motion, so an estimate with
  // the mass alone is an upper bound.
  constexpr double kWeak = 0.1;
  const std::vector<double>& mass = equation_.system().mass();
  const std::vector<RankOneTerm> terms = equation_.rank_one_terms();
  std::vector<double> strengths(terms.size(), 0.0);
  for (std::size_t k = 0; k < terms.size(); ++k)
    for (std::size_t v = 0; v < terms[k].vertices.size(); ++v)
      strengths[k] += std::abs(terms[k].coefficient) * terms[k].gradient[v].squaredNorm() / mass[terms[k].vertices[v]];
  sum_over_ranks(equation_.system().communicator(), strengths);
  strong_.clear();
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (strengths[k] > kWeak) strong_.push_back(k);
  terms_.clear();
  for (const std::size_t k : strong_) terms_.push_back(terms[k]);
}

void RankOneCorrection::apply(Vec x, Vec y) {
  check_petsc(PCApply(inner_, x, y));
  if (terms_.empty()) return;
  Eigen::VectorXd products(weights_.cols());
  multiply_transposed(terms_, y, products.data());
  sum_over_ranks(equation_.system().communicator(), {products.data(), static_cast<std::size_t>(products.size())});
  const Eigen::VectorXd shares = -weights_ * products;
  check_petsc(VecMAXPY(y, static_cast<PetscInt>(shares.size()), shares.data(), objects_of(solved_).data()));
}

bool RankOneCorrection::correct(Vec v, Vec trial) {
  constexpr int kIterations = 3;  // slopes are kept from v
  if (terms_.empty()) return false;
  const MPI_Comm communicator = equation_.system().communicator();
  const std::vector<RankOneTerm> all = equation_.rank_one_terms();
  std::vector<RankOneTerm> terms;     // strong and curved terms
  std::vector<std::size_t> ordinals;  // indices of the strong terms among all curved ones
  std::vector<Vec> ways;              // the columns of Z
  for (std::size_t k = 0, curved = 0, strong = 0; k < all.size(); ++k) {
    const bool is_strong = strong < strong_.size() && strong_[strong] == k;
    if (is_strong && all[k].curved) {
      terms.push_back(all[k]);
      ordinals.push_back(curved);
      ways.push_back(solved_[strong]);
    }
    curved += all[k].curved ? 1 : 0;
    strong += is_strong ? 1 : 0;
  }
  if (terms.empty()) return false;
  const auto count = static_cast<Eigen::Index>(terms.size());
  const auto changes_along = [&](Vec x) -> Eigen::VectorXd {  // changes of the quantities, to first order
    Eigen::VectorXd products(count);
    multiply_transposed(terms, x, products.data());
    sum_over_ranks(communicator, {products.data(), terms.size()});
    return equation_.stage().step * products;
  };
  const auto quantities_at = [&](Vec x) {
    const std::vector<double> quantities = equation_.rank_one_quantities(x);
    Eigen::VectorXd chosen(count);
    for (Eigen::Index k = 0; k < count; ++k) chosen[k] = quantities[ordinals[k]];
    return chosen;
  };
  check_petsc(VecWAXPY(work_, -1, v, trial));
  const Eigen::VectorXd foretold = quantities_at(v) + changes_along(work_);
  Eigen::MatrixXd slopes(count, count);
  for (Eigen::Index k = 0; k < count; ++k) slopes.col(k) = changes_along(ways[k]);
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(slopes);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Eigen::VectorXd shares = factor.solve(foretold - quantities_at(trial));
    if (!shares.allFinite()) return false;
    check_petsc(VecMAXPY(trial, static_cast<PetscInt>(count), shares.data(), ways.data()));
  }
  return true;
}

void RankOneCorrection::multiply_transposed(const std::vector<RankOneTerm>& terms, Vec x, double* products) const {
  const PetscScalar* values = nullptr;
  check_petsc(VecGetArrayRead(x, &values));
  for (std::size_t k = 0; k < terms.size(); ++k) {
    products[k] = 0;
    for (std::size_t v = 0; v < terms[k].vertices.size(); ++v)
      products[k] += terms[k].gradient[v].dot(Eigen::Map<const Vec3>(values + 3 * terms[k].vertices[v]));
  }
  check_petsc(VecRestoreArrayRead(x, &values));
}

}  // namespace traction
