#include "dynamics/settling.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "contact/normal_force_sizes.h"
#include "dynamics/contact_stiffening.h"
#include "dynamics/contact_support.h"
#include "dynamics/pseudo_time.h"
#include "dynamics/rigid_part.h"
#include "dynamics/stage_solver.h"
#include "dynamics/supports.h"
#include "dynamics/travel_limits.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// Bodies are in equilibrium when no acceleration exceeds this part of a reference: of gravity, or, without gravity, of kShareOfUnbalanced times those at the
// start. Rounding keeps stiff bodies with low loads from such a balance. Without gravity a body is therefore also in equilibrium where a long step hardly moves
// it.
constexpr double kShareOfUnbalanced = 1e-3;
constexpr double kLongStep = 1;   // [s]
constexpr double kStill = 1e-10;  // part of a radius of gyration by which a long step may move a body that is in equilibrium
// Rounding of positions causes forces in bodies that are much stiffer against stretching than against bending. Forces of this part may remain unbalanced there.
constexpr double kRoundedBalance = 1e-3;
constexpr double kRoundingMargin = 4;
// Bodies that are moved back for long need no better balance than this: contacts that turn with them come and go.
constexpr double kLooseBalance = 1e-2;
// Contact does not hold a body in directions in which its stiffness is below this part of the largest one. If a body that is moved back finds no balance in
// kStepsToFree steps, another part is tried: twice as much, half as much, four times, a quarter, and so on.
constexpr double kFree = 0.1, kMostFree = 0.9;
// The same for bodies that creep. A body that rocks on a narrow facet, or tilts about a front edge that bears its weight, is held. Faces that are bent resist
// the creeping itself; with them it is the second number.
constexpr double kFreeToCreep = 1e-5, kFreeOnBentFaces = 0.01;
constexpr double kGrip = 1e-6;  // part of the largest resistance of friction to motions of a body; it does not resist what is below
constexpr int kStepsToFree = 80;
// A body that is moved back to its place after each step may move this many gyration radii in a step.
constexpr double kRotation = 0.05;
// A body that creeps is kept in place for this many steps. If it finds no balance in them, as a ladder that turns while it creeps, it creeps further.
constexpr int kStepsInPlace = 40;
constexpr int kSteadySteps = 40;  // a body slides for good once this many steps have left it the same acceleration
constexpr int kMostSteps = 1000;
// The search is given up if it comes no nearer to balance, by this part, in so many steps: a body tips over, or friction does not hold it.
constexpr int kFruitlessSteps = 200;
constexpr double kNearer = 0.01;
// Moving a body back, over a wavy or bent surface, may change its normal forces by this part. Otherwise the step that seems to end in balance is repeated with
// a shorter one, this often at most; the distance back is proportional to the square of its length.
constexpr double kAltered = 0.01;
constexpr int kMostCuts = 20;
constexpr int kMostStiffenings = 20;

// How a body's motion is treated along the directions in which no contact holds it.
enum class Manner {
  settling,  // the body continues until it comes to rest; if friction holds it, it keeps the velocity at which it creeps
  moving,    // the body has a velocity, which it keeps, and is moved back
  sliding    // friction does not hold the body: it is moved back, and gets the lowest velocity at which friction is fully developed
};

// The unknowns of a body that are twists of its rods.
std::span<const int> twists_of(const System& system, std::size_t body) { return std::span(system.unknowns()[body]).subspan(system.bodies()[body].size()); }

