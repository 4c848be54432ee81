// Forces of elements of a few vertices each, from one kernel over any scalar: their products and exact blocks are those of dual numbers
// (docs/theory/balance.md, "Derivatives by dual numbers").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "math/time_table.h"
#include "parallel/collective.h"
#include "system/force.h"

namespace traction {

/// An Element has
///   std::array<int, N> vertices;                                            local
///   std::array<Vector3<T>, N> forces<T>(x, v) const;                        [N] at positions x [m] and velocities v [m/s], both std::array<Vector3<T>, N>;
///                                                                           they do not change under translations and common velocities, unless there is
///   static constexpr bool kFollowsTranslations = false;
///   double energy(const std::array<Vec3, N>& x) const;                      stored [J]; left out where the forces derive from none
///   bool is_viscous() const;                                                whether the forces depend on v
///   std::array<T, K> stress<T>(x, v) const;                                 with
///   std::array<Vector3<T>, N> forces_of<T>(stress, x) const;                where stresses may be foretold (Force::foretell): left out where not
///   Matrix<double, 3N, 3N> derivative(x, v, dq, dv) const;                  dq df/dx + dv df/dv where it is cheaper than by 3N duals: left out where not
///   auto at(double time) const;                                             what has these forces and this energy at a time [s]; left out where it is the
///   element
template <typename Element, int N>
class StencilForce : public Force, private ExactBlocks, private SeparateTerms {
 public:
  /// The first `interior` elements touch owned vertices only. `owned`: whether each element counts on this rank for sums over all. `energy_name`: of the
  /// history's column, empty without energy. `over`: a factor on forces without energy, which are loads. The block patterns of matrices must couple all
  /// vertices of an element with each other. The forces count as viscous on all ranks of the communicator if an element of any of them is. @collective
  StencilForce(MPI_Comm communicator, std::vector<Element> elements, int interior, std::vector<char> owned, std::string energy_name, TimeTable over = {});

  bool is_modal() const override { return kHasEnergy; }
  bool foretell(bool on) override {
    foretells_ = kForetells && on && base_;
    return kForetells;
  }
  void linearize_foretold(bool on) override { linearizes_foretold_ = on; }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return energy_name_; }
  std::string work_name() const override { return !kHasEnergy ? "loads" : symmetric_ ? "" : "damping"; }
  const SeparateTerms* terms() const override { return this; }

 protected:
  std::vector<Element>& elements() { return elements_; }
  const std::vector<Element>& elements() const { return elements_; }
  static std::array<Vec3, N> gather(const Element& element, const Field& field);

 private:
  int count() const override { return static_cast<int>(elements_.size()); }
  bool reads_velocities() const override { return !symmetric_; }
  std::vector<int> stencil(int term) const override {
    const auto& vertices = elements_[static_cast<std::size_t>(term)].vertices;
    return {vertices.begin(), vertices.end()};
  }
  void forces(int term, const State& state, std::span<Vec3> forces) const override {
    const std::array<Vec3, N> f = forces_at(elements_[static_cast<std::size_t>(term)], state);
    const double factor = factor_at(over_, state.time);
    for (int a = 0; a < N; ++a) forces[a] = weighted(factor, f[a]);
  }
  static decltype(auto) at_time(const Element& element, [[maybe_unused]] double time) {
    if constexpr (requires { element.at(time); }) return element.at(time);
    else return (element);
  }
  using Places = std::array<Vec3, N>;
  static constexpr bool kForetells = requires(const Element& element, const Places& x) { element.template stress<double>(x, x); };
  static constexpr bool kHasDerivative = requires(const Element& element, const Places& x) { element.derivative(x, x, 1.0, 1.0); };
  static_assert(!(kForetells && kHasDerivative));  // the state is not at foretold stresses
  static auto no_stress() {
    if constexpr (kForetells) return decltype(std::declval<const Element&>().template stress<double>(Places{}, Places{})){};
    else return 0;
  }
  using Stress = decltype(no_stress());
  Places forces_at(const Element& element, const State& state) const {
    if constexpr (kForetells)
      if (foretells_) return element.template forces_of<double>(foretold_stress(element, state), gather(element, state.q));
    return at_time(element, state.time).template forces<double>(gather(element, state.q), gather(element, state.v));
  }
  /// The stress of an element at a state, to first order from the last linearization.
  Stress foretold_stress(const Element& element, const State& state) const;
  /// The forces of element e, at its stresses plus the difference between foretold and actual stresses at the last linearization.
  template <typename T>
  std::array<Vector3<T>, N> linearized_forces(std::size_t e, double time, const std::array<Vector3<T>, N>& x, const std::array<Vector3<T>, N>& v) const;

