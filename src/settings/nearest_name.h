// Finds the name that a user probably meant by a misspelled one.
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

/// Whether a name may be a misspelling of a candidate: at most a third of the letters of the longer one have to be edited.
bool is_near(std::string_view name, std::string_view candidate);

/// The names as a list: "a, b, c". Of more than 60 names, only the first are listed, and the number of the others.
std::string listing(const std::vector<std::string_view>& names);

/// The remedy for an unknown name: "the nearest is 'b' (one of: a, b, c)", or "choose one of: a, b, c" if no candidate is near. `nearest` and `among` are the
/// words for which "the nearest is" and "one of" stand here.
std::string proposal(std::string_view name, const std::vector<std::string_view>& candidates, std::string_view nearest = "the nearest is",
                     std::string_view among = "one of");

}  // namespace traction
