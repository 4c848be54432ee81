// PETSc's table of the costs of its functions, -log_view.
#pragma once

#include <mpi.h>

namespace traction {

/// If the option -log_view is set, lets PETSc count from now on, and tries where the table is to be written at the end: PETSc itself looks at options of a
/// scene too late, and at the destination only when it is too late to report an error. Throws InputError on all ranks. @collective
void begin_petsc_log(MPI_Comm communicator);

}  // namespace traction