  static constexpr bool kFollowsTranslations = [] {
    if constexpr (requires { Element::kFollowsTranslations; }) return Element::kFollowsTranslations;
    else return true;
  }();
  static constexpr bool kHasEnergy = requires(const Element& element, const std::array<Vec3, N>& x) { element.energy(x); };
  template <typename Value>
  static Value weighted([[maybe_unused]] double factor, const Value& value) {
    if constexpr (kHasEnergy) return value;  // it is not even multiplied by 1, which would round its sums differently
    else return factor * value;
  }
  std::pair<std::size_t, std::size_t> range(Zone zone) const {  // first and last elements
    return zone == Zone::interior ? std::pair<std::size_t, std::size_t>(0, interior_) : std::pair(interior_, elements_.size());
  }

  std::vector<Element> elements_;
  std::size_t interior_;
  std::vector<char> owned_;
  std::string energy_name_;
  TimeTable over_;
  bool symmetric_;  ///< derivatives: those of an energy; the same on all ranks
  bool foretells_ = false, linearizes_foretold_ = false;
  std::unique_ptr<State> base_;    ///< state of the last linearization; null before it, or where nothing is foretold
  std::vector<Stress> surpluses_;  ///< foretold stresses minus those at the last linearization; empty without foretold stresses
};

template <typename Element, int N>
typename StencilForce<Element, N>::Stress StencilForce<Element, N>::foretold_stress(const Element& element, const State& state) const {
  Stress result{};
  if constexpr (kForetells) {
    const auto along = [&](const Field& from, const Field& to) {
      std::array<Vector3<Dual<double>>, N> values;
      for (int a = 0; a < N; ++a) values[a] = make_dual(Vec3(from[element.vertices[a]]), Vec3(to[element.vertices[a]] - from[element.vertices[a]]));
      return values;
    };
    const auto stress = element.template stress<Dual<double>>(along(base_->q, state.q), along(base_->v, state.v));
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = stress[k].value + stress[k].derivative[0];
  }
  return result;
}

template <typename Element, int N>
void StencilForce<Element, N>::linearize(const Linearization& at) {
  if constexpr (kForetells) {
    surpluses_.clear();
    if (base_ && linearizes_foretold_)
      for (const Element& element : elements_) {
        Stress& surplus = surpluses_.emplace_back(foretold_stress(element, at.state));
        const Stress present = element.template stress<double>(gather(element, at.state.q), gather(element, at.state.v));
        for (std::size_t k = 0; k < surplus.size(); ++k) surplus[k] -= present[k];
      }
    if (!base_) base_ = std::make_unique<State>(at.state);
    else *base_ = at.state;
  }
}

template <typename Element, int N>
template <typename T>
std::array<Vector3<T>, N> StencilForce<Element, N>::linearized_forces(std::size_t e, double time, const std::array<Vector3<T>, N>& x,
                                                                      const std::array<Vector3<T>, N>& v) const {
  if constexpr (kForetells)
    if (!surpluses_.empty()) {
      auto stress = elements_[e].template stress<T>(x, v);
      for (std::size_t k = 0; k < stress.size(); ++k) stress[k] += surpluses_[e][k];
      return elements_[e].template forces_of<T>(stress, x);
    }
  return at_time(elements_[e], time).template forces<T>(x, v);
}

template <typename Element, int N>
StencilForce<Element, N>::StencilForce(MPI_Comm communicator, std::vector<Element> elements, int interior, std::vector<char> owned, std::string energy_name,
                                       TimeTable over)
    : elements_(std::move(elements)),
      interior_(static_cast<std::size_t>(interior)),
      owned_(std::move(owned)),
      energy_name_(std::move(energy_name)),
      over_(std::move(over)),
      symmetric_(kHasEnergy) {
  const bool is_viscous = std::any_of(elements_.begin(), elements_.end(), [](const Element& element) { return element.is_viscous(); });
  if (maximum_over_ranks(communicator, is_viscous ? 1 : 0) > 0) symmetric_ = false;
}

