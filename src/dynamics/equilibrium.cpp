#include "dynamics/equilibrium.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/contact_stiffening.h"
#include "dynamics/contact_support.h"
#include "dynamics/rigid_part.h"
#include "dynamics/rigid_stability.h"
#include "dynamics/settling.h"
#include "dynamics/supports.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// A body that moves further than this many gyration radii, or turns by a larger angle, is warned of. The turn of a body whose held vertices leave no such
// part of it free is a deformation, and does not count.
constexpr double kFar = 1, kFarTurn = 0.35, kFreeTurn = 0.3;
// Iterations of Newton's method that a search without inertia may take: as many as the other one has taken, but no fewer than the first of these numbers, and
// the second one if the other one has failed.
constexpr int kLeastIterations = 300, kMostIterations = 4000;

// Adds to a report how far the bodies have moved from their start, and sentences about those that have moved or turned far. Returns whether one has turned far.
// Collective.
bool report_distances(const System& system, const std::vector<SettlingBody>& bodies, const State& start, const Field& end, EquilibriumReport& report) {
  for (int i = 0; i < system.halo().owned(); ++i) report.displacement = std::max(report.displacement, (end[i] - start.q[i]).norm());
  report.displacement = maximum_over_ranks(system.communicator(), report.displacement);
  const std::vector<BodyMotion> before = body_motions(system, start.q, start.v), after = body_motions(system, end, start.v);
  const std::vector<Mat3> rotations = fitted_rotations(system, start.q, end);
  Supports supports(system, before, start.q);
  supports.add_held_vertices();
  supports.complete();
  bool turns = false;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].settles()) continue;
    const double radius = before[b].gyration_radius(), distance = (after[b].center - before[b].center).norm();
    const Eigen::AngleAxisd turn(rotations[b]);
    Supports::Vec6 motion;
    motion << (after[b].center - before[b].center) / radius, turn.angle() * turn.axis();
    std::vector<std::string> parts;
    if (distance > kFar * radius) parts.push_back(fmt::format("{:.3g} m", distance));
    if (turn.angle() > kFarTurn && supports.free_part(b, motion).tail<3>().norm() > kFreeTurn * turn.angle()) {
      turns = true;
      parts.push_back(fmt::format("turned by {:.2g} degrees", turn.angle() * 180 / std::numbers::pi));
    }
    if (parts.empty()) continue;
    report.warnings.push_back(
        fmt::format("body '{}' starts in its equilibrium, which is {} from where the scene puts it; check whether it slid, tipped or fell, and place it nearer "
                    "to the intended equilibrium",
                    bodies[b].name, fmt::join(parts, " and ")));
  }
  return turns;
}

// Adds to a report sentences about bodies that an obstacle in motion accelerates, or may carry along so slowly that they seem to creep. Collective.
void report_carriers(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies, const State& start,
                     const State& end, EquilibriumReport& report) {
  constexpr double kNotable = 1e-2;  // part of the reference acceleration
  if (std::ranges::all_of(bodies, [](const SettlingBody& body) { return body.carriers.empty(); })) return;
  double tolerance = 0;
  for (const auto& contact : contacts)
    if (contact->unweighted_law().friction) tolerance = std::max(tolerance, contact->friction_tolerance());
  for (const auto& contact : contacts) contact->begin_step(end);
  Field accelerations(system.halo().local());
  system.force(end, accelerations);
  for (int i = 0; i < system.halo().owned(); ++i) accelerations[i] = system.held().free_part(i, accelerations[i] / system.mass()[i]);
  system.dependents().spread(accelerations);
  const std::vector<BodyMotion> before = body_motions(system, start.q, start.v), changes = body_motions(system, end.q, accelerations);
  const std::vector<ContactSupport> supports = contact_supports(system, contacts, changes, end);
  const double reference = system.reference_acceleration();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const SettlingBody& body = bodies[b];
    const bool is_thrown = rigid_part(before[b]).speed(before[b].gyration_radius()) > 0;
    if (!body.settles() || body.carriers.empty() || is_thrown || !(supports[b].pressed > 0)) continue;
    const SettlingBody::Carrier& carrier = *std::ranges::min_element(body.carriers, {}, &SettlingBody::Carrier::speed);
    const double acceleration = rigid_part(changes[b]).velocity.norm();
    if (reference > 0 && acceleration > kNotable * reference) {
      std::erase_if(report.warnings, [&](const std::string& warning) { return warning.starts_with(fmt::format("body '{}' has no equilibrium", body.name)); });
      report.warnings.push_back(fmt::format(
          "body '{}' has no equilibrium where it starts: '{}' moves under it at {:.3g} m/s, and accelerates it by {:.3g} m/s^2. Give it the velocity "
          "with which it is carried (initial.velocity), or set it where something holds it",
          body.name, carrier.name, carrier.speed, acceleration));
    } else if (carrier.speed <= kFastestCreep * tolerance) {
      report.warnings.push_back(fmt::format(
          "body '{}' may start with the velocity of '{}' instead of in equilibrium: {:.3g} m/s is so slow that it passes for creep. Give friction a "
          "tolerance below {:.3g} m/s",
          body.name, carrier.name, carrier.speed, carrier.speed / kFastestCreep));
    }
  }
}

// Whether a body that settles stands where it would tip over. Collective.
bool tips_over(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies, const State& found) {
  std::vector<char> settles;
  for (const SettlingBody& body : bodies) settles.push_back(body.settles() ? 1 : 0);
  for (const auto& contact : contacts) contact->begin_step(found);
  return tipping_body(system, contacts, settles, found).has_value();
}

