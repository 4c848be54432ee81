#include "parallel/petsc_handle.h"

#include <string>

namespace traction {

void check_petsc(PetscErrorCode error) {
  if (error == 0) return;
  const char* kind = nullptr;
  char* details = nullptr;  // message of the last error
  PetscErrorMessage(error, &kind, &details);
  std::string message = "PETSc error " + std::to_string(error);
  for (const char* part : {kind, static_cast<const char*>(details)})
    if (part && *part) message += std::string(": ") + part;
  throw PetscFailure(message);
}

}  // namespace traction
