// The forces of a family of pairs: loops over pairs, products, blocks and couplings, energies and friction directions, written once.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "contact/contact_term.h"
#include "contact/coupling_shares.h"
#include "contact/friction_directions.h"
#include "parallel/collective.h"

namespace traction {

// A Family finds pairs and knows their geometry. It has
//   static constexpr bool touches_mesh               whether pairs have points besides their owned vertex; those are copies of vertices that live anywhere
//   MPI_Comm communicator() const
//   std::size_t count() const                        of pairs that may touch; collective calls do not change it
//   int vertex(k) const                              the owned vertex of a pair: its first point
//   void begin_step(state), void prepare(state)      find out what is near at a state; collective
//   double work_seconds() const                      spent on that by this rank
//   Surroundings surroundings(state) const           all that pairs depend on beside their own vertex, at a state they are prepared for; collective
//   std::optional<double> admissible_part(law, state, displacement)        as StepBound has it
// and its Surroundings
//   Frame frame                                      see contact_law.h
//   std::span<const int> others(k, buffer) const     a pair's points besides its vertex, as numbers of copies
//   bool near(k) const                               whether there is anything near
//   Field q, v; const Scatter& exchange; PetscInt to_global(copy)          of the copies, where there are some
//   Sample<T> sample<T>(k, std::span<const Vector3<T>> x) const            with for_each_share(action(point, share)) for preconditioners
template <typename Family>
class PairForce : public ContactTerm, private Assembly, private StepBound {
 public:
  PairForce(std::shared_ptr<Family> family, std::shared_ptr<const ContactLaw> law) : ContactTerm(std::move(law)), family_(std::move(family)) {}

  const Family& family() const { return *family_; }

  void begin_step(const State& state) override { family_->begin_step(state); }
  void prepare(const State& state) override { family_->prepare(state); }
  void set_primal_dual(bool on) override { primal_dual_ = on && law().implicit_friction(); }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  double energy(const State& state) const override;
  const Assembly* assembly() const override { return this; }
  StepBound* step_bound() override { return law().potential == ContactPotential::log_barrier ? this : nullptr; }

  ContactSummary summarize(const State& state) override;
  void add_points(const State& state, std::vector<ContactPoint>& points) const override;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const override;
  std::span<const int> touching() const override { return touching_; }
  double work_seconds() const override { return ContactTerm::work_seconds() + family_->work_seconds(); }

 private:
  using Surroundings = typename Family::Surroundings;
  static constexpr Zone kZone = Family::touches_mesh ? Zone::boundary : Zone::interior;  // where it reads no ghosts, it needs not wait for them

  // The points of one pair, kept from pair to pair: the first is its own vertex, others are copies.
  template <typename T>
  struct Points {
    std::vector<int> buffer;
    std::span<const int> others;
    std::vector<Vector3<T>> x, v, forces;

    void resize(std::size_t count) {
      x.resize(count);
      v.resize(count);
      forces.assign(count, Vector3<T>::Constant(T(0.0)));
    }
  };
  template <typename T>
  ContactForce<T> evaluate(const Surroundings& near, std::size_t k, Points<T>& points, const Vec3* friction_direction = nullptr) const;
  // Calls action(k, force, points) for every pair that has something near.
  template <typename Action>
  void for_each_pair(const State& state, const Surroundings& near, Action action) const;
  bool touches(const ContactForce<double>& contact) const { return contact.gap < law().thickness; }
  // Calls action(k, block of dq df/dq + dv df/dv for the pair's own vertex alone, points) for every active pair.
  template <typename Action>
  void for_each_block(const Linearization& at, Action action) const;

  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;
  std::optional<double> admissible_part(const State& state, const Field& displacement) override { return family_->admissible_part(law(), state, displacement); }

