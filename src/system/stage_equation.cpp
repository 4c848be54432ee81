#include "system/stage_equation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "system/body_motion.h"
#include "system/dependent_blocks.h"

namespace traction {

namespace {

constexpr double kWorstVertex = 10;       // factor on the allowed root mean square: the largest error of a single vertex
constexpr double kJoined = 1e5;           // factor on the drift that is allowed to bodies on joints
constexpr double kCarried = 100;          // the same, for rigid bodies and for other bodies with vertices that are carried
constexpr double kLeastTolerance = 1e-8;  // in m/s, and relative to a body's speed: lower bounds on the relative tolerance where nothing changes
constexpr double kVanished = 1e-9;        // share of the forces at a stage's guesses that may be left without balance where the forces of its solution vanish
constexpr double kRounding = 1e-13;       // share of these forces that rounding may leave

// By body, the factor on the drift that is allowed to it (see StageEquation::drift). Springs do not count as joints, because they are only as stiff as the
// scene asks for. Collective.
std::vector<double> allowed_drifts(const System& system) {
  std::vector<double> factors(system.bodies().size(), 1.0);
  const std::vector<char>& carried = system.dependents().marks();
  std::vector<char> joined(static_cast<std::size_t>(system.halo().local()), 0);
  for (const auto& force : system.forces()) {
    if (force->energy_name() == "spring") continue;
    for (const auto& vertices : force->joined())
      for (const int vertex : vertices) joined[static_cast<std::size_t>(vertex)] = 1;
  }
  for (std::size_t b = 0; b < factors.size(); ++b)
    for (const int vertex : system.places()[b]) {
      if (carried[vertex]) factors[b] = std::max(factors[b], kCarried);
      if (joined[static_cast<std::size_t>(vertex)]) factors[b] = kJoined;
    }
  maximum_over_ranks(system.communicator(), factors);
  return factors;
}

// Read and write access to the owned entries of a PETSc vector for the length of a scope.
class ReadAccess {
 public:
  explicit ReadAccess(Vec vector) : vector_(vector) { VecGetArrayRead(vector_, &values_); }
  ~ReadAccess() { VecRestoreArrayRead(vector_, &values_); }
  ReadAccess(const ReadAccess&) = delete;
  ReadAccess& operator=(const ReadAccess&) = delete;
  Eigen::Map<const Vec3> operator[](int vertex) const { return Eigen::Map<const Vec3>(values_ + 3 * vertex); }

 private:
  Vec vector_;
  const PetscScalar* values_ = nullptr;
};

class WriteAccess {
 public:
  explicit WriteAccess(Vec vector) : vector_(vector) { VecGetArray(vector_, &values_); }
  ~WriteAccess() { VecRestoreArray(vector_, &values_); }
  WriteAccess(const WriteAccess&) = delete;
  WriteAccess& operator=(const WriteAccess&) = delete;
  Eigen::Map<Vec3> operator[](int vertex) { return Eigen::Map<Vec3>(values_ + 3 * vertex); }

