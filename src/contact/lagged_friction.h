// Friction with the normal forces and directions of an earlier state (P0 Eqs. 24-26), for comparison with implicit friction.
#pragma once

#include <limits>
#include <map>
#include <utility>

#include "contact/contact_term.h"
#include "contact/pair_points.h"
#include "parallel/collective.h"

namespace traction {

/// Lagged friction of a family of pairs (pair_force.h explains families); a PairForce computes the family's normal forces. Only the velocities are taken from
/// the present state.
template <typename Family>
class LaggedFriction : public ContactTerm, private Assembly {
 public:
  LaggedFriction(std::shared_ptr<Family> family, std::shared_ptr<const ContactLaw> law) : ContactTerm(std::move(law)), family_(std::move(family)) {}

  void lag_friction(const State& state) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  const Assembly* assembly() const override { return this; }

  ContactSummary summarize(const State& state) override;
  void add_points(const State& state, std::vector<ContactPoint>& points) const override;
  void add_vertex_forces(const State& state, Field&, Field& total_force) const override { add_force(state, kZone, total_force); }

 private:
  using Surroundings = typename Family::Surroundings;
  static constexpr Zone kZone = Family::touches_mesh ? Zone::boundary : Zone::interior;

  struct Contact {  // at the earlier state
    std::size_t pair;
    typename Family::template Sample<double> sample;
    Vec3 normal;          ///< has unit length
    double normal_force;  ///< [N]
    LocalFriction friction;
    std::vector<int> points;
  };
  /// Friction of one contact whose points have velocities v; adds the forces on each point to `forces`.
  template <typename T>
  Vector3<T> friction(const Contact& contact, const typename Family::Frame& frame, std::span<const Vector3<T>> v, std::span<Vector3<T>> forces) const;
  /// Calls action(contact, friction, forces on its points, frame, velocities of its points) for every contact.
  template <typename Action>
  void for_each_friction(const State& state, Action action) const;

  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    if constexpr (Family::touches_mesh) add_product(at, direction, zone, change);
  }

  std::shared_ptr<Family> family_;
  std::optional<Surroundings> lagged_;
  std::vector<Contact> contacts_;
};

template <typename Family>
void LaggedFriction<Family>::lag_friction(const State& state) {
  family_->prepare(state);
  lagged_.emplace(family_->surroundings(state));
  contacts_.clear();
  const WorkClock::Shift shift(work());
  ContactLaw frictionless = law();
  frictionless.friction = false;
  PairPoints<double> pair;
  for (std::size_t k = 0; k < lagged_->count(); ++k) {
    const PairWeight weight = lagged_->weight(k);
    if (!lagged_->near(k) || weight.friction == 0) continue;
    pair.set(*lagged_, k, state);
    const ContactForce<double> contact = pair.evaluate(frictionless, *lagged_, k);
    const double size = contact.normal.norm();
    if (size == 0) continue;
    contacts_.push_back({k,
                         lagged_->template sample<double>(k, pair.x),
                         contact.normal / size,
                         size * weight.friction,
                         local_friction(law(), weight),
                         {pair.numbers.begin(), pair.numbers.end()}});
  }
}

template <typename Family>
template <typename T>
Vector3<T> LaggedFriction<Family>::friction(const Contact& contact, const typename Family::Frame& frame, std::span<const Vector3<T>> v,
                                            std::span<Vector3<T>> forces) const {
  const Vector3<T> relative = contact.sample.template relative_velocity<T>(v, frame);
  const auto in_plane = [&](const Vector3<T>& x) { return sliding_velocity<T>(law(), contact.normal.template cast<T>(), x); };
  const Vector3<T> friction = pair_friction<T>(law(), contact.friction, in_plane(relative), T(contact.normal_force), in_plane);
  contact.sample.template add_velocity_transpose<T>(friction, forces);
  return friction;
}

template <typename Family>
template <typename Action>
void LaggedFriction<Family>::for_each_friction(const State& state, Action action) const {
  if (!lagged_) return;
  const Field velocities = lagged_->velocities_at(state);
  const WorkClock::Shift shift(work());
  const auto frame = family_->frame_at(state);
  const std::map<int, double> spins = spins_of(*family_, state);
  std::vector<Vec3> v, forces;
  for (const Contact& contact : contacts_) {
    v.clear();
    for (int point : contact.points) {
      if (point < lagged_->owned()) v.push_back(with_spin(spins, point, state.v[point]));
      else v.push_back(velocities[point - lagged_->owned()]);
    }
    forces.assign(v.size(), Vec3::Zero());
    const Vec3 force = friction<double>(contact, frame, v, forces);
    action(contact, force, forces, frame, v);
  }
}