  std::shared_ptr<Family> family_;
  bool primal_dual_ = false;
  FrictionDirections directions_;  // of each pair
  // At the last linearize: the pairs in contact and what is around them.
  std::vector<std::size_t> active_;
  std::optional<Surroundings> linearized_;
  std::vector<int> touching_;
};

template <typename Family>
template <typename T>
ContactForce<T> PairForce<Family>::evaluate(const Surroundings& near, std::size_t k, Points<T>& points, const Vec3* friction_direction) const {
  const auto sample = near.template sample<T>(k, points.x);
  return contact_force<T>(law(), sample, near.frame, points.v, points.forces, friction_direction);
}

template <typename Family>
template <typename Action>
void PairForce<Family>::for_each_pair(const State& state, const Surroundings& near, Action action) const {
  const WorkClock::Shift shift(work());
  Points<double> points;
  for (std::size_t k = 0; k < family_->count(); ++k) {
    if (!near.near(k)) continue;
    points.others = near.others(k, points.buffer);
    points.resize(1 + points.others.size());
    points.x[0] = state.q[family_->vertex(k)];
    points.v[0] = state.v[family_->vertex(k)];
    for (std::size_t i = 0; i < points.others.size(); ++i) {
      points.x[1 + i] = near.q[points.others[i]];
      points.v[1 + i] = near.v[points.others[i]];
    }
    action(k, evaluate<double>(near, k, points), points);
  }
}

template <typename Family>
void PairForce<Family>::linearize(const Linearization& at) {
  prepare(at.state);
  linearized_.emplace(family_->surroundings(at.state));
  active_.clear();
  directions_.set_active(primal_dual_, family_->count());
  for_each_pair(at.state, *linearized_, [&](std::size_t k, const ContactForce<double>& contact, const auto&) {
    if (directions_.active()) directions_.update(k, touches(contact), contact.sliding);
    if (touches(contact)) active_.push_back(k);
  });
}

template <typename Family>
void PairForce<Family>::add_force(const State& state, Zone zone, Field& force) const {
  if (zone != kZone) return;
  const Surroundings near = family_->surroundings(state);
  Field reactions(near.copies());
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    force[family_->vertex(k)] += points.forces[0];
    for (std::size_t i = 0; i < points.others.size(); ++i) reactions[points.others[i]] += points.forces[1 + i];
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
  for (std::size_t k : active_) {
    const int vertex = family_->vertex(k);
    points.others = near.others(k, points.buffer);
    points.resize(1 + points.others.size());
    points.x[0] = make_dual(at.state.q[vertex], direction.q[vertex]);
    points.v[0] = make_dual(at.state.v[vertex], direction.v[vertex]);
    for (std::size_t i = 0; i < points.others.size(); ++i) {
      const int copy = points.others[i];
      points.x[1 + i] = make_dual(near.q[copy], dq[copy]);
      points.v[1 + i] = make_dual(near.v[copy], dv[copy]);
    }
    evaluate<Dual<double>>(near, k, points, directions_.of(k));
    change[vertex] += derivative_of(points.forces[0]);
    for (std::size_t i = 0; i < points.others.size(); ++i) reactions[points.others[i]] += derivative_of(points.forces[1 + i]);
  }
  near.add_back(reactions, change);
}

template <typename Family>
template <typename Action>
void PairForce<Family>::for_each_block(const Linearization& at, Action action) const {
  using Dual3 = Dual<double, 3>;
  const WorkClock::Shift shift(work());
  const Surroundings& near = *linearized_;
  Points<Dual3> points;
  for (std::size_t k : active_) {
    const int vertex = family_->vertex(k);
    points.others = near.others(k, points.buffer);
    points.resize(1 + points.others.size());
    // Seeded so that one derivative is dq df/dq + dv df/dv along a coordinate axis.
    for (int i = 0; i < 3; ++i) {
      points.x[0][i] = Dual3(at.state.q[vertex][i]);
      points.v[0][i] = Dual3(at.state.v[vertex][i]);
      points.x[0][i].derivative[i] = at.dq;
      points.v[0][i].derivative[i] = at.dv;
    }
    for (std::size_t i = 0; i < points.others.size(); ++i) {
      points.x[1 + i] = Vec3(near.q[points.others[i]]).template cast<Dual3>();
      points.v[1 + i] = Vec3(near.v[points.others[i]]).template cast<Dual3>();
    }
    evaluate<Dual3>(near, k, points, directions_.of(k));
    Mat3 block;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) block(i, j) = points.forces[0][i].derivative[j];
    action(k, block, points);
  }
}

