// The forces of a family of pairs: loops over pairs, products, blocks and couplings, energies and friction directions, written once.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "contact/contact_term.h"
#include "contact/coupling_shares.h"
#include "contact/friction_directions.h"
#include "contact/pair_points.h"
#include "contact/pair_vertex_forces.h"
#include "parallel/collective.h"

namespace traction {

/// A Family finds pairs and knows their geometry. It has
///   static constexpr bool touches_mesh               whether pairs have points that other ranks own
///   MPI_Comm communicator() const
///   void begin_step(state), void prepare(state)      find out what is near at a state. @collective
///   double work_seconds() const                      spent on that by this rank
///   vector<const Motion*> motions() const            of the obstacles that move
///   std::map<int, double> spins_at(state) const      of held twists (see HeldSpins); missing where no rods touch
///   Surroundings surroundings(state) const           all that pairs depend on, at a state they are prepared for. @collective
///   Surroundings close_surroundings(state) const     the same, perhaps without pairs that do not touch; a family may lack it
///   bool bounds_steps(law) const, and admissible_part(law, state, displacement) and is_clear(law, start, end, bounded), as StepBound has them
///   std::optional<Vec3> passage(law, start, end)     as ContactTerm has it
/// and its Surroundings, which do not change with later states,
///   Frame frame                                      see contact_law.h
///   std::size_t count() const                        of pairs that may touch
///   std::uint64_t key(k) const                       what a pair keeps when pairs are counted anew
///   bool near(k) const                               whether there is anything near
///   std::span<const int> points(k, buffer) const     a pair's points: vertices that this rank owns, by their local numbers,
///                                                    or copies, as owned() + their number
///   int first_side(k) const                          how many points are on the first side; they come first
///   size_t touching_points(k) const                  how many are on either side; those after them are others by which surfaces turn
///   bool acts_on_first(k, point) const               whether a force on the point acts on the body, or bodies, of the first side
///   double side(k) const                             1 where the first side is the contact's first, -1 where it is its second
///   PairWeight weight(k) const
///   int owned() const, int copies() const            and Field q, v of the copies
///   std::map<int, double> spins                      of the family, at the state; missing where no rods touch
///   Field copies_of(field) const, void add_back(reactions, force) const
///   Field velocities_at(state) const, positions_at   of the copies, those of obstacles too, at this state or a later one
///   PetscInt global_of(point) const                  -1: no vertex, but an obstacle's
///   int obstacle_of(point) const                     the obstacle that moves and that the point, or what touches it, is of: its place in motions(); -1: none;
///                                                    missing where samples have the place() on the only obstacle that pairs touch
///   ObstacleArm arm_of_friction(k, x) const          of a round obstacle that turns, at positions x; missing where friction acts on the pair's points
///   int vertex_of(point) const                       the vertex of this rank that it is, or is a copy of; -1: none
///   Sample<T> sample<T>(k, x) const                  at positions x of its points, with for_each_share(action(point, share)):
///                                                    shares of the points on either side, which preconditioners take, add up to 1
template <typename Family>
class PairForce : public ContactTerm, private Assembly, private StepBound {
 public:
  PairForce(std::shared_ptr<Family> family, std::shared_ptr<const ContactLaw> law)
      : ContactTerm(law), family_(family), vertex_forces_(std::move(family), std::move(law), work()) {}

  const Family& family() const { return *family_; }

  void begin_step(const State& state) override { family_->begin_step(state); }
  void prepare(const State& state) override { family_->prepare(state); }
  void set_primal_dual(bool on) override { primal_dual_ = on && law().implicit_friction(); }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  double energy(const State& state) const override;
  const Assembly* assembly() const override { return this; }
  StepBound* step_bound() override { return family_->bounds_steps(law()) ? this : nullptr; }
  VertexForces* vertex_forces() override { return &vertex_forces_; }

  ContactSummary summarize(const State& state) override;
  std::optional<Vec3> passage(const State& start, const State& end) override { return family_->passage(law(), start, end); }
  void add_points(const State& state, std::vector<ContactPoint>& points) const override;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const override;
  void add_normal_magnitudes(const State& state, Field& magnitudes) const override;
  void add_sliding(const State& state, Field& sliding, Field& shares) const override;
  void add_pushes(const State& state, Field& pushes, Field& counts) const override;
  void add_by_body(const State& state, const Field& bodies, ContactByBody& result) const override;
  std::span<const int> touching() const override { return touching_; }
  double work_seconds() const override { return ContactTerm::work_seconds() + family_->work_seconds(); }

