// Areas of contact between two bodies with meshes of different size, against (docs/theory/contact.md, "Edges and faces").
#include "contact/side_areas.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

// A square of 1 m^2 touches a plate whose vertices have an area of `coarse` each; the square's have 0.01 m^2.
double factor(double coarse, const SideAreas::Half& square, const SideAreas::Half& plate) {
  SideAreas areas(MPI_COMM_SELF, {0.01, coarse});
  SideAreas::Halves halves;
  if (square.places > 0) halves[{0, 1}] = square;
  if (plate.places > 0) halves[{1, 0}] = plate;
  areas.measure(halves);
  EXPECT_EQ(areas.factor(0, 1), areas.factor(1, 0));
  return areas.factor(0, 1);
}

TEST(SideAreas, MeshesOfOneSizeCountAlike) {
  EXPECT_NEAR(factor(0.01, {0.5, 100}, {0.5, 100}), 1, 1e-15);
  EXPECT_NEAR(factor(0.01, {0.5, 100}, {0.45, 90}), 1, 1e-15);
}

TEST(SideAreas, TheFinerSideDecides) {
  EXPECT_NEAR(factor(2, {0.5, 100}, {}), 2, 1e-4);                                                   // no vertex of the plate lies under the square
  EXPECT_NEAR(factor(2, {0.5, 100}, {1, 1}) * (0.5 + 1), 1, 1e-4);                                   // one does, and its area is twice the square's
  EXPECT_NEAR(factor(0.05, {0.5, 100}, {0.55, 22}) * 1.05, (1 + 1.1 / 25) / (1 + 1.0 / 25), 1e-12);  // a mesh five times as coarse weighs a twenty-fifth
}

// On graded meshes the vertices that touch count.
TEST(SideAreas, TheMeshWhereBodiesTouchCounts) { EXPECT_NEAR(factor(2, {0.5, 100}, {0.55, 11000}) * 1.05, 1.1, 1e-4); }

TEST(SideAreas, ATipOfTheCoarserSideIsNoLargerThanAVertexOfTheFiner) {
  EXPECT_NEAR(factor(2, {}, {1, 1}) * 1, 0.01, 2e-4);
  EXPECT_NEAR(factor(2, {}, {0.001, 1}) * 0.001, 0.002, 1e-6);
}

// Half of 1 m^2 on each side, with stiffnesses per area of 3 and 1000: 1003 N/m^3 on the whole of it is half of that on the halves' sum of 1 m^2.
TEST(SideAreas, SidesOfDifferentStiffnessPressTogether) {
  SideAreas areas(MPI_COMM_SELF, {0.01, 0.01});
  EXPECT_EQ(areas.mean_stiffness(0, 1), 0);
  areas.measure({{{0, 1}, {0.5, 50, 0.5 * 3}}, {{1, 0}, {0.5, 50, 0.5 * 1000}}});
  EXPECT_NEAR(areas.mean_stiffness(0, 1), 501.5, 1e-12);
  EXPECT_EQ(areas.mean_stiffness(1, 0), areas.mean_stiffness(0, 1));
}

// A square lies by halves on two parts of a plate, each of which touches it in a contact of its own. The factor is that of the whole; the stiffness is the own
// one.
TEST(SideAreas, PartsOfASurfaceHaveTheFactorOfTheWhole) {
  EXPECT_NEAR(factor(0.05, {0.25, 100, 0, 0.25}, {0.3, 22, 0, 0.25}), factor(0.05, {0.5, 100}, {0.55, 22}), 1e-15);
  SideAreas areas(MPI_COMM_SELF, {0.01, 0.01});
  areas.measure({{{0, 1}, {0.25, 100, 0.75, 0.25}}, {{1, 0}, {0.25, 100, 250, 0.25}}});
  EXPECT_NEAR(areas.mean_stiffness(0, 1), 501.5, 1e-12);
}

TEST(SideAreas, FactorsDoNotDependOnThoseBefore) {
  SideAreas areas(MPI_COMM_SELF, {0.01, 2});
  areas.measure({{{0, 1}, {0.5, 100}}});
  const double first = areas.factor(0, 1);
  areas.measure({{{0, 1}, {0.4, 80}}, {{1, 0}, {1, 1}}});
  areas.measure({{{0, 1}, {0.5, 100}}});
  EXPECT_EQ(areas.factor(0, 1), first);
  areas.measure({});
  EXPECT_EQ(areas.factor(0, 1), 1);
}

}  // namespace
}  // namespace traction
