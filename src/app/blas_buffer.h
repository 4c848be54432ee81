// Memory of the BLAS library.
#pragma once

#include <mpi.h>

namespace traction {

/// Makes the BLAS library allocate its working buffer while memory is available: OpenBLAS allocates it at its first use, and retries for ever if it cannot.
/// Throws FileError on all ranks when memory is short. @collective
void take_blas_buffer(MPI_Comm communicator);

}  // namespace traction