 private:
  using Surroundings = typename Family::Surroundings;
  static constexpr Zone kZone =
      Family::touches_mesh ? Zone::boundary : Zone::interior;  ///< interior for a family that reads no ghosts and so need not wait for them

  template <typename T>
  using Points = PairPoints<T>;
  struct Active {
    std::size_t pair;
    const Vec3* direction;  ///< see FrictionDirections
  };

  /// Calls action(k, force, points) for every pair that has something near, under a law.
  template <typename Action>
  void for_each_pair(const ContactLaw& law, const State& state, const Surroundings& near, Action action) const;
  template <typename Action>
  void for_each_pair(const State& state, const Surroundings& near, Action action) const {
    for_each_pair(law(), state, near, action);
  }
  /// Adds the forces on a pair's points to those on vertices of this rank, or to the reactions that are sent back to other ranks.
  static void add(const Surroundings& near, std::span<const int> numbers, std::span<const Vec3> forces, Field& own, Field& reactions) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < near.owned()) own[numbers[i]] += forces[i];
      else reactions[numbers[i] - near.owned()] += forces[i];
    }
  }
  /// The surroundings for sums to which only pairs that touch contribute.
  Surroundings close_surroundings(const State& state) const {
    if constexpr (requires { family_->close_surroundings(state); }) return family_->close_surroundings(state);
    else return family_->surroundings(state);
  }
  static bool touches(const ContactForce<double>& contact) { return contact.energy != 0; }
  /// Computes the forces of an active pair with their derivatives dq df/dq + dv df/dv for a common motion of some of its points, those with moves(i).
  template <typename Moves>
  void move(const Linearization& at, const Active& active, Points<Dual<double, 3>>& points, Moves moves) const;
  /// Calls action(pair, block for a motion of the pair's first side alone, points) for every active pair.
  template <typename Action>
  void for_each_block(const Linearization& at, Action action) const;
  void add_couplings_of_turns(const Linearization& at, const Active& active, std::vector<Coupling>& couplings) const;

  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;
  std::optional<double> admissible_part(const State& state, const Field& displacement) override { return family_->admissible_part(law(), state, displacement); }
  bool is_clear(const State& start, const State& end, bool bounded) override { return family_->is_clear(law(), start, end, bounded); }

  std::shared_ptr<Family> family_;
  PairVertexForces<Family> vertex_forces_;
  bool primal_dual_ = false;
  FrictionDirections directions_;  ///< one for each pair
  /// The pairs in contact and their surroundings at the last linearize.
  std::vector<Active> active_;
  std::optional<Surroundings> linearized_;
  std::vector<int> touching_;
};

template <typename Family>
template <typename Action>
void PairForce<Family>::for_each_pair(const ContactLaw& law, const State& state, const Surroundings& near, Action action) const {
  const WorkClock::Shift shift(work());
  Points<double> points;
  for (std::size_t k = 0; k < near.count(); ++k) {
    if (!near.near(k)) continue;
    points.set(near, k, state);
    action(k, points.evaluate(law, near, k), points);
  }
}

template <typename Family>
void PairForce<Family>::linearize(const Linearization& at) {
  prepare(at.state);
  linearized_.emplace(close_surroundings(at.state));
  active_.clear();
  directions_.set_active(primal_dual_);
  for_each_pair(at.state, *linearized_, [&](std::size_t k, const ContactForce<double>& contact, const auto&) {
    if (directions_.active()) directions_.update(linearized_->key(k), touches(contact), contact.sliding);
    if (touches(contact)) active_.push_back({k, directions_.of(linearized_->key(k))});
  });
}

template <typename Family>
void PairForce<Family>::add_force(const State& state, Zone zone, Field& force) const {
  if (zone != kZone) return;
  const Surroundings near = close_surroundings(state);
  Field reactions(near.copies());
  for_each_pair(state, near, [&](std::size_t, const ContactForce<double>& contact, const Points<double>& points) {
    if (touches(contact)) add(near, points.numbers, points.forces, force, reactions);
  });
  near.add_back(reactions, force);
}

