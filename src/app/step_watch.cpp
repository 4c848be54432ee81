#include "app/step_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace traction {

namespace {

constexpr double kLongStep = 60;            // [s]
constexpr std::ptrdiff_t kErrorsShown = 8;  // number of errors shown, from the end

constexpr const char* kShorter = "Steps that are too long for contact or for soft elements take many iterations: try a shorter time.step";
constexpr const char* kNoEquilibrium =
    "Where bodies buckle, lean or slip under their loads, no equilibrium may be near, and steps become ever shorter: run the scene with inertia (time.inertia) "
    "and damping, or support what gives way";

}  // namespace

void StepWatch::begin_equilibrium() {
  step_ = 0;
  begin();
}

void StepWatch::begin_step(long step, double time, bool has_inertia) {
  step_ = step;
  has_inertia_ = has_inertia;
  time_ = time;
  begin();
}

void StepWatch::begin() {
  began_ = clock_();
  due_ = kLongStep;
  solves_ = 0;
  errors_.clear();
}

std::optional<std::string> StepWatch::look(std::optional<double> velocity_error) {
  if (!velocity_error) {
    ++solves_;
    errors_.clear();
    return std::nullopt;
  }
  errors_.push_back(*velocity_error);
  const double elapsed = clock_() - began_;
  if (elapsed < due_) return std::nullopt;
  due_ = 2 * elapsed;
  const auto shown = errors_.end() - std::min(std::ssize(errors_), kErrorsShown);
  if (step_ == 0)
    return fmt::format(
        "the search for equilibrium at the start has run for {:.0f} s: step {} of pseudo-time, Newton iteration {}; the last iterates are off by {:.2g} m/s. "
        "Bodies that are set down near their equilibrium need fewer steps",
        elapsed, solves_, errors_.size(), fmt::join(shown, errors_.end(), ", "));
  return fmt::format("step {} from t = {:.6g} s has run for {:.0f} s: attempt {}, Newton iteration {}; the last iterates are off by {:.2g} m/s. {}", step_,
                     time_, elapsed, solves_, errors_.size(), fmt::join(shown, errors_.end(), ", "), has_inertia_ ? kShorter : kNoEquilibrium);
}

}  // namespace traction
