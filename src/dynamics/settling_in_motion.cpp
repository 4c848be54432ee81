#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/rigid_part.h"
#include "dynamics/settling.h"
#include "dynamics/stage_solver.h"
#include "errors.h"

namespace traction {

namespace {

// Times are in parts of the time in which a body falls by half of the smallest radius of gyration, and speeds in parts of the speed that it reaches then.
constexpr double kMotionStep = 0.05, kShortestMotionStep = 1e-6;
constexpr double kLongestMotion = 60;
constexpr double kLoss = 0.2;       // rate at which bodies lose speed
constexpr double kRests = 2e-3;     // largest speed of a body at rest
constexpr double kRestingTime = 1;  // how long bodies must be so slow: one that leaves an unstable equilibrium is slow at first
constexpr double kAway = 3;         // gyration radii; a body that moves further slides, rolls or falls

}  // namespace

std::optional<EquilibriumReport> settle_in_motion(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts,
                                                  const std::vector<SettlingBody>& bodies, const SolverSettings& settings, double first_step, State& state,
                                                  const Interruption& interruption) {
  const std::vector<BodyMotion> start = body_motions(system, state.q, state.v);
  const double reference = system.reference_acceleration();
  double smallest = std::numeric_limits<double>::infinity(), slow = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].settles()) continue;
    if (rigid_part(start[b]).speed(start[b].gyration_radius()) > 0) return std::nullopt;
    smallest = std::min(smallest, start[b].gyration_radius());
  }
  for (const auto& contact : contacts)
    if (contact->unweighted_law().friction) slow = std::max(slow, contact->friction_tolerance());
  if (!(reference > 0)) return std::nullopt;
  const double time = std::sqrt(smallest / reference), longest = kMotionStep * time;
  StageSolver solver(system, contacts, settings);
  solver.set_interruption(interruption);
  const std::optional<PreviousStep> none;
  const std::vector<State> no_stages;
  EquilibriumReport report;
  State place = state;
  double h = longest, moved = 0, rested = 0;
  while (rested < kRestingTime * time) {
    if (moved > kLongestMotion * time || h < kShortestMotionStep * time) return std::nullopt;
    for (const auto& contact : contacts) contact->begin_step(place);
    solver.begin_step();
    solver.lag_friction(place);
    Step step{place, none, no_stages, traits(Integrator::backward_euler), false, h};
    step.velocities.emplace_back(0, &place.v);
    State next;
    bool solved = solver.solve_fully(step, {h, place.time, place.q, place.v, Field(system.halo().local()), 1, nullptr, place.mean}, h, place, next);
    ++report.steps;
    report.newton_iterations += step.report.newton_iterations;
    report.linear_iterations += step.report.linear_iterations;
    for (const auto& contact : contacts) solved = solved && !contact->passage(place, next);
    if (!solved) {
      h /= 4;
      continue;
    }
    next.v.array() *= 1 / (1 + kLoss * h / time);
    system.commit(next);
    place = std::move(next);
    moved += h;
    const std::vector<BodyMotion> motions = body_motions(system, place.q, place.v);
    bool rests = true;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const double radius = start[b].gyration_radius();
      if (!bodies[b].settles()) continue;
      if ((motions[b].center - start[b].center).norm() > kAway * radius) return std::nullopt;
      rests = rests && rigid_part(motions[b]).speed(radius) <= std::max(slow, kRests * std::sqrt(reference * radius));
    }
    rested = rests ? rested + h : 0;
    h = std::min(2 * h, longest);
  }
  place.v = state.v;
  try {
    const EquilibriumReport last = settle_with_inertia(system, contacts, bodies, settings, first_step, place, false, interruption);
    report.steps += last.steps;
    report.newton_iterations += last.newton_iterations;
    report.linear_iterations += last.linear_iterations;
    report.unbalanced = last.unbalanced;
    report.warnings = last.warnings;
  } catch (const SolverError&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  state = std::move(place);
  return report;
}

}  // namespace traction
