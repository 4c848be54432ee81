// The vertices that one of several ranks knows in a span of time through which it goes by itself (docs/theory/asynchronous.md, "Ranks").
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace traction {

/// Until when a rank knows each vertex. A vertex becomes unknown when an event acts on it that depends on an unknown vertex: its velocity is known before that
/// moment, its position also at that moment. Vertices outside of the rank's share are never known. A rank must know its own vertices for the whole span.
class Knowledge {
 public:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  /// One rank knows all.
  explicit Knowledge(int vertices) : until_(static_cast<std::size_t>(vertices), kForever), owned_(static_cast<std::size_t>(vertices), 1) {}

  void set_owned(std::vector<char> owned) { owned_ = std::move(owned); }
  bool owns(int vertex) const { return owned_[static_cast<std::size_t>(vertex)] != 0; }
  /// `share`: whether each vertex is in the rank's share. All of these are known then.
  void set_share(const std::vector<char>& share) {
    lost_.clear();
    begin_span();
    for (std::size_t i = 0; i < until_.size(); ++i) until_[i] = share[i] ? kForever : -kForever;
  }
  bool in_share(int vertex) const { return until(vertex) != -kForever; }

  double until(int vertex) const { return until_[static_cast<std::size_t>(vertex)]; }
  /// Makes a vertex unknown from a time on. Returns whether it was known.
  bool forget(int vertex, double time) {
    double& until = until_[static_cast<std::size_t>(vertex)];
    if (until <= time) return false;
    if (until == kForever) lost_.push_back(vertex);
    until = time;
    if (owns(vertex)) lost_own_at_ = std::min(lost_own_at_, time);
    return true;
  }
  /// Notes that an assumption of the rank does not hold from a time on.
  void fail(double time) { failed_at_ = std::min(failed_at_, time); }

  double failed_at() const { return failed_at_; }
  double lost_own_at() const { return lost_own_at_; }  ///< when the first of the rank's own was not known any more
  bool has_failed() const { return std::min(failed_at_, lost_own_at_) < kForever; }
  const std::vector<int>& lost() const { return lost_; }  ///< vertices of the share that are not known any more
  /// Makes all vertices of the share known again.
  void begin_span() {
    for (const int vertex : lost_) until_[static_cast<std::size_t>(vertex)] = kForever;
    lost_.clear();
    failed_at_ = lost_own_at_ = kForever;
  }

 private:
  std::vector<double> until_;
  std::vector<char> owned_;
  std::vector<int> lost_;
  double failed_at_ = kForever, lost_own_at_ = kForever;
};

}  // namespace traction
