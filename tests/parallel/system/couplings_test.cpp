// Every rank provides blocks between any vertices; each owner receives their sum.

#include "system/couplings.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace traction {
namespace {

// Rank 1 owns nothing, the others more and more.
int owned_by(int rank) { return rank == 1 ? 0 : 5 + rank; }

std::vector<Coupling> given_by(int rank, int vertices) {
  std::mt19937 generator(static_cast<unsigned>(rank));
  std::uniform_int_distribution<PetscInt> vertex(0, vertices - 1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Coupling> list(rank == 2 ? 0 : 400);  // many of the same place
  for (Coupling& coupling : list) {
    coupling.row = vertex(generator);
    coupling.column = vertex(generator);
    for (int i = 0; i < 9; ++i) coupling.block(i) = number(generator);
  }
  return list;
}

bool is_fixed(PetscInt vertex) { return vertex % 4 == 2; }

TEST(Couplings, OwnersOfRowsGetTheSumInTheOrderOfTheRanks) {
  int rank = 0, ranks = 1, vertices = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  for (int r = 0; r < ranks; ++r) vertices += owned_by(r);
  const IndexMap map(PETSC_COMM_WORLD, owned_by(rank));
  std::vector<char> fixed;
  for (int i = 0; i < map.owned(); ++i) fixed.push_back(is_fixed(map.to_global(i)));

  std::map<std::pair<PetscInt, PetscInt>, Mat3> expected;  // in the required order
  const auto add = [](auto& sums, const std::pair<PetscInt, PetscInt>& place, const Mat3& block) {
    const auto [sum, is_new] = sums.try_emplace(place, block);
    if (!is_new) sum->second += block;
  };
  for (int r = 0; r < ranks; ++r) {
    std::map<std::pair<PetscInt, PetscInt>, Mat3> of_one;
    for (const Coupling& coupling : given_by(r, vertices)) add(of_one, {coupling.row, coupling.column}, coupling.block);
    for (const auto& [place, block] : of_one) {
      const PetscInt local = place.first - map.first_owned();
      if (local >= 0 && local < map.owned() && !is_fixed(place.first) && !is_fixed(place.second)) add(expected, place, block);
    }
  }
  const std::vector<Coupling> sums = sum_couplings(map, given_by(rank, vertices), fixed);
  ASSERT_EQ(sums.size(), expected.size());
  auto next = expected.begin();
  for (const Coupling& sum : sums) {
    EXPECT_EQ(std::pair(sum.row, sum.column), next->first);
    EXPECT_EQ(sum.block, next->second);  // to the last bit
    ++next;
  }
}

TEST(Couplings, ThereMayBeNone) {
  const IndexMap vertices(PETSC_COMM_WORLD, 3);
  EXPECT_TRUE(sum_couplings(vertices, {}, std::vector<char>{0, 0, 0}).empty());
}

}  // namespace
}  // namespace traction