 private:
  Vec vector_;
  PetscScalar* values_ = nullptr;
};

}  // namespace

StageEquation::StageEquation(System& system, OperatorKind kind)
    : system_(system),
      kind_(kind),
      blocks_(system.pattern()),
      trial_(system.halo().local()),
      linearized_(system.halo().local()),
      direction_(system.halo().local()),
      work_(system.halo().local()) {}

void StageEquation::begin(Stage stage) {
  stage_ = std::move(stage);
  if (stage_.split) other_ = Field(system_.halo().local());
  trial_.time = linearized_.time = stage_.time;
  trial_.mean = linearized_.mean = stage_.mean;
  term_sizes_.reset();
  noted_.clear();
}

void StageEquation::impose_driven(Vec v) const {
  WriteAccess values(v);
  for (const DrivenGroup& group : system_.driven()) {
    const Pose pose(group.motion, stage_.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      values[vertex] = group.imposed(k, values[vertex], (pose.to_world<double>(group.starts[k]) - stage_.q_hat[vertex]) / stage_.step);
    }
  }
}

// Starts the exchange of the velocities; positions of ghosts follow once it has ended.
void StageEquation::set_state(Vec v) {
  {
    const ReadAccess values(v);
    for (int i = 0; i < system_.halo().owned(); ++i) trial_.v[i] = values[i];
  }
  system_.dependents().spread(trial_.v);
  system_.halo().begin_exchange(trial_.v.values());
  for (int i = 0; i < system_.halo().owned(); ++i) trial_.q[i] = stage_.q_hat[i] + stage_.step * trial_.v[i];
}

void StageEquation::set_split_state(Vec v) {
  {
    const ReadAccess values(v);
    for (int i = 0; i < system_.halo().owned(); ++i) trial_.v[i] = values[i];
  }
  system_.exchange(trial_.v);
  trial_.q.array() = stage_.q_hat.array() + stage_.step * trial_.v.array();
  stage_.split->add_motion(-stage_.step * stage_.split->coordinates(trial_.v), trial_.q);
}

// Subtracts the modes' part from the modal forces in work_, or from a change of these, and adds the other forces.
void StageEquation::split_force() {
  stage_.split->add_force(-stage_.split->loads(work_), work_);
  work_.array() += other_.array();
}

void StageEquation::residual(Vec v, Vec residual) {
  static const LogEvent event("StageResidual");
  const LogEvent::Scope timed(event);
  const Halo& halo = system_.halo();
  if (stage_.split) {
    set_split_state(v);
    system_.force(trial_, work_, Terms::modal);
    system_.force(trial_, other_, Terms::other);
    split_force();
  } else if (seeks_balance()) {
    system_.force(state_of(v), work_, term_sizes_.emplace());
  } else {
    set_state(v);
    auto ghosts = [&] {
      for (int i = halo.owned(); i < halo.local(); ++i) trial_.q[i] = stage_.q_hat[i] + stage_.step * trial_.v[i];
    };
    system_.force(trial_, trial_.v, ghosts, work_);
  }
  WriteAccess values(residual);
  // The force along directions in which vertices are held may be far greater than the rest, which two projections leave without its rounding.
  for (int i = 0; i < halo.owned(); ++i)
    values[i] = system_.held().free_part(i, system_.mass()[i] * (trial_.v[i] - stage_.v_hat[i]) - impulse() * work_[i] - stage_.momentum[i]);
  if (system_.dependents().any())
    for (int i = 0; i < halo.owned(); ++i)
      if (system_.dependents().marks()[i]) values[i] = Vec3::Zero();
  for (const DrivenGroup& group : system_.driven()) {
    const Pose pose(group.motion, stage_.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      values[vertex] = group.imposed(k, values[vertex], system_.mass()[vertex] * (trial_.q[vertex] - pose.to_world<double>(group.starts[k])) / stage_.step);
    }
  }
}

State StageEquation::state_of(Vec v) {
  const Halo& halo = system_.halo();
  if (stage_.split) {
    set_split_state(v);
    return trial_;
  }
  set_state(v);
  halo.end_exchange(trial_.v.values());
  for (int i = halo.owned(); i < halo.local(); ++i) trial_.q[i] = stage_.q_hat[i] + stage_.step * trial_.v[i];
  return trial_;
}

std::optional<double> StageEquation::admissible_part(Vec v, Vec change) {
  if (!system_.bounds_steps()) return 1;
  const Halo& halo = system_.halo();
  {
    const ReadAccess values(change);
    for (int i = 0; i < halo.owned(); ++i) direction_.q[i] = stage_.step * values[i];
  }
  system_.exchange(direction_.q);
  if (stage_.split) stage_.split->add_motion(-stage_.split->coordinates(direction_.q), direction_.q);
  return system_.admissible_part(state_of(v), direction_.q);
}

void StageEquation::linearize(Vec v) { linearize(state_of(v)); }

void StageEquation::linearize(const State& state) {
  static const LogEvent event("Linearize");
  const LogEvent::Scope timed(event);
  linearized_ = state;
  system_.linearize(linearization());
  assembled_ = false;
  if (kind_ != OperatorKind::matrix_free) assemble();
}

void StageEquation::assemble() {
  if (assembled_) return;
  static const LogEvent event("StageBlocks");
  const LogEvent::Scope timed(event);
  blocks_.set_zero();
  for (const bool single : {false, true}) {
    for (const auto& term : system_.forces())
      if (const Assembly* assembly = term->assembly(); assembly && (term->vertex_forces() != nullptr) == single) assembly->add_blocks(linearization(), blocks_);
    if (!single) other_diagonal_ = blocks_.diagonal();
  }
  assembled_ = true;
}

Mat3 StageEquation::vertex_block(int vertex) const {
  Mat3 sum = other_diagonal_[vertex];
  blocks_.for_each_coupling(vertex, [&](int, const Mat3& K) { sum -= K; });
  return system_.mass()[vertex] * Mat3::Identity() - impulse() * sum;
}

std::vector<Coupling> StageEquation::couplings(bool off_diagonal) const {
  std::vector<Coupling> couplings;
  for (const auto& term : system_.forces())
    if (const Assembly* assembly = term->assembly()) assembly->add_couplings(linearization(), couplings);
  if (!off_diagonal) std::erase_if(couplings, [](const Coupling& coupling) { return coupling.row != coupling.column; });
  add_blocks_of_dependents(couplings);
  system_.dependents().reduce(couplings);
  return couplings;
}

void StageEquation::add_blocks_of_dependents(std::vector<Coupling>& couplings) const { traction::add_blocks_of_dependents(system_, blocks_, couplings); }

int StageEquation::rank_one_count() const {
  int count = 0;
  for (const auto& term : system_.forces())
    if (const Assembly* assembly = term->assembly()) count += assembly->rank_one_terms();
  return count;
}

// Moves the gradient's entries at dependent vertices to their masters.
void StageEquation::gather(RankOneTerm& term) const {
  Field gradient(system_.halo().local());
  for (std::size_t k = 0; k < term.vertices.size(); ++k) gradient[term.vertices[k]] = term.gradient[k];
  system_.dependents().gather(gradient);
  term.vertices.clear();
  term.gradient.clear();
  for (int i = 0; i < system_.halo().owned(); ++i)
    if (!gradient[i].isZero(0)) {
      term.vertices.push_back(i);
      term.gradient.push_back(gradient[i]);
    }
}

std::vector<RankOneTerm> StageEquation::rank_one_terms() const {
  std::vector<RankOneTerm> terms;
  for (const auto& force : system_.forces())
    if (const Assembly* assembly = force->assembly()) assembly->add_rank_one_terms(linearization(), terms);
  for (RankOneTerm& term : terms) {
    term.coefficient *= -impulse();
    if (system_.dependents().any()) gather(term);
    for (std::size_t k = 0; k < term.vertices.size(); ++k) term.gradient[k] = system_.held().free_part(term.vertices[k], term.gradient[k]);
  }
  return terms;
}

std::vector<double> StageEquation::rank_one_quantities(Vec v) {
  const State state = state_of(v);
  std::vector<double> quantities;
  for (const auto& force : system_.forces())
    if (const Assembly* assembly = force->assembly()) assembly->add_rank_one_quantities(state, quantities);
  return quantities;
}

std::vector<Vec3> StageEquation::set_held_aside(Vec residual) const {
  std::vector<Vec3> aside;
  if (!system_.held().has_partial()) return aside;
  WriteAccess values(residual);
  for (int i = 0; i < system_.halo().owned(); ++i) {
    if (!system_.held().partial(i)) continue;
    aside.push_back(system_.held().held_part(i, values[i]));
    values[i] = system_.held().free_part(i, values[i]);
  }
  return aside;
}

void StageEquation::solve_held(const std::vector<Vec3>& aside, Vec residual, Vec solution) const {
  if (!system_.held().has_partial()) return;
  WriteAccess values(residual), solved(solution);
  auto held = aside.begin();
  for (int i = 0; i < system_.halo().owned(); ++i) {
    if (!system_.held().partial(i)) continue;
    values[i] += *held;
    solved[i] = system_.held().free_part(i, solved[i]) + *held++ / system_.effective_mass()[i];
  }
}

void StageEquation::product(Vec direction, Vec product) {
  static const LogEvent event("StageProduct");
  const LogEvent::Scope timed(event);
  const Halo& halo = system_.halo();
  {
    const ReadAccess values(direction);
    for (int i = 0; i < halo.owned(); ++i) direction_.v[i] = system_.held().free_part(i, values[i]);
  }
  if (stage_.split) {
    system_.exchange(direction_.v);
    direction_.q.array() = stage_.step * direction_.v.array();
    stage_.split->add_motion(-stage_.step * stage_.split->coordinates(direction_.v), direction_.q);
    system_.product(linearization(), direction_, work_, Terms::modal);
    system_.product(linearization(), direction_, other_, Terms::other);
    split_force();
  } else {
    system_.dependents().spread(direction_.v);
    halo.begin_exchange(direction_.v.values());
    for (int i = 0; i < halo.owned(); ++i) direction_.q[i] = stage_.step * direction_.v[i];
    auto ghosts = [&] {
      for (int i = halo.owned(); i < halo.local(); ++i) direction_.q[i] = stage_.step * direction_.v[i];
    };
    system_.product(linearization(), direction_, direction_.v, ghosts, kind_ != OperatorKind::matrix_free ? &blocks_ : nullptr, work_);
  }
  const ReadAccess input(direction);
  WriteAccess values(product);
  for (int i = 0; i < halo.owned(); ++i) {
    values[i] = system_.effective_mass()[i] * input[i];
    if (!system_.held().whole()[i]) values[i] -= impulse() * system_.held().free_part(i, work_[i]);
  }
}

StageEquation::Defect StageEquation::defect(Vec v, Vec residual, double tolerance, double relative) const {
  const ReadAccess values(residual), velocities(v);
  const double share = std::max(1.0, stage_.force_share), weight = impulse() / share * system_.reference_acceleration();
  constexpr std::size_t kSums = 4;
  std::vector<double> sums;  // for each body: |r|^2 / m, m |v - v_hat|^2, m, m |v|^2
  for (const std::vector<int>& body : system_.unknowns()) {
    double square = 0, change = 0, mass = 0, motion = 0;
    for (const int vertex : body) {
      square += values[vertex].squaredNorm() / system_.mass()[vertex];
      change += system_.mass()[vertex] * (velocities[vertex] - stage_.v_hat[vertex]).squaredNorm();
      mass += system_.mass()[vertex];
      motion += system_.mass()[vertex] * velocities[vertex].squaredNorm();
    }
    sums.insert(sums.end(), {square, change, mass, motion});
  }
  sum_over_ranks(system_.communicator(), sums);
  std::vector<ForceSizes> forces, left;
  if (term_sizes_) {
    forces = at_least_noted(force_sizes(), kVanished / relative);
    left = residual_sizes(residual);
  }
  std::vector<double> largest;  // for each body: the velocity error of its worst vertex, divided by the allowed one
  Defect worst;
  for (std::size_t b = 0; b < system_.bodies().size(); ++b) {
    const double* sum = sums.data() + kSums * b;
    if (std::isnan(sum[0])) return {sum[0], sum[0]};
    const double velocity = std::sqrt(sum[0] / sum[2]) / share, change = system_.has_inertia() ? std::sqrt(sum[1] / sum[2]) : 0;
    const double least = kLeastTolerance * std::max(1.0, std::sqrt(sum[3] / sum[2]));
    const double allowed = std::min(tolerance, std::max(relative * std::max(change, weight), least));
    worst.velocity = std::max(worst.velocity, velocity);
    largest.push_back(velocity / allowed);
    for (const int vertex : system_.unknowns()[b])
      largest[b] = std::max(largest[b], values[vertex].norm() / (system_.mass()[vertex] * share * kWorstVertex * allowed));
  }
  maximum_over_ranks(system_.communicator(), largest);
  for (std::size_t b = 0; b < largest.size(); ++b) {
    if (!forces.empty()) {
      const double part = forces[b].sum > 0 && std::isfinite(forces[b].sum) ? std::max(left[b].sum / forces[b].sum, left[b].largest / forces[b].largest)
                                                                            : std::numeric_limits<double>::infinity();
      largest[b] = std::min(largest[b], part / relative);
    }
    worst.excess = std::max(worst.excess, largest[b]);
  }
  if (!system_.has_inertia()) worst.excess = std::max(worst.excess, drift(residual, tolerance, relative, at_least_noted(forces, kRounding * share / relative)));
  return worst;
}

std::vector<StageEquation::ForceSizes> StageEquation::over_ranks(const std::vector<ForceSizes>& sizes) const {
  std::vector<double> sums, maxima;
  for (const ForceSizes& one : sizes) sums.push_back(one.sum), maxima.push_back(one.largest);
  sum_over_ranks(system_.communicator(), sums);
  maximum_over_ranks(system_.communicator(), maxima);
  std::vector<ForceSizes> result;
  for (std::size_t b = 0; b < sums.size(); ++b) result.push_back({sums[b], maxima[b]});
  return result;
}

std::vector<StageEquation::ForceSizes> StageEquation::force_sizes() const {
  std::vector<ForceSizes> sizes(system_.bodies().size());
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const auto add = [&](int vertex) { sizes[b].add(stage_.step / 2 * (*term_sizes_)[vertex]); };  // each force counts together with those that balance it
    std::ranges::for_each(system_.unknowns()[b], add);
    // Forces on vertices that others carry count, too.
    for (const int vertex : system_.places()[b])
      if (system_.dependents().marks()[vertex]) add(vertex);
  }
  return over_ranks(sizes);
}

