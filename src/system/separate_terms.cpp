#include "system/separate_terms.h"

#include "system/force.h"

namespace traction {

void WholeForce::forces(int, const State& state, std::span<Vec3> forces) const {
  if (sums_.values().size() != state.q.values().size()) sums_ = Field(static_cast<int>(state.q.values().size() / 3));
  for (const Zone zone : {Zone::interior, Zone::boundary}) force_.add_force(state, zone, sums_);
  for (std::size_t k = 0; k < stencil_.size(); ++k) {
    forces[k] = sums_[stencil_[k]];
    sums_[stencil_[k]].setZero();
  }
}

}  // namespace traction
