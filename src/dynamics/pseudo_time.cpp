#include "dynamics/pseudo_time.h"

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

constexpr double kShortest = 1e-9;  // in multiples of the first step
constexpr int kEasy = 8, kHard = 20;
constexpr double kRelief = 1.5;
constexpr double kLeftAsBefore = 1e-3;
// The first two numbers bound what counts as near balance. There steps shrink if a larger part of the imbalance remains than the third number: without limit
// for bodies that slide, and not below the first step for bodies that are kept in place.
constexpr double kNearBalance = 1e-2, kNearBalanceInPlace = 0.1;
constexpr double kStalled = 0.7;
constexpr int kRecurring = 10;  // if this many steps of a sliding body leave the same imbalance, the distance by which it is moved back causes it

}  // namespace

bool PseudoTime::is_exhausted() const { return step_ < kShortest * first_; }

void PseudoTime::begin_again() {
  step_ = first_;
  longest_ = kLongest;
}

void PseudoTime::fail() {
  longest_ = step_ / 2;
  step_ /= 8;
}

void PseudoTime::cut(double excess) { longest_ = step_ *= 0.9 / std::sqrt(excess); }

bool PseudoTime::leaves_the_same(double left) const { return std::abs(left - last_left_) < kLeftAsBefore * left; }

// The distance by which a body is put back grows with the step, and with it the moments of the weights on the body, which nothing balances then.
void PseudoTime::adapt(const Outcome& outcome) {
  const double left = outcome.left;
  repeated_ = outcome.slides && leaves_the_same(left) ? repeated_ + 1 : 0;
  const bool recurs = repeated_ >= kRecurring;
  if (recurs) repeated_ = 0;
  const bool shrinks = outcome.slides ? recurs || left < kNearBalance * outcome.reference
                                      : outcome.keeps_in_place && step_ > first_ && left < kNearBalanceInPlace * outcome.reference;
  const bool stalls = shrinks && left > kStalled * last_left_;
  const bool improves = left < last_left_;
  last_left_ = left;
  if (stalls) {
    longest_ = step_ /= 2;
  } else if (outcome.iterations <= kEasy) {
    if (step_ == longest_ && improves && !outcome.slides) longest_ = std::min(kRelief * longest_, kLongest);
    step_ = std::min(3 * step_, longest_);
  } else if (outcome.iterations > kHard) {
    step_ /= 2;
  }
}

}  // namespace traction
