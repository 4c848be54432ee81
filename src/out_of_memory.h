// The message for a user whose run needs more memory than the machine gives it.
#pragma once

#include <fmt/format.h>

#include <string>

namespace traction {

/// The message after an allocation failed on a rank, which ends the program with exit code 4.
inline std::string out_of_memory(int rank) {
  return fmt::format(
      "memory ran out on rank {}: the run needs more than the machine, or the limit of its processes (ulimit -v, or a batch job's), allows. 'traction check "
      "--estimate' prints what a run needs; raise the limit, use more nodes, a coarser mesh, or solver.preconditioner: ml",
      rank);
}

}  // namespace traction
