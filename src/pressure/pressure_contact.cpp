#include "pressure/pressure_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "contact/passage.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

PressureContact::PressureContact(std::string name, std::shared_ptr<const Halo> halo, PressureSearch search, bool is_group, const PressureLaw& traction,
                                 bool combines_friction, std::shared_ptr<const ContactLaw> law)
    : ContactTerm(law),
      name_(std::move(name)),
      halo_(std::move(halo)),
      search_(std::move(search)),
      is_group_(is_group),
      traction_(traction),
      combines_friction_(combines_friction),
      stiffness_(law->stiffness),
      linearized_(search_.neighborhood()) {
  const PetscInt first = halo_->first_owned(), last = first + halo_->owned();
  for (const PressurePartner& partner : partners())
    if (partner.particles)
      for (const PetscInt particle : *partner.particles)
        if (particle >= first && particle < last) own_particles_.push_back(static_cast<int>(particle - first));
}

PressureContact::Places PressureContact::places(const State& state) const {
  const Scatter& copies = search_.neighborhood()->copies;
  Places now{Field(copies.count()), Field(copies.count()), {}, {}};
  copies.forward(state.q.values(), now.x.values());
  copies.forward(state.v.values(), now.v.values());
  now.plane_x.resize(partners().size());
  now.plane_v.resize(partners().size());
  for (std::size_t p = 0; p < partners().size(); ++p) {
    if (partners()[p].particles) continue;
    const Pose pose(partners()[p].motion, state);
    for (int i = 0; i < 4; ++i) {
      now.plane_x[p][i] = pose.to_world<double>(partners()[p].body->frame[i]);
      now.plane_v[p][i] = pose.velocity_at<double>(now.plane_x[p][i]);
    }
  }
  return now;
}

PressurePair::Points PressureContact::points(const Pair& pair, const Field& copies, const std::vector<FourPoints<double>>& planes) const {
  PressurePair::Points points;
  for (int side = 0; side < 2; ++side) {
    const int partner = side == 0 ? pair.first : pair.second, copy = search_.neighborhood()->first_copy[partner];
    for (int i = 0; i < 4; ++i) points[4 * side + i] = copy >= 0 ? Vec3(copies[copy + i]) : planes[partner][i];
  }
  return points;
}

// The stiffness contains the weight that schemes give to contact.
PressureLaw PressureContact::present_law(const Pair& pair, bool with_friction) const {
  PressureLaw present = traction_;
  present.dissipation = pair.fields.dissipation();
  if (combines_friction_) present.curve.dynamic = present.curve.static_ = combined_friction(partners()[pair.first].friction, partners()[pair.second].friction);
  present.factor = factor();
  present.curve.viscous = law().curve.viscous;
  present.friction = present.friction && with_friction;
  return present;
}

void PressureContact::add(const PressurePair::Points& forces, int first, int second, const Neighborhood& near, Field& reactions) const {
  for (int side = 0; side < 2; ++side)
    if (const int copy = near.first_copy[side == 0 ? first : second]; copy >= 0)
      for (int i = 0; i < 4; ++i) reactions[copy + i] += forces[4 * side + i];
}

void PressureContact::linearize(const Linearization& at) {
  const Places now = places(at.state);
  const WorkClock::Shift shift(work());
  linearized_ = search_.neighborhood();
  blocks_.clear();
  for (const Pair& pair : linearized_->pairs) {
    Block& block = blocks_.emplace_back(Block{pair.first, pair.second, {}, {}});
    const PressurePair::Points x = points(pair, now.x, now.plane_x), v = points(pair, now.v, now.plane_v);
    if (pair.fields.linearize(present_law(pair), x, v, block.by_position, block.by_velocity).pieces == 0) blocks_.pop_back();
  }
}

void PressureContact::add_force(const State& state, Zone zone, Field& force) const {
  if (zone != Zone::boundary) return;
  const Places now = places(state);
  const Neighborhood& near = *search_.neighborhood();
  Field reactions(near.copies.count());
  {
    const WorkClock::Shift shift(work());
    for (const Pair& pair : near.pairs)
      add(pair.fields.evaluate(present_law(pair), points(pair, now.x, now.plane_x), points(pair, now.v, now.plane_v)).forces, pair.first, pair.second, near,
          reactions);
  }
  near.copies.add_back(reactions.values(), force.values());
}

