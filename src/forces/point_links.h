// Forces between points of bodies that may live on any ranks, from one kernel over any scalar (docs/theory/rigid.md, "Links between points").
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "parallel/collective.h"
#include "parallel/scatter.h"
#include "system/force.h"

namespace traction {

/// A point that moves with some vertices, x = place + sum of w_m q_m: a point of a body, where the weights sum to 1 and the place is zero; or one that stays,
/// which has no vertices. It may be a dependent vertex, or depend on its masters.
struct BodyPoint {
  std::vector<PetscInt> vertices;  ///< global numbers
  std::vector<double> weights;     ///< one for each
  Vec3 place = Vec3::Zero();       ///< [m]

  static BodyPoint fixed(const Vec3& place) { return {{}, {}, place}; }
  static BodyPoint vertex(PetscInt vertex) { return {{vertex}, {1.0}, Vec3::Zero()}; }
  /// The sum of up to four vertices; those of weight 0 mean nothing.
  static BodyPoint sum(const std::array<PetscInt, 4>& vertices, const std::array<double, 4>& weights) {
    BodyPoint point;
    for (std::size_t m = 0; m < 4; ++m)
      if (weights[m] != 0) {
        point.vertices.push_back(vertices[m]);
        point.weights.push_back(weights[m]);
      }
    return point;
  }
  bool is_fixed() const { return vertices.empty(); }
};

/// An Element lives on one rank, and has
///   std::array<BodyPoint, N> points;
///   std::array<Vector3<T>, N> forces<T>(x, v) const;    on the points [N], at their positions x [m] and velocities v [m/s], both std::array<Vector3<T>, N>
///   double energy(const std::array<Vec3, N>& x) const;  stored [J]; left out where the forces derive from none
///   bool is_viscous() const;                            whether the forces depend on v; the work of all forces counts as damping then
///   auto at(double time) const;                         what has these forces and this energy at a time [s]; left out where it is the element; work that is
///                                                       done as time passes counts as that of loads
/// Products are exact, and preconditioners know the whole derivative.
template <typename Element, int N>
class PointLinks : public Force, private Assembly {
 public:
  using Places = std::array<Vec3, N>;

  /// `elements`: of this rank. `sets`: to which of `set_count` sets each element belongs; an energy balance takes the bodies of each set as joined. `set_count`
  /// is the same on all ranks. `energy_name`: of the history's column, empty without energy. @collective
  PointLinks(std::shared_ptr<const Halo> halo, std::vector<Element> elements, const std::vector<int>& sets, int set_count, std::string energy_name);

  /// Calls action(number of the element, its points' positions, their velocities, the forces on them) for each element of this rank. @collective
  template <typename Action>
  void for_each(const State& state, Action action) const;
  const std::vector<Element>& elements() const { return elements_; }

