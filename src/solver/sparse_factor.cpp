#include "solver/sparse_factor.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

enum Job { kStart = -1, kEnd = -2, kAnalyse = 1, kFactorize = 2, kSolve = 3 };
constexpr int kSingular = -6;                    // MUMPS' number for it
constexpr int kTooSmall[] = {-8, -9, -17, -20};  // MUMPS: integer or real workspace, or a buffer
constexpr int kMaximumWorkspace = 1000;          // percent beyond MUMPS' estimate
constexpr PetscInt kFewToShare = 1000;           // below this number of vertices ranks that share a factor exchange messages for longer than one of them works

// The meaning of an error of MUMPS for the user, and the remedy (MUMPS' users' guide, "Error diagnostics").
const char* meaning_of(int error) {
  switch (error) {
    case kSingular:
    case -10:
      return "the matrix is singular: nothing holds a body, or a part of it, against some motion, or elements have lost all stiffness; hold a region there, or "
             "take shorter steps";
    case -8:
    case -9:
    case -17:
    case -20:
      return "its workspace is too small, even with ten times the size that it estimated: the matrix is all but singular, because hardly anything holds a body "
             "or a part of it, or because stiffnesses differ too much; hold a region there, or use solver.preconditioner: mumps";
    case -5:
    case -7:
    case -13:
    case -19: return "it ran out of memory: use solver.preconditioner: ml, or more nodes";
    case -51:
    case -52: return "the matrix is too large for its 32-bit integers: use solver.preconditioner: ml";
    default: return "the users' guide of MUMPS explains this number under \"Error diagnostics\"; solver.preconditioner: ml does not need MUMPS";
  }
}

template <typename Real>
const MPI_Datatype kMpiType = std::is_same_v<Real, float> ? MPI_FLOAT : MPI_DOUBLE;

}  // namespace

template <typename Real>
SparseFactor<Real>::SparseFactor(const StageMatrix& matrix, bool by_first_rank)
    : matrix_(matrix), mumps_{}, by_first_rank_(by_first_rank || matrix.equation().system().halo().global_count() < kFewToShare) {
  const Halo& halo = matrix_.equation().system().halo();
  MPI_Comm_rank(halo.communicator(), &rank_);
  takes_part_ = !by_first_rank_ || rank_ == 0;
  mumps_.comm_fortran = static_cast<MUMPS_INT>(MPI_Comm_c2f(by_first_rank_ ? MPI_COMM_SELF : halo.communicator()));
  mumps_.par = 1;
  call(kStart);
  const auto control = [&](int number) -> MUMPS_INT& { return mumps_.icntl[number - 1]; };
  for (int stream = 1; stream <= 3; ++stream) control(stream) = -1;  // prints nothing
  control(4) = 0;
  control(7) = 5;    // nested dissection by METIS
  control(14) = 30;  // percent of workspace beyond the estimate
  control(15) = -3;  // blocks of 3: analyses the graph of vertices
  control(18) = 3;   // every participating rank provides its entries
  int ranks = 1;
  MPI_Comm_size(halo.communicator(), &ranks);
  const int own = 3 * halo.owned();
  counts_.resize(ranks);
  MPI_Gather(&own, 1, MPI_INT, counts_.data(), 1, MPI_INT, 0, halo.communicator());
  offsets_.assign(ranks, 0);
  for (int r = 1; r < ranks; ++r) offsets_[r] = offsets_[r - 1] + counts_[r - 1];
  local_.resize(own);
  if (rank_ == 0) all_.resize(3 * static_cast<std::size_t>(halo.global_count()));
}

template <typename Real>
SparseFactor<Real>::~SparseFactor() {
  call(kEnd);
}

template <typename Real>
void SparseFactor<Real>::call(int job) {
  if (!takes_part_) return;
  mumps_.job = job;
  if constexpr (std::is_same_v<Real, float>) smumps_c(&mumps_);
  else dmumps_c(&mumps_);
}

