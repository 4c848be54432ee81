#include "parallel/petsc_calls.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace traction {

namespace {

constexpr double kPatience = 60;  // [s] that a failed rank waits for the others to return

PetscErrorCode keep_words(MPI_Comm, int, const char*, const char*, PetscErrorCode error, PetscErrorType kind, const char* words, void* kept) {
  auto& text = *static_cast<std::string*>(kept);
  if (kind == PETSC_ERROR_INITIAL && text.empty() && words) text = words;
  return error;
}

// Collects PETSc's error messages in a text during its lifetime.
class KeptErrors {
 public:
  explicit KeptErrors(std::string& text) { PetscPushErrorHandler(keep_words, &text); }
  ~KeptErrors() { PetscPopErrorHandler(); }
  KeptErrors(const KeptErrors&) = delete;
  KeptErrors& operator=(const KeptErrors&) = delete;
};

}  // namespace

PetscCalls::PetscCalls(MPI_Comm communicator) { MPI_Comm_dup(communicator, &communicator_); }

PetscCalls::~PetscCalls() { MPI_Comm_free(&communicator_); }

std::optional<std::string> PetscCalls::complaint(const std::function<PetscErrorCode()>& calls) const {
  std::string words;
  PetscErrorCode error = 0;
  {
    const KeptErrors kept(words);
    error = calls();
  }
  if (error && words.empty()) {
    const char* kind = nullptr;
    PetscErrorMessage(error, &kind, nullptr);
    words = kind ? kind : "no reason given";
  }
  std::replace(words.begin(), words.end(), '\n', ' ');
  int rank = 0, ranks = 1;
  MPI_Comm_rank(communicator_, &rank);
  MPI_Comm_size(communicator_, &ranks);
  int failing = error ? rank : ranks;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, &failing, 1, MPI_INT, MPI_MIN, communicator_, &request);
  if (error && ranks > 1) {
    const auto start = std::chrono::steady_clock::now();
    for (int done = 0; !done;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (!done && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > kPatience) {
        std::cerr << "traction: error: rank " << rank << ": PETSc failed on this rank alone: " << words << std::endl;
        MPI_Abort(communicator_, 4);
      }
      if (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } else {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (failing == ranks) return std::nullopt;
  int length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, failing, communicator_);
  words.resize(static_cast<std::size_t>(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, failing, communicator_);
  return words;
}

}  // namespace traction
