#include "dynamics/stage_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/passage.h"
#include "dynamics/pushed_guess.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kNearContact = 3;  // thicknesses
constexpr double kSmallGap = 0.2;   // share of the thickness: a contact whose gap is smaller is too soft for its load
constexpr double kClosed = 0.05;    // the same for a contact away from the place where forces do not balance, if another contact acts at that place

// Starting points for Newton's method, in order of preference. After an impact at high speed the last known velocity inverts elements or makes the Jacobian
// indefinite; leaving the body where it is works better. In free flight that guess is far from the solution, and with spin the last velocity is, too. Waves
// continue as they began. Deformations that last are those of the step before.
enum Guess { kLastVelocity, kStay, kRigidMotion, kLine, kSameDeformation };

// The velocity at `time` on the line through the last two known ones.
void extrapolate(std::span<const std::pair<double, const Field*>> known, double time, Field& velocity) {
  const auto& [last_time, last] = known.back();
  velocity.array() = last->array();
  if (known.size() < 2) return;
  const auto& [before_time, before] = known[known.size() - 2];
  velocity.array() += (time - last_time) / (last_time - before_time) * (last->array() - before->array());
}

void copy_owned(const Field& field, const Halo& halo, Vec vector) {
  PetscScalar* values = nullptr;
  check_petsc(VecGetArray(vector, &values));
  std::copy_n(field.values().begin(), 3 * halo.owned(), values);
  check_petsc(VecRestoreArray(vector, &values));
}

// The point of a contact where the gap is smallest.
struct DeepestPoint {
  double gap = std::numeric_limits<double>::infinity();  // [m]; infinite where nothing touches
  Vec3 place = Vec3::Zero();                             // [m]
};

// Finds the deepest point among those of all ranks. Collective.
DeepestPoint deepest_point(MPI_Comm communicator, const std::vector<ContactPoint>& points) {
  const auto nearest = std::min_element(points.begin(), points.end(), [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
  const double own = nearest == points.end() ? std::numeric_limits<double>::infinity() : nearest->gap, gap = minimum_over_ranks(communicator, own);
  if (!std::isfinite(gap)) return {};
  return {gap, *first_over_ranks(communicator, own == gap ? std::optional<Vec3>(nearest->position) : std::nullopt)};
}

// Explains why a step fails in which obstacles or driven vertices move, from `start` to `end`, through something that cannot give way. Collective.
std::string what_is_in_the_way(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const State& start, const State& end) {
  std::string text = "a prescribed motion in this step leads through a surface, which contact does not allow";
  for (const auto& contact : contacts) {
    bool is_clear = true;
    contact->for_each_term([&](const auto& term) {
      if (StepBound* bound = term->step_bound()) is_clear = bound->is_clear(start, end, true) && is_clear;
    });
    if (is_clear) continue;
    text += fmt::format(": contact '{}'", contact->name());
    const auto [gap, place] = deepest_point(system.communicator(), contact->points(start));
    if (!std::isfinite(gap)) break;
    std::size_t body = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < system.bodies().size(); ++b) {
      double distance = std::numeric_limits<double>::infinity();
      for (const int vertex : system.places()[b]) distance = std::min(distance, (start.q[vertex] - place).norm());
      distance = minimum_over_ranks(system.communicator(), distance);
      if (distance < least) least = distance, body = b;
    }
    text +=
        fmt::format(", at ({:.4g}, {:.4g}, {:.4g}) of body '{}', where the gap is {:.3g} m", place.x(), place.y(), place.z(), system.body_names()[body], gap);
    break;
  }
  return text +
         "; take shorter steps (time.step, time.maximum_halvings), let the motion be slower or begin with a ramp, or give the contact a greater thickness";
}

}  // namespace

