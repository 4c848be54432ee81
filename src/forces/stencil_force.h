// Forces of elements of a few vertices each, from one kernel over any scalar: their products and exact blocks are those of dual numbers
// (docs/theory/balance.md, "Derivatives by dual numbers").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "math/time_table.h"
#include "system/force.h"

namespace traction {

// An Element has
//   std::array<int, N> vertices;                                            local
//   std::array<Vector3<T>, N> forces<T>(x, v) const;                        [N] at positions x [m] and velocities v [m/s], both std::array<Vector3<T>, N>;
//                                                                           they do not change under translations and common velocities
//   double energy(const std::array<Vec3, N>& x) const;                      stored [J]; left out where the forces derive from none
//   bool is_viscous() const;                                                whether the forces depend on v
template <typename Element, int N>
class StencilForce : public Force, private ExactBlocks {
 public:
  // The first `interior` elements touch owned vertices only. `owned`: whether each element counts on this rank for sums over all. `energy_name`: of the
  // history's column, empty without energy. `over`: a factor on forces without energy, which are loads. The block patterns of matrices must couple all vertices
  // of an element with each other.
  StencilForce(std::vector<Element> elements, int interior, std::vector<char> owned, std::string energy_name, TimeTable over = {});

  bool is_modal() const override { return kHasEnergy; }
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return energy_name_; }
  std::string work_name() const override { return !kHasEnergy ? "loads" : symmetric_ ? "" : "damping"; }

 private:
  static constexpr bool kHasEnergy = requires(const Element& element, const std::array<Vec3, N>& x) { element.energy(x); };
  template <typename Value>
  static Value weighted([[maybe_unused]] double factor, const Value& value) {
    if constexpr (kHasEnergy) return value;  // not even multiplied by 1, which would round its sums otherwise
    else return factor * value;
  }
  std::pair<std::size_t, std::size_t> range(Zone zone) const {  // first and last elements
    return zone == Zone::interior ? std::pair<std::size_t, std::size_t>(0, interior_) : std::pair(interior_, elements_.size());
  }
  static std::array<Vec3, N> gather(const Element& element, const Field& field);

  std::vector<Element> elements_;
  std::size_t interior_;
  std::vector<char> owned_;
  std::string energy_name_;
  TimeTable over_;
  bool symmetric_;  // derivatives: those of an energy
};

template <typename Element, int N>
StencilForce<Element, N>::StencilForce(std::vector<Element> elements, int interior, std::vector<char> owned, std::string energy_name, TimeTable over)
    : elements_(std::move(elements)),
      interior_(static_cast<std::size_t>(interior)),
      owned_(std::move(owned)),
      energy_name_(std::move(energy_name)),
      over_(std::move(over)),
      symmetric_(kHasEnergy && std::none_of(elements_.begin(), elements_.end(), [](const Element& element) { return element.is_viscous(); })) {}

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
    const std::array<Vec3, N> f = element.template forces<double>(gather(element, state.q), gather(element, state.v));
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
    const std::array<Vector3<Number>, N> f = element.template forces<Number>(along(element, at.state.q, direction.q), along(element, at.state.v, direction.v));
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) change[element.vertices[a]][i] += weighted(factor, f[a][i].derivative[0]);
  }
}

template <typename Element, int N>
void StencilForce<Element, N>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  using Number = Dual<double, 3 * N>;
  if (!symmetric_) matrix.make_general();
  const double factor = factor_at(over_, at.state.time);
  const auto seeded = [](const std::array<Vec3, N>& values, double seed) {
    std::array<Vector3<Number>, N> result;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        result[a][i] = Number(values[a][i]);
        result[a][i].derivative[3 * a + i] = seed;
      }
    return result;
  };
  for (const Element& element : elements_) {
    const std::array<Vector3<Number>, N> f =
        element.template forces<Number>(seeded(gather(element, at.state.q), at.dq), seeded(gather(element, at.state.v), at.dv));
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) {
        if (a == b) continue;  // minus the others of its row: the matrix multiplies differences
        Mat3 block;
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) block(i, k) = weighted(factor, f[a][i].derivative[3 * b + k]);
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
      if (owned_[e]) total += elements_[e].energy(gather(elements_[e], state.q));
  return total;
}

}  // namespace traction
