// Whether this rank is the one that prints.
#pragma once

#include <petscsys.h>

namespace traction::test {

inline bool first_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

}  // namespace traction::test