StageSolver::StageSolver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const SolverSettings& settings)
    : system_(system),
      contacts_(std::move(contacts)),
      equation_(system, settings.linear_operator),
      solver_(equation_, settings),
      reproducible_(settings.reproducible) {
  check_petsc(VecCreateMPI(system.communicator(), 3 * system.halo().owned(), PETSC_DETERMINE, solution_.receive()));
  for (PetscHandle<Vec>& guess : guesses_) check_petsc(VecDuplicate(solution_, guess.receive()));
}

void StageSolver::rehearse(const State& start, double h) {
  begin_step();
  for (const auto& contact : contacts_) contact->begin_step(start);
  lag_friction(start);
  set_contact_weight(1);
  equation_.begin({h, start.time + h, start.q, start.v, Field(system_.halo().local())});
  solver_.rehearse();
}

void StageSolver::lag_friction(const State& state) {
  for (const auto& contact : contacts_) contact->lag_friction(state);
}

void StageSolver::set_contact_weight(double weight) {
  for (const auto& contact : contacts_) contact->set_weight(weight);
}

// Moves a guess that lies beyond a barrier, as seen from the last known positions, back to a place before the barrier. If an obstacle has moved over these
// positions, they give no information, and the guess is unchanged. Returns whether they give information.
bool StageSolver::keep_admissible(Vec guess) {
  if (guess == guesses_[kStay]) return true;
  check_petsc(VecAXPY(guess, -1, guesses_[kStay]));
  const std::optional<double> part = equation_.admissible_part(guesses_[kStay], guess);
  check_petsc(VecAYPX(guess, part.value_or(1), guesses_[kStay]));
  return part.has_value();
}

// The guesses to which vertices can move from the start of the step without passing through anything, while obstacles and driven vertices move as prescribed. A
// body that flies along with an obstacle keeps its guess even if the obstacle has passed between the last known positions and the guess.
std::vector<Vec> StageSolver::clear_guesses(std::span<const PetscHandle<Vec>> guesses, const State& start) {
  if (!system_.bounds_steps()) return {guesses.begin(), guesses.end()};
  for (Vec guess : guesses) equation_.impose_driven(guess);
  const Vec whole = solution_;  // this vector is free until the stage is solved
  const auto is_clear = [&](Vec guess, bool bounded) { return system_.is_clear(start, equation_.state_of(guess), bounded); };
  const auto is_blocked = [&](Vec guess, bool bounded) {
    if (is_clear(guess, bounded)) return false;
    PetscBool is_whole = PETSC_FALSE;
    check_petsc(VecEqual(guess, whole, &is_whole));
    if (is_whole || !is_clear(whole, false)) return true;
    check_petsc(VecCopy(whole, guess));
    return false;
  };
  std::vector<Vec> clear;
  for (Vec guess : guesses) {
    check_petsc(VecCopy(guess, whole));
    const bool bounded = keep_admissible(guess);
    if (!is_blocked(guess, bounded)) clear.push_back(guess);
  }
  return clear;
}

bool StageSolver::solve(Step& step, Stage stage, double time, const State& last, State& solution) {
  if (!step.semi_implicit) return solve_fully(step, std::move(stage), time, last, solution);
  State base = last;
  base.time = stage.time;
  Field force = linearize(std::move(stage), base);
  return solve_linearized(step, base, std::move(force), {}, solution);
}

