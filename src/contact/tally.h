// Sums by key of the few features near a place.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace traction {

/// Adds numbers up by their keys. The keys are few, and stay in order in one piece of memory.
template <typename Key>
class Tally {
 public:
  Tally() { sums_.reserve(kUsual); }

  /// Adds a number to the sum of a key, which is `initial` before.
  void add(const Key& key, double number, double initial = 0) {
    const auto place = std::lower_bound(sums_.begin(), sums_.end(), key, [](const auto& sum, const Key& sought) { return sum.first < sought; });
    if (place != sums_.end() && place->first == key) {
      place->second += number;
    } else {
      sums_.emplace(place, key, initial + number);
    }
  }

  const std::vector<std::pair<Key, double>>& sums() const { return sums_; }  ///< in the order of the keys

 private:
  static constexpr std::size_t kUsual = 16;
  std::vector<std::pair<Key, double>> sums_;
};

}  // namespace traction