class Settling {
 public:
  Settling(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies, const SolverSettings& settings,
           const State& start, bool on_bent_faces, const Interruption& interruption)
      : system_(system),
        contacts_(contacts),
        bodies_(bodies),
        settings_(settings),
        solver_(system, contacts, settings),
        interruption_(interruption),
        free_to_creep_(on_bent_faces ? kFreeOnBentFaces : kFreeToCreep),
        start_(start),
        motions_(body_motions(system, start.q, start.v)),
        travel_limits_(travel_limits(system, motions_)),
        holds_(system, motions_, start.q) {
    solver_.set_interruption(interruption);
    holds_.add_held_vertices();
    holds_.complete();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      centers_.push_back(motions_[b].center);
      radii_.push_back(motions_[b].gyration_radius());
      manners_.push_back(bodies[b].settles() && rigid_part(motions_[b]).speed(radii_[b]) > 0 ? Manner::moving : Manner::settling);
    }
    for (const auto& contact : contacts)
      if (contact->unweighted_law().friction) slow_ = std::max(slow_, contact->friction_tolerance());
    reset();
    creep_ = kFastestCreep * slow_;
  }

  EquilibriumReport run(double first_step);
  State& state() { return state_; }

 private:
  void reset();
  bool take(double h, State& next);
  double move_to(const State& next, double h);
  void relax();
  double unbalanced();
  bool is_still(double h) const;
  bool bears_rounding(double impulse);
  void measure_support();
  double change_of_pressure() const;
  RigidPart free_part(std::size_t body, const RigidPart& part) const;
  std::size_t travelled() const;
  double fastest_creep() const;
  double reference_without_weight();
  void follow_traveller(std::size_t body);
  bool is_stiff_enough(const ContactStiffening& stiffening);
  // Whether an obstacle moves under a body faster than friction lets it creep, so that friction is fully developed at rest.
  bool is_passed_by(std::size_t body) const {
    return std::ranges::any_of(bodies_[body].carriers, [&](const SettlingBody::Carrier& carrier) { return carrier.speed > kFastestCreep * slow_; });
  }
  bool moves_back() const {
    return std::any_of(manners_.begin(), manners_.end(), [](Manner manner) { return manner != Manner::settling; });
  }

  System& system_;
  const std::vector<std::shared_ptr<ContactGroup>>& contacts_;
  const std::vector<SettlingBody>& bodies_;
  SolverSettings settings_;
  StageSolver solver_;
  const Interruption& interruption_;  // may be empty
  const double free_to_creep_;
  const bool foretells_ = solver_.foretell_stresses();  // long steps of pseudo-time are almost without inertia
  const State& start_;
  const std::map<std::string, std::vector<double>> remembered_ = system_.remembered();  // the data that forces remember, at the start
  std::vector<Manner> manners_;                                                         // one for each body
  std::vector<Vec3> centers_;                                                           // at the start
  std::vector<double> radii_;
  double free_ = kFree;        // at present
  double balance_ = kBalance;  // at present
  double residual_ = 0;        // velocity defect of the last step [m/s]
  double slow_ = 0;            // speed up to which friction holds a body on what carries it [m/s]
  double creep_ = 0;           // at present: the same, or more if that creeps too, on other bodies

  State state_;  // v: the velocities that are kept, namely those of the start and of creeping, and zero elsewhere
  std::vector<BodyMotion> motions_;
  std::vector<double> travel_limits_;
  Supports holds_;                        // held vertices, at the start
  std::vector<ContactSupport> supports_;  // for each body
  std::vector<char> has_touched_;
  std::vector<RigidPart> back_;  // for each body: the velocity that was taken from it after the last step, as it was moved back
  std::vector<char> slides_ =
      std::vector<char>(bodies_.size(), 0);  // for each body that settles: whether it was faster in the last step than friction lets it creep
  std::vector<double> left_of_step_ = std::vector<double>(bodies_.size(), 0.0);  // accelerations of each body in the last step, in root mean square [m/s^2]
  int began_ = 0;                                                                // the step before the first one of this attempt
  bool keeps_in_place_ = false;                                                  // whether a body that creeps was put back after the last step
  bool may_creep_ = false;      // in the next step: putting bodies back has left the same imbalance twice, which it therefore causes
  std::size_t worst_body_ = 0;  // the body that is least in balance
  EquilibriumReport report_;
};

void Settling::reset() {
  state_ = start_;
  system_.recall(remembered_);
  has_touched_.assign(bodies_.size(), 0);
  motions_ = body_motions(system_, state_.q, state_.v);
}

