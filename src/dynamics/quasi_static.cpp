#include "dynamics/quasi_static.h"

#include <fmt/format.h>
#include <mpi.h>
#include <spdlog/spdlog.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/remaining_inertia.h"
#include "dynamics/travel_limits.h"
#include "errors.h"
#include "parallel/collective.h"
#include "system/body_motion.h"

namespace traction {

namespace {

// A body has no equilibrium if the remaining inertia carries more than this part of its weight.
constexpr double kUnbalanced = 0.1;
// A body that is held nowhere has no equilibrium if it moves further than this many gyration radii in a step, or than joined bodies let it.
constexpr double kFarthestTravel = 5;
// Lengths of steps of pseudo-time, in parts of the step that settles, and how they grow after few iterations of Newton's method.
constexpr double kFirstPseudoStep = 1e-3;
constexpr double kShortestPseudoStep = 1e-8;
constexpr double kGrows = 3, kShrinks = 8;
constexpr int kEasyIterations = 12;
constexpr int kMostPlaces = 1000;
// Bodies leave an unstable equilibrium in steps of pseudo-time of this part of the time in which the motion away from it grows; backward Euler would damp the
// motion in longer steps. The steps may grow once the bodies move by less than this part of the longest path in a step.
constexpr double kPartOfGrowth = 0.7;
constexpr double kSlow = 0.3;
constexpr double kPush = 1e-4;     // the push that begins this motion, in gyration radii of the body that moves most
constexpr int kMostPushes = 5;     // in a step
constexpr int kMostToLeave = 400;  // iterations
// A push that has no effect, because the solver's tolerance hides it, is repeated with more force up to this number of times. Then the equilibrium counts as
// stable.
constexpr int kStrongerPushes = 3;
constexpr double kStronger = 5;

// A step is examined for a jump if it leads this many times as far as the one before, in equal times. On a branch that ends the way grows by 2.4 at most in the
// last of equal steps, because it is the root of the load that is left. Its start is an equilibrium if bodies stay there but for the first of these parts of
// the step's way, and they return there if they come nearer than the second.
constexpr double kSuddenGrowth = 2.5;
constexpr double kStays = 0.1, kReturns = 0.5;
constexpr double kRounded = 1e-9;  // in sizes of bodies: a shorter way is one of rounding

// A body whose center is found more than this many gyration radii from where it was expected, or which has turned by another angle than this, may have been
// thrown off what carries it by the iterates of Newton's method.
constexpr double kLargeMove = 0.5, kLargeTurn = 0.2;

constexpr double kExhausted = 0.9;  // a body that needs this part of the friction that its contacts can bear is about to slide

// A sentence about the body whose contacts use up their friction, and about the consequence; empty if no such body exists. Bodies that are held whole at some
// place, carried or joined do not count. Collective.
std::string lack_of_friction(StageSolver& solver, const State& start) {
  const System& system = solver.system();
  const std::size_t count = system.bodies().size();
  std::vector<double> sums(
      3 * count,
      0.0);  // three for each body: its friction, the most friction that its contacts can bear, and the number of places where something else holds it
  for (const auto& contact : solver.contacts()) {
    Field normal(system.halo().local()), total(system.halo().local());
    contact->add_vertex_forces(start, normal, total);
    const Field most = contact->most_friction(start, normal);
    for (std::size_t b = 0; b < count; ++b)
      for (const int vertex : system.places()[b]) {
        sums[3 * b] += (total[vertex] - normal[vertex]).norm();
        sums[3 * b + 1] += most[vertex].x();
      }
  }
  Field joined(system.halo().local());  // not zero at these vertices
  for (const auto& force : system.forces())
    for (const auto& vertices : force->joined())
      for (const int vertex : vertices) joined[vertex] = Vec3::Ones();
  for (std::size_t b = 0; b < count; ++b)
    for (const int vertex : system.places()[b]) {
      const bool is_carried = system.dependents().marks()[vertex] && system.own_mass()[vertex] > 0;
      if (is_carried || system.held().whole()[vertex] || !joined[vertex].isZero(0)) ++sums[3 * b + 2];
    }
  sum_over_ranks(system.communicator(), sums);
  for (std::size_t b = 0; b < count; ++b)
    if (sums[3 * b + 2] == 0 && sums[3 * b + 1] > 0 && sums[3 * b] > kExhausted * sums[3 * b + 1])
      return fmt::format(
          "only friction holds body '{}' against its loads, and {:.0f} % of what its contacts can bear is used up: it slides or turns when loads exceed that, "
          "and has no equilibrium then; give its contacts more friction, hold a region of it, or run it with inertia",
          system.body_names()[b], std::min(100.0, 100 * sums[3 * b] / sums[3 * b + 1]));
  return {};
}

// A sentence about the body that nothing holds, because of which a step may have failed to reach its equilibrium, and about the missing support; empty if every
// body is held. `reason`: why the step failed, which names a body; without it only bodies that touch nothing count. Collective.
std::string lack_of_support(StageSolver& solver, const State& start, const std::string& reason) {
  const System& system = solver.system();
  Field normal_force(system.halo().local()), total_force(system.halo().local());
  for (const auto& contact : solver.contacts()) contact->add_vertex_forces(start, normal_force, total_force);
  const std::size_t count = system.bodies().size();
  std::vector<char> is_joined(static_cast<std::size_t>(system.halo().local()), 0);
  for (const auto& force : system.forces())
    for (const auto& vertices : force->joined())
      for (const int vertex : vertices) is_joined[vertex] = 1;
  std::vector<double> sums(2 * count, 0.0);  // for each body: the vertices that are held in some direction, and those that touch or are joined
  for (std::size_t b = 0; b < count; ++b) {
    for (const int vertex : system.bodies()[b])
      if (system.held().free_part(vertex, Vec3(Vec3::Ones())) != Vec3(Vec3::Ones())) ++sums[2 * b];
    for (const int vertex : system.places()[b]) {
      if (!normal_force[vertex].isZero(0) || is_joined[vertex]) ++sums[2 * b + 1];
      if (system.dependents().marks()[vertex] && system.own_mass()[vertex] > 0) ++sums[2 * b];  // another body carries it
    }
  }
  sum_over_ranks(system.communicator(), sums);
  constexpr const char* kRemedy = "hold a region of it, set it on something that carries it, or run it with inertia";
  for (std::size_t b = 0; b < count; ++b)
    if (sums[2 * b] == 0 && sums[2 * b + 1] == 0)
      return fmt::format("body '{}' is held nowhere and touches nothing: without inertia it has no equilibrium; {}", system.body_names()[b], kRemedy);
  for (std::size_t b = 0; b < count; ++b)
    if (sums[2 * b] == 0 && reason.find(fmt::format("of body '{}'", system.body_names()[b])) != std::string::npos)
      return fmt::format("only contact, springs and joints carry body '{}': without inertia it has no equilibrium if it slides, rolls, tips over or swings; {}",
                         system.body_names()[b], kRemedy);
  return reason.empty() ? "" : lack_of_friction(solver, start);
}

// The size of a displacement, with the mass as metric [kg^1/2 m]. Collective.
double distance(const System& system, const Field& from, const Field& to) {
  double square = 0;
  for (int i = 0; i < system.halo().owned(); ++i) square += system.mass()[i] * (to[i] - from[i]).squaredNorm();
  return std::sqrt(sum_over_ranks(system.communicator(), square));
}

// Whether a body that is held nowhere moves or turns far from where the step before, if there is one, would lead it in a time h. Collective.
bool moves_elsewhere(const System& system, const State& start, const State& end, double h, const std::optional<PreviousStep>& previous) {
  const std::vector<BodyMotion> before = body_motions(system, start.q, start.v), after = body_motions(system, end.q, end.v);
  const std::vector<Mat3> turns = fitted_rotations(system, start.q, end.q);
  std::vector<BodyMotion> earlier;
  std::vector<Mat3> earlier_turns;
  if (previous) {
    earlier = body_motions(system, previous->state.q, previous->state.v);
    earlier_turns = fitted_rotations(system, previous->state.q, start.q);
  }
  for (std::size_t b = 0; b < before.size(); ++b) {
    if (before[b].held) continue;
    Mat3 turn = Mat3::Identity();
    Vec3 way = Vec3::Zero();
    if (previous) {
      const Eigen::AngleAxisd earlier_turn(earlier_turns[b]);
      turn = Eigen::AngleAxisd(earlier_turn.angle() * h / previous->length, earlier_turn.axis());
      way = turn * (before[b].center - earlier[b].center) * h / previous->length;
    }
    const Vec3 miss = after[b].center - before[b].center - way;
    if (miss.norm() > kLargeMove * before[b].gyration_radius() || Eigen::AngleAxisd(turns[b] * turn.transpose()).angle() > kLargeTurn) return true;
  }
  return false;
}

}  // namespace

// Solves for the equilibrium at the end of a step.
bool QuasiStatic::solve(Step& step, State& next) {
  const int local = solver_.system().halo().local();
  solver_.lag_friction(step.lagged_at(0));
  Stage stage{step.h, step.end, step.start.q, Field(local), Field(local), 1 / kInertiaLeft, nullptr, MeanVelocity{step.start.time, step.h}};
  return solver_.solve_fully(step, std::move(stage), step.h, step.start, next);
}

// Loads and driven parts return to where they were at the step's start, from its end. On one branch the bodies return, too. The same solution from the step's
// start shows whether that was an equilibrium at all; it is none where a run begins or supports let go.
bool QuasiStatic::has_jumped(const State& start, const State& next, double h, const std::optional<PreviousStep>& previous, StepReport& report) {
  const System& system = solver_.system();
  const double way = distance(system, start.q, next.q);
  double size = 0;  // sum of the bodies' moments of inertia [kg m^2]
  for (const BodyMotion& motion : body_motions(system, start.q, start.v)) size += motion.inertia.trace() / 2;
  if (way <= kRounded * std::sqrt(size)) return false;
  if (previous && way <= kSuddenGrowth * h / previous->length * distance(system, previous->state.q, start.q)) return false;
  const std::optional<PreviousStep> none;
  const std::vector<State> no_stages;
  const Field zero(system.halo().local());
  const auto equilibrium_from = [&](State place) -> std::optional<State> {
    place.v = zero;
    for (const auto& contact : solver_.contacts()) contact->begin_step(place);
    solver_.begin_step();
    solver_.lag_friction(place);
    Step back{place, none, no_stages, traits(Integrator::backward_euler), false, h, start.time};
    back.velocities.emplace_back(0, &place.v);
    State found;
    const bool solved =
        solver_.solve_fully(back, {h, start.time, place.q, zero, zero, 1 / kInertiaLeft, nullptr, MeanVelocity{place.time, h}}, h, place, found);
    report.newton_iterations += back.report.newton_iterations;
    report.linear_iterations += back.report.linear_iterations;
    report.eliminations += back.report.eliminations;
    return solved ? std::optional(std::move(found)) : std::nullopt;
  };
  const std::optional<State> stayed = equilibrium_from(start);
  if (!stayed || distance(system, start.q, stayed->q) > kStays * way) return false;
  const std::optional<State> returned = equilibrium_from(next);
  return !returned || distance(system, stayed->q, returned->q) > kReturns * way;
}

// Adds the inertia of backward Euler from rest, in steps of pseudo-time of length H, to the step's own equation: M (q - q_k) / H^2 = f(q, (q - q_0) / h), with
// q_k the place that is reached so far. The bodies descend from there to a stable equilibrium of the step, however far away it is. Friction and damping resist
// the motion since the step's start, not that in pseudo-time, so that bodies which stick move with what carries them. H grows while these steps are easy to
// solve, at last to where no more inertia remains than in the step itself.
bool QuasiStatic::settle(Step& step, State& next, std::optional<UnstableMotion> unstable) {
  const std::optional<PreviousStep> none;
  const std::vector<State> no_stages;
  const Field zero(solver_.system().halo().local());
  State place = step.start;  // the velocity is that since the step's start
  place.v = zero;
  const auto take_from_place = [&](double inertia_left, const Field& kept_velocity) {
    State at_rest = place;
    at_rest.v = zero;
    for (const auto& contact : solver_.contacts()) contact->begin_step(at_rest);
    solver_.begin_step();
    solver_.lag_friction(at_rest);
    Step pseudo{at_rest, none, no_stages, step.integrator, false, step.h, step.end};
    pseudo.velocities.emplace_back(0, &place.v);
    State moved;
    bool solved = solver_.solve_fully(
        pseudo, {step.h, step.end, step.start.q, kept_velocity, zero, 1 / inertia_left, nullptr, MeanVelocity{step.start.time, step.h}}, step.h, place, moved);
    step.report.newton_iterations += pseudo.report.newton_iterations;
    step.report.linear_iterations += pseudo.report.linear_iterations;
    step.report.eliminations += pseudo.report.eliminations;
    for (const auto& contact : solver_.contacts()) solved = solved && !contact->passage(place, moved);
    if (solved) step.report.residual = pseudo.report.residual;
    if (solved) next = std::move(moved);
    return std::pair(solved, pseudo.report.newton_iterations);
  };
  const double longest = std::sqrt(1 / kInertiaLeft);
  const int most_iterations = step.report.newton_iterations + std::min(unstable ? kMostToLeave : most_iterations_, most_iterations_);
  double length = kFirstPseudoStep, limit = longest, longest_way = 0;  // H / h, its limit; sqrt(kg) m
  Field push = zero;
  int pushes = 0, stronger = 0;
  bool is_indifferent = false;
  const auto put = [&] {
    place.q = std::move(next.q);
    place.v = std::move(next.v);
    place.time = step.end;
  };
  for (int places = 0; length > kShortestPseudoStep && step.report.newton_iterations < most_iterations && places < kMostPlaces; ++places) {
    if (!unstable && length == longest) {
      if (take_from_place(kInertiaLeft, zero).first) {
        if (!is_indifferent) unstable = unstable_motion(step.start, next);
        if (!unstable) return true;
      } else {
        length /= kShrinks;
      }
    }
    if (unstable) {
      if (++pushes > kMostPushes) return false;
      push = push_off(step.start, next, *unstable);
      if (pushes % 2 == 0) push.array() *= -1;
      length = limit = std::min(longest, kPartOfGrowth / (unstable->rate * step.h));
      longest_way = 0;
      stronger = 0;
      put();
      unstable.reset();
    }
    Field kept = place.v;
    kept.array() += push.array() / step.h;
    const auto [solved, iterations] = take_from_place(1 / (length * length), kept);
    if (!solved) {
      length /= kShrinks;
      continue;
    }
    const double way = distance(solver_.system(), place.q, next.q);
    const bool is_pushed = distance(solver_.system(), zero, push) > 0;
    if (way < kSlow * distance(solver_.system(), zero, push) && stronger++ < kStrongerPushes) {
      push.array() *= kStronger;
      continue;
    }
    is_indifferent = stronger > kStrongerPushes;
    push = zero;
    if (is_indifferent || (!is_pushed && length >= limit && way <= kSlow * longest_way)) limit = longest;
    longest_way = std::max(longest_way, way);
    put();
    if (iterations <= kEasyIterations) length = std::min(kGrows * length, limit);
  }
  return false;
}

void QuasiStatic::warn_of_instability(double time) {
  if (has_warned_) return;
  has_warned_ = true;
  int rank = 0;
  MPI_Comm_rank(solver_.system().communicator(), &rank);
  if (rank == 0)
    spdlog::warn(
        "the equilibrium at t = {:.6g} s is not stable, and no stable one was found near it: a small push would make the bodies leave it. A run with inertia "
        "and damping shows where they go; later steps of this kind are not reported",
        time);
}

std::optional<UnstableMotion> QuasiStatic::unstable_motion(const State& start, const State& equilibrium) {
  Field back(start.q);
  back.array() -= equilibrium.q.array();
  return solver_.unstable_motion(equilibrium, back);
}

// Back to the side from which the bodies have come, as far as they have come along the motion, and at least by a small part of a body.
Field QuasiStatic::push_off(const State& start, const State& equilibrium, const UnstableMotion& motion) {
  const System& system = solver_.system();
  const std::size_t bodies = system.bodies().size();
  double way = 0;
  std::vector<double> largest(bodies, 0.0);
  for (int i = 0; i < system.halo().owned(); ++i) way += system.mass()[i] * motion.direction[i].dot(start.q[i] - equilibrium.q[i]);
  way = sum_over_ranks(system.communicator(), way);
  for (std::size_t b = 0; b < bodies; ++b)
    for (const int vertex : system.bodies()[b]) largest[b] = std::max(largest[b], motion.direction[vertex].norm());
  for (double& length : largest) length = maximum_over_ranks(system.communicator(), length);
  const auto moves_most = std::max_element(largest.begin(), largest.end());
  const double radius = body_motions(system, equilibrium.q, equilibrium.v)[static_cast<std::size_t>(moves_most - largest.begin())].gyration_radius();
  const double least = *moves_most > 0 ? kPush * radius / *moves_most : 0;
  Field push(system.halo().local());
  for (int i = 0; i < system.halo().owned(); ++i) push[i] = motion.direction[i] * (std::copysign(std::max(std::abs(way), least), way));
  return push;
}

// Where even a short step leads bodies elsewhere, the equilibrium to which they descend from its start is the right one if it is nearer.
void QuasiStatic::prefer_nearer(Step& step, State& next) {
  const System& system = solver_.system();
  const State found = next;
  const double residual = step.report.residual;
  if (settle(step, next, {}) && distance(system, step.start.q, next.q) < distance(system, step.start.q, found.q)) return;
  next = found;
  step.report.residual = residual;
  step.report.reason.clear();
  for (const auto& contact : solver_.contacts()) contact->begin_step(step.start);
  solver_.begin_step();
  solver_.lag_friction(step.lagged_at(0));
}

void QuasiStatic::take(Step& step, State& next) {
  step.report.converged = solve(step, next);
  if (step.report.converged && !solver_.contacts().empty() && moves_elsewhere(solver_.system(), step.start, next, step.h, step.previous)) {
    if (step.settles) {
      prefer_nearer(step, next);
    } else {  // what carries a body may itself move far in a long step
      step.report.converged = false;
      step.report.reason = "a body moves far in it, to another place than where the step before leads";
      return;
    }
  }
  if (step.report.converged) {
    if (std::optional<UnstableMotion> unstable = unstable_motion(step.start, next)) {
      State found = next;
      if (settle(step, next, std::move(unstable))) {
        step.report.settled = true;
      } else {
        next = std::move(found);
        step.report.reason.clear();
        warn_of_instability(step.end);
      }
    }
  } else if (step.settles && (lets_fall_ || lack_of_support(solver_, step.start, "").empty())) {
    step.report.converged = step.report.settled = settle(step, next, {});
  }
  if (step.report.converged) require_support(step.start, next, step.h);
  else if (const std::string lack = lack_of_support(solver_, step.start, step.report.reason); !lack.empty())
    step.report.reason = fmt::format("{} ({})", lack, step.report.reason.substr(0, step.report.reason.find(" (velocity")));
  step.stages = {next};
}

void QuasiStatic::require_support(const State& start, const State& end, double h) {
  const System& system = solver_.system();
  const std::vector<BodyMotion> motions = body_motions(system, start.q, end.v);
  std::vector<double> limits;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const double speed = motions[b].velocity.norm();
    if (limits.empty() && !motions[b].held && speed * h > kFarthestTravel * motions[b].gyration_radius()) limits = travel_limits(system, motions);
    const bool falls = system.reference_acceleration() > 0 && kInertiaLeft * speed / h > kUnbalanced * system.reference_acceleration();
    const bool flies = !limits.empty() && !motions[b].held && speed * h > limits[b];
    if (!falls && !flies) continue;
    if (motions[b].held)
      throw SolverError(
          fmt::format("body '{}' is far from equilibrium at the end of this step of {:.3g} s, although a region of it is held: it swings about that region, or "
                      "its loads are "
                      "too large for one step; hold more of it, let loads grow over more steps (`over`, `gravity_over`), or run it with inertia",
                      system.body_names()[b], h));
    throw SolverError(fmt::format(
        "body '{}' has no equilibrium: nothing holds it against the forces on it, and without inertia it moves {:.3g} m in this step; hold a region of it, let "
        "something carry it, or run it with inertia",
        system.body_names()[b], speed * h));
  }
}

}  // namespace traction
