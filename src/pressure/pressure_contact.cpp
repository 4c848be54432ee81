#include "pressure/pressure_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/passage.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

PressureContact::PressureContact(std::string name, std::shared_ptr<const Halo> halo, PressurePair pair, std::array<Side, 2> sides, const PressureLaw& traction,
                                 std::shared_ptr<const ContactLaw> law)
    : ContactTerm(law),
      name_(std::move(name)),
      halo_(std::move(halo)),
      pair_(std::move(pair)),
      sides_(std::move(sides)),
      traction_(traction),
      stiffness_(law->stiffness),
      whole_energy_(pair_.whole_energy()) {
  const PetscInt first = halo_->first_owned(), last = first + halo_->owned();
  const auto is_owned = [&](PetscInt particle) { return particle >= first && particle < last; };
  evaluates_ = is_owned((sides_[0].particles ? sides_[0] : sides_[1]).particles->front());
  copy_of_.fill(-1);
  for (int point = 0; point < 8; ++point) {
    const Side& side = sides_[point / 4];
    if (!side.particles) continue;
    const PetscInt particle = (*side.particles)[point % 4];
    if (is_owned(particle)) owned_particles_.push_back(static_cast<int>(particle - first));
    if (!evaluates_) continue;
    copy_of_[point] = static_cast<int>(particles_.size());
    particles_.push_back(particle);
  }
  copies_.emplace(*halo_, particles_, 3);
}

PressureContact::Place PressureContact::place(const State& state) const {
  Field x(copies_->count()), v(copies_->count());
  copies_->forward(state.q.values(), x.values());
  copies_->forward(state.v.values(), v.values());
  Place place{};
  if (!evaluates_) return place;
  for (int point = 0; point < 8; ++point) {
    if (copy_of_[point] >= 0) {
      place.x[point] = x[copy_of_[point]];
      place.v[point] = v[copy_of_[point]];
    } else {
      const Pose pose(sides_[point / 4].motion, state.time);
      place.x[point] = pose.to_world<double>(pair_.frame(point / 4)[point % 4]);
      place.v[point] = pose.velocity_at<double>(place.x[point]);
    }
  }
  return place;
}

// The weight that schemes give to contact is in its stiffness.
PressureLaw PressureContact::present_law(bool with_friction) const {
  PressureLaw present = traction_;
  present.factor = law().stiffness / stiffness_;
  present.curve.viscous = law().curve.viscous;
  present.friction = present.friction && with_friction;
  return present;
}

void PressureContact::add_back(const PressurePair::Points& forces, Field& force) const {
  Field reactions(copies_->count());
  for (int point = 0; point < 8; ++point)
    if (copy_of_[point] >= 0) reactions[copy_of_[point]] = forces[point];
  copies_->add_back(reactions.values(), force.values());
}

void PressureContact::linearize(const Linearization& at) {
  const Place now = place(at.state);
  acts_ = false;
  if (!evaluates_) return;
  const WorkClock::Shift shift(work());
  acts_ = pair_.linearize(present_law(), now.x, now.v, by_position_, by_velocity_).pieces > 0;
}

void PressureContact::add_force(const State& state, Zone zone, Field& force) const {
  if (zone != Zone::boundary) return;
  const Place now = place(state);
  PressurePair::Points forces{};
  if (evaluates_) {
    const WorkClock::Shift shift(work());
    forces = pair_.evaluate(present_law(), now.x, now.v).forces;
  }
  add_back(forces, force);
}

void PressureContact::add_product(const Linearization&, const State& direction, Zone zone, Field& change) const {
  if (zone != Zone::boundary) return;
  Field dq(copies_->count()), dv(copies_->count());
  copies_->forward(direction.q.values(), dq.values());
  copies_->forward(direction.v.values(), dv.values());
  PressurePair::Points changes;
  for (Vec3& one : changes) one.setZero();
  if (acts_) {
    Eigen::Matrix<double, 24, 1> x = Eigen::Matrix<double, 24, 1>::Zero(), v = x;
    for (int point = 0; point < 8; ++point)
      if (copy_of_[point] >= 0) {
        x.segment<3>(3 * point) = dq[copy_of_[point]];
        v.segment<3>(3 * point) = dv[copy_of_[point]];
      }
    const Eigen::Matrix<double, 24, 1> f = by_position_ * x + by_velocity_ * v;
    for (int point = 0; point < 8; ++point) changes[point] = f.segment<3>(3 * point);
  }
  add_back(changes, change);
}

