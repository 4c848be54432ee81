// Owned and ghost vertices of one rank, and the one exchange that keeps ghosts up to date (docs/theory/parallel.md, "Owned and ghost vertices").
#pragma once

#include "parallel/scatter.h"

namespace traction {

/// Work is split so that a halo exchange hides behind the first part: `interior` reads owned vertices only, `boundary` may read ghosts and communicate.
enum class Zone { interior, boundary };

/// The index map of a mesh's vertices, and the scatter that copies fields to its ghosts: 3 doubles per local vertex.
class Halo : public IndexMap {
 public:
  /// `ghosts`: global numbers of this rank's ghost vertices, in local order. @collective
  Halo(MPI_Comm communicator, int owned, std::vector<PetscInt> ghosts) : IndexMap(communicator, owned, std::move(ghosts)), fields_(*this, 3) {}

  /// Starts copying owners' values into the ghosts of `values`. Until the end of the exchange the owned part may be read, but not the ghosts, and neither may
  /// be written: interior work is done meanwhile. @collective
  void begin_exchange(std::span<double> values) const { fields_.begin(values); }
  void end_exchange(std::span<double> values) const { fields_.end(values); }
  void exchange(std::span<double> values) const { fields_.forward(values); }

 private:
  Scatter fields_;
};

}  // namespace traction
