#include "app/blas_buffer.h"

#include <petscmat.h>
#include <sys/mman.h>

#include <cstddef>

#include "errors.h"
#include "out_of_memory.h"
#include "parallel/collective.h"
#include "parallel/petsc_calls.h"
#include "parallel/petsc_handle.h"

namespace traction {

void take_blas_buffer(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  constexpr std::size_t kRoom = std::size_t{256} << 20;  // more than OpenBLAS takes
  on_all_ranks(communicator, [&] {
    void* room = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) throw FileError(out_of_memory(rank));
    munmap(room, kRoom);
    constexpr PetscInt kSize = 128;  // smaller products use no buffer
    PetscHandle<Mat> matrix, product;
    check_petsc(MatCreateSeqDense(PETSC_COMM_SELF, kSize, kSize, nullptr, matrix.receive()));
    check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    check_petsc(MatMatMult(matrix, matrix, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.receive()));
  });
}

}  // namespace traction