void PressureContact::add_product(const Linearization&, const State& direction, Zone zone, Field& change) const {
  if (zone != Zone::boundary) return;
  const Neighborhood& near = *linearized_;
  Field dq(near.copies.count()), dv(near.copies.count()), changes(near.copies.count());
  near.copies.forward(direction.q.values(), dq.values());
  near.copies.forward(direction.v.values(), dv.values());
  for (const Block& block : blocks_) {
    Eigen::Matrix<double, 24, 1> x = Eigen::Matrix<double, 24, 1>::Zero(), v = x;
    for (int side = 0; side < 2; ++side)
      if (const int copy = near.first_copy[side == 0 ? block.first : block.second]; copy >= 0)
        for (int i = 0; i < 4; ++i) {
          x.segment<3>(12 * side + 3 * i) = dq[copy + i];
          v.segment<3>(12 * side + 3 * i) = dv[copy + i];
        }
    const Eigen::Matrix<double, 24, 1> f = block.by_position * x + block.by_velocity * v;
    PressurePair::Points forces;
    for (int point = 0; point < 8; ++point) forces[point] = f.segment<3>(3 * point);
    add(forces, block.first, block.second, near, changes);
  }
  near.copies.add_back(changes.values(), change.values());
}

void PressureContact::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  for (const Block& block : blocks_) {
    const auto particle = [&](int point) -> std::optional<PetscInt> {
      const int copy = linearized_->first_copy[point < 4 ? block.first : block.second];
      if (copy < 0) return {};
      return linearized_->particles[copy + point % 4];
    };
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        if (const auto a = particle(row), b = particle(column); a && b)
          couplings.push_back(
              {*a, *b, at.dq * block.by_position.block<3, 3>(3 * row, 3 * column) + at.dv * block.by_velocity.block<3, 3>(3 * row, 3 * column)});
  }
}

double PressureContact::energy(const State& state) const {
  const Places now = places(state);
  const WorkClock::Shift shift(work());
  double sum = 0;
  for (const Pair& pair : search_.neighborhood()->pairs) sum += pair.fields.energy(points(pair, now.x, now.plane_x));
  return factor() * sum;
}

void PressureContact::add_by_body(const State& state, const Field& bodies, ContactByBody& result) const {
  const Places now = places(state);
  const Neighborhood& near = *search_.neighborhood();
  Field copies(near.copies.count());
  near.copies.forward(bodies.values(), copies.values());
  const WorkClock::Shift shift(work());
  const auto body_of = [&](int partner) {
    const int copy = near.first_copy[partner];
    return copy < 0 ? -1 : static_cast<int>(std::lround(copies[copy].x())) - 1;
  };
  for (const Pair& pair : near.pairs) {
    const double energy = pair.fields.energy(points(pair, now.x, now.plane_x));
    if (!(energy > 0)) continue;
    const int first = body_of(pair.first), second = body_of(pair.second);
    if (const int body = std::max(first, second); body >= 0) result.energies[body] += factor() * energy;
    if (first >= 0 && second >= 0 && first != second) result.meetings.insert(std::minmax(first, second));
  }
}

// Steps are not bounded, so a body may be on the other side of another one at the end of a step, where nothing presses on it. In between it was inside, and
// more energy was stored than at either end.
std::optional<Vec3> PressureContact::passage(const State& start, const State& end) {
  constexpr double kPeak = 2;  // in multiples of the energy that is stored at the ends
  search_.cover(start.q, end.q);
  const Places from = places(start), to = places(end);
  std::optional<Vec3> found;
  {
    const WorkClock::Shift shift(work());
    for (const Pair& pair : search_.neighborhood()->pairs) {
      const PressurePair::Points first = points(pair, from.x, from.plane_x), last = points(pair, to.x, to.plane_x);
      const int places = pair.fields.places_between(first, last);
      if (found || places == 1) continue;
      const double stored = std::max(pair.fields.energy(first), pair.fields.energy(last));
      for (int k = 1; k < places && !found; ++k) {
        const double part = static_cast<double>(k) / places;
        PressurePair::Points x;
        for (int point = 0; point < 8; ++point) x[point] = first[point] + part * (last[point] - first[point]);
        if (pair.fields.energy(x) > kPeak * stored) found = x[partners()[pair.first].particles ? 0 : 4];
      }
    }
  }
  return first_over_ranks(halo_->communicator(), found);
}

std::string PressureContact::named(const Pair& pair) const { return fmt::format("'{}' and '{}'", partners()[pair.first].name, partners()[pair.second].name); }