template <typename Real>
bool SparseFactor<Real>::factorize(bool has_new_pattern) {
  const Halo& halo = matrix_.equation().system().halo();
  rows_.clear();
  columns_.clear();
  std::vector<double> values;
  double largest = 0;
  if (has_new_pattern) analysed_ = false;
  matrix_.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          rows_.push_back(static_cast<MUMPS_INT>(3 * row + r + 1));
          columns_.push_back(static_cast<MUMPS_INT>(3 * columns[k] + c + 1));
          values.push_back(blocks[k](r, c));
          largest = std::max(largest, std::abs(blocks[k](r, c)));
        }
  });
  largest = maximum_over_ranks(halo.communicator(), largest);
  scale_ = largest > 0 ? 1 / largest : 1;
  entries_.resize(values.size());
  std::transform(values.begin(), values.end(), entries_.begin(), [&](double value) { return static_cast<Real>(scale_ * value); });
  if (by_first_rank_) gather_entries();
  mumps_.n = static_cast<MUMPS_INT>(3 * halo.global_count());
  mumps_.nnz_loc = static_cast<MUMPS_INT8>(entries_.size());
  mumps_.irn_loc = rows_.data();
  mumps_.jcn_loc = columns_.data();
  mumps_.a_loc = entries_.data();
  const bool analyses = !analysed_;
  if (analyses) {
    call(kAnalyse);
    // A first rank that factorises alone is the only one to learn of a failure.
    analysed_ = minimum_over_ranks(halo.communicator(), mumps_.infog[0] >= 0 ? 1 : 0) > 0;
    if (analysed_) count();
  }
  if (analysed_) call(kFactorize);
  while (std::count(std::begin(kTooSmall), std::end(kTooSmall), mumps_.infog[0]) && mumps_.icntl[13] < kMaximumWorkspace) {
    mumps_.icntl[13] *= 2;
    call(kAnalyse);  // this allocates space for integers
    if (mumps_.infog[0] >= 0) call(kFactorize);
  }
  failed_ = maximum_over_ranks(halo.communicator(), mumps_.infog[0] < 0 ? 1 : 0) > 0;
  return !failed_;
}

template <typename Real>
void SparseFactor<Real>::warn_of_failure() const {
  if (!failed_ || rank_ != 0) return;
  spdlog::warn("MUMPS cannot factorise the preconditioner: {} (INFOG(1) = {}, INFOG(2) = {})", meaning_of(mumps_.infog[0]), mumps_.infog[0], mumps_.infog[1]);
}

template <typename Real>
void SparseFactor<Real>::count() {
  const MUMPS_INT entries = mumps_.infog[20 - 1];  // in millions if negative
  std::array<double, 2> of_factors = {mumps_.rinfog[1 - 1], entries < 0 ? -1e6 * entries : entries};
  const MPI_Comm communicator = matrix_.equation().system().communicator();
  MPI_Bcast(of_factors.data(), 2, MPI_DOUBLE, 0, communicator);
  counts_of_work_ = {of_factors[0], of_factors[1], sum_over_ranks(communicator, static_cast<double>(mumps_.nnz_loc))};
}

// Sends all ranks' entries, in the order of ranks, to the first rank.
template <typename Real>
void SparseFactor<Real>::gather_entries() {
  const MPI_Comm communicator = matrix_.equation().system().communicator();
  const int own = static_cast<int>(entries_.size());
  std::vector<int> counts(counts_.size()), offsets(counts_.size(), 0);
  MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator);
  for (std::size_t r = 1; r < counts.size(); ++r) offsets[r] = offsets[r - 1] + counts[r - 1];
  const auto gather = [&](auto& values, MPI_Datatype type) {
    std::remove_reference_t<decltype(values)> all(rank_ == 0 ? static_cast<std::size_t>(offsets.back()) + counts.back() : 0);
    MPI_Gatherv(values.data(), own, type, all.data(), counts.data(), offsets.data(), type, 0, communicator);
    values = std::move(all);
  };
  gather(rows_, MPI_INT);
  gather(columns_, MPI_INT);
  gather(entries_, kMpiType<Real>);
}

template <typename Real>
void SparseFactor<Real>::solve(Vec right_side, Vec solution) {
  const MPI_Comm communicator = matrix_.equation().system().communicator();
  const PetscScalar* input = nullptr;
  check_petsc(VecGetArrayRead(right_side, &input));
  // The right side is scaled to 1, for the same reason as the matrix.
  double largest = 0;
  for (std::size_t k = 0; k < local_.size(); ++k) largest = std::max(largest, std::abs(input[k]));
  largest = maximum_over_ranks(communicator, largest);
  if (largest == 0) largest = 1;
  for (std::size_t k = 0; k < local_.size(); ++k) local_[k] = static_cast<Real>(input[k] / largest);
  check_petsc(VecRestoreArrayRead(right_side, &input));
  MPI_Gatherv(local_.data(), static_cast<int>(local_.size()), kMpiType<Real>, all_.data(), counts_.data(), offsets_.data(), kMpiType<Real>, 0, communicator);
  mumps_.rhs = all_.data();
  mumps_.nrhs = 1;
  mumps_.lrhs = mumps_.n;
  if (!failed_) call(kSolve);
  MPI_Scatterv(all_.data(), counts_.data(), offsets_.data(), kMpiType<Real>, local_.data(), static_cast<int>(local_.size()), kMpiType<Real>, 0, communicator);
  PetscScalar* output = nullptr;
  check_petsc(VecGetArray(solution, &output));
  for (std::size_t k = 0; k < local_.size(); ++k) output[k] = failed_ ? std::numeric_limits<double>::quiet_NaN() : local_[k] * largest * scale_;
  check_petsc(VecRestoreArray(solution, &output));
}

template class SparseFactor<float>;
template class SparseFactor<double>;

}  // namespace traction
