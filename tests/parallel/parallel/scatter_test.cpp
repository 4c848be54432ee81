// Numbers reach all copies of an index, and sums of copies its owner: to the last bit, with any number of components.

#include "parallel/scatter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_indices.h"

namespace traction {
namespace {

constexpr unsigned kSeeds = 4;  // ranks may own nothing with odd ones
constexpr int kComponents[] = {1, 3, 6};

double number_of(PetscInt index, int component, int round) { return 1000.0 * round + 10.0 * static_cast<double>(index) + component; }

// The numbers of a map's owned indices, then of its ghosts, which do not have theirs yet.
std::vector<double> before_scatter(const IndexMap& map, int components, int round) {
  std::vector<double> values(static_cast<std::size_t>(components) * map.local(), -1);
  for (int i = 0; i < map.owned(); ++i)
    for (int k = 0; k < components; ++k) values[i * components + k] = number_of(map.to_global(i), k, round);
  return values;
}

int wrong(std::span<const PetscInt> indices, std::span<const double> values, int components, int round) {
  int count = values.size() == components * indices.size() ? 0 : 1;
  for (std::size_t i = 0; i < values.size(); ++i) count += values[i] != number_of(indices[i / components], static_cast<int>(i % components), round);
  return count;
}

TEST(Scatter, GhostsGetTheirOwnersNumbers) {
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    for (const int components : kComponents) {
      const IndexMap map = test::RandomIndices(PETSC_COMM_WORLD, seed, seed % 2 == 1).map(PETSC_COMM_WORLD);
      const Scatter scatter(map, components);
      EXPECT_EQ(scatter.count(), map.ghosts());
      for (int round = 0; round < 2; ++round) {  // one scatter serves again and again
        std::vector<double> values = before_scatter(map, components, round);
        scatter.forward(values);
        EXPECT_EQ(wrong(map.to_global(), values, components, round), 0) << "seed " << seed << ", components " << components;
      }
    }
}

TEST(Scatter, WantedIndicesMayBeOwnedAndComeAgain) {
  const int rank = test::rank_in(PETSC_COMM_WORLD);
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    for (const int components : kComponents) {
      const test::RandomIndices indices(PETSC_COMM_WORLD, seed, seed % 2 == 1);
      const IndexMap map = indices.map(PETSC_COMM_WORLD);
      const std::vector<PetscInt> wanted = indices.wanted_by(rank, seed);
      const Scatter scatter(map, wanted, components);
      EXPECT_EQ(scatter.count(), static_cast<int>(wanted.size()));
      std::vector<double> copies(components * wanted.size(), -1);
      scatter.forward(before_scatter(map, components, 1), copies);
      EXPECT_EQ(wrong(wanted, copies, components, 1), 0) << "seed " << seed << ", components " << components;
    }
}

// The values that a rank adds to the owners of its copies, of very different sizes, so that any other order of summation gives other bits.
std::vector<double> shares_of(int rank, std::size_t copies, int components) {
  std::vector<double> shares(copies * components);
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = std::sin(1.0 + rank + 0.7 * static_cast<double>(i)) * std::pow(10.0, static_cast<double>((i / components + 3 * rank) % 9));
  return shares;
}

TEST(Scatter, AddsCopiesToTheirOwnersInTheStatedOrder) {
  const int rank = test::rank_in(PETSC_COMM_WORLD), size = test::size_of(PETSC_COMM_WORLD);
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    for (const int components : kComponents) {
      const test::RandomIndices indices(PETSC_COMM_WORLD, seed, seed % 2 == 1);
      const IndexMap map = indices.map(PETSC_COMM_WORLD);
      std::vector<double> sums = before_scatter(map, components, 1), expected = sums;
      const auto add_shares_of = [&](int other) {
        const std::vector<PetscInt> wanted = indices.wanted_by(other, seed);
        const std::vector<double> shares = shares_of(other, wanted.size(), components);
        for (std::size_t copy = 0; copy < wanted.size(); ++copy) {
          const PetscInt local = wanted[copy] - map.first_owned();
          if (local < 0 || local >= map.owned()) continue;
          for (int k = 0; k < components; ++k) expected[local * components + k] += shares[copy * components + k];
        }
      };
      add_shares_of(rank);
      for (int other = 0; other < size; ++other)
        if (other != rank) add_shares_of(other);

      const std::vector<PetscInt> wanted = indices.wanted_by(rank, seed);
      Scatter(map, wanted, components).add_back(shares_of(rank, wanted.size(), components), sums);
      EXPECT_EQ(sums, expected) << "seed " << seed << ", components " << components;  // ghosts untouched
    }
}

// Scatters in flight at once, one a copy of another: none takes another's messages.
TEST(Scatter, ManyMayBeUnderWay) {
  const IndexMap map = test::RandomIndices(PETSC_COMM_WORLD, 21, false).map(PETSC_COMM_WORLD);
  std::vector<Scatter> scatters{Scatter(map, 1), Scatter(map, 6), Scatter(map, 3)};
  scatters.push_back(scatters[1]);
  const int components[] = {1, 6, 3, 6};
  std::vector<std::vector<double>> values;
  for (int i = 0; i < 4; ++i) values.push_back(before_scatter(map, components[i], i));
  for (int i = 0; i < 4; ++i) scatters[i].begin(values[i]);
  for (int i = 3; i >= 0; --i) scatters[i].end(values[i]);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(wrong(map.to_global(), values[i], components[i], i), 0) << i;
}

}  // namespace
}  // namespace traction
