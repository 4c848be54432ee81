// Slits between faces of one body: each pair of faces counts within its own reach, where shells differ in thickness, whatever ranks they live on.

#include <gtest/gtest.h>

#include "contact/feature_search.h"

namespace traction {
namespace {

constexpr double kReachBeyondShells = 0.02, kThin = 0.005, kThick = 0.03;  // the contact's thickness, and halves of two shells' [m]
constexpr double kBetweenThin = 0.031, kBetweenThick = 0.05, kBetweenBoth = 0.045;

// A square of side 1 whose plane is z = height, of a body.
struct Square {
  double at, height, half;  ///< its place along x, and half its thickness [m]
  int body = 0;
};

// The slits of squares, each of which is a surface of its own; rank k has every square whose number is k more than a multiple of the number of ranks.
std::vector<FeatureSearch::Slit> slits_between(const std::vector<Square>& squares) {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  std::vector<Vec3> points;
  std::vector<ContactSurface> surfaces;
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const Square& square = squares[k];
    ContactSurface& surface = surfaces.emplace_back();
    surface.body = square.body;
    surface.offset = square.half;
    surface.is_shell = true;
    if (static_cast<int>(k) % size != rank) continue;
    const int first = static_cast<int>(points.size());
    for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) points.emplace_back(square.at + x, y, square.height);
    for (int i = 0; i < 4; ++i) surface.vertices.push_back({first + i});
    for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {2, 3}, {0, 3}, {0, 2}})
      surface.edges.push_back({.ends = {first + a, first + b}, .length = (points[first + a] - points[first + b]).norm()});
    surface.triangles = {{first, first + 1, first + 2}, {first, first + 2, first + 3}};
  }
  const int owned = static_cast<int>(points.size());
  Field positions(owned), normals(owned);
  for (int i = 0; i < owned; ++i) {
    positions[i] = points[i];
    normals[i] = Vec3::UnitZ();
  }
  const SurfacePairs pairs{std::vector<int>(squares.size(), -1), std::vector<double>(squares.size(), 0), {}};
  const std::vector<char> nothing(points.size(), 0);
  return FeatureSearch(std::make_shared<const Halo>(PETSC_COMM_WORLD, owned, std::vector<PetscInt>{}), surfaces, pairs, {positions, normals},
                       {nothing, nothing}, kReachBeyondShells)
      .slits();
}

const std::vector<Square> kThinPair = {{0, 0, kThin}, {0, kBetweenThin, kThin}};
const std::vector<Square> kThickPair = {{5, 0, kThick}, {5, kBetweenThick, kThick}};
const std::vector<Square> kMixedPair = {{10, 0, kThin}, {10, kBetweenBoth, kThick}};

std::vector<Square> together(std::vector<Square> some, const std::vector<Square>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

void expect_slit(const FeatureSearch::Slit& slit, double width, double reach, double at) {
  EXPECT_NEAR(slit.width, width, 1e-15);
  EXPECT_NEAR(slit.reach, reach, 1e-15);
  EXPECT_NEAR(slit.at.x(), at, 1);
}

TEST(Slits, ReachAsFarAsBothThicknesses) {
  const auto thick = slits_between(kThickPair), mixed = slits_between(kMixedPair);
  ASSERT_EQ(thick.size(), 1U);
  expect_slit(thick[0], kBetweenThick, kReachBeyondShells + 2 * kThick, 5);
  ASSERT_EQ(mixed.size(), 1U);
  expect_slit(mixed[0], kBetweenBoth, kReachBeyondShells + kThin + kThick, 10);
}

// Thin sheets are too far apart to be a slit from 1.05 times 0.03 m on, also where the thick ones of the same body reach further.
TEST(Slits, ThickShellsDoNotWidenTheReachOfThinOnes) {
  const auto alone = slits_between(kThinPair), beside_thick = slits_between(together(kThinPair, kThickPair));
  ASSERT_EQ(alone.size(), 1U);
  expect_slit(alone[0], kBetweenThin, kReachBeyondShells + 2 * kThin, 0);
  EXPECT_LT(kBetweenThin, 1.05 * 0.03);
  const std::vector<Square> further_apart = {{0, 0, kThin}, {0, 0.032, kThin}};
  EXPECT_TRUE(slits_between(further_apart).empty());
  ASSERT_EQ(beside_thick.size(), 1U);
  expect_slit(beside_thick[0], kBetweenThin, kReachBeyondShells + 2 * kThin, 0);
  const auto only_thick = slits_between(together(further_apart, kThickPair));
  ASSERT_EQ(only_thick.size(), 1U);
  expect_slit(only_thick[0], kBetweenThick, kReachBeyondShells + 2 * kThick, 5);
}

// The narrowest slit of each body counts, with its own reach, and faces of two bodies make none.
TEST(Slits, EveryBodyHasItsNarrowest) {
  const auto one = slits_between(together(kThickPair, kMixedPair));
  ASSERT_EQ(one.size(), 1U);
  expect_slit(one[0], kBetweenBoth, kReachBeyondShells + kThin + kThick, 10);
  std::vector<Square> other = kMixedPair;
  for (Square& square : other) square.body = 1;
  const auto two = slits_between(together(kThickPair, other));
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].body, 0);
  expect_slit(two[0], kBetweenThick, kReachBeyondShells + 2 * kThick, 5);
  EXPECT_EQ(two[1].body, 1);
  expect_slit(two[1], kBetweenBoth, kReachBeyondShells + kThin + kThick, 10);
  other[0].body = 0;
  EXPECT_TRUE(slits_between(other).empty());
}

}  // namespace
}  // namespace traction
