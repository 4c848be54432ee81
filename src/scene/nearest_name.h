// Finding what a misspelled name was probably meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace traction {

// The least number of insertions, deletions, replacements and swaps of neighbours that turn one into the other, where no letter is
// edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the least distance, upper and lower case taken as equal; the first of several, empty if there are none.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

// "a, b, c"
std::string listing(const std::vector<std::string_view>& names);

}  // namespace traction
