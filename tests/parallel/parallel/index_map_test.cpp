#include "parallel/index_map.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/random_indices.h"

namespace traction {
namespace {

TEST(IndexMap, OwnedRangesAreContiguousInRankOrder) {
  const int rank = test::rank_in(PETSC_COMM_WORLD), size = test::size_of(PETSC_COMM_WORLD);
  for (const unsigned seed : {7u, 8u}) {  // in one the first rank is empty, in the other the second
    const test::RandomIndices indices(PETSC_COMM_WORLD, seed, true);
    const IndexMap map = indices.map(PETSC_COMM_WORLD);
    EXPECT_EQ(map.first_owned(), indices.first[rank]);
    EXPECT_EQ(map.global_count(), indices.first[size]);
    EXPECT_EQ(map.owned(), indices.owned[rank]);
    EXPECT_EQ(map.ghosts(), static_cast<int>(indices.ghosts.size()));
    EXPECT_EQ(map.local(), map.owned() + map.ghosts());
    std::vector<PetscInt> expected(map.owned());
    std::iota(expected.begin(), expected.end(), map.first_owned());
    expected.insert(expected.end(), indices.ghosts.begin(), indices.ghosts.end());
    EXPECT_EQ(map.to_global(), expected);
  }
}

TEST(IndexMap, KnowsEveryIndexsOwner) {
  for (const unsigned seed : {7u, 8u}) {
    const test::RandomIndices indices(PETSC_COMM_WORLD, seed, true);
    const IndexMap map = indices.map(PETSC_COMM_WORLD);
    for (int r = 0; r < test::size_of(PETSC_COMM_WORLD); ++r) {
      EXPECT_EQ(map.first_of(r), indices.first[r]);
      for (PetscInt index = indices.first[r]; index < indices.first[r + 1]; ++index) EXPECT_EQ(map.owner_of(index), r) << index;
    }
  }
}

}  // namespace
}  // namespace traction