// One step of backward Euler from the velocities that bodies keep and from rest otherwise. It moves bodies only by the velocities that it adds to the kept
// ones.
bool Settling::take(double h, State& next) {
  for (const auto& contact : contacts_) contact->begin_step(state_);
  solver_.begin_step();
  solver_.lag_friction(state_);
  const std::optional<PreviousStep> none;
  const std::vector<State> no_stages;
  Step step{state_, none, no_stages, traits(Integrator::backward_euler), false, h};
  step.velocities.emplace_back(0, &state_.v);
  Stage stage{h, state_.time, state_.q, state_.v, Field(system_.halo().local()), 1, nullptr, state_.mean};
  stage.q_hat.array() -= h * state_.v.array();
  const bool solved = solver_.solve_fully(step, std::move(stage), 0, state_, next);
  report_.newton_iterations += step.report.newton_iterations;
  report_.linear_iterations += step.report.linear_iterations;
  residual_ = step.report.residual;
  if (!solved) return false;
  for (const auto& contact : contacts_)
    if (contact->passage(state_, next)) return false;
  return true;
}

void Settling::measure_support() {
  supports_ = contact_supports(system_, contacts_, motions_, state_);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (supports_[b].pressed > 0) has_touched_[b] = 1;
}

// By which part of the sum of a body's normal forces moving it back after the last step has changed that sum; the largest of all bodies. Collective.
double Settling::change_of_pressure() const {
  if (std::none_of(back_.begin(), back_.end(), [](const RigidPart& part) { return part.speed(1) > 0; })) return 0;
  const std::vector<double> sizes = normal_forces(contacts_, state_, system_.halo().local()).sizes;
  std::vector<double> pressed(bodies_.size(), 0.0);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const int vertex : system_.places()[b]) pressed[b] += sizes[static_cast<std::size_t>(vertex)];
  sum_over_ranks(system_.communicator(), pressed);
  double result = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (back_[b].speed(1) > 0) result = std::max(result, std::abs(pressed[b] - supports_[b].pressed) / supports_[b].pressed);
  return result;
}

// The part of a rigid motion in the directions, orthogonal in the sense of the body's mass, against which no contact pushes and no vertex is held. Of a body
// that creeps only the part counts against which friction acts, so not that which makes the body roll.
RigidPart Settling::free_part(std::size_t body, const RigidPart& part) const {
  const BodyMotion& motion = motions_[body];
  Mat6 mass = Mat6::Zero();
  mass.topLeftCorner<3, 3>() = motion.mass * Mat3::Identity();
  // Rotation about an axis on which all mass lies moves nothing.
  mass.bottomRightCorner<3, 3>() = motion.inertia + 1e-9 * motion.inertia.trace() * Mat3::Identity();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat6> modes(supports_[body].normal, mass);
  Vec6 motion_of_part;
  motion_of_part << part.velocity, part.angular_velocity;
  const Vec6 shares = modes.eigenvectors().transpose() * mass * motion_of_part;
  const bool creeps = manners_[body] == Manner::settling;
  const Eigen::Index count = (modes.eigenvalues().array() < (creeps ? free_to_creep_ : free_) * modes.eigenvalues()[5]).count();  // ascending
  const Eigen::Matrix<double, 6, Eigen::Dynamic> basis = modes.eigenvectors().leftCols(count);
  Eigen::VectorXd parts = shares.head(count);
  if (creeps && count > 0) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> rubbed(basis.transpose() * supports_[body].grip * basis);
    const auto counts = (rubbed.eigenvalues().array() > kGrip * rubbed.eigenvalues().maxCoeff()).cast<double>().matrix().eval();
    parts = rubbed.eigenvectors() * counts.cwiseProduct(rubbed.eigenvectors().transpose() * parts);
  }
  Vec6 free = basis * parts;
  free.head<3>() /= radii_[body];
  free = holds_.free_part(body, free);
  return {radii_[body] * free.head<3>(), free.tail<3>()};
}

// A body that is far from where it started; the number of bodies if none is.
std::size_t Settling::travelled() const {
  std::size_t b = 0;
  while (b < bodies_.size() && !((motions_[b].center - centers_[b]).norm() > travel_limits_[b])) ++b;
  return b;
}

// The speed up to which friction may hold bodies that turn, and creep on each other.
double Settling::fastest_creep() const {
  const auto carried = std::count_if(motions_.begin(), motions_.end(), [](const BodyMotion& motion) { return !motion.held; });
  return kFastestCreep * slow_ * static_cast<double>(std::max<std::ptrdiff_t>(carried, 1));
}

