// How the energies change when a run continues with changed settings.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

namespace traction {

/// Relative differences of energies up to this size are explained by rounding.
inline constexpr double kSameEnergy = 1e-9;

/// The energies that changes of settings have added at once [J]. These are neither errors nor works of the run.
class ChangedSettings {
 public:
  /// Takes over a difference between the energies where the run continues and those where it ended. `size`: all energy.
  void add(double change, double size) {
    constexpr double kChangeToReport = 1e-3;  // relative
    if (!(std::abs(change) <= kSameEnergy * size)) total_ += change;
    if (std::abs(change) > kChangeToReport * size) to_report_ = change;
  }

  double total() const { return total_; }
  /// Takes the sum of an earlier part of the run, with nothing left to report.
  void restore(double total) {
    total_ = total;
    to_report_ = 0;
  }

  /// A warning of the last change, once, if it is large. `column`: the column of the history that does not count the change.
  std::optional<std::string> warning(const char* column) {
    if (to_report_ == 0) return std::nullopt;
    const double change = to_report_;
    to_report_ = 0;
    return fmt::format("the changed settings have {} {:.3g} J at the moment at which the run continues; {} does not count this", change > 0 ? "added" : "taken",
                       std::abs(change), column);
  }

 private:
  double total_ = 0, to_report_ = 0;
};

}  // namespace traction
