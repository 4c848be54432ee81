// Finds what a misspelled name was probably meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace traction {

/// The least number of insertions, deletions, replacements and swaps of neighbouring letters that turn one text into the other, no letter edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least distance, ignoring case; the first of several, empty without candidates. A name that is like some of a candidate's words is
/// near to it, too: "pressures" to "contact_pressure".
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

/// The names as a list: "a, b, c".
std::string listing(const std::vector<std::string_view>& names);

}  // namespace traction