bool StageSolver::solve_fully(Step& step, Stage known, double time, const State& last, State& solution) {
  equation_.begin(std::move(known));
  const Halo& halo = system_.halo();
  const Stage& stage = equation_.stage();
  Field velocity(halo.local());
  copy_owned(last.v, halo, guesses_[kLastVelocity]);
  velocity.array() = (last.q.array() - stage.q_hat.array()) / stage.step;
  copy_owned(velocity, halo, guesses_[kStay]);
  const std::vector<BodyMotion> motions = body_motions(system_, step.start.q, step.start.v);
  const KeptDeviations::StageOfStep number{step.stages.size(), stage.step, step.start.time + time};
  Field rigid(halo.local());
  move_rigidly(system_, motions, step.start, time, rigid);
  rigid.array() = (rigid.array() - stage.q_hat.array()) / stage.step;
  copy_owned(rigid, halo, guesses_[kRigidMotion]);
  extrapolate(step.velocities, time, velocity);
  copy_owned(velocity, halo, guesses_[kLine]);
  velocity = rigid;
  const bool knows_deformation = deviations_.add(system_, motions, number, velocity);
  copy_owned(velocity, halo, guesses_[kSameDeformation]);
  const std::span<const PetscHandle<Vec>> guesses(guesses_.data(), guesses_.size() - (knows_deformation ? 0 : 1));
  std::vector<Vec> clear = clear_guesses(guesses, step.start);
  // The second factor is for motions that begin with a ramp, which lead further than their velocity at the start.
  for (const double factor : {1.0, 2.0}) {
    if (!clear.empty() || !move_with_pushes(system_, contacts_, step.start, time, factor, velocity)) break;
    velocity.array() = (velocity.array() - stage.q_hat.array()) / stage.step;
    copy_owned(velocity, halo, guesses_[kLine]);
    equation_.impose_driven(guesses_[kLine]);
    if (system_.is_clear(step.start, equation_.state_of(guesses_[kLine]), false)) clear.push_back(guesses_[kLine]);
  }
  if (clear.empty()) {
    step.report.reason = what_is_in_the_way(system_, contacts_, step.start, equation_.state_of(guesses_[kStay]));
    return false;
  }
  const NewtonReport newton = solver_.solve(clear, solution_);
  step.report.newton_iterations += newton.newton_iterations;
  step.report.linear_iterations += newton.linear_iterations;
  step.report.eliminations += newton.eliminations;
  step.report.residual = std::max(step.report.residual, newton.residual);
  if (newton.converged) {
    solution = equation_.state_of(solution_);
    deviations_.keep(number, solution.v, rigid);
  } else {
    step.report.reason = failure(newton, step.report, step.h);
  }
  return newton.converged;
}