template <typename Element, int N>
std::array<Vec3, N> StencilForce<Element, N>::gather(const Element& element, const Field& field) {
  std::array<Vec3, N> result;
  for (int a = 0; a < N; ++a) result[a] = field[element.vertices[a]];
  return result;
}

template <typename Element, int N>
void StencilForce<Element, N>::add_force(const State& state, Zone zone, Field& force) const {
  const auto [begin, end] = range(zone);
  const double factor = factor_at(over_, state.time);
  for (std::size_t e = begin; e < end; ++e) {
    const Element& element = elements_[e];
    const std::array<Vec3, N> f = forces_at(element, state);
    for (int a = 0; a < N; ++a) force[element.vertices[a]] += weighted(factor, f[a]);
  }
}

template <typename Element, int N>
void StencilForce<Element, N>::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  using Number = Dual<double>;
  const auto along = [](const Element& element, const Field& field, const Field& field_direction) {
    std::array<Vector3<Number>, N> result;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) result[a][i] = make_dual(field[element.vertices[a]][i], field_direction[element.vertices[a]][i]);
    return result;
  };
  const auto [begin, end] = range(zone);
  const double factor = factor_at(over_, at.state.time);
  for (std::size_t e = begin; e < end; ++e) {
    const Element& element = elements_[e];
    const std::array<Vector3<Number>, N> f =
        linearized_forces<Number>(e, at.state.time, along(element, at.state.q, direction.q), along(element, at.state.v, direction.v));
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) change[element.vertices[a]][i] += weighted(factor, f[a][i].derivative[0]);
  }
}

template <typename Element, int N>
void StencilForce<Element, N>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  using Number = Dual<double, 3 * N>;
  if (!symmetric_) matrix.make_general();
  const double factor = factor_at(over_, at.state.time);
  const auto derivative_of = [&](std::size_t e) {
    const Element& element = elements_[e];
    const std::array<Vec3, N> x = gather(element, at.state.q), v = gather(element, at.state.v);
    if constexpr (kHasDerivative) {
      return at_time(element, at.state.time).derivative(x, v, at.dq, at.dv);
    } else {
      const auto seeded = [](const std::array<Vec3, N>& values, double seed) {
        std::array<Vector3<Number>, N> result;
        for (int a = 0; a < N; ++a)
          for (int i = 0; i < 3; ++i) {
            result[a][i] = Number(values[a][i]);
            result[a][i].derivative[3 * a + i] = seed;
          }
        return result;
      };
      const std::array<Vector3<Number>, N> f = linearized_forces<Number>(e, at.state.time, seeded(x, at.dq), seeded(v, at.dv));
      Eigen::Matrix<double, 3 * N, 3 * N> result;
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) result.row(3 * a + i) = Eigen::Map<const Eigen::RowVector<double, 3 * N>>(f[a][i].derivative.data());
      return result;
    }
  };
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Element& element = elements_[e];
    const Eigen::Matrix<double, 3 * N, 3 * N> derivative = derivative_of(e);
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) {
        if (kFollowsTranslations && a == b) continue;  // minus the sum of the others in its row, because the matrix multiplies differences
        const Mat3 block = weighted(factor, Mat3(derivative.template block<3, 3>(3 * a, 3 * b)));
        if constexpr (!kFollowsTranslations) matrix.add_diagonal(element.vertices[a], block);  // the sum of its row
        if (a == b) continue;
        if (symmetric_) matrix.add_symmetric(element.vertices[a], element.vertices[b], block);
        else matrix.add_general(element.vertices[a], element.vertices[b], block);
      }
  }
}

template <typename Element, int N>
double StencilForce<Element, N>::energy(const State& state) const {
  double total = 0;
  if constexpr (kHasEnergy)
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (owned_[e]) total += at_time(elements_[e], state.time).energy(gather(elements_[e], state.q));
  return total;
}

}  // namespace traction