// Moves the bodies to the positions at the end of a step of length h. Returns how far bodies are moved back, relative to what is allowed; above 1 the step must
// be repeated.
double Settling::move_to(const State& next, double h) {
  Field added(system_.halo().local());  // relative to the velocities that are kept
  added.array() = next.v.array() - state_.v.array();
  const std::vector<BodyMotion> changes = body_motions(system_, state_.q, added);
  state_.q = next.q;
  measure_support();
  double too_far = 0;
  keeps_in_place_ = false;
  std::vector<RigidPart> adopted(bodies_.size());
  back_.assign(bodies_.size(), {});
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!(supports_[b].pressed > 0) || !bodies_[b].settles()) continue;
    const RigidPart part = free_part(b, rigid_part(changes[b])), kept = rigid_part(motions_[b]) + part;
    const double speed = kept.speed(radii_[b]);
    const bool creeps = manners_[b] == Manner::settling && speed <= creep_ && !is_passed_by(b);
    if (creeps) adopted[b] = part;
    if (manners_[b] == Manner::sliding) adopted[b] = kept * (speed > slow_ ? slow_ / speed : 1);
    const bool stays = creeps && !may_creep_ && report_.steps - began_ <= kStepsInPlace;
    if (stays || manners_[b] != Manner::settling) back_[b] = part;
    keeps_in_place_ = keeps_in_place_ || stays;
    slides_[b] = manners_[b] == Manner::settling && speed > creep_;
    too_far = std::max(too_far, h * back_[b].speed(radii_[b]) / (kRotation * radii_[b]));
  }
  if (too_far > 1) return too_far;
  std::vector<double> left_of_step(bodies_.size(), 0.0);  // m |u|^2, with u the change of velocities in the step without the part that is moved back
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const int vertex : system_.bodies()[b]) {
      const Vec3 arm = next.q[vertex] - h * added[vertex] - changes[b].center, part = back_[b].at(arm);
      left_of_step[b] += system_.mass()[vertex] * system_.held().free_part(vertex, added[vertex] - part).squaredNorm();
      state_.q[vertex] += system_.held().free_part(vertex, way_back(next.q[vertex], changes[b], back_[b], h));
      const Vec3 gained = system_.held().free_part(vertex, adopted[b].at(arm));
      // A body that slides gets its whole velocity anew. A sum over steps would keep what is no rigid motion of the body as it is deformed now.
      state_.v[vertex] = manners_[b] == Manner::sliding && supports_[b].pressed > 0 ? gained : Vec3(state_.v[vertex] + gained);
    }
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const int twist : twists_of(system_, b))
      if (manners_[b] == Manner::settling) left_of_step[b] += system_.mass()[twist] * system_.held().free_part(twist, added[twist]).squaredNorm();
  system_.exchange(state_.q);
  system_.exchange(state_.v);
  motions_ = body_motions(system_, state_.q, state_.v);
  sum_over_ranks(system_.communicator(), left_of_step);
  for (std::size_t b = 0; b < bodies_.size(); ++b) left_of_step_[b] = std::sqrt(left_of_step[b] / motions_[b].mass) / h;
  return too_far;
}

// Lets stress relax. What this changes in the forces is left of the step too, of which the bodies that move are judged by the forces before.
void Settling::relax() {
  if (std::count(manners_.begin(), manners_.end(), Manner::moving) == 0) return system_.relax(state_);
  Field before(system_.halo().local()), after = before;
  system_.force(state_, before);
  system_.relax(state_);
  system_.force(state_, after);
  std::vector<double> sums(bodies_.size(), 0.0);  // for each body: m |a|^2
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const int vertex : system_.bodies()[b])
      sums[b] += system_.held().free_part(vertex, Vec3(after[vertex] - before[vertex])).squaredNorm() / system_.mass()[vertex];
  sum_over_ranks(system_.communicator(), sums);
  for (std::size_t b = 0; b < bodies_.size(); ++b) left_of_step_[b] += std::sqrt(sums[b] / motions_[b].mass);
}

