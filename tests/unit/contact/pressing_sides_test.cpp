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

TEST(PressingSides, PartsMakeSurfacesThatAreAlikeFine) {
  EXPECT_EQ(parts_against(kBlock, {0.1, 0.0025}), 1);
  EXPECT_EQ(parts_against({0.1, 0.025}, kBlock), 1);
  EXPECT_EQ(parts_against({0.1, 0.026}, kBlock), 2);
  EXPECT_EQ(parts_against({0.1, 0.026}, {0.06, 0.02}), 2);
  EXPECT_EQ(parts_against({0.1, 0.031}, {0.06, 0.02}), 3);
  EXPECT_EQ(parts_against({0.06, 0.02}, {0.1, 0.031}), 2);
  EXPECT_EQ(parts_against({0.1, 0.3}, {0.1, 0.3}), 8);
  EXPECT_EQ(parts_against({0, 0.3}, {0.1, 0.3}), 1);
}

TEST(PressingSides, PartsMakeASurfaceAsFineAsTheOther) {
  EXPECT_EQ(parts_against(kBlock, {0.3, 0.05}), 1);
  EXPECT_EQ(parts_against(kBlock, {0.3, 0.02}), 1);
  EXPECT_EQ(parts_against(kBlock, {0.3, 0.0199}), 2);
  EXPECT_EQ(parts_against(kBlock, {0.3, 0.0025}), 8);
  EXPECT_EQ(parts_against({0.3, 0.0025}, kBlock), 1);
}

}  // namespace
}  // namespace traction
