#include "solver/dense_factor.h"

#include <algorithm>
#include <numeric>

#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

constexpr double kMostVertices = 64;  // with as many a step takes half of the time that MUMPS needs; the work grows with the cube

}  // namespace

// Exact factors keep the symmetry of a mesh that deforms alike everywhere, and Newton's method may then alternate between the branches of a law with a kink.
bool DenseFactor::suits() {
  const System& system = matrix_.equation().system();
  if (system.mesh().frames.empty()) return false;
  coupled_ = matrix_.coupled_vertices();
  const double all = sum_over_ranks(system.communicator(), std::accumulate(coupled_.begin(), coupled_.end(), 0.0));
  return all > 0 && all <= kMostVertices;
}

bool DenseFactor::factorize() {
  constexpr std::size_t kNumbers = 11;  // row, column and nine entries of a block
  const Halo& halo = matrix_.equation().system().halo();
  std::vector<double> own;
  bool is_regular = true;
  inverses_.assign(coupled_.size(), Mat3::Zero());
  matrix_.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) {
    const PetscInt vertex = row - halo.first_owned();
    if (!coupled_[vertex]) {
      bool is_invertible = false;
      blocks[std::find(columns.begin(), columns.end(), row) - columns.begin()].computeInverseWithCheck(inverses_[vertex], is_invertible, 0);
      is_regular = is_regular && is_invertible;
      return;
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      own.insert(own.end(), {static_cast<double>(row), static_cast<double>(columns[k])});
      own.insert(own.end(), blocks[k].data(), blocks[k].data() + blocks[k].size());
    }
  });
  const std::vector<double> all = concatenated_over_ranks(halo.communicator(), own);
  std::vector<double> vertices;  // ascending
  for (std::size_t at = 0; at < all.size(); at += kNumbers)
    if (vertices.empty() || vertices.back() != all[at]) vertices.push_back(all[at]);
  const auto number = [&](double vertex) { return std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin(); };
  first_ = static_cast<int>(number(static_cast<double>(halo.first_owned())));
  const auto size = static_cast<Eigen::Index>(3 * vertices.size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t at = 0; at < all.size(); at += kNumbers) {
    const auto row = number(all[at]), column = number(all[at + 1]);
    // A preconditioner may do without the influence of a vertex that nothing else influences.
    if (column == std::ssize(vertices) || vertices[column] != all[at + 1]) continue;
    dense.block<3, 3>(3 * row, 3 * column) = Eigen::Map<const Mat3>(all.data() + at + 2);
  }
  factor_.compute(dense);
  const auto& factors = factor_.matrixLU();
  is_regular = is_regular && factors.allFinite() && (factors.diagonal().array() != 0).all();
  return minimum_over_ranks(halo.communicator(), is_regular ? 1 : 0) > 0;
}

void DenseFactor::solve(Vec right_side, Vec solution) const {
  const PetscScalar* input = nullptr;
  PetscScalar* output = nullptr;
  check_petsc(VecGetArrayRead(right_side, &input));
  check_petsc(VecGetArrayWrite(solution, &output));
  std::vector<double> own;
  for (std::size_t i = 0; i < coupled_.size(); ++i) {
    const double* values = input + 3 * i;
    if (coupled_[i]) own.insert(own.end(), values, values + 3);
    else Eigen::Map<Vec3>(output + 3 * i) = inverses_[i] * Eigen::Map<const Vec3>(values);
  }
  const std::vector<double> all = concatenated_over_ranks(matrix_.equation().system().communicator(), own);
  const Eigen::VectorXd solved = factor_.solve(Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size())));
  Eigen::Index at = 3 * first_;
  for (std::size_t i = 0; i < coupled_.size(); ++i) {
    if (!coupled_[i]) continue;
    Eigen::Map<Vec3>(output + 3 * i) = solved.segment<3>(at);
    at += 3;
  }
  check_petsc(VecRestoreArrayWrite(solution, &output));
  check_petsc(VecRestoreArrayRead(right_side, &input));
}

}  // namespace traction