  bool is_modal() const override { return kHasEnergy; }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization&, BlockMatrix&) const override {}
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_product(at, direction, zone, change);
  }
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;
  double energy(const State& state) const override;  ///< @collective
  std::string energy_name() const override { return energy_name_; }
  std::string work_name() const override { return is_viscous_ ? "damping" : !kHasEnergy || kPassesTime ? "loads" : ""; }
  std::vector<std::span<const int>> joined() const override { return {joined_.begin(), joined_.end()}; }

 protected:
  std::vector<Element>& mutable_elements() { return elements_; }
  /// The positions of each element's points at a state. @collective
  std::vector<Places> places_at(const State& state) const {
    std::vector<Places> places;
    if (!any_) return places;
    const Field q = copies_of(state.q);
    for (std::size_t e = 0; e < elements_.size(); ++e) places.push_back(points_of(e, q, true));
    return places;
  }

 private:
  static constexpr bool kHasEnergy = requires(const Element& element, const Places& x) { element.energy(x); };
  static constexpr bool kPassesTime = requires(const Element& element) { element.at(0.0); };
  using Derivative = Eigen::Matrix<double, 3 * N, 3 * N>;

  static decltype(auto) at_time(const Element& element, [[maybe_unused]] double time) {
    if constexpr (kPassesTime) return element.at(time);
    else return (element);
  }
  Field copies_of(const Field& field) const {
    Field copies(static_cast<int>(vertices_.size()));
    copies_->forward(field.values(), copies.values());
    return copies;
  }
  /// The positions of an element's points, or, without places, their velocities or changes.
  Places points_of(std::size_t e, const Field& copies, bool with_place) const {
    Places result;
    const int* number = numbers_[e].data();
    for (int a = 0; a < N; ++a) {
      result[a] = with_place ? elements_[e].points[a].place : Vec3::Zero();
      for (const double weight : elements_[e].points[a].weights) result[a] += weight * copies[*number++];
    }
    return result;
  }
  void spread(std::size_t e, const Places& forces, Field& reactions) const {
    const int* number = numbers_[e].data();
    for (int a = 0; a < N; ++a)
      for (const double weight : elements_[e].points[a].weights) reactions[*number++] += weight * forces[a];
  }
  template <bool of_velocity>
  Derivative derivative(const Element& element, double time, const Places& x, const Places& v) const;
  void find_joined(const std::vector<int>& sets, int set_count);

  std::shared_ptr<const Halo> halo_;
  std::vector<Element> elements_;
  std::string energy_name_;
  bool any_ = false, is_viscous_ = false;              ///< on any rank
  std::vector<PetscInt> vertices_;                     ///< global numbers of the copies, ascending
  std::vector<std::vector<int>> numbers_;              ///< the vertices of each element's points, one after another, among the copies
  std::optional<Scatter> copies_;                      ///< none without any element
  std::vector<std::vector<int>> joined_;               ///< owned vertices of each set
  std::vector<Derivative> by_position_, by_velocity_;  ///< derivatives of the forces at the last linearization
};

template <typename Element, int N>
PointLinks<Element, N>::PointLinks(std::shared_ptr<const Halo> halo, std::vector<Element> elements, const std::vector<int>& sets, int set_count,
                                   std::string energy_name)
    : halo_(std::move(halo)), elements_(std::move(elements)), energy_name_(std::move(energy_name)), joined_(static_cast<std::size_t>(set_count)) {
  std::array<double, 2> counts{static_cast<double>(elements_.size()), 0};
  for (const Element& element : elements_) {
    if (element.is_viscous()) ++counts[1];
    for (const BodyPoint& point : element.points) vertices_.insert(vertices_.end(), point.vertices.begin(), point.vertices.end());
  }
  sum_over_ranks(halo_->communicator(), counts);
  any_ = counts[0] > 0;
  is_viscous_ = counts[1] > 0;
  if (!any_) return;
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
  for (const Element& element : elements_) {
    std::vector<int>& numbers = numbers_.emplace_back();
    for (const BodyPoint& point : element.points)
      for (const PetscInt vertex : point.vertices)
        numbers.push_back(static_cast<int>(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) - vertices_.begin()));
  }
  copies_.emplace(*halo_, vertices_, 3);
  find_joined(sets, set_count);
}

template <typename Element, int N>
void PointLinks<Element, N>::find_joined(const std::vector<int>& sets, int set_count) {
  const Scatter marks(*halo_, vertices_, 1);
  for (int set = 0; set < set_count; ++set) {
    std::vector<double> copies(vertices_.size(), 0.0), owned(static_cast<std::size_t>(halo_->owned()), 0.0);
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (sets[e] == set)
        for (const int number : numbers_[e]) copies[number] = 1;
    marks.add_back(copies, owned);
    for (int i = 0; i < halo_->owned(); ++i)
      if (owned[i] != 0) joined_[set].push_back(i);
  }
}

template <typename Element, int N>
template <typename Action>
void PointLinks<Element, N>::for_each(const State& state, Action action) const {
  if (!any_) return;
  const Field q = copies_of(state.q), v = copies_of(state.v);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Places x = points_of(e, q, true), rates = points_of(e, v, false);
    action(e, x, rates, at_time(elements_[e], state.time).template forces<double>(x, rates));
  }
}