template <typename Family>
void PairForce<Family>::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone != kZone) return;
  const Surroundings& near = *linearized_;
  const Field dq = near.copies_of(direction.q), dv = near.copies_of(direction.v);
  Field reactions(near.copies());
  const WorkClock::Shift shift(work());
  Points<Dual<double>> points;
  std::vector<Vec3> changes;
  for (const Active& active : active_) {
    points.set(near, active.pair, [&](std::size_t i, auto& x, auto& v) {
      const int number = points.numbers[i], copy = number - near.owned();
      x = copy < 0 ? make_dual(at.state.q[number], direction.q[number]) : make_dual(near.q[copy], dq[copy]);
      v = copy < 0 ? make_dual(own_velocity(near, number, at.state.v[number]), direction.v[number]) : make_dual(near.v[copy], dv[copy]);
    });
    points.evaluate(law(), near, active.pair, active.direction);
    changes.clear();
    for (const auto& force : points.forces) changes.push_back(derivative_of(force));
    add(near, points.numbers, changes, change, reactions);
  }
  near.add_back(reactions, change);
}

template <typename Family>
template <typename Moves>
void PairForce<Family>::move(const Linearization& at, const Active& active, Points<Dual<double, 3>>& points, Moves moves) const {
  const Surroundings& near = *linearized_;
  points.set(near, active.pair, [&](std::size_t i, auto& x, auto& v) {
    const int number = points.numbers[i], copy = number - near.owned();
    x = Vec3(copy < 0 ? at.state.q[number] : near.q[copy]).template cast<Dual<double, 3>>();
    v = Vec3(copy < 0 ? own_velocity(near, number, at.state.v[number]) : near.v[copy]).template cast<Dual<double, 3>>();
    if (!moves(i)) return;
    for (int axis = 0; axis < 3; ++axis) {
      x[axis].derivative[axis] = at.dq;
      v[axis].derivative[axis] = at.dv;
    }
  });
  points.evaluate(law(), near, active.pair, active.direction);
}

/// The derivatives of a force along the three axes, as the columns of a block.
inline Mat3 block_of(const Vector3<Dual<double, 3>>& force) {
  Mat3 block;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block(i, j) = force[i].derivative[j];
  return block;
}

template <typename Family>
template <typename Action>
void PairForce<Family>::for_each_block(const Linearization& at, Action action) const {
  const WorkClock::Shift shift(work());
  Points<Dual<double, 3>> points;
  for (const Active& active : active_) {
    const auto first_side = static_cast<std::size_t>(linearized_->first_side(active.pair));
    move(at, active, points, [&](std::size_t i) { return i < first_side; });
    Mat3 block = Mat3::Zero();
    for (std::size_t point = 0; point < first_side; ++point) block += block_of(points.forces[point]);
    action(active, block, points);
  }
}

template <typename Family>
void PairForce<Family>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  if constexpr (!Family::touches_mesh)
    for_each_block(at, [&](const Active&, const Mat3& block, const auto& points) { matrix.add_diagonal(points.numbers[0], block); });
}

template <typename Family>
void PairForce<Family>::add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if constexpr (Family::touches_mesh) add_product(at, direction, zone, change);
}

/// Approximates the pair as if each side touched with the weighted mean of a few of its points. With B the derivative for the first side alone, and weights w
/// that are negative on the second side, points a and b get the block w_a w_b B. Using all points within reach would fill the factors of the matrix.
template <typename Family>
void PairForce<Family>::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  if constexpr (Family::touches_mesh) {
    const Surroundings& near = *linearized_;
    std::vector<Vec3> x;
    for_each_block(at, [&](const Active& active, const Mat3& block, const auto& points) {
      const std::size_t k = active.pair;
      if (near.touching_points(k) < points.numbers.size()) {
        add_couplings_of_turns(at, active, couplings);
        return;
      }
      x.clear();
      for (const auto& position : points.x) x.emplace_back(real_part(position[0]), real_part(position[1]), real_part(position[2]));
      std::map<PetscInt, double> first, second;  // a vertex may occur several times among the points
      near.template sample<double>(k, x).for_each_share([&](std::size_t point, double share) {
        const PetscInt vertex = near.global_of(points.numbers[point]);
        if (vertex >= 0) (point < static_cast<std::size_t>(near.first_side(k)) ? first : second)[vertex] += share;
      });
      std::vector<CouplingShare> shares = largest_shares(second);
      for (CouplingShare& share : shares) share.weight = -share.weight;
      for (const auto& [vertex, share] : first) shares.push_back({vertex, share});
      for (const CouplingShare& row : shares)
        for (const CouplingShare& column : shares) couplings.push_back({row.vertex, column.vertex, row.weight * column.weight * block});
    });
  }
}

