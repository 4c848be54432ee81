#include "solver/solver_choice.h"

#include <algorithm>

namespace traction {

namespace {

constexpr int kTrialSolves = 8;
constexpr double kShareOfNew = 0.125;    // weight of a new cost in a mean
constexpr double kDearer = 2;            // if solves cost this many times as much as before, the other solver is tried
constexpr double kFirstPatience = 10;    // multiple of a trial's cost after which the next trial begins
constexpr double kMostPatience = 160;    // upper limit of this multiple, which doubles after a trial that has changed nothing
constexpr double kWorthBuilding = 10;    // the cheap solver may cost this many builds before the strong one is tried first
constexpr double kUsualIterations = 10;  // assumed iterations of a solve with the strong solver before one is known

}  // namespace

int SolverChoice::most_iterations() const {
  const bool known = strong_mean_ >= 0;
  const double of_strong = known ? strong_mean_ : kUsualIterations * strong_.iteration;
  const double most = trial_ > 0 && known ? kTrialSolves * of_strong - trial_sum_ : strong_.build + kDearer * of_strong;
  return static_cast<int>(std::clamp(most, 1.0, 1e6));
}

void SolverChoice::report_cheap(int iterations, bool converged) {
  if (converged) {
    report(iterations);
    return;
  }
  cheap_mean_ = kDearer * iterations;  // the number that it would have needed is unknown, but larger than `iterations`
  trial_cost_ = (trial_ > 0 ? trial_cost_ : 0) + iterations;
  patience_ = std::clamp(2 * patience_, kFirstPatience, kMostPatience);
  kept_at_ = strong_mean_;
  trial_ = 0;
  change();
}

// The cost of building the other preconditioner is part of the cost of a change.
void SolverChoice::report_strong(int iterations, bool built) {
  if (has_changed_ && built) trial_cost_ += strong_.build;
  report(iterations * strong_.iteration + (built && !has_changed_ ? strong_.build : 0));
}

void SolverChoice::change() {
  takes_cheap_ = !takes_cheap_;
  has_changed_ = true;
  spent_ = 0;
}

void SolverChoice::begin_trial() {
  change();
  trial_ = kTrialSolves;
  trial_sum_ = trial_cost_ = 0;
}

void SolverChoice::report(double cost) {
  has_changed_ = false;
  if (trial_ > 0) {
    trial_sum_ += cost;
    trial_cost_ += cost;
    mean() = trial_sum_ / (kTrialSolves - --trial_);
    if (trial_ == 0 || trial_sum_ > kTrialSolves * mean_of_other()) settle();
    return;
  }
  mean() = mean() < 0 ? cost : mean() + kShareOfNew * (cost - mean());
  if (kept_at_ < 0) kept_at_ = mean();
  spent_ += cost;
  const bool can_gain = !takes_cheap_ || mean() > strong_.iteration;
  const bool is_due = mean_of_other() < 0 ? spent_ > kWorthBuilding * strong_.build : spent_ > patience_ * trial_cost_;
  const bool has_become_dearer = mean() > kDearer * kept_at_ && spent_ > trial_cost_;
  if (can_gain && (is_due || has_become_dearer)) begin_trial();
}

void SolverChoice::settle() {
  const bool wins = mean() <= mean_of_other();
  patience_ = wins ? kFirstPatience : std::clamp(2 * patience_, kFirstPatience, kMostPatience);
  trial_ = 0;
  if (!wins) change();
  spent_ = 0;
  kept_at_ = mean();
}

}  // namespace traction
