#include "parallel/halo.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_indices.h"

namespace traction {
namespace {

double value_of(PetscInt vertex, int component, int round) { return 1000.0 * round + 3.0 * vertex + 0.25 * component; }

TEST(Halo, GhostsReceiveTheirOwnersValues) {
  const int rank = test::rank_in(PETSC_COMM_WORLD);
  for (unsigned seed = 0; seed < 6; ++seed) {
    const test::RandomIndices layout(PETSC_COMM_WORLD, seed, seed % 2 == 1);
    const Halo halo(PETSC_COMM_WORLD, layout.owned[rank], layout.ghosts);
    std::vector<double> values(3 * halo.local(), -1);
    for (int round = 0; round < 3; ++round) {  // the same object is used again
      for (int i = 0; i < halo.owned(); ++i)
        for (int k = 0; k < 3; ++k) values[3 * i + k] = value_of(halo.to_global(i), k, round);
      halo.exchange(values);
      int wrong = 0;
      for (int i = 0; i < halo.local(); ++i)
        for (int k = 0; k < 3; ++k)
          if (values[3 * i + k] != value_of(halo.to_global(i), k, round)) ++wrong;
      EXPECT_EQ(wrong, 0) << "seed " << seed << ", round " << round;
    }
  }
}

// Between begin and end the owned values may be read.
TEST(Halo, OwnedValuesStandDuringAnExchange) {
  const int rank = test::rank_in(PETSC_COMM_WORLD);
  const test::RandomIndices layout(PETSC_COMM_WORLD, 3, false);
  const Halo halo(PETSC_COMM_WORLD, layout.owned[rank], layout.ghosts);
  std::vector<double> values(3 * halo.local(), -1);
  for (int i = 0; i < 3 * halo.owned(); ++i) values[i] = value_of(halo.to_global(i / 3), i % 3, 1);
  const std::vector<double> before(values.begin(), values.begin() + 3 * halo.owned());
  halo.begin_exchange(values);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), values.begin()));
  halo.end_exchange(values);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), values.begin()));
}

// Two halos on one communicator, their exchanges interleaved: neither takes the other's messages.
TEST(Halo, TwoHalosDoNotMixTheirMessages) {
  const int rank = test::rank_in(PETSC_COMM_WORLD);
  const test::RandomIndices first(PETSC_COMM_WORLD, 21, false), second(PETSC_COMM_WORLD, 22, false);
  const Halo a(PETSC_COMM_WORLD, first.owned[rank], first.ghosts), b(PETSC_COMM_WORLD, second.owned[rank], second.ghosts);
  std::vector<double> at_a(3 * a.local(), -1), at_b(3 * b.local(), -1);
  for (int i = 0; i < 3 * a.owned(); ++i) at_a[i] = value_of(a.to_global(i / 3), i % 3, 1);
  for (int i = 0; i < 3 * b.owned(); ++i) at_b[i] = value_of(b.to_global(i / 3), i % 3, 2);
  a.begin_exchange(at_a);
  b.begin_exchange(at_b);
  a.end_exchange(at_a);
  b.end_exchange(at_b);
  for (int i = 0; i < 3 * a.local(); ++i) ASSERT_EQ(at_a[i], value_of(a.to_global(i / 3), i % 3, 1));
  for (int i = 0; i < 3 * b.local(); ++i) ASSERT_EQ(at_b[i], value_of(b.to_global(i / 3), i % 3, 2));
}

}  // namespace
}  // namespace traction
