#include "dynamics/exponential_euler.h"

#include <cmath>
#include <map>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kPowerIterations = 8;  // only a scale is needed

}  // namespace

// Approximates the largest omega of omega^2 M x = K x at the last linearize [1/s], by a few power iterations.
double ExponentialEuler::highest_frequency(const State& base) {
  const int owned = system_.halo().owned();
  for (int i = 0; i < owned; ++i) {
    const int number = system_.mesh().vertex_ids[i];
    direction_.q[i] = Vec3(std::sin(1.7 * number), std::cos(2.3 * number), std::sin(3.1 * number + 1)) / std::sqrt(system_.mass()[i]);
  }
  direction_.v.set_zero();
  double square = 0;
  for (int n = 0; n < kPowerIterations; ++n) {
    double norm = 0;
    for (int i = 0; i < owned; ++i) {
      direction_.q[i] = system_.held().free_part(i, direction_.q[i]);
      norm += system_.mass()[i] * direction_.q[i].squaredNorm();
    }
    norm = std::sqrt(sum_over_ranks(system_.communicator(), norm));
    if (n > 0) square = norm;
    if (!(norm > 0) || !std::isfinite(norm)) break;
    direction_.q.array() /= norm;
    system_.exchange(direction_.q);
    system_.product(base, direction_, force_);
    for (int i = 0; i < owned; ++i) direction_.q[i] = force_[i] / system_.mass()[i];
  }
  return std::sqrt(square);
}

void ExponentialEuler::take(Step& step, State& next) {
  solver_.lag_friction(step.lagged_at(0));
  const State& start = step.start;
  const double h = step.h;
  const Halo& halo = system_.halo();
  const int owned = halo.owned();
  if (!phi_) {
    phi_.emplace(system_.communicator(), 6 * owned);
    direction_ = State(halo.local());
    force_ = Field(halo.local());
  }
  State base = start;
  base.time = start.time + h;
  system_.set_driven_positions(base);
  if (!system_.driven().empty()) {
    for (const DrivenGroup& group : system_.driven())
      for (std::size_t k = 0; k < group.vertices.size(); ++k) {
        const int vertex = group.vertices[k];
        base.v[vertex] = group.imposed(k, base.v[vertex], (base.q[vertex] - start.q[vertex]) / h);
      }
    base.q = start.q;
    system_.exchange(base.v);
  }
  base.time = start.time + h / 2;
  // The frames of held twists are those at the middle of the step. Twists turn them back to where they were at its start, then along with them at a constant
  // rate, because a frame that jumped from step to step would excite the rod. The twists are 0 again at the step's end.
  const std::map<int, double> turns = system_.held_turns(start.time, start.time + h);
  if (!system_.driven().empty()) {
    for (const auto& [twist, arc] : system_.held_turns(start.time, base.time)) base.q[twist].x() -= arc;
    system_.exchange(base.q);
  }
  Field force(halo.local());
  system_.force(base, force);
  system_.linearize(base);
  const double omega = std::max(highest_frequency(base), 1 / h);

  // In the state (omega M^1/2 q, M^1/2 v) h J is nearly skew.
  Eigen::VectorXd change(6 * owned);
  for (int i = 0; i < owned; ++i) {
    const double root = std::sqrt(system_.mass()[i]);
    change.segment<3>(3 * i) = h * omega * root * base.v[i];
    if (const auto turn = turns.find(i); turn != turns.end()) change[3 * i] += omega * root * turn->second;
    change.segment<3>(3 * (owned + i)) = system_.held().free_part(i, h / root * force[i]);
  }
  const auto product = [&](const PetscScalar* x, PetscScalar* y) {
    for (int i = 0; i < owned; ++i) {
      const double root = std::sqrt(system_.mass()[i]);
      direction_.q[i] = Eigen::Map<const Vec3>(x + 3 * i) / (omega * root);
      direction_.v[i] = Eigen::Map<const Vec3>(x + 3 * (owned + i)) / root;
    }
    system_.exchange(direction_.q);
    system_.exchange(direction_.v);
    system_.product(base, direction_, force_);
    for (int i = 0; i < owned; ++i) {
      const double root = std::sqrt(system_.mass()[i]);
      Eigen::Map<Vec3>(y + 3 * i) = h * omega * root * direction_.v[i];
      Eigen::Map<Vec3>(y + 3 * (owned + i)) = system_.held().free_part(i, h / root * force_[i]);
    }
  };
  step.report.converged = phi_->apply(product, h * omega, tolerance_, change);
  step.report.linear_iterations = phi_->products();
  if (!step.report.converged) {
    step.report.reason = "the exponential did not converge, or a force is undefined where the step starts";
    return;
  }
  next = base;
  for (int i = 0; i < owned; ++i) {
    const double root = std::sqrt(system_.mass()[i]);
    next.q[i] += change.segment<3>(3 * i) / (omega * root);
    next.v[i] += change.segment<3>(3 * (owned + i)) / root;
  }
  system_.exchange(next.q);
  system_.exchange(next.v);
  next.time = start.time + h;
  system_.set_driven_positions(next);
  step.report.converged = solver_.is_admissible(start, next, step.report.reason);
  step.stages = {next};
}

}  // namespace traction