void PressureContact::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  if (!acts_) return;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      if (copy_of_[row] >= 0 && copy_of_[column] >= 0)
        couplings.push_back({particles_[copy_of_[row]], particles_[copy_of_[column]],
                             at.dq * by_position_.block<3, 3>(3 * row, 3 * column) + at.dv * by_velocity_.block<3, 3>(3 * row, 3 * column)});
}

double PressureContact::energy(const State& state) const {
  const Place now = place(state);
  if (!evaluates_) return 0;
  const WorkClock::Shift shift(work());
  return law().stiffness / stiffness_ * pair_.energy(now.x);
}

// Nothing bounds steps: a body that is on the other side of another at the end of a step has nothing that presses on it. It was in it in between, where more
// is stored than at either end.
std::optional<Vec3> PressureContact::passage(const State& start, const State& end) {
  constexpr double kPeak = 2;  // in multiples of what is stored at the ends
  const Place from = place(start), to = place(end);
  std::optional<Vec3> found;
  if (const int places = evaluates_ ? pair_.places_between(from.x, to.x) : 1; places > 1) {
    const WorkClock::Shift shift(work());
    const double stored = std::max(pair_.energy(from.x), pair_.energy(to.x));
    for (int k = 1; k < places && !found; ++k) {
      const double part = static_cast<double>(k) / places;
      PressurePair::Points x;
      for (int point = 0; point < 8; ++point) x[point] = from.x[point] + part * (to.x[point] - from.x[point]);
      if (pair_.energy(x) > kPeak * stored) found = x[sides_[0].particles ? 0 : 4];
    }
  }
  return first_over_ranks(halo_->communicator(), found);
}

ContactSummary PressureContact::summarize(const State& state) {
  const Place now = place(state);
  std::array<double, 8> sums{};  // pieces, force, powers, area, energy
  std::vector<const Motion*> motions;
  for (const Side& side : sides_)
    if (!side.particles && !side.motion.empty()) motions.push_back(&side.motion);
  LoadsOfObstacles loads(motions, state.time);
  if (evaluates_) {
    const WorkClock::Shift shift(work());
    const PressurePair::Result result = pair_.evaluate(present_law(), now.x, now.v);
    const Vec3 force = result.on_first();
    sums = {static_cast<double>(result.pieces),
            force[0],
            force[1],
            force[2],
            result.friction_power,
            result.damping_power,
            result.area,
            law().stiffness / stiffness_ * pair_.energy(now.x)};
    // An obstacle exerts the opposite of the forces on the points that carry it.
    if (!loads.empty())
      for (int point = 0; point < 8; ++point)
        if (copy_of_[point] < 0) loads.add(0, now.x[point], -result.forces[point]);
  }
  const MPI_Comm communicator = halo_->communicator();
  sum_over_ranks(communicator, sums);
  constexpr double kSunk = 1e-3;  // in parts of what a body stores that has sunk in whole
  if (sums[0] == 0 && sums[7] > kSunk * whole_energy_)
    throw SolverError(fmt::format(
        "pressure contact '{}': at t = {:.6g} s one of the two lies wholly inside the other, where nothing presses on it any more; give the fields a "
        "modulus that is several times the pressure to be expected, start the bodies apart, or take shorter steps",
        name_, state.time));
  touching_ = sums[0] > 0 ? owned_particles_ : std::vector<int>{};
  const double infinite = std::numeric_limits<double>::infinity();
  return {infinite, static_cast<long>(sums[0]), Vec3(sums[1], sums[2], sums[3]), infinite, sums[4], sums[5], sums[6], sums[7], loads.sum(communicator)};
}

void PressureContact::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const {
  const Place now = place(state);
  for (Field* field : {&normal_force, &total_force}) {
    PressurePair::Points forces{};
    if (evaluates_) forces = pair_.evaluate(present_law(field == &total_force), now.x, now.v).forces;
    add_back(forces, *field);
  }
}

double PressureContact::largest_pressure(const State& state) const {
  const Place now = place(state);
  const double own = evaluates_ ? pair_.evaluate(present_law(), now.x, now.v).largest_pressure : 0;
  return maximum_over_ranks(halo_->communicator(), own);
}

std::vector<ContactTriangle> PressureContact::surface(const State& state) const {
  const Place now = place(state);
  return evaluates_ ? pair_.surface(present_law(), now.x, now.v) : std::vector<ContactTriangle>{};
}

}  // namespace traction
