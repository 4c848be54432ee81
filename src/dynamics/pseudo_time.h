// Steps of pseudo-time, in which bodies settle (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <limits>

namespace traction {

/// The length of steps. They grow after few iterations of Newton's method and shrink after many. A step that fails bounds those after it; the bound grows by a
/// factor with each easy step that reaches it.
class PseudoTime {
 public:
  /// `first`: length of the first step [s].
  explicit PseudoTime(double first) : first_(first), step_(first) {}

  /// What a step has left, and how bodies were treated in it.
  struct Outcome {
    double left;          ///< accelerations that remain, in root mean square [m/s^2]
    double reference;     ///< acceleration that they are compared with [m/s^2]
    int iterations;       ///< of Newton's method
    bool slides;          ///< some body slides, and is moved back
    bool keeps_in_place;  ///< some body creeps, and was put back
  };

  double step() const { return step_; }  ///< [s]
  bool is_exhausted() const;
  void begin_again();
  /// After a step that was not solved.
  void fail();
  /// For another attempt at a step that has gone too far by a factor which grows with the square of its length.
  void cut(double excess);
  void adapt(const Outcome& outcome);
  void note(double left) { last_left_ = left; }
  /// Whether a step leaves as much as the one before.
  bool leaves_the_same(double left) const;

 private:
  double first_, step_, longest_ = kLongest;
  double last_left_ = std::numeric_limits<double>::infinity();
  int repeated_ = 0;  // number of steps that have left the same imbalance while a body slid

  static constexpr double kLongest = 1e3;  // [s]
};

}  // namespace traction