// The root mean square of the accelerations that are left, of the worst body [m/s^2]. Those along which bodies are moved back do not count.
double Settling::unbalanced() {
  Field accelerations(system_.halo().local());
  system_.force(state_, accelerations);
  for (int i = 0; i < system_.halo().owned(); ++i) accelerations[i] = system_.held().free_part(i, accelerations[i] / system_.mass()[i]);
  system_.dependents().spread(accelerations);
  const std::vector<BodyMotion> whole = body_motions(system_, state_.q, accelerations);
  std::vector<double> sums;  // for each body: m |a|^2
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const RigidPart part = manners_[b] == Manner::settling ? RigidPart{} : free_part(b, rigid_part(whole[b]));
    double square = 0;
    for (const int vertex : system_.bodies()[b])
      square += system_.mass()[vertex] * (accelerations[vertex] - part.at(state_.q[vertex] - whole[b].center)).squaredNorm();
    for (const int twist : twists_of(system_, b))  // a rod that moves may turn about itself, too
      if (manners_[b] == Manner::settling) square += system_.mass()[twist] * accelerations[twist].squaredNorm();
    sums.push_back(square);
  }
  sum_over_ranks(system_.communicator(), sums);
  double worst = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    // A body that moves is judged by the forces at its velocity in the step, which friction has made lower than the velocity that it keeps.
    const double left = manners_[b] == Manner::moving ? left_of_step_[b] : std::sqrt(sums[b] / motions_[b].mass);
    if (!bodies_[b].settles() || left < worst) continue;
    worst = left;
    worst_body_ = b;
  }
  return worst;
}

// Whether the last step, of length h, has moved no body that settles.
bool Settling::is_still(double h) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].settles() && left_of_step_[b] * h * h > kStill * radii_[b]) return false;
  return true;
}

// Called after a step that was not solved. Returns whether the remaining part of `impulse`, that of the reference acceleration [m/s], may be due to rounding.
// The step is then worth another attempt, to lower tolerances.
bool Settling::bears_rounding(double impulse) {
  const double needed = kRoundingMargin * residual_ / impulse;
  if (!foretells_ || !(needed > balance_) || needed > kRoundedBalance) return false;
  balance_ = report_.unbalanced = needed;
  return true;
}

// What accelerations are compared with where no weight acts: a part of those at the start.
double Settling::reference_without_weight() {
  for (const auto& contact : contacts_) contact->begin_step(state_);
  measure_support();
  return kShareOfUnbalanced * unbalanced();
}

// Decides what becomes of a body that has gone far: it may creep faster than was assumed, or it slides. Throws InputError if nothing carries it.
void Settling::follow_traveller(std::size_t body) {
  const SettlingBody& traveller = bodies_[body];
  if (!has_touched_[body] || manners_[body] != Manner::settling)
    throw InputError(fmt::format(
        "{}: nothing supports body '{}': under the forces at the start it moves {:.3g} m and does not come to rest; set it on something that carries it, "
        "hold a region of it, or start it without equilibrium",
        traveller.source, traveller.name, (motions_[body].center - centers_[body]).norm()));
  if (std::exchange(creep_, fastest_creep()) != fastest_creep()) return;
  report_.warnings.push_back(
      fmt::format("body '{}' has no equilibrium: friction does not hold it, and it slides or rolls. It starts from where it is set", traveller.name));
  manners_[body] = Manner::sliding;
}

// Stiffens contact that is pressed too far.
bool Settling::is_stiff_enough(const ContactStiffening& stiffening) {
  std::vector<ContactSummary> summaries;
  for (const auto& contact : contacts_) {
    contact->begin_step(state_);
    summaries.push_back(contact->summarize(state_));
  }
  return stiffening.judge(state_, summaries, state_, summaries, false).verdict == ContactStiffening::Verdict::accept;
}

