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

TEST(NearestName, ACommonBeginningCounts) {
  EXPECT_EQ(proposal("--output", {"--help", "--out", "--set"}), "the nearest is '--out' (one of: --help, --out, --set)");
  EXPECT_EQ(nearest_name("vel", {"mesh", "velocity"}), "velocity");
  EXPECT_EQ(nearest_name("bottom_fact", {"bottom", "bottom_face"}), "bottom_face");
  EXPECT_FALSE(is_near("--", "--out"));
  EXPECT_FALSE(is_near("in", "inertia"));
}

// At most a third of the letters of the longer name may be edited.
TEST(NearestName, IsProposedOnlyWhereItIsNear) {
  EXPECT_TRUE(is_near("tim", "time"));
  EXPECT_TRUE(is_near("norm", "normal"));
  EXPECT_TRUE(is_near("max_halvings", "maximum_halvings"));
  EXPECT_FALSE(is_near("base", "time"));
  EXPECT_FALSE(is_near("x", "y"));
  EXPECT_FALSE(is_near("anything", ""));
  EXPECT_EQ(proposal("tiem", {"time", "bodies"}, "the nearest key is", "valid here"), "the nearest key is 'time' (valid here: time, bodies)");
  EXPECT_EQ(proposal("base", {"time", "bodies"}), "choose one of: time, bodies");
}

TEST(NearestName, LongListsAreCut) {
  const std::vector<std::string_view> names(100, "part");
  const std::string list = listing(names);
  EXPECT_TRUE(list.ends_with("part, part and 40 more")) << list;
}

}  // namespace
}  // namespace traction::test
