// Points of one pair and the forces on them (see pair_force.h).
#pragma once

#include <map>
#include <span>
#include <vector>

#include "contact/contact_law.h"
#include "contact/sheet_force.h"
#include "system/held_spins.h"
#include "system/state.h"

namespace traction {

/// The velocity of a point that this rank owns, with the spin of its support if it is the held twist of a rod.
template <typename Surroundings>
Vec3 own_velocity(const Surroundings& near, int point, const Vec3& velocity) {
  if constexpr (requires { near.spins; }) return with_spin(near.spins, point, velocity);
  return velocity;
}

/// The spins of held twists at a state, none for families that rods do not touch (see HeldSpins).
template <typename Family>
std::map<int, double> spins_of(const Family& family, const State& state) {
  if constexpr (requires { family.spins_at(state); }) return family.spins_at(state);
  return {};
}

/// Positions, velocities and forces of the points of one pair; the storage is reused from pair to pair.
template <typename T>
struct PairPoints {
  std::vector<int> buffer;
  std::span<const int> numbers;
  std::vector<Vector3<T>> x, v, forces;

  /// Gives every point a position and a velocity: at(i, x, v) for the point numbers[i].
  template <typename Surroundings, typename At>
  void set(const Surroundings& near, std::size_t k, At at) {
    numbers = near.points(k, buffer);
    x.resize(numbers.size());
    v.resize(numbers.size());
    forces.assign(numbers.size(), Vector3<T>::Constant(T(0.0)));
    for (std::size_t i = 0; i < numbers.size(); ++i) at(i, x[i], v[i]);
  }

  /// Gives every point its position and velocity in a state, or, if it is a copy, those in the surroundings.
  template <typename Surroundings>
  void set(const Surroundings& near, std::size_t k, const State& state) {
    set(near, k, [&](std::size_t i, Vector3<T>& at, Vector3<T>& velocity) {
      const int number = numbers[i], copy = number - near.owned();
      at = copy < 0 ? state.q[number] : near.q[copy];
      velocity = copy < 0 ? own_velocity(near, number, state.v[number]) : near.v[copy];
    });
  }

  /// Adds the forces on the points of the pair k to `forces`.
  template <typename Surroundings>
  ContactForce<T> evaluate(const ContactLaw& law, const Surroundings& near, std::size_t k, const Vec3* friction_direction = nullptr) {
    const auto sample = near.template sample<T>(k, x);
    if constexpr (requires { sample.part_count(); })
      if (sample.part_count() > 1) return sheet_force<T>(law, near.weight(k), sample, near.frame, v, forces, friction_direction);
    return contact_force<T>(law, near.weight(k), sample, near.frame, v, forces, friction_direction);
  }
};

}  // namespace traction
