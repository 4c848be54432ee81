// Forces and products of one term of the equations, and the product held against differences of the force.
#pragma once

#include <cmath>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "system/force.h"

namespace traction::test {

inline int local_vertices(const State& state) { return static_cast<int>(state.q.values().size() / 3); }

// The forces of a term: one term of the equations, or all terms of a contact.
inline std::vector<Force*> terms_of(Force& force) { return {&force}; }
inline std::vector<Force*> terms_of(ContactGroup& contact) {
  std::vector<Force*> terms;
  contact.for_each_term([&](const auto& term) { terms.push_back(term.get()); });
  return terms;
}

// f at a state, ghosts valid. Collective, like all below.
template <typename Term>
Field force_of(Term& force, const State& state) {
  Field result(local_vertices(state));
  for (Force* term : terms_of(force)) {
    term->prepare(state);
    for (const Zone zone : {Zone::interior, Zone::boundary}) term->add_force(state, zone, result);
  }
  return result;
}

// Derivative of f along `direction`, ghosts valid.
template <typename Term>
Field product_of(Term& force, const State& state, const State& direction) {
  Field change(local_vertices(state));
  for (Force* term : terms_of(force)) {
    term->linearize(state);
    for (const Zone zone : {Zone::interior, Zone::boundary}) term->add_product(state, direction, zone, change);
  }
  return change;
}

// Over the owned vertices of all ranks.
inline double norm(const Halo& halo, const Field& field) {
  return std::sqrt(sum_over_ranks(halo.communicator(), field.array().head(3 * halo.owned()).squaredNorm()));
}

// Relative distance of the product from Richardson-extrapolated central differences.
template <typename Term>
double difference_from_central(Term& force, const Halo& halo, const State& state, const State& direction, double step) {
  const Field product = product_of(force, state, direction);
  auto central = [&](double h) {
    State plus = state, minus = state;
    plus.q.array() += h * direction.q.array(), plus.v.array() += h * direction.v.array();
    minus.q.array() -= h * direction.q.array(), minus.v.array() -= h * direction.v.array();
    Field difference = force_of(force, plus);
    difference.array() = (difference.array() - force_of(force, minus).array()) / (2 * h);
    return difference;
  };
  Field extrapolated = central(step);
  extrapolated.array() = (4 * central(step / 2).array() - extrapolated.array()) / 3;
  extrapolated.array() -= product.array();
  return norm(halo, extrapolated) / norm(halo, product);
}

}  // namespace traction::test
