#include "app/repeated_warnings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace traction {
namespace {

TEST(RepeatedWarnings, FewAreGivenOneByOne) {
  RepeatedWarnings warnings;
  warnings.add("size", "a", "a is large");
  warnings.add("density", "a", "a is light");
  warnings.add("size", "b", "b is large");
  warnings.add("size", "c", "c is large");
  EXPECT_EQ(warnings.messages(), (std::vector<std::string>{"a is large", "b is large", "c is large", "a is light"}));
}

TEST(RepeatedWarnings, ManyAreOneMessageThatCountsThem) {
  RepeatedWarnings warnings;
  for (int i = 0; i < 1000; ++i) warnings.add("size", "stone_" + std::to_string(i), "stone_" + std::to_string(i) + " is large");
  EXPECT_EQ(warnings.messages(),
            std::vector<std::string>{"stone_0 is large (the same holds for 999 more bodies: 'stone_1', 'stone_2', 'stone_3' and 996 others)"});
}

TEST(RepeatedWarnings, NamesAllOfAFew) {
  EXPECT_EQ(name_few({"a"}), "'a'");
  EXPECT_EQ(name_few({"a", "b"}), "'a' and 'b'");
  EXPECT_EQ(name_few({"a", "b", "c", "d"}), "'a', 'b', 'c' and 1 other");
}

}  // namespace
}  // namespace traction
