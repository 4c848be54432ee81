#include "contact/coupling_shares.h"

#include <algorithm>

namespace traction {

std::vector<CouplingShare> largest_shares(const std::map<PetscInt, double>& weights) {
  constexpr double kMost = 0.95;
  constexpr std::size_t kFew = 4;  // with 3, 6, or all within reach the linear iterations are as many
  std::vector<CouplingShare> shares;
  for (const auto& [vertex, weight] : weights) shares.push_back({vertex, weight});
  std::stable_sort(shares.begin(), shares.end(), [](const CouplingShare& a, const CouplingShare& b) { return a.weight > b.weight; });
  double total = 0, kept = 0;
  for (const CouplingShare& share : shares) total += share.weight;
  std::size_t count = 0;
  while (count < std::min(kFew, shares.size()) && kept < kMost * total) kept += shares[count++].weight;
  shares.resize(count);
  for (CouplingShare& share : shares) share.weight /= kept;
  return shares;
}

}  // namespace traction