void add_costs(const EquilibriumReport& other, EquilibriumReport& report) {
  report.steps += other.steps;
  report.newton_iterations += other.newton_iterations;
  report.linear_iterations += other.linear_iterations;
}

// In pseudo-time stiff bodies that lean on each other, or must tip, may slide away or come to no rest, although an equilibrium is near. A search without
// inertia then takes the place of the one with inertia, if that fails, or if it alone ends without a warning. If both fail, a body slides in the first one,
// or bodies stand where they would tip over, these move with their inertia until they lie still. A body that slides and does not tip over has no equilibrium,
// and starts where it is set even if something would stop it further down. A ball that stands on a vertex of its mesh tips over, too, but not far, and may
// stay there.
EquilibriumReport settle(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                         const SolverSettings& solver, double first_step, State& state, const Interruption& interruption) {
  // What forces remember, and how hard contacts have become: a search that is discarded must not change the next one.
  struct Memory {
    std::map<std::string, std::vector<double>> forces;
    std::vector<ContactHardness> contacts;
  };
  const ContactStiffening stiffening(system, contacts);
  const auto remember = [&] { return Memory{system.remembered(), stiffening.hardness()}; };
  const auto recall = [&](const Memory& memory) {
    system.recall(memory.forces);
    stiffening.set_hardness(memory.contacts);
  };
  const Memory at_start = remember();
  struct Outcome {
    State settled;
    std::optional<EquilibriumReport> report;
    std::optional<SolverError> failure;
    std::optional<InputError> refusal;
    bool slides = false;
    Memory remembered;
    bool is_near() const { return report && report->warnings.empty(); }
  };
  const auto search = [&](bool on_bent_faces) {
    recall(at_start);
    Outcome outcome{state, {}, {}, {}, false, {}};
    try {
      outcome.report = settle_with_inertia(system, contacts, bodies, solver, first_step, outcome.settled, on_bent_faces, interruption);
      outcome.slides = !outcome.report->warnings.empty();
      report_distances(system, bodies, state, outcome.settled.q, *outcome.report);
    } catch (const SolverError& error) {
      outcome.failure = error;
    } catch (const InputError& error) {
      outcome.refusal = error;
    }
    outcome.remembered = remember();
    return outcome;
  };
  Outcome outcome = search(false);
  const bool rubs = std::ranges::any_of(contacts, [](const auto& contact) { return static_cast<bool>(contact->unweighted_law().friction); });
  if (!outcome.is_near() && rubs) {
    Outcome other = search(true);
    if (other.is_near() || (!outcome.report && other.report)) outcome = std::move(other);
  }
  if (outcome.refusal) throw InputError(*outcome.refusal);
  auto& [settled, report, failure, refusal, slides, at_rest] = outcome;
  recall(at_rest);
  const bool tips = report && tips_over(system, contacts, bodies, settled);
  if (outcome.is_near() && !tips) {
    state = std::move(settled);
    return *report;
  }
  const EquilibriumReport first = report.value_or(EquilibriumReport());
  const auto take = [&](EquilibriumReport& found, State& place) {
    add_costs(first, found);
    state = std::move(place);
    return found;
  };
  std::optional<EquilibriumReport> near;
  State balanced = state;
  if (failure || !report->warnings.empty()) {
    recall(at_start);
    const int most_iterations = report ? std::max(kLeastIterations, report->newton_iterations) : kMostIterations;
    near = settle_without_inertia(system, contacts, bodies, solver, most_iterations, balanced, interruption);
    if (near) report_distances(system, bodies, state, balanced.q, *near);
  }
  const Memory at_balance = remember();
  const bool is_better = near && (failure || near->warnings.empty());
  if (is_better && !tips_over(system, contacts, bodies, balanced)) return take(*near, balanced);
  if (failure || slides || tips) {
    recall(at_start);
    State rested = state;
    std::optional<EquilibriumReport> far = settle_in_motion(system, contacts, bodies, solver, first_step, rested, interruption);
    if (far && far->warnings.empty() && !tips_over(system, contacts, bodies, rested)) {
      const bool turns = report_distances(system, bodies, state, rested.q, *far);
      if (failure || (slides ? turns : !far->warnings.empty())) return take(*far, rested);
    }
  }
  if (is_better && (failure || slides || tips)) {  // else bodies have moved far to where they are stable, and would tip over where this search ends
    recall(at_balance);
    return take(*near, balanced);
  }
  if (failure) throw *failure;
  recall(at_rest);
  state = std::move(settled);
  return *report;
}

}  // namespace

EquilibriumReport find_equilibrium(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                   SolverSettings solver, double first_step, State& state, Interruption interruption) {
  const Constraints constraints = system.constraints();
  solver.relative_tolerance = std::min(solver.relative_tolerance, kBalance / 4);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].settles()) continue;
    DrivenGroup group{bodies[b].name, {}, {}, {}};
    for (const int vertex : system.unknowns()[b]) {
      if (system.held().whole()[vertex]) continue;
      group.vertices.push_back(vertex);
      group.starts.push_back(state.q[vertex]);
    }
    system.drive(std::move(group));
  }
  try {
    const State start = state;
    EquilibriumReport report = settle(system, contacts, bodies, solver, first_step, state, interruption);
    report_carriers(system, contacts, bodies, start, state, report);
    system.set_constraints(constraints);
    return report;
  } catch (...) {
    system.set_constraints(constraints);
    throw;
  }
}

}  // namespace traction
