// States of scenes with rods: bent, moving and spinning, and directions in which they change.
#pragma once

#include <cmath>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "parallel/halo.h"
#include "simulation/simulation.h"
#include "support/force_evaluation.h"

namespace traction::test {

// Calls action(twist, middle) for the twist of each segment and the segment's middle.
template <typename Action>
void for_twists(const DistributedMesh& mesh, Action action) {
  for (const Rod& rod : mesh.rods) action(rod.vertices[2], Vec3((mesh.vertices[rod.vertices[0]] + mesh.vertices[rod.vertices[1]]) / 2));
}

// Positions with twists, and velocities with spin.
inline State moving_rods(const Simulation& simulation) {
  const DistributedMesh& mesh = *simulation.mesh;
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = x + 0.002 * Vec3(std::sin(3 * x.y()), x.x(), std::cos(4 * x.x() + 2 * x.y()));
    state.v[i] = Vec3(0.3 + 0.1 * x.y(), -0.2, 0.1 * x.x());
  }
  for_twists(mesh, [&](int twist, const Vec3& middle) {
    state.q[twist] = Vec3(0.01 * std::sin(9 * middle.x()), 0, 0);
    state.v[twist] = Vec3(0.2 * std::cos(5 * middle.y()), 0, 0);
  });
  return state;
}

// The same, at which a contact has begun a step and, where its friction is lagged, taken the normal forces.
inline State begin_with_moving_rods(const Simulation& simulation, ContactGroup& contact) {
  State state = moving_rods(simulation);
  contact.begin_step(state);
  contact.for_each_term([&](const auto& term) { term->lag_friction(state); });
  return state;
}

// Changes of positions, twists, velocities and spins.
inline State change_of_rods(const Simulation& simulation) {
  const DistributedMesh& mesh = *simulation.mesh;
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = Vec3(std::sin(5 * x.z() + x.x()), std::cos(4 * x.y()), std::sin(7 * x.x()));
    state.v[i] = Vec3(std::cos(3 * x.x()), std::sin(6 * x.z()), x.y() - x.x());
  }
  for_twists(mesh, [&](int twist, const Vec3& middle) {
    state.q[twist] = Vec3(middle.y(), 0, 0);
    state.v[twist] = Vec3(middle.x() - 0.3, 0, 0);
  });
  return state;
}

// Error of the work of the contact's forces along a change, from the differences of its energy, relative to a hundredth of the size of the forces.
inline double error_of_gradient(ContactGroup& contact, const Halo& halo, const State& state, const State& change) {
  const MPI_Comm communicator = halo.communicator();
  const auto central = [&](double h) {
    State plus = state, minus = state;
    plus.q.array() += h * change.q.array();
    minus.q.array() -= h * change.q.array();
    return (contact.total_energy(communicator, minus) - contact.total_energy(communicator, plus)) / (2 * h);
  };
  const Field force = force_of(contact, state);
  const int owned = 3 * halo.owned();
  const double work = sum_over_ranks(communicator, force.array().head(owned).matrix().dot(change.q.array().head(owned).matrix()));
  return std::abs((4 * central(1e-5) - central(2e-5)) / 3 - work) / (0.01 * norm(halo, force));
}

}  // namespace traction::test