template <typename Family>
void LaggedFriction<Family>::add_force(const State& state, Zone zone, Field& force) const {
  if (zone != kZone || !lagged_) return;
  Field reactions(lagged_->copies());
  for_each_friction(state, [&](const Contact& contact, const Vec3&, const std::vector<Vec3>& forces, const auto&...) {
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const int point = contact.points[i];
      if (point < lagged_->owned()) force[point] += forces[i];
      else reactions[point - lagged_->owned()] += forces[i];
    }
  });
  lagged_->add_back(reactions, force);
}

template <typename Family>
void LaggedFriction<Family>::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone != kZone || !lagged_) return;
  const Field velocities = lagged_->velocities_at(at.state), directions = lagged_->copies_of(direction.v);
  Field reactions(lagged_->copies());
  const WorkClock::Shift shift(work());
  const auto frame = family_->frame_at(at.state);
  const std::map<int, double> spins = spins_of(*family_, at.state);
  std::vector<Vector3<Dual<double>>> v, forces;
  for (const Contact& contact : contacts_) {
    v.clear();
    for (int point : contact.points) {
      const int copy = point - lagged_->owned();
      v.push_back(copy < 0 ? make_dual(with_spin(spins, point, at.state.v[point]), direction.v[point]) : make_dual(velocities[copy], directions[copy]));
    }
    forces.assign(v.size(), Vec3::Zero().template cast<Dual<double>>());
    friction<Dual<double>>(contact, frame, v, forces);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const int point = contact.points[i];
      if (point < lagged_->owned()) change[point] += derivative_of(forces[i]);
      else reactions[point - lagged_->owned()] += derivative_of(forces[i]);
    }
  }
  lagged_->add_back(reactions, change);
}

template <typename Family>
void LaggedFriction<Family>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  if constexpr (!Family::touches_mesh) {
    using Dual3 = Dual<double, 3>;
    const WorkClock::Shift shift(work());
    const auto frame = family_->frame_at(at.state);
    for (const Contact& contact : contacts_) {
      const int vertex = contact.points[0];
      std::array<Vector3<Dual3>, 1> v, forces{Vec3::Zero().template cast<Dual3>()};
      for (int i = 0; i < 3; ++i) {
        v[0][i] = Dual3(at.state.v[vertex][i]);
        v[0][i].derivative[i] = at.dv;
      }
      friction<Dual3>(contact, frame, v, forces);
      Mat3 block;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(i, j) = forces[0][i].derivative[j];
      matrix.add_diagonal(vertex, block);
    }
  }
}

template <typename Family>
ContactSummary LaggedFriction<Family>::summarize(const State& state) {
  std::array<double, 4> sums{};  // force, power
  LoadsOfObstacles loads(family_->motions(), state.time);
  const Field copies = loads.empty() || !lagged_ ? Field() : lagged_->positions_at(state);
  std::vector<Vec3> x;
  for_each_friction(state, [&](const Contact& contact, const Vec3& friction, const std::vector<Vec3>& forces, const typename Family::Frame& frame,
                               const std::vector<Vec3>& v) {
    for (int i = 0; i < 3; ++i) sums[i] += lagged_->side(contact.pair) * friction[i];
    const Vec3 relative = contact.sample.template relative_velocity<double>(v, frame);
    sums[3] += friction.dot(relative);
    if (loads.empty()) return;
    if constexpr (requires { lagged_->obstacle_of(0); }) {
      x.clear();
      for (int point : contact.points) x.push_back(point < lagged_->owned() ? Vec3(state.q[point]) : Vec3(copies[point - lagged_->owned()]));
      loads.template add<Family::touches_mesh>(*lagged_, contact.pair, contact.points, x, forces, friction);
    } else {
      loads.add(0, contact.sample.place(), friction);
    }
  });
  sum_over_ranks(family_->communicator(), sums);
  constexpr double kNone = std::numeric_limits<double>::infinity();
  return {kNone, 0, Vec3(sums[0], sums[1], sums[2]), kNone, sums[3], 0, 0, 0, loads.sum(family_->communicator())};
}

template <typename Family>
void LaggedFriction<Family>::add_points(const State& state, std::vector<ContactPoint>& points) const {
  std::map<std::uint64_t, ContactPoint*> of_pair;
  for (ContactPoint& point : points)
    if (point.family == family_.get()) of_pair[point.pair] = &point;
  for_each_friction(state, [&](const Contact& contact, const Vec3& friction, const auto&...) {
    if (const auto found = of_pair.find(lagged_->key(contact.pair)); found != of_pair.end()) found->second->friction += friction;
  });
}

}  // namespace traction