/// Where a rod or a shell touches, friction also turns it: by twists, and by levers that no mean of points has. The blocks between all points of the pair are
/// exact.
template <typename Family>
void PairForce<Family>::add_couplings_of_turns(const Linearization& at, const Active& active, std::vector<Coupling>& couplings) const {
  Points<Dual<double, 3>> points;
  const auto vertex_of = [&](std::size_t point) { return linearized_->global_of(points.numbers[point]); };
  for (std::size_t moved = 0, count = 1; moved < count; ++moved) {
    move(at, active, points, [&](std::size_t i) { return i == moved; });
    count = points.numbers.size();
    for (std::size_t i = 0; i < count; ++i)
      if (vertex_of(i) >= 0 && vertex_of(moved) >= 0) couplings.push_back({vertex_of(i), vertex_of(moved), block_of(points.forces[i])});
  }
}

template <typename Family>
double PairForce<Family>::energy(const State& state) const {
  double sum = 0;
  for_each_pair(state, close_surroundings(state), [&](std::size_t, const ContactForce<double>& contact, const auto&) { sum += contact.energy; });
  return sum;
}

template <typename Family>
ContactSummary PairForce<Family>::summarize(const State& state) {
  double gap = std::numeric_limits<double>::infinity(), yielding_gap = gap;
  std::array<double, 8> sums{};  // active pairs, force, powers, area, energy
  LoadsOfObstacles loads(family_->motions(), state.time);
  touching_.clear();
  const Surroundings near = family_->surroundings(state);
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    gap = std::min(gap, contact.gap);
    if (law().yields(near.weight(k))) yielding_gap = std::min(yielding_gap, contact.gap);
    if (!touches(contact)) return;
    sums[0] += 1;
    // Forces are taken per point, not along the gap alone, because fading edges are pulled along the edges too.
    for (int point = 0; point < near.first_side(k); ++point)
      if (points.numbers[point] < near.owned()) touching_.push_back(points.numbers[point]);
    for (std::size_t point = 0; point < points.numbers.size(); ++point)
      if (near.acts_on_first(k, point))
        for (int i = 0; i < 3; ++i) sums[1 + i] += near.side(k) * points.forces[point][i];
    sums[4] += contact.friction_power;
    sums[5] += contact.damping;
    sums[6] += near.weight(k).covered;
    sums[7] += contact.energy;
    if constexpr (requires { near.obstacle_of(0); })
      loads.template add<Family::touches_mesh>(near, k, points.numbers, points.x, points.forces, contact.friction);
    else if (!loads.empty()) loads.add(0, near.template sample<double>(k, points.x).place(), contact.normal + contact.friction);
  });
  gap = minimum_over_ranks(family_->communicator(), gap);
  yielding_gap = minimum_over_ranks(family_->communicator(), yielding_gap);
  sum_over_ranks(family_->communicator(), sums);
  return {gap,     static_cast<long>(sums[0]),        Vec3(sums[1], sums[2], sums[3]), yielding_gap, sums[4], sums[5], sums[6],
          sums[7], loads.sum(family_->communicator())};
}

template <typename Family>
void PairForce<Family>::add_points(const State& state, std::vector<ContactPoint>& result) const {
  const Surroundings near = close_surroundings(state);
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    const auto sample = near.template sample<double>(k, points.x);
    const Vec3 normal = sample.gradient().normalized();
    const Vec3 relative = sample.template relative_velocity<double>(points.v, near.frame);
    Vec3 position = points.x[0];
    if (near.first_side(k) > 1) {
      position.setZero();
      sample.for_each_share([&](std::size_t point, double share) {
        if (point < static_cast<std::size_t>(near.first_side(k))) position += share * points.x[point];
      });
    }
    const int vertex = near.first_side(k) == 1 && points.numbers[0] < near.owned() ? points.numbers[0] : -1;
    result.push_back({vertex, position, near.weight(k).share, contact.gap, normal, contact.normal, contact.friction, sliding_speed(normal, relative),
                      family_.get(), near.key(k), -relative.dot(normal), near.weight(k).penalty});
  });
}

template <typename Family>
void PairForce<Family>::add_pushes(const State& state, Field& pushes, Field& counts) const {
  const Surroundings near = close_surroundings(state);
  Field pushes_elsewhere(near.copies()), counts_elsewhere(near.copies());
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    const auto sample = near.template sample<double>(k, points.x);
    const Vec3 relative = sample.template relative_velocity<double>(points.v, near.frame);
    if (relative.dot(sample.gradient()) >= 0) return;
    std::vector<Vec3> velocities(points.numbers.size(), Vec3::Zero()), touched = velocities;
    sample.for_each_share([&](std::size_t point, double) {
      velocities[point] = point < static_cast<std::size_t>(near.first_side(k)) ? Vec3(-relative) : relative;
      touched[point] = Vec3::UnitX();
    });
    add(near, points.numbers, velocities, pushes, pushes_elsewhere);
    add(near, points.numbers, touched, counts, counts_elsewhere);
  });
  near.add_back(pushes_elsewhere, pushes);
  near.add_back(counts_elsewhere, counts);
}

