// Checks of forces that depend on positions alone and have no rest beside their blocks.
#pragma once

#include <array>
#include <cmath>

#include "parallel/collective.h"
#include "support/force_evaluation.h"
#include "system/block_matrix.h"
#include "system/system.h"

namespace traction::test {

// Relative distance of the product from that of the assembled blocks. Collective, like the other one.
inline double difference_from_blocks(Force& force, const System& system, const State& state, const State& direction) {
  const Halo& halo = system.halo();
  BlockMatrix blocks(system.pattern());
  blocks.set_zero();
  force.assembly()->add_blocks({state, 1, 0}, blocks);
  Field rest = product_of(force, state, direction), change(halo.local());
  const double size = norm(halo, rest);
  for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, direction.q, change);
  rest.array() -= change.array();
  return norm(halo, rest) / size;
}

// The largest component of the sums of forces and of their moments, relative to the sum of the forces' sizes, which must not be zero.
inline double imbalance(const Halo& halo, const State& state, const Field& force) {
  std::array<double, 7> sums{};
  for (int i = 0; i < halo.owned(); ++i) {
    const Vec3 moment = Vec3(state.q[i]).cross(Vec3(force[i]));
    for (int k = 0; k < 3; ++k) sums[k] += force[i][k], sums[3 + k] += moment[k];
    sums[6] += force[i].norm();
  }
  sum_over_ranks(halo.communicator(), sums);
  double largest = 0;
  for (int k = 0; k < 6; ++k) largest = std::fmax(largest, std::abs(sums[k]));
  return largest / sums[6];
}

}  // namespace traction::test
