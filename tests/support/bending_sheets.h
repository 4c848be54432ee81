// Sheets that bend: their bending force, states, and what every such force must keep.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/force_evaluation.h"
#include "support/two_boxes.h"

namespace traction::test {

inline Force& bending_of(const Simulation& simulation) {
  for (const auto& force : simulation.system->forces())
    if (force->energy_name() == "bending") return *force;
  throw std::logic_error("nothing bends");
}

inline double bending_energy(const Simulation& simulation, const State& state) {
  return sum_over_ranks(PETSC_COMM_WORLD, bending_of(simulation).energy(state));
}

// A state at rest with each vertex x at place(x).
template <typename Place>
State placed(const DistributedMesh& mesh, const Place& place) {
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) state.q[i] = place(mesh.vertices[i]);
  return state;
}

// Holds products against central differences of forces with this step, and blocks against products.
inline void expect_blocks_and_products_are_derivatives(Simulation& simulation, const State& state, double step, bool is_general) {
  Force& bending = bending_of(simulation);
  const Halo& halo = simulation.system->halo();
  State direction = direction_for(*simulation.mesh);
  EXPECT_LT(difference_from_central(bending, halo, state, direction, step), 1e-6);
  Field left = product_of(bending, state, direction);
  const double scale = norm(halo, left);
  BlockMatrix blocks(simulation.system->pattern());
  for (const bool positions : {true, false}) {
    blocks.set_zero();
    bending.assembly()->add_blocks({state, positions ? 1. : 0., positions ? 0. : 1.}, blocks);
    for (const Zone zone : {Zone::interior, Zone::boundary}) {
      Field change(halo.local());
      blocks.multiply(zone, positions ? direction.q : direction.v, change);
      left.array() -= change.array();
    }
  }
  EXPECT_EQ(blocks.is_general(), is_general);
  EXPECT_LT(norm(halo, left), 1e-11 * scale);
}

}  // namespace traction::test
