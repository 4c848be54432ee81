#include "mesh/formats/inp_part.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

namespace traction {

Vec3 InpPart::placed(const Vec3& position) const {
  Vec3 moved = position + translation;
  if (angle == 0) return moved;
  const Eigen::AngleAxisd turn(angle * std::numbers::pi / 180, (axis_to - axis_from).normalized());
  return axis_from + turn * (moved - axis_from);
}

void InpLabels::sort(const std::vector<InpPlace>& places) {
  std::sort(sorted_.begin(), sorted_.end());
  const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice == sorted_.end()) return;
  file_.fail_at(places[twice[1].second],
                fmt::format("the {} {} is defined again; it is already in {}. Remove one", noun_, twice->first, file_.text_of(places[twice->second])));
}

int InpLabels::index(std::int64_t label, const InpPlace& place) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::make_pair(label, 0));
  if (found == sorted_.end() || found->first != label) file_.fail_at(place, fmt::format("there is no {} {}. Correct its number, or add it", noun_, label));
  return found->second;
}

std::vector<int> InpLabels::indices(const InpRange& range) const {
  if (range.first == range.last) return {index(range.first, range.place)};
  std::vector<int> found;
  std::int64_t wanted = range.first;
  for (auto entry = std::lower_bound(sorted_.begin(), sorted_.end(), std::make_pair(range.first, 0)); wanted <= range.last && entry != sorted_.end(); ++entry) {
    if (entry->first > wanted) break;
    if (entry->first < wanted) continue;
    found.push_back(entry->second);
    wanted += range.step;
  }
  if (wanted <= range.last)
    file_.fail_at(range.place, fmt::format("there is no {} {} of those from {} to {} in steps of {}. Correct the range, or add it", noun_, wanted, range.first,
                                           range.last, range.step));
  return found;
}

}  // namespace traction