// Describes a failure in terms of the scene: where forces do not balance, and in which contact. Forces that balance but for the last digits of velocities have
// failed on a tolerance below the rounding of positions, which stiff joints multiply. `h`: of the step.
std::string StageSolver::failure(const NewtonReport& newton, StepReport& report, double h) {
  Vec residual = guesses_[kStay];  // reused, because this guess is not needed any more
  equation_.residual(solution_, residual);
  const StageEquation::WorstVertex worst = equation_.worst_vertex(solution_, residual);
  const State state = equation_.state_of(solution_);
  std::string place =
      fmt::format("at ({:.4g}, {:.4g}, {:.4g}) of body '{}'", worst.position.x(), worst.position.y(), worst.position.z(), system_.body_names()[worst.body]);
  if (!std::isfinite(worst.velocity))
    return fmt::format(
        "a force {} is undefined (an element is inverted, or a barrier was crossed; Newton's method: {}); take shorter steps or a finer mesh there", place,
        newton.reason);
  constexpr double kLastDigits = 1e-9, kMargin = 10;
  double speed = system_.reference_acceleration() * h;
  for (int i = 0; i < system_.halo().owned(); ++i) speed = std::max(speed, state.v[i].norm());
  speed = maximum_over_ranks(system_.communicator(), speed);
  report.limited_by_rounding = system_.has_inertia() && worst.velocity > solver_.tolerance() && worst.velocity < kLastDigits * speed;
  if (report.limited_by_rounding)
    return fmt::format(
        "solver.tolerance is {:.3g} m/s, and Newton's method came to a velocity error of {:.3g} m/s and no further, {}, because numbers are rounded; give "
        "solver.tolerance {:.0e} m/s or more",
        solver_.tolerance(), worst.velocity, place, kMargin * worst.velocity);
  const ContactGroup *nearest = nullptr, *most_closed = nullptr;
  double least = std::numeric_limits<double>::infinity(), least_part = least;  // the distance [m], and the gap in parts of the thickness
  Vec3 deepest_place = Vec3::Zero();
  for (const auto& contact : contacts_) {
    const std::vector<ContactPoint> points = contact->points(state);
    const auto [gap, deepest] = deepest_point(system_.communicator(), points);
    const double overlap = contact->unweighted_law().largest_overlap();
    if (const double part = (gap + overlap) / (contact->thickness() + overlap); part < least_part) {
      least_part = part;
      most_closed = contact.get();
      deepest_place = deepest;
    }
    double distance = std::numeric_limits<double>::infinity();
    for (const ContactPoint& point : points) distance = std::min(distance, (point.position - worst.position).norm());
    distance = minimum_over_ranks(system_.communicator(), distance);
    if (distance < least && distance <= kNearContact * contact->thickness()) {
      least = distance;
      nearest = contact.get();
    }
  }
  const char* snaps = system_.has_inertia() ? ""
                                            : "; shorter steps do not reduce constant weight and loads: let them grow (gravity_over, over) or start in "
                                              "equilibrium (initial: {equilibrium: true}). No other equilibrium was found by a damped motion of the bodies "
                                              "either. To follow bodies that snap, run the scene with inertia (time.inertia) and damping";
  const std::string error = fmt::format("(velocity error {:.3g} m/s; Newton's method: {})", worst.velocity, newton.reason);
  if (least_part < (nearest && nearest != most_closed ? kClosed : kSmallGap))
    return fmt::format(
        "forces {} do not balance {} while contact '{}' is pressed through {:.3g} % of its thickness, at ({:.4g}, {:.4g}, {:.4g}); it is too soft for its "
        "load: give it a greater pressure (or stiffness), or take shorter steps{}",
        place, error, most_closed->name(), 100 * (1 - least_part), deepest_place.x(), deepest_place.y(), deepest_place.z(), snaps);
  if (!nearest)
    return fmt::format(
        "forces {} do not balance {}; take shorter steps, or look for badly shaped elements and for loads that the material cannot carry there{}", place, error,
        snaps);
  return fmt::format(
      "forces {} do not balance in contact '{}' {}; take shorter steps, or give that contact a greater thickness, a lower stiffness or a greater friction "
      "tolerance{}",
      place, nearest->name(), error, snaps);
}

Field StageSolver::linearize(Stage stage, const State& base) {
  equation_.begin(std::move(stage));
  Field force(system_.halo().local());
  system_.force(base, force);
  equation_.linearize(base);
  return force;
}

bool StageSolver::solve_linearized(Step& step, const State& base, Field force, const StageExponential& exponential, State& solution) {
  const NewtonReport newton = traction::solve_linearized(equation_, solver_, base, std::move(force), exponential, solution);
  step.report.newton_iterations += newton.newton_iterations;
  step.report.linear_iterations += newton.linear_iterations;
  step.report.reason = newton.reason;
  return newton.converged && is_admissible(base, solution, step.report.reason);
}

bool StageSolver::is_admissible(const State& start, const State& end, std::string& reason) {
  if (system_.bounds_steps()) {
    Field displacement(system_.halo().local());
    displacement.array() = end.q.array() - start.q.array();
    State moved = start;
    moved.time = end.time;
    if (system_.admissible_part(moved, displacement).value_or(0) < 1 || !system_.is_clear(start, end, true)) {
      reason =
          "surfaces passed through each other in this step, which this integrator detects only afterwards; take an integrator that prevents it on the way, "
          "such as tr_sdirk2, shorter steps, or a greater thickness of the contact";
      return false;
    }
  }
  Field force(system_.halo().local());
  system_.force(end, force);
  const double norm = sum_over_ranks(system_.communicator(), force.array().head(3 * system_.halo().owned()).squaredNorm());
  if (!std::isfinite(norm)) reason = "the step ends where a force is undefined (an element is inverted, or a barrier was crossed)";
  return std::isfinite(norm);
}

}  // namespace traction
