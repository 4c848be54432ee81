// Defines which indices of a global numbering a rank owns, and which of other ranks' it has copies of.
#pragma once

#include <petscsys.h>

#include <span>
#include <vector>

namespace traction {

/// Each rank owns a contiguous range of the global indices, in the order of the ranks; a range may be empty. Local indices number the owned ones first (0 ..
/// owned-1, global first_owned + local), then the ghosts, which other ranks own.
class IndexMap {
 public:
  /// `ghosts`: global indices of this rank's ghosts, in local order. @collective
  IndexMap(MPI_Comm communicator, int owned, std::vector<PetscInt> ghosts = {});

  MPI_Comm communicator() const { return communicator_; }
  int owned() const { return owned_; }
  int ghosts() const { return static_cast<int>(ghosts_.size()); }
  int local() const { return owned_ + ghosts(); }
  PetscInt first_owned() const { return first_owned_; }
  PetscInt global_count() const { return end_of_.back(); }
  PetscInt to_global(int local) const { return local < owned_ ? first_owned_ + local : ghosts_[local - owned_]; }
  std::vector<PetscInt> to_global() const;  ///< global indices of all local ones
  std::span<const PetscInt> global_ghosts() const { return ghosts_; }
  int owner_of(PetscInt global) const;                                             ///< a rank
  PetscInt first_of(int rank) const { return rank == 0 ? 0 : end_of_[rank - 1]; }  ///< the first index that a rank owns, if it owns any

 private:
  MPI_Comm communicator_;
  int owned_;
  std::vector<PetscInt> ghosts_;
  std::vector<PetscInt> end_of_;  ///< end of each rank's range
  PetscInt first_owned_ = 0;
};

}  // namespace traction
