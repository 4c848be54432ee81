// When to warn again of a quantity that grows after a warning.
#pragma once

#include <map>
#include <string>

namespace traction {

/// What has been warned of, by its name. A warning that comes only once, when a limit is first exceeded, reports a small excess, whatever follows.
class GrowingWarnings {
 public:
  /// Whether to warn of a value above its limit: the first, and each that is ten times as large as the last one that was warned of.
  bool is_due(const std::string& name, double value) {
    constexpr double kGrowth = 10;
    double& warned_of = warned_of_[name];
    if (!(value > kGrowth * warned_of)) return false;
    warned_of = value;
    return true;
  }

 private:
  std::map<std::string, double> warned_of_;
};

}  // namespace traction
