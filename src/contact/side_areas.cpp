#include "contact/side_areas.h"

#include "parallel/collective.h"

namespace traction {

void SideAreas::measure(const Halves& halves) {
  std::vector<double> own;
  for (const auto& [surfaces, half] : halves)
    own.insert(own.end(), {static_cast<double>(surfaces.first), static_cast<double>(surfaces.second), half.area, half.continued, half.places, half.stiffness});
  const std::vector<double> all = concatenated_over_ranks(communicator_, own);
  std::map<std::pair<int, int>, std::pair<Half, Half>> sums;  // halves of the first and of the second surface
  for (std::size_t i = 0; i < all.size(); i += 6) {
    const int surface = static_cast<int>(all[i]), other = static_cast<int>(all[i + 1]);
    auto& [of_first, of_second] = sums[std::minmax(surface, other)];
    Half& half = surface < other ? of_first : of_second;
    half.area += all[i + 2];
    half.continued += all[i + 3];
    half.places += all[i + 4];
    half.stiffness += all[i + 5];
  }
  factors_.clear();
  for (const auto& [surfaces, pair] : sums) {
    const double area = pair.first.area + pair.second.area;
    factors_[surfaces] = {factor_of(surfaces, pair.first, pair.second), area > 0 ? (pair.first.stiffness + pair.second.stiffness) / area : 0};
  }
}

double SideAreas::factor_of(const std::pair<int, int>& surfaces, const Half& first, const Half& second) const {
  const auto area_of_place = [&](int surface, const Half& half) {
    return half.places > 0 ? 2 * half.whole() / half.places : mean_areas_[static_cast<std::size_t>(surface)];
  };
  const double sum = first.whole() + second.whole();
  const double of_first = area_of_place(surfaces.first, first), of_second = area_of_place(surfaces.second, second);
  if (!(sum > 0 && of_first > 0 && of_second > 0)) return 1;
  const double trust_first = of_second * of_second,
               trust_second = of_first * of_first;  // the weights are inversely proportional to the squares of the places' areas
  const double mean = 2 * (trust_first * first.whole() + trust_second * second.whole()) / (trust_first + trust_second);
  // If no place of the finer side touches, the area is at most that of one such place.
  const double least = std::min({of_first, of_second, 2 * std::max(first.whole(), second.whole())});
  return std::max(mean, least) / sum;
}

}  // namespace traction
