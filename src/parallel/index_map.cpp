#include "parallel/index_map.h"

#include <algorithm>
#include <numeric>

namespace traction {

IndexMap::IndexMap(MPI_Comm communicator, int owned, std::vector<PetscInt> ghosts) : communicator_(communicator), owned_(owned), ghosts_(std::move(ghosts)) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(communicator_, &rank);
  MPI_Comm_size(communicator_, &ranks);
  end_of_.resize(ranks);
  const PetscInt count = owned_;
  MPI_Allgather(&count, 1, MPIU_INT, end_of_.data(), 1, MPIU_INT, communicator_);
  std::partial_sum(end_of_.begin(), end_of_.end(), end_of_.begin());
  first_owned_ = first_of(rank);
}

std::vector<PetscInt> IndexMap::to_global() const {
  std::vector<PetscInt> map(static_cast<std::size_t>(local()));
  for (int i = 0; i < local(); ++i) map[i] = to_global(i);
  return map;
}

int IndexMap::owner_of(PetscInt global) const { return static_cast<int>(std::upper_bound(end_of_.begin(), end_of_.end(), global) - end_of_.begin()); }

}  // namespace traction
