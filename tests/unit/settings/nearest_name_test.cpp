// Names that are close to a misspelled one.
#include "settings/nearest_name.h"

#include <gtest/gtest.h>

namespace traction::test {
namespace {

TEST(NearestName, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("cuort", "court"), 1u);
  EXPECT_EQ(edit_distance("court", "court"), 0u);
  EXPECT_EQ(nearest_name("DENSITY", {"mass", "density"}), "density");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(listing({"a", "b"}), "a, b");
}

// The fields of a run's output, among which "stress" needs fewer edits than "contact_pressure".
TEST(NearestName, AWordOfALongerNameCounts) {
  const std::vector<std::string_view> fields{"velocity", "displacement", "contact_pressure", "contact_force", "stress", "von_mises_stress", "bending_moment"};
  EXPECT_EQ(nearest_name("pressures", fields), "contact_pressure");
  EXPECT_EQ(nearest_name("Mises", fields), "von_mises_stress");
  EXPECT_EQ(nearest_name("mises_stress", fields), "von_mises_stress");
  EXPECT_EQ(nearest_name("stresses", fields), "stress");
  EXPECT_EQ(nearest_name("contact_presure", fields), "contact_pressure");
  EXPECT_EQ(nearest_name("modulus", {"density", "youngs_modulus"}), "youngs_modulus");
  EXPECT_EQ(nearest_name("x", {"axial_force", "y"}), "y");
}

}  // namespace
}  // namespace traction::test
