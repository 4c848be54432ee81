#include "contact/side_areas.h"

#include "parallel/collective.h"

namespace traction {

bool SideAreas::measure(const Halves& halves) {
  std::vector<double> own;
  for (const auto& [surfaces, area] : halves) own.insert(own.end(), {static_cast<double>(surfaces.first), static_cast<double>(surfaces.second), area});
  const std::vector<double> all = concatenated_over_ranks(communicator_, own);
  std::map<std::pair<int, int>, std::pair<double, double>> sums;  // the halves of the first and of the second surface
  for (std::size_t i = 0; i < all.size(); i += 3) {
    const int surface = static_cast<int>(all[i]), other = static_cast<int>(all[i + 1]);
    auto& [of_first, of_second] = sums[std::minmax(surface, other)];
    (surface < other ? of_first : of_second) += all[i + 2];
  }
  std::map<std::pair<int, int>, double> factors;
  for (const auto& [surfaces, pair] : sums) {
    const double first = mean_areas_[static_cast<std::size_t>(surfaces.first)], second = mean_areas_[static_cast<std::size_t>(surfaces.second)];
    const double trust_first = second * second, trust_second = first * first;  // in inverse proportion to the squares of the mesh's areas
    const double mean = 2 * (trust_first * pair.first + trust_second * pair.second) / (trust_first + trust_second);
    // What touches no vertex of the finer side is no larger than the area of one.
    const double least = std::min({first, second, 2 * std::max(pair.first, pair.second)});
    factors[surfaces] = std::max(mean, least) / (pair.first + pair.second);
  }
  const bool changed = factors != factors_;
  factors_ = std::move(factors);
  return changed;
}

}  // namespace traction