template <typename Family>
void PairForce<Family>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  if constexpr (!Family::touches_mesh)
    for_each_block(at, [&](std::size_t k, const Mat3& block, const auto&) { matrix.add_diagonal(family_->vertex(k), block); });
}

template <typename Family>
void PairForce<Family>::add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if constexpr (Family::touches_mesh) add_product(at, direction, zone, change);
}

// Approximates the pair as if the vertex touched the weighted mean of a few of the other points: with B the derivative for the vertex alone, w = 1 for the
// vertex and minus their weights for the points, points a and b get w_a w_b B. All points within reach would fill the factors of the matrix.
template <typename Family>
void PairForce<Family>::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  if constexpr (Family::touches_mesh) {
    const Surroundings& near = *linearized_;
    std::vector<Vec3> x;
    for_each_block(at, [&](std::size_t k, const Mat3& block, const auto& points) {
      x.assign(1, at.state.q[family_->vertex(k)]);
      for (int copy : points.others) x.push_back(near.q[copy]);
      std::map<PetscInt, double> weights;  // a vertex may be several of the points
      near.template sample<double>(k, x).for_each_share([&](std::size_t point, double share) { weights[near.to_global(points.others[point - 1])] += share; });
      std::vector<CouplingShare> shares = largest_shares(weights);
      for (CouplingShare& share : shares) share.weight = -share.weight;
      shares.push_back({near.global_of(family_->vertex(k)), 1});
      for (const CouplingShare& row : shares)
        for (const CouplingShare& column : shares) couplings.push_back({row.vertex, column.vertex, row.weight * column.weight * block});
    });
  }
}

template <typename Family>
double PairForce<Family>::energy(const State& state) const {
  double sum = 0;
  for_each_pair(state, family_->surroundings(state), [&](std::size_t, const ContactForce<double>& contact, const auto&) { sum += law().energy(contact.gap); });
  return sum;
}

template <typename Family>
ContactSummary PairForce<Family>::summarize(const State& state) {
  double gap = std::numeric_limits<double>::infinity();
  std::array<double, 4> sums{};  // active pairs, force
  touching_.clear();
  for_each_pair(state, family_->surroundings(state), [&](std::size_t k, const ContactForce<double>& contact, const auto&) {
    gap = std::min(gap, contact.gap);
    if (touches(contact)) touching_.push_back(family_->vertex(k));
    for (int i = 0; i < 3; ++i) sums[1 + i] += contact.normal[i] + contact.friction[i];
  });
  sums[0] = static_cast<double>(touching_.size());
  gap = minimum_over_ranks(family_->communicator(), gap);
  sum_over_ranks(family_->communicator(), sums);
  return {gap, static_cast<long>(sums[0]), Vec3(sums[1], sums[2], sums[3])};
}

template <typename Family>
void PairForce<Family>::add_points(const State& state, std::vector<ContactPoint>& result) const {
  const Surroundings near = family_->surroundings(state);
  for_each_pair(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Points<double>& points) {
    if (!touches(contact)) return;
    const auto sample = near.template sample<double>(k, points.x);
    const Vec3 normal = sample.gradient().normalized();
    const Vec3 relative = sample.template relative_velocity<double>(points.v, near.frame);
    result.push_back({family_->vertex(k), contact.gap, normal, contact.normal, contact.friction, sliding_speed(normal, relative), family_.get(), k});
  });
}

// The vertices' own share: a surface whose vertices are to show what presses on them is the first side of another term.
template <typename Family>
void PairForce<Family>::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const {
  for_each_pair(state, family_->surroundings(state), [&](std::size_t k, const ContactForce<double>& contact, const auto&) {
    normal_force[family_->vertex(k)] += contact.normal;
    total_force[family_->vertex(k)] += contact.normal + contact.friction;
  });
}

}  // namespace traction
