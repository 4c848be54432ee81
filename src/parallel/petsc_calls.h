// Calls of PETSc that may fail for a reason that the user can change, such as a wrong option.
#pragma once

#include <petscsys.h>

#include <functional>
#include <optional>
#include <string>

namespace traction {

/// Makes calls of PETSc whose errors become messages instead of ending the program.
class PetscCalls {
 public:
  /// @collective
  explicit PetscCalls(MPI_Comm communicator);
  ~PetscCalls();
  PetscCalls(const PetscCalls&) = delete;
  PetscCalls& operator=(const PetscCalls&) = delete;

  /// Makes calls in which PETSc neither prints nor ends the program. Returns PETSc's message about the first error of the lowest rank that has one, on all
  /// ranks; nothing if all ranks succeed. If some ranks fail and the others wait for them without returning for a minute, the program ends with the message and
  /// exit code 4. @collective
  std::optional<std::string> complaint(const std::function<PetscErrorCode()>& calls) const;

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;  ///< a duplicate: other ranks may be in a collective call on the original
};

}  // namespace traction