ContactSummary PressureContact::summarize(const State& state) {
  constexpr double kSunk = 1e-3;  // in parts of what a body stores that has sunk in whole
  const MPI_Comm communicator = halo_->communicator();
  const Places now = places(state);
  const Neighborhood& near = *search_.neighborhood();
  std::vector<const Motion*> motions;
  std::vector<int> load_of(partners().size(), -1);
  for (std::size_t p = 0; p < partners().size(); ++p) {
    const PressurePartner& partner = partners()[p];
    if (partner.particles || partner.motion.empty()) continue;
    load_of[p] = static_cast<int>(motions.size());
    motions.push_back(&partner.motion);
  }
  LoadsOfObstacles loads(motions, state.time);
  double pieces = 0, area = 0;
  Vec3 force = Vec3::Zero();
  Totals own;
  Field touches(near.copies.count());
  on_all_ranks(communicator, [&] {
    const WorkClock::Shift shift(work());
    for (const Pair& pair : near.pairs) {
      const PressurePair::Points x = points(pair, now.x, now.plane_x), v = points(pair, now.v, now.plane_v);
      const PressurePair::Result result = pair.fields.evaluate(present_law(pair), x, v);
      const double stored = pair.fields.energy(x);
      if (result.pieces == 0 && stored > kSunk * pair.fields.whole_energy())
        throw SolverError(fmt::format(
            "pressure contact '{}', {}: at t = {:.6g} s one of the two lies wholly inside the other, where nothing presses on it any more; give the fields a "
            "modulus that is several times the pressure to be expected, start the bodies apart, or take shorter steps",
            name_, named(pair), state.time));
      own.energy += factor() * stored;
      if (result.pieces == 0) continue;
      const Vec3 on_first = result.on_first();
      pieces += result.pieces;
      area += result.area;
      if (!is_group_ || !partners()[pair.second].particles) force += on_first;
      own.pairs += 1;
      own.force += on_first.norm();
      own.friction_power += result.friction_power;
      own.damping_power += result.damping_power;
      own.largest_pressure = std::max(own.largest_pressure, result.largest_pressure);
      for (int side = 0; side < 2; ++side) {
        const int partner = side == 0 ? pair.first : pair.second;
        for (int i = 0; i < 4; ++i) {
          if (near.first_copy[partner] >= 0) touches[near.first_copy[partner] + i].x() += 1;
          // An obstacle exerts the negative of the forces on the points that carry it.
          else if (load_of[partner] >= 0) loads.add(load_of[partner], x[4 * side + i], -result.forces[4 * side + i]);
        }
      }
    }
  });
  std::array<double, 10> sums{pieces, area, force[0], force[1], force[2], own.pairs, own.force, own.energy, own.friction_power, own.damping_power};
  sum_over_ranks(communicator, sums);
  totals_ = {sums[5], sums[6], sums[7], sums[8], sums[9], maximum_over_ranks(communicator, own.largest_pressure)};
  Field counts(halo_->local());
  near.copies.add_back(touches.values(), counts.values());
  touching_.clear();
  for (const int particle : own_particles_) touching_.insert(touching_.end(), static_cast<std::size_t>(std::lround(counts[particle].x())), particle);
  const double infinite = std::numeric_limits<double>::infinity();
  return {infinite, static_cast<long>(sums[0]), Vec3(sums[2], sums[3], sums[4]), infinite, sums[8], sums[9], sums[1], sums[7], loads.sum(communicator)};
}

void PressureContact::refuse_deep_start(const State& state, const std::string& source) {
  constexpr double kDeep = 0.5;  // in parts of what a body stores that has sunk in whole
  search_.cover(state.q);
  const Places now = places(state);
  on_all_ranks(halo_->communicator(), [&] {
    for (const Pair& pair : search_.neighborhood()->pairs) {
      const double part = pair.fields.energy(points(pair, now.x, now.plane_x)) / pair.fields.whole_energy();
      if (part > kDeep)
        throw InputError(fmt::format(
            "{}: {} start too deep inside each other: their pressures store {:.3g} times the energy that they would store if one were wholly inside the other, "
            "where nothing presses them apart; move them apart (initial: {{translate: ...}}), so that they overlap by little or not at all",
            source, named(pair), part));
    }
  });
}

void PressureContact::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const {
  const Places now = places(state);
  const Neighborhood& near = *search_.neighborhood();
  for (Field* field : {&normal_force, &total_force}) {
    Field reactions(near.copies.count());
    for (const Pair& pair : near.pairs)
      add(pair.fields.evaluate(present_law(pair, field == &total_force), points(pair, now.x, now.plane_x), points(pair, now.v, now.plane_v)).forces, pair.first,
          pair.second, near, reactions);
    near.copies.add_back(reactions.values(), field->values());
  }
}

bool PressureContact::add_most_friction(const State& state, Field& most) const {
  if (!traction_.friction) return true;
  const Places now = places(state);
  const Neighborhood& near = *search_.neighborhood();
  Field bounds(near.copies.count());
  for (const Pair& pair : near.pairs) {
    const double coefficient = present_law(pair).curve.largest_coefficient();
    PressurePair::Points forces = pair.fields.evaluate(present_law(pair, false), points(pair, now.x, now.plane_x), points(pair, now.v, now.plane_v)).forces;
    for (Vec3& force : forces) force = Vec3(coefficient * force.norm(), 0, 0);
    add(forces, pair.first, pair.second, near, bounds);
  }
  near.copies.add_back(bounds.values(), most.values());
  return true;
}

std::vector<ContactTriangle> PressureContact::surface(const State& state) {
  search_.cover(state.q);
  const Places now = places(state);
  std::vector<ContactTriangle> triangles;
  for (const Pair& pair : search_.neighborhood()->pairs) {
    const auto more = pair.fields.surface(present_law(pair), points(pair, now.x, now.plane_x), points(pair, now.v, now.plane_v));
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  return triangles;
}

}  // namespace traction