std::vector<StageEquation::ForceSizes> StageEquation::residual_sizes(Vec residual) const {
  const ReadAccess values(residual);
  std::vector<ForceSizes> sizes(system_.bodies().size());
  for (std::size_t b = 0; b < sizes.size(); ++b)
    for (const int vertex : system_.unknowns()[b]) sizes[b].add(values[vertex].norm() / stage_.force_share);
  return over_ranks(sizes);
}

std::vector<StageEquation::ForceSizes> StageEquation::at_least_noted(std::vector<ForceSizes> forces, double share) const {
  for (std::size_t b = 0; b < std::min(forces.size(), noted_.size()); ++b)
    forces[b] = {std::max(forces[b].sum, share * noted_[b].sum), std::max(forces[b].largest, share * noted_[b].largest)};
  return forces;
}

void StageEquation::note_forces() {
  if (!term_sizes_) return;
  std::vector<ForceSizes> forces = force_sizes();
  for (ForceSizes& one : forces)
    if (!std::isfinite(one.sum)) one = {};
  noted_ = at_least_noted(std::move(forces), 1);
}

// Only the small remaining inertia resists the motion of a free body as a whole. Joints resist it, too, and are so stiff that the rounding of their forces
// alone would move that inertia faster than is allowed. The frames of rigid bodies are stiff, too.
double StageEquation::drift(Vec residual, double tolerance, double relative, const std::vector<ForceSizes>& forces) const {
  const ReadAccess values(residual);
  Field velocities(system_.halo().local());
  for (int i = 0; i < system_.halo().owned(); ++i)
    if (system_.mass()[i] > 0) velocities[i] = values[i] / system_.mass()[i];
  system_.exchange(velocities);  // dependent vertices have no mass of their own
  const std::vector<BodyMotion> motions = body_motions(system_, stage_.q_hat, velocities);
  const std::vector<double> factors = allowed_drifts(system_);
  double worst = 0;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const BodyMotion& motion = motions[b];
    const double speed = motion.velocity.norm() + motion.angular_velocity.norm() * motion.gyration_radius();
    const double allowed = forces.empty() ? tolerance : std::max(tolerance, relative * forces[b].sum / motion.mass);
    if (!motion.held) worst = std::max(worst, speed / allowed / factors[b]);
  }
  return worst;
}

StageEquation::WorstVertex StageEquation::worst_vertex(Vec v, Vec residual) {
  const State state = state_of(v);
  const ReadAccess values(residual);
  WorstVertex worst;
  for (std::size_t b = 0; b < system_.bodies().size(); ++b)
    for (const int vertex : system_.bodies()[b]) {
      const double velocity = values[vertex].norm() / (system_.mass()[vertex] * std::max(1.0, stage_.force_share));
      const double finite = std::isfinite(velocity) ? velocity : std::numeric_limits<double>::infinity();
      if (finite > worst.velocity) worst = {b, state.q[vertex], finite};
    }
  // The first rank that has the largest error sends its place to the others.
  struct {
    double value;
    int rank;
  } mine{worst.velocity, 0}, largest{};
  MPI_Comm_rank(system_.communicator(), &mine.rank);
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, system_.communicator());
  std::array<double, 4> place{static_cast<double>(worst.body), worst.position.x(), worst.position.y(), worst.position.z()};
  MPI_Bcast(place.data(), 4, MPI_DOUBLE, largest.rank, system_.communicator());
  return {static_cast<std::size_t>(place[0]), Vec3(place[1], place[2], place[3]), largest.value};
}

}  // namespace traction
