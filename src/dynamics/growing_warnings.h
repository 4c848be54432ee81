// Decides when to warn again of a quantity that grows after a warning.
#pragma once

#include <map>
#include <string>

namespace traction {

/// The values in warnings so far, by names. A warning that comes only once, when a limit is first exceeded, would report a small excess, whatever follows.
class GrowingWarnings {
 public:
  /// Whether to warn of a value above its limit: of the first one, and of each that is more than ten times as large as the one in the last warning.
  bool is_due(const std::string& name, double value) {
    if (!(value > known(name))) return false;
    note(name, value);
    return true;
  }

  /// The value up to which no further warning is due; 0 before the first one.
  double known(const std::string& name) const {
    constexpr double kGrowth = 10;
    return kGrowth * last(name);
  }

  void note(const std::string& name, double value) { last_[name] = value; }
  /// The value in the last warning; 0 before the first one.
  double last(const std::string& name) const {
    const auto found = last_.find(name);
    return found == last_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> last_;
};

}  // namespace traction
