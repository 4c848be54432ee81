#include "contact/pressing_sides.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

constexpr SurfaceScale kBlock{0.1, 0.02};

PressingSide reversed(PressingSide side) { return side == PressingSide::own ? PressingSide::other : side == PressingSide::other ? PressingSide::own : side; }

void expect_side(const SurfaceScale& own, const SurfaceScale& other, PressingSide side) {
  EXPECT_EQ(pressing_side(own, other), side);
  EXPECT_EQ(pressing_side(other, own), reversed(side));
}

TEST(PressingSides, BodiesThatAreAlikeShare) {
  expect_side(kBlock, kBlock, PressingSide::both);
  expect_side(kBlock, {0.2, 0.02}, PressingSide::both);
  expect_side(kBlock, {0.1, 0.16}, PressingSide::both);
  EXPECT_EQ(parts_to_match(kBlock, {0.1, 0.0025}), 1);
}

TEST(PressingSides, MuchSmallerBodyPressesAlone) {
  expect_side(kBlock, {0.21, 0.02}, PressingSide::own);
  expect_side(kBlock, {0.21, 0.0025}, PressingSide::own);
  expect_side(kBlock, {0.21, 0.16}, PressingSide::own);
}

TEST(PressingSides, MuchFinerSurfacePressesAlone) {
  expect_side(kBlock, {0.1, 0.002}, PressingSide::other);
  expect_side(kBlock, {10, 0.002}, PressingSide::other);
  expect_side(kBlock, {0.01, 0.2}, PressingSide::own);
}

TEST(PressingSides, BodiesOfUnknownSizeAndRodsShare) {
  expect_side(kBlock, {0, 0.02}, PressingSide::both);
  expect_side(kBlock, {10, 0}, PressingSide::both);
}

TEST(PressingSides, PartsMakeASurfaceAsFineAsTheOther) {
  EXPECT_EQ(parts_to_match(kBlock, {0.3, 0.05}), 1);
  EXPECT_EQ(parts_to_match(kBlock, {0.3, 0.02}), 1);
  EXPECT_EQ(parts_to_match(kBlock, {0.3, 0.0199}), 2);
  EXPECT_EQ(parts_to_match(kBlock, {0.3, 0.0025}), 8);
  EXPECT_EQ(parts_to_match({0.3, 0.0025}, kBlock), 1);
}

}  // namespace
}  // namespace traction