template <typename Element, int N>
template <bool of_velocity>
typename PointLinks<Element, N>::Derivative PointLinks<Element, N>::derivative(const Element& element, double time, const Places& x, const Places& v) const {
  using Number = Dual<double, 3 * N>;
  std::array<Vector3<Number>, N> seeded_x, seeded_v;
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i) {
      seeded_x[a][i] = Number(x[a][i]);
      seeded_v[a][i] = Number(v[a][i]);
      (of_velocity ? seeded_v : seeded_x)[a][i].derivative[3 * a + i] = 1;
    }
  const std::array<Vector3<Number>, N> f = at_time(element, time).template forces<Number>(seeded_x, seeded_v);
  Derivative result;
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3 * N; ++k) result(3 * a + i, k) = f[a][i].derivative[k];
  return result;
}

template <typename Element, int N>
void PointLinks<Element, N>::linearize(const Linearization& at) {
  by_position_.clear();
  by_velocity_.clear();
  for_each(at.state, [&](std::size_t e, const Places& x, const Places& v, const Places&) {
    by_position_.push_back(derivative<false>(elements_[e], at.state.time, x, v));
    if (is_viscous_) by_velocity_.push_back(derivative<true>(elements_[e], at.state.time, x, v));
  });
}

template <typename Element, int N>
void PointLinks<Element, N>::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior || !any_) return;  // the points need every rank
  Field reactions(static_cast<int>(vertices_.size()));
  for_each(state, [&](std::size_t e, const Places&, const Places&, const Places& forces) { spread(e, forces, reactions); });
  copies_->add_back(reactions.values(), force.values());
}

template <typename Element, int N>
void PointLinks<Element, N>::add_product(const Linearization&, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior || !any_) return;
  using Changes = Eigen::Matrix<double, 3 * N, 1>;
  const auto flat = [&](std::size_t e, const Field& copies) {
    const Places points = points_of(e, copies, false);
    Changes result;
    for (int a = 0; a < N; ++a) result.template segment<3>(3 * a) = points[a];
    return result;
  };
  const Field q = copies_of(direction.q), v = is_viscous_ ? copies_of(direction.v) : Field();
  Field reactions(static_cast<int>(vertices_.size()));
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    Changes sum = by_position_[e] * flat(e, q);
    if (is_viscous_) sum += by_velocity_[e] * flat(e, v);
    Places forces;
    for (int a = 0; a < N; ++a) forces[a] = sum.template segment<3>(3 * a);
    spread(e, forces, reactions);
  }
  copies_->add_back(reactions.values(), change.values());
}

template <typename Element, int N>
void PointLinks<Element, N>::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    Derivative total = at.dq * by_position_[e];
    if (is_viscous_) total += at.dv * by_velocity_[e];
    std::map<PetscInt, std::array<double, N>> shares;  // shares of each vertex in the points
    for (int a = 0; a < N; ++a)
      for (std::size_t m = 0; m < elements_[e].points[a].vertices.size(); ++m)
        shares[elements_[e].points[a].vertices[m]][a] += elements_[e].points[a].weights[m];
    for (const auto& [row, of_row] : shares)
      for (const auto& [column, of_column] : shares) {
        Mat3 block = Mat3::Zero();
        for (int a = 0; a < N; ++a)
          for (int b = 0; b < N; ++b)
            if (const double weight = of_row[a] * of_column[b]; weight != 0) block += weight * total.template block<3, 3>(3 * a, 3 * b);
        couplings.push_back({row, column, block});
      }
  }
}

template <typename Element, int N>
double PointLinks<Element, N>::energy(const State& state) const {
  double total = 0;
  if constexpr (kHasEnergy) {
    if (!any_) return 0;
    const Field q = copies_of(state.q);
    for (std::size_t e = 0; e < elements_.size(); ++e) total += at_time(elements_[e], state.time).energy(points_of(e, q, true));
  }
  return total;
}

}  // namespace traction
