#include "contact/admissible_part.h"

#include <gtest/gtest.h>

#include <limits>

namespace traction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(AdmissiblePart, EndsJustBeforeWhatIsNot) {
  for (const double resolution : {0.01, 0.1, 0.7, kInfinity})
    for (const double bound : {1e-4, 0.3, 0.99}) {
      const double part = admissible_part(resolution, [&](double done) { return done < bound; });
      EXPECT_LT(part, bound);
      EXPECT_GT(part, bound - 3e-6);
    }
}

// 0.4 to 0.5 is not admissible, and shorter pieces do not step over it.
TEST(AdmissiblePart, DoesNotStepOverAnObstacle) {
  const auto admissible = [](double done) { return done < 0.4 || done > 0.5; };
  EXPECT_NEAR(admissible_part(0.09, admissible), 0.4, 1e-6);
}

TEST(AdmissiblePart, IsAllOfAnAdmissiblePathAndNothingOfNone) {
  EXPECT_EQ(admissible_part(0.3, [](double) { return true; }), 1);
  EXPECT_EQ(admissible_part(kInfinity, [](double) { return true; }), 1);
  EXPECT_EQ(admissible_part(0.3, [](double) { return false; }), 0);
}

// The walk ends for any length of path, even when its pieces are lost to rounding.
TEST(AdmissiblePart, Ends) {
  EXPECT_NEAR(admissible_part(1e-4, [](double) { return true; }), 0.02, 1e-12);
  EXPECT_EQ(admissible_part(0, [](double) { return true; }), 0);
}

}  // namespace
}  // namespace traction
