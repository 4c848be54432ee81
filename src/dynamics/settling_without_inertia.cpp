#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/quasi_static.h"
#include "dynamics/rigid_part.h"
#include "dynamics/settling.h"
#include "dynamics/stage_solver.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kLongestStaticStep = 0.1;  // [s]
constexpr double kCreepInStep = 1e-3;       // gyration radii by which a body may creep in a step
constexpr int kMostStaticSteps = 50;
constexpr double kMotionless = 1e-7;   // gyration radii that a body without friction may move in a step
constexpr double kSteadyCreep = 1e-3;  // part of friction's tolerance by which velocities may change from step to step
constexpr double kBalanced = 1e-3;     // part of the reference acceleration that may remain

// Switches inertia off as long as it lives.
class WithoutInertia {
 public:
  explicit WithoutInertia(System& system) : system_(system), had_inertia_(system.has_inertia()) { system.set_inertia(false); }
  ~WithoutInertia() { system_.set_inertia(had_inertia_); }
  WithoutInertia(const WithoutInertia&) = delete;
  WithoutInertia& operator=(const WithoutInertia&) = delete;

 private:
  System& system_;
  bool had_inertia_;
};

// The largest velocity of a vertex of each body, in the numbering of the bodies [m/s]. Collective.
std::vector<double> largest_speeds(const System& system, const Field& velocities) {
  std::vector<double> speeds(system.bodies().size(), 0.0);
  for (std::size_t b = 0; b < speeds.size(); ++b)
    for (const int vertex : system.bodies()[b]) speeds[b] = std::max(speeds[b], velocities[vertex].norm());
  maximum_over_ranks(system.communicator(), speeds);
  return speeds;
}

// The root mean square of each body's accelerations [m/s^2]. Collective.
std::vector<double> accelerations(System& system, const State& state) {
  Field force(system.halo().local());
  system.force(state, force);
  for (int i = 0; i < system.halo().owned(); ++i) force[i] = system.held().free_part(i, force[i] / system.mass()[i]);
  std::vector<double> sums(2 * system.bodies().size(), 0.0);  // for each body: m |a|^2, mass
  for (std::size_t b = 0; b < system.bodies().size(); ++b)
    for (const int unknown : system.unknowns()[b]) {  // twists of rods, too
      sums[2 * b] += system.mass()[unknown] * force[unknown].squaredNorm();
      sums[2 * b + 1] += system.mass()[unknown];
    }
  sum_over_ranks(system.communicator(), sums);
  std::vector<double> result;
  for (std::size_t i = 0; i < sums.size(); i += 2) result.push_back(sums[i + 1] > 0 ? std::sqrt(sums[i] / sums[i + 1]) : 0);
  return result;
}

}  // namespace

std::optional<EquilibriumReport> settle_without_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts,
                                                        const std::vector<SettlingBody>& bodies, const SolverSettings& settings, int most_iterations,
                                                        State& state, const Interruption& interruption) {
  const std::vector<BodyMotion> start = body_motions(system, state.q, state.v);
  const double reference = system.reference_acceleration();
  double slow = 0, smallest = std::numeric_limits<double>::infinity();  // the speed up to which friction holds a body; radius of gyration
  for (const auto& contact : contacts)
    if (contact->unweighted_law().friction) slow = std::max(slow, contact->friction_tolerance());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].settles()) continue;
    if (rigid_part(start[b]).speed(start[b].gyration_radius()) > 0 || !bodies[b].carriers.empty()) return std::nullopt;  // obstacles stand still here
    smallest = std::min(smallest, start[b].gyration_radius());
  }
  if (!(reference > 0)) return std::nullopt;
  const double h = slow > 0 ? std::min(kLongestStaticStep, kCreepInStep * smallest / slow) : kLongestStaticStep;
  const WithoutInertia without(system);
  StageSolver solver(system, contacts, settings);
  solver.set_interruption(interruption);
  QuasiStatic scheme(solver, most_iterations);
  const std::optional<PreviousStep> none;
  const std::vector<State> no_stages;
  State place = state;
  EquilibriumReport report;
  for (report.steps = 1; report.steps <= kMostStaticSteps; ++report.steps) {
    for (const auto& contact : contacts) contact->begin_step(place);
    solver.begin_step();
    Step step{place, none, no_stages, traits(Integrator::backward_euler), false, h, state.time, true};
    step.velocities.emplace_back(0, &place.v);
    State next;
    try {
      scheme.take(step, next);
    } catch (const SolverError&) {
      return std::nullopt;
    }
    report.newton_iterations += step.report.newton_iterations;
    report.linear_iterations += step.report.linear_iterations;
    if (!step.report.converged) return std::nullopt;
    next.time = state.time;
    system.commit(next);
    system.relax(next);
    Field change(next.v);
    change.array() -= place.v.array();
    place = std::move(next);
    const std::vector<double> speeds = largest_speeds(system, place.v), changes = largest_speeds(system, change), left = accelerations(system, place);
    bool is_found = true;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const double motionless = kMotionless * start[b].gyration_radius() / h;
      const bool creeps = speeds[b] <= std::max(kFastestCreep * slow, motionless) && changes[b] <= std::max(kSteadyCreep * slow, motionless);
      is_found = is_found && (!bodies[b].settles() || (creeps && left[b] <= kBalanced * reference));
    }
    if (!is_found) continue;
    state = std::move(place);
    return report;
  }
  return std::nullopt;
}

}  // namespace traction