EquilibriumReport Settling::run(double first_step) {
  const ContactStiffening stiffening(system_, contacts_);
  PseudoTime pseudo_time(first_step);
  const double weight = system_.reference_acceleration();
  double reference = weight > 0 ? weight : reference_without_weight();
  int stiffenings = 0, steady = 0, cuts = 0, attempts = 0, since_least = 0;  // attempts: with other parts of the stiffness
  double least_left = std::numeric_limits<double>::infinity();
  const auto begin_again = [&] {
    reset();
    pseudo_time.begin_again();
    steady = since_least = 0;
    least_left = std::numeric_limits<double>::infinity();
    began_ = report_.steps;
  };
  for (report_.steps = 1; report_.steps <= kMostSteps; ++report_.steps) {
    if (report_.steps - began_ >= kStepsToFree && moves_back()) {
      ++attempts;
      free_ = std::min(kFree * std::exp2(attempts % 2 != 0 ? (attempts + 1) / 2 : -attempts / 2), kMostFree);
      begin_again();
    }
    if (pseudo_time.is_exhausted()) break;
    if (const int signal = interruption_ ? interruption_(std::nullopt) : 0) throw Interrupted("a signal asks for an end", signal);
    State next;
    const double h = pseudo_time.step();
    const int before = report_.newton_iterations;
    // In long steps the tolerance for velocities is stricter than balance requires, and too strict for thin bodies, whose positions are rounded.
    if (foretells_) solver_.set_tolerances(std::max(settings_.tolerance, balance_ / 2 * h * reference), std::max(settings_.relative_tolerance, balance_ / 2));
    if (!take(h, next)) {
      if (!bears_rounding(h * reference)) pseudo_time.fail();
      continue;
    }
    const State last = state_;
    if (const double too_far = move_to(next, h); too_far > 1) {
      state_ = last;
      pseudo_time.cut(too_far);
      continue;
    }
    system_.commit(state_);
    relax();
    const double left = unbalanced();
    if (!(reference > 0)) reference = kShareOfUnbalanced * left;  // a body that moves is judged by its steps alone
    steady = slides_[worst_body_] && pseudo_time.leaves_the_same(left) ? steady + 1 : 0;
    if (const std::size_t b = steady < kSteadySteps ? travelled() : worst_body_; b < bodies_.size()) {
      follow_traveller(b);
      begin_again();
      continue;
    }
    const bool balances = left <= (moves_back() && report_.steps > kStepsToFree ? kLooseBalance : balance_) * reference;
    if (balances || (!(weight > 0) && h >= kLongStep && is_still(h))) {
      if (const double altered = change_of_pressure(); altered > kAltered && cuts++ < kMostCuts) {
        pseudo_time.cut(altered / kAltered);
        pseudo_time.note(left);
        continue;
      }
      if (is_stiff_enough(stiffening) || ++stiffenings > kMostStiffenings) return report_;
      least_left = std::numeric_limits<double>::infinity();
      since_least = 0;
    }
    if (left < (1 - kNearer) * least_left) least_left = left, since_least = 0;
    else ++since_least;
    if (since_least > kFruitlessSteps && !moves_back()) break;
    may_creep_ = keeps_in_place_ && pseudo_time.leaves_the_same(left);
    const bool slides = std::count(manners_.begin(), manners_.end(), Manner::sliding) > 0;
    pseudo_time.adapt({left, reference, report_.newton_iterations - before, slides, keeps_in_place_});
  }
  const SettlingBody& worst = bodies_[worst_body_];
  if (has_touched_[worst_body_] && !motions_[worst_body_].held)
    throw SolverError(fmt::format(
        "{}: no equilibrium to start from was found in {} steps of pseudo-time: only contact carries body '{}', and this body or what carries it slides, rolls "
        "or tips over. Move it to where it is carried, hold a region of either body, or start both without equilibrium: the run, with inertia, shows how they "
        "move",
        worst.source, std::min(report_.steps, kMostSteps), worst.name));
  throw SolverError(fmt::format(
      "{}: no equilibrium to start from was found in {} steps of pseudo-time: the forces on body '{}' do not balance. Let it come to rest in a damped run "
      "instead (integrator: backward_euler, damping: {{mass: ...}}), and start from its last frame (initial.positions; of rigid bodies initial.translate and "
      "initial.rotate)",
      worst.source, std::min(report_.steps, kMostSteps), worst.name));
}

}  // namespace

EquilibriumReport settle_with_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                      const SolverSettings& solver, double first_step, State& state, bool on_bent_faces, const Interruption& interruption) {
  Settling settling(system, contacts, bodies, solver, state, on_bent_faces, interruption);
  EquilibriumReport report = settling.run(first_step);
  state = std::move(settling.state());
  return report;
}

}  // namespace traction
