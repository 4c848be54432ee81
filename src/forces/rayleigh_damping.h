// Rayleigh damping (docs/theory/balance.md, "Rayleigh damping"): f = -alpha M v, and beta times a viscosity with the solid's own moduli.
#pragma once

#include <memory>
#include <vector>

#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

// The viscous stress depends on the rate of strain alone. P0's -beta K(q) v would act on the rotation of a body under stress.
class RayleighDamping : public Force, private ExactBlocks {
 public:
  // `mass`: alpha times the mass of each local vertex of the body, 0 for others [kg/s]. `stiffness`: beta [s].
  RayleighDamping(std::shared_ptr<const SolidBatches> elements, std::vector<double> mass, double stiffness, int owned_vertices);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }

 private:
  std::shared_ptr<const SolidBatches> elements_;
  std::vector<double> mass_;
  double stiffness_;
  int owned_vertices_;
};

}  // namespace traction
