// Index maps that all ranks can compute, for tests of communication along them.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "parallel/index_map.h"
#include "support/shared_folder.h"

namespace traction::test {

// How many indices each rank owns, every other rank none if asked for, and random ghosts of this rank.
struct RandomIndices {
  std::vector<int> owned;
  std::vector<PetscInt> first, ghosts;  // first: of each rank, then the number of all

  RandomIndices(MPI_Comm communicator, unsigned seed, bool may_be_empty) {
    const int rank = rank_in(communicator), size = size_of(communicator);
    std::mt19937 generator(seed);
    first.push_back(0);
    for (int r = 0; r < size; ++r) {
      const bool empty = may_be_empty && (r + seed) % 2 == 1 && size > 1;
      owned.push_back(empty ? 0 : 5 + static_cast<int>(generator() % 40));
      first.push_back(first.back() + owned.back());
    }
    std::mt19937 mine(seed + 100 * rank);
    std::vector<PetscInt> others;
    for (PetscInt vertex = 0; vertex < first.back(); ++vertex)
      if (vertex < first[rank] || vertex >= first[rank + 1]) others.push_back(vertex);
    std::shuffle(others.begin(), others.end(), mine);
    others.resize(others.empty() ? 0 : mine() % (others.size() + 1));
    ghosts = others;  // in no particular order
  }

  IndexMap map(MPI_Comm communicator) const { return {communicator, owned[rank_in(communicator)], ghosts}; }

  // The indices that a rank wants copies of, known to all ranks: any indices, including its own and repeated ones; none on the last of several ranks.
  std::vector<PetscInt> wanted_by(int rank, unsigned seed) const {
    const int size = static_cast<int>(owned.size());
    if (first.back() == 0 || (size > 1 && rank == size - 1)) return {};
    std::mt19937 generator(seed + 1000 * rank);
    std::vector<PetscInt> wanted(3 * first.back());
    for (PetscInt& index : wanted) index = static_cast<PetscInt>(generator() % first.back());
    return wanted;
  }
};

}  // namespace traction::test
