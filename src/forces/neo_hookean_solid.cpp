#include "forces/neo_hookean_solid.h"

namespace traction {

void NeoHookeanSolid::add_force(const State& state, Zone zone, Field& force) const {
  elements_->add(
      zone, 1, [&](const SolidBatch& batch) { return elastic_forces<Pack>(batch, gather(batch, state.q)); }, force);
}

void NeoHookeanSolid::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  elements_->add(
      zone, 1, [&](const SolidBatch& batch) { return derivatives(elastic_forces<Dual<Pack>>(batch, gather(batch, at.state.q, direction.q))); }, change);
}

void NeoHookeanSolid::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  elements_->add_blocks(
      [&](const SolidBatch& batch, auto add) {
        const DeformedElement<Pack> deformed(batch, gather(batch, at.state.q));
        add(ElasticBlocks<Pack>(batch, deformed, at.dq));
      },
      matrix);
}

double NeoHookeanSolid::energy(const State& state) const {
  double total = 0;
  for (const SolidBatch& batch : elements_->all())
    total += sum(batch.owned_volume * batch.material.energy_density(deformation_gradient(batch, gather(batch, state.q))));
  return total;
}

}  // namespace traction
