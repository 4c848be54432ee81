#include "settings/nearest_name.h"

#include <algorithm>
#include <utility>

namespace traction {

namespace {

// Longer names are distinguished by their beginnings, which bounds the cost.
constexpr std::size_t kComparedLength = 64;

std::string comparable(std::string_view name) {
  std::string lower(name.substr(0, kComparedLength));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

constexpr std::string_view kSeparators = "_.- ";  // between the words of a name

// The least distance between a name and some words of a candidate that follow each other; the sum of both lengths if none is similar.
std::size_t distance_to_words(std::string_view name, std::string_view candidate) {
  constexpr std::size_t kSimilar = 3;  // letters of the words per edit
  std::size_t least = candidate.size() + name.size();
  for (std::size_t start = 0; start < candidate.size(); start = std::min(candidate.find_first_of(kSeparators, start), candidate.size() - 1) + 1)
    for (std::size_t end = start; end < candidate.size();) {
      end = std::min(candidate.find_first_of(kSeparators, end + 1), candidate.size());
      const std::size_t edits = edit_distance(name, candidate.substr(start, end - start));
      if (kSimilar * edits <= end - start) least = std::min(least, edits);
    }
  return least;
}

// Whether one is the beginning of the other, of three letters or more, as in "--out" and "--output".
bool begins_alike(std::string_view name, std::string_view candidate) {
  constexpr std::size_t kLetters = 3;
  const std::size_t dashes = std::min(name.find_first_not_of('-'), candidate.find_first_not_of('-'));
  const std::size_t common = std::min(name.size(), candidate.size());
  return dashes < common && common - dashes >= kLetters && name.substr(0, common) == candidate.substr(0, common);
}

// If a name is near to some words of a candidate, its distance from the candidate is that from these words plus one edit.
std::size_t distance(const std::string& name, std::string_view candidate) {
  const std::string whole = comparable(candidate);
  constexpr std::size_t kBeginning = 2;  // edits, so that a name with one wrong letter is nearer
  const std::size_t edits = std::min(edit_distance(name, whole), distance_to_words(name, whole) + 1);
  return begins_alike(name, whole) ? std::min(edits, kBeginning) : edits;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
  }
  return current[b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (candidates.empty()) return {};
  const std::string wanted = comparable(name);
  const auto nearest =
      std::min_element(candidates.begin(), candidates.end(), [&](std::string_view a, std::string_view b) { return distance(wanted, a) < distance(wanted, b); });
  return std::string(*nearest);
}

bool is_near(std::string_view name, std::string_view candidate) {
  constexpr std::size_t kLettersPerEdit = 3;
  return kLettersPerEdit * distance(comparable(name), candidate) <= std::min(std::max(name.size(), candidate.size()), kComparedLength);
}

std::string listing(const std::vector<std::string_view>& names) {
  constexpr std::size_t kListed = 60;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i) list.append(list.empty() ? "" : ", ").append(names[i]);
  if (names.size() > kListed) list.append(" and ").append(std::to_string(names.size() - kListed)).append(" more");
  return list;
}

std::string proposal(std::string_view name, const std::vector<std::string_view>& candidates, std::string_view nearest, std::string_view among) {
  const std::string best = nearest_name(name, candidates), list = listing(candidates);
  if (!is_near(name, best)) return "choose one of: " + list;
  return std::string(nearest).append(" '").append(best).append("' (").append(among).append(": ").append(list).append(")");
}

}  // namespace traction
