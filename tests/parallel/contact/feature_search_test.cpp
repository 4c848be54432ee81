// Searches for paths: those that begin where the last search does not suffice any more share a new one, which is also that of the next update.

#include "contact/feature_search.h"

#include <gtest/gtest.h>

#include "parallel/collective.h"

namespace traction {
namespace {

constexpr double kThicknessBetweenSquares = 0.1;  // searches reach half as far again at least [m]

// Two horizontal squares of side 1 that belong to two bodies, each on another rank if there are several. `height`: of the second one above the first [m].
State squares_at(double height) {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  std::vector<Vec3> points;
  for (int k = 0; k < 2; ++k)
    if (k % size == rank)
      for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) points.emplace_back(x + 0.3 * k, y + 0.2 * k, height * k);
  State state(static_cast<int>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) state.q[static_cast<int>(i)] = points[i];
  return state;
}

FeatureSearch search_between_squares() {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  std::vector<ContactSurface> surfaces(2);
  int owned = 0;
  for (int k = 0; k < 2; ++k) {
    surfaces[k].body = k;
    if (k % size != rank) continue;
    for (int i = 0; i < 4; ++i) surfaces[k].vertices.push_back({owned + i});
    for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {2, 3}, {0, 3}, {0, 2}}) surfaces[k].edges.push_back({.ends = {owned + a, owned + b}, .length = 1});
    surfaces[k].triangles = {{owned, owned + 1, owned + 2}, {owned, owned + 2, owned + 3}};
    owned += 4;
  }
  const std::vector<char> nothing(static_cast<std::size_t>(owned), 0);
  return {std::make_shared<const Halo>(PETSC_COMM_WORLD, owned, std::vector<PetscInt>{}),
          surfaces,
          SurfacePairs{{0, 1}, {0, 0}, {}},
          {squares_at(1).q, Field(owned)},
          {nothing, nothing},
          kThicknessBetweenSquares};
}

// Numbers of vertices with a triangle, and of pairs of edges, of all ranks.
std::array<double, 2> pairs_of(const NearbyFeatures& found) {
  std::array<double, 2> count{0, static_cast<double>(found.edge_pairs.size())};
  for (const auto& query : found.queries) count[0] += static_cast<double>(query.triangles.size());
  sum_over_ranks(PETSC_COMM_WORLD, count);
  return count;
}

TEST(FeatureSearch, PathsFromOnePlaceShareASearch) {
  FeatureSearch search = search_between_squares();
  search.update(squares_at(0.3));
  EXPECT_EQ(pairs_of(*search.nearby())[0], 0);  // farther apart than thickness and margin
  const State start = squares_at(0.16);
  const auto first = search.along(start, squares_at(0.12));
  EXPECT_GT(pairs_of(*first)[0], 0);
  EXPECT_EQ(search.along(start, squares_at(0.1)), first);
  EXPECT_EQ(search.along(start, start), first);
  EXPECT_EQ(pairs_of(*search.nearby())[0], 0);  // the last update's outcome stays until the next one
  EXPECT_EQ(search.searches(), 2);
  search.update(squares_at(0.1));
  EXPECT_EQ(search.nearby(), first);
  EXPECT_EQ(search.searches(), 2);
  // All that a search around the end finds is among it.
  FeatureSearch fresh = search_between_squares();
  fresh.update(squares_at(0.1));
  for (int i = 0; i < 2; ++i) EXPECT_GE(pairs_of(*first)[i], pairs_of(*fresh.nearby())[i]);
}

TEST(FeatureSearch, LongPathsHaveASearchOfTheirOwn) {
  FeatureSearch search = search_between_squares();
  search.update(squares_at(5));
  const State start = squares_at(4.99), end = squares_at(-1);
  const auto found = search.along(start, end);
  EXPECT_GT(pairs_of(*found)[0], 0);
  EXPECT_GT(pairs_of(*found)[1], 0);
  EXPECT_NE(search.along(start, end), found);
  EXPECT_EQ(pairs_of(*search.nearby())[0], 0);
  EXPECT_EQ(search.searches(), 1);
}

}  // namespace
}  // namespace traction
