#include "app/petsc_log.h"

#include <fmt/format.h>
#include <petscviewer.h>

#include <array>

#include "errors.h"
#include "parallel/petsc_calls.h"
#include "parallel/petsc_handle.h"

namespace traction {

void begin_petsc_log(MPI_Comm communicator) {
  constexpr const char* kOption = "-log_view";
  PetscBool wanted = PETSC_FALSE;
  check_petsc(PetscOptionsHasName(nullptr, nullptr, kOption, &wanted));
  if (!wanted) return;
  std::array<char, PETSC_MAX_PATH_LEN> destination{};
  check_petsc(PetscOptionsGetString(nullptr, nullptr, kOption, destination.data(), destination.size(), nullptr));
  const auto complaint = PetscCalls(communicator).complaint([&]() -> PetscErrorCode {
    PetscHandle<PetscViewer> viewer;
    PetscViewerFormat format = PETSC_VIEWER_DEFAULT;
    PetscCall(PetscOptionsGetViewer(communicator, nullptr, nullptr, kOption, viewer.receive(), &format, nullptr));
    return 0;
  });
  if (complaint) {
    check_petsc(PetscOptionsClearValue(nullptr, kOption));  // PETSc would fail again when it ends
    throw InputError(
        fmt::format("PETSc refuses an option: -log_view {}: {}; leave its value out, or give a colon and a file in a folder that exists, as in "
                    ":log.txt",
                    destination.data(), *complaint));
  }
  check_petsc(PetscLogDefaultBegin());
}

}  // namespace traction