template <typename Family>
void PairForce<Family>::add_sliding(const State& state, Field& sliding, Field& shares) const {
  const Surroundings near = close_surroundings(state);
  Field sliding_elsewhere(near.copies()), shares_elsewhere(near.copies());
  std::vector<Vec3> weighted, weights;
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    const auto sample = near.template sample<double>(k, points.x);
    const double pressed = contact.normal.dot(sample.gradient());
    if (!(pressed > 0)) return;  // the other pairs only correct areas that are counted twice
    const Vec3 normal = sample.gradient().normalized(), relative = sample.template relative_velocity<double>(points.v, near.frame);
    const Vec3 slides = (relative - normal * relative.dot(normal)) * pressed;
    weighted.assign(points.numbers.size(), Vec3::Zero());
    weights = weighted;
    sample.for_each_share([&](std::size_t point, double share) {
      weighted[point] = slides * (point < static_cast<std::size_t>(near.first_side(k)) ? share : -share);
      weights[point].x() = pressed * share;
    });
    add(near, points.numbers, weighted, sliding, sliding_elsewhere);
    add(near, points.numbers, weights, shares, shares_elsewhere);
  });
  near.add_back(sliding_elsewhere, sliding);
  near.add_back(shares_elsewhere, shares);
}

/// The normal forces are computed without friction.
template <typename Family>
void PairForce<Family>::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const {
  const Surroundings near = close_surroundings(state);
  ContactLaw frictionless = law();
  frictionless.friction = false;
  for (Field* field : {&normal_force, &total_force}) {
    Field reactions(near.copies());
    for_each_pair(field == &normal_force ? frictionless : law(), state, near,
                  [&](std::size_t, const ContactForce<double>&, const Points<double>& points) { add(near, points.numbers, points.forces, *field, reactions); });
    near.add_back(reactions, *field);
  }
}

/// Parts of a sheet may press from opposite sides, so each counts along its own normal.
template <typename Family>
void PairForce<Family>::add_normal_magnitudes(const State& state, Field& magnitudes) const {
  const Surroundings near = close_surroundings(state);
  ContactLaw frictionless = law();
  frictionless.friction = false;
  Field elsewhere(near.copies());
  std::vector<Vec3> along, part_forces;
  for_each_pair(frictionless, state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    along.assign(points.numbers.size(), Vec3::Zero());
    const auto add_along = [&](const Vec3& normal, const std::vector<Vec3>& forces) {
      for (std::size_t point = 0; point < forces.size(); ++point)
        along[point].x() += (point < static_cast<std::size_t>(near.first_side(k)) ? 1 : -1) * normal.dot(forces[point]);
    };
    const auto sample = near.template sample<double>(k, points.x);
    bool in_parts = false;
    if constexpr (requires { sample.part_count(); }) {
      in_parts = sample.part_count() > 1;
      if (in_parts) {
        ContactForce<double> sum{};
        const std::vector<double> normal_forces = part_normal_forces<double>(frictionless, near.weight(k), sample, near.frame, points.v, sum);
        for (std::size_t i = 0; i < normal_forces.size(); ++i) {
          part_forces.assign(points.numbers.size(), Vec3::Zero());
          sample.part(i).add_gap_gradient(normal_forces[i], std::span<Vec3>(part_forces));
          add_along(sample.part(i).gradient().normalized(), part_forces);
        }
      }
    }
    if (!in_parts) add_along(sample.gradient().normalized(), points.forces);
    add(near, points.numbers, along, magnitudes, elsewhere);
  });
  near.add_back(elsewhere, magnitudes);
}

template <typename Family>
void PairForce<Family>::add_by_body(const State& state, const Field& bodies, ContactByBody& result) const {
  const Surroundings near = close_surroundings(state);
  const Field copies = near.copies_of(bodies);
  for_each_pair(state, near, [&](std::size_t, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    int first = -1;
    for (const int number : points.numbers) {
      const int body = static_cast<int>(std::lround((number < near.owned() ? bodies[number] : copies[number - near.owned()]).x())) - 1;
      if (body < 0 || body == first) continue;
      if (first >= 0) {
        result.meetings.insert(std::minmax(first, body));
        continue;
      }
      first = body;
      result.energies[body] += contact.energy;
    }
  });
}

}  // namespace traction
