// Sheets near a point, whose distances are those of planes.

#include "contact/sheets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/sheets.h"

namespace traction {
namespace {

constexpr ImplicitSurface kFlatSurface{0.3, 1e-3, 0.2, 0.01};
const Vec3 kJustAbove(0.52, 0.47, 0.01);

struct Layers {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  int each = 0;  // triangles

  // A square of side 1 at a height, which looks up or down.
  void add(double height, bool up) {
    const test::Sheet sheet = test::irregular_sheet(6, 0.2);
    const int first = static_cast<int>(points.size());
    each = static_cast<int>(sheet.triangles.size());
    for (const Vec3& x : sheet.vertices) points.push_back(x + height * Vec3::UnitZ());
    for (const auto& [a, b, c] : sheet.triangles)
      triangles.push_back(up ? std::array{first + a, first + b, first + c} : std::array{first + a, first + c, first + b});
  }
  Corners<double> corners(int t) const { return {points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]]}; }
  // The gap of each sheet near a point.
  std::vector<double> gaps(const Vec3& x, bool has_outside) const {
    SheetFinder finder(kFlatSurface);
    finder.begin(x, has_outside);
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) finder.add(t, triangles[t], corners(t));
    finder.find();
    std::vector<double> result;
    for (int sheet = 0; sheet < finder.count(); ++sheet) {
      std::vector<Corners<double>> near;
      for (int t : finder.triangles(sheet)) {
        EXPECT_EQ(t / each, finder.triangles(sheet)[0] / each);
        near.push_back(corners(t));
      }
      result.push_back(ImplicitSurfaceSample<double>(kFlatSurface, x, near).distance());
    }
    std::sort(result.begin(), result.end());
    return result;
  }
};

void expect_gaps(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-15);
}

TEST(Sheets, LayersOfClothAreSheetsOfTheirOwn) {
  Layers cloth;
  for (const double height : {-0.03, -0.01, 0.04}) cloth.add(height, true);
  expect_gaps(cloth.gaps(kJustAbove, false), {-0.03, 0.02, 0.04});
}

TEST(Sheets, TheFarSideOfAPlateDoesNotCount) {
  Layers plate;
  plate.add(0, true);
  plate.add(-0.05, false);
  expect_gaps(plate.gaps(kJustAbove, true), {0.01});
  expect_gaps(plate.gaps(kJustAbove - 0.03 * Vec3::UnitZ(), true), {-0.02});    // above its middle
  expect_gaps(plate.gaps(kJustAbove - 0.042 * Vec3::UnitZ(), true), {-0.018});  // below
  expect_gaps(plate.gaps(kJustAbove - 0.07 * Vec3::UnitZ(), true), {0.01});
}

// Between two plates both gaps count, and so does that of a plate that is slightly penetrated.
TEST(Sheets, BothSidesOfASlotCount) {
  Layers slot;
  slot.add(0, true);
  slot.add(-0.05, false);
  slot.add(0.04, false);
  slot.add(0.1, true);
  expect_gaps(slot.gaps(kJustAbove, true), {0.01, 0.03});
  expect_gaps(slot.gaps(kJustAbove - 0.02 * Vec3::UnitZ(), true), {-0.01, 0.05});
}

// A plate with its narrow faces, near one of them: the far face is left out there too.
TEST(Sheets, TheFarSideIsLeftOutAtTheEdgeOfAPlate) {
  Layers plate;
  plate.add(0, true);
  plate.add(-0.05, false);
  const int second = static_cast<int>(plate.points.size()) / 2;
  for (int i = 0; i < 6; ++i) {  // along y = 0
    plate.triangles.push_back({i, second + i, i + 1});
    plate.triangles.push_back({i + 1, second + i, second + i + 1});
  }
  const Vec3 x(0.5, 0.2, 0.01);
  SheetFinder finder(kFlatSurface);
  finder.begin(x, true);
  for (int t = 0; t < static_cast<int>(plate.triangles.size()); ++t) finder.add(t, plate.triangles[t], plate.corners(t));
  finder.find();
  ASSERT_EQ(finder.count(), 1);
  int upper = 0, lower = 0, narrow = 0;
  for (int t : finder.triangles(0)) ++(t < plate.each ? upper : t < 2 * plate.each ? lower : narrow);
  EXPECT_GT(upper, 0);
  EXPECT_GT(narrow, 0);
  EXPECT_EQ(lower, 0);
}

}  // namespace
}  // namespace traction
