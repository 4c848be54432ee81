#include "dynamics/exponential_euler.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kPowerIterations = 8;   // only a scale is needed
constexpr double kDifference = 5e-5;  // part of a step, for derivatives by time of contact forces and of efforts, whose tables have corners at ends of steps

}  // namespace

// The step's start at a later time. The twists of held segments turn their frames back to where they were, because their way through the step is part of the
// velocities. Collective.
State ExponentialEuler::resting(const State& base, double start, double time) const {
  State state = base;
  state.time = time;
  if (system_.driven().empty()) return state;
  for (const auto& [twist, arc] : system_.held_turns(start, time)) state.q[twist].x() -= arc;
  system_.exchange(state.q);
  return state;
}

// Contact changes fast with the place of an obstacle, so it is linearized where both are at one time, as all forces without an energy are. Collective.
void ExponentialEuler::linearize(const State& base, double start, double h) {
  at_start_ = resting(base, start, start);
  in_middle_ = resting(base, start, start + h / 2);
  for (const auto& force : system_.forces()) force->linearize(force->is_modal() ? in_middle_ : at_start_);
}

// The derivative of all forces along a direction, whose ghosts are valid. Collective.
void ExponentialEuler::product(const State& direction, Field& change) {
  system_.product(in_middle_, direction, change, Terms::modal);
  if (!any_other_) return;
  system_.product(at_start_, direction, other_, Terms::other);
  change.array() += other_.array();
}

// Approximates the largest omega of omega^2 M x = K x at the last linearize [1/s], by a few power iterations.
double ExponentialEuler::highest_frequency() {
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
    product(direction_, force_);
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
    force_ = other_ = Field(halo.local());
    any_other_ = std::any_of(system_.forces().begin(), system_.forces().end(), [](const auto& force) { return !force->is_modal(); });
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

  // Forces on the resting bodies: at the start, and their first and second derivatives by the part of the step that has passed.
  std::array<Field, PhiFunction::kColumns> forces;
  forces.fill(Field(halo.local()));
  const auto force_at = [&](double part, Terms terms, Field& force) { system_.force(resting(base, start.time, start.time + part * h), force, terms); };
  force_at(0, Terms::modal, forces[0]);
  force_at(1, Terms::modal, force_);
  force_at(0.5, Terms::modal, other_);
  force_.array() -= forces[0].array();  // exactly 0 where nothing depends on time
  other_.array() -= forces[0].array();
  forces[1].array() = 4 * other_.array() - force_.array();
  forces[2].array() = 4 * (force_.array() - 2 * other_.array());
  if (any_other_) {
    Field later(halo.local());
    force_at(2 * kDifference, Terms::other, later);
    force_at(kDifference, Terms::other, force_);
    force_at(0, Terms::other, other_);
    forces[0].array() += other_.array();
    forces[1].array() += (4 * (force_.array() - other_.array()) - (later.array() - other_.array())) / (2 * kDifference);
  }
  linearize(base, start.time, h);
  const double omega = std::max(highest_frequency(), 1 / h);

  // In the state (omega M^1/2 q, M^1/2 v) h J is nearly skew. Held segments turn at a constant rate, because a frame that jumped from step to step would excite
  // the rod. Their twists are 0 again at the step's end.
  const std::map<int, double> turns = system_.held_turns(start.time, start.time + h);
  PhiFunction::Columns columns;
  columns.fill(Eigen::VectorXd::Zero(6 * owned));
  for (int i = 0; i < owned; ++i) {
    const double root = std::sqrt(system_.mass()[i]);
    columns[0].segment<3>(3 * i) = h * omega * root * base.v[i];
    if (const auto turn = turns.find(i); turn != turns.end()) columns[0][3 * i] += omega * root * turn->second;
    for (int k = 0; k < PhiFunction::kColumns; ++k) columns[k].segment<3>(3 * (owned + i)) = system_.held().free_part(i, h / root * forces[k][i]);
  }
  const auto multiply = [&](const PetscScalar* x, PetscScalar* y) {
    for (int i = 0; i < owned; ++i) {
      const double root = std::sqrt(system_.mass()[i]);
      direction_.q[i] = Eigen::Map<const Vec3>(x + 3 * i) / (omega * root);
      direction_.v[i] = Eigen::Map<const Vec3>(x + 3 * (owned + i)) / root;
    }
    system_.exchange(direction_.q);
    system_.exchange(direction_.v);
    product(direction_, force_);
    for (int i = 0; i < owned; ++i) {
      const double root = std::sqrt(system_.mass()[i]);
      Eigen::Map<Vec3>(y + 3 * i) = h * omega * root * direction_.v[i];
      Eigen::Map<Vec3>(y + 3 * (owned + i)) = system_.held().free_part(i, h / root * force_[i]);
    }
  };
  const std::optional<Eigen::VectorXd> change = phi_->apply(multiply, h * omega, tolerance_, std::move(columns));
  step.report.converged = change.has_value();
  step.report.linear_iterations = phi_->products();
  if (!step.report.converged) {
    step.report.reason = "the exponential did not converge, or a force is undefined where the step starts";
    return;
  }
  next = base;
  for (int i = 0; i < owned; ++i) {
    const double root = std::sqrt(system_.mass()[i]);
    next.q[i] += change->segment<3>(3 * i) / (omega * root);
    next.v[i] += change->segment<3>(3 * (owned + i)) / root;
  }
  system_.exchange(next.q);
  system_.exchange(next.v);
  next.time = start.time + h;
  system_.set_driven_positions(next);
  step.report.converged = solver_.is_admissible(start, next, step.report.reason);
  step.stages = {next};
}

}  // namespace traction
