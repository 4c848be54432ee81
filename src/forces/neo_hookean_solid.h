// Neo-Hookean solids on linear tetrahedra (docs/theory/balance.md, "Neo-Hookean solids").
#pragma once

#include <memory>

#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

class NeoHookeanSolid : public Force {
 public:
  explicit NeoHookeanSolid(std::shared_ptr<const SolidBatches> elements) : elements_(std::move(elements)) {}

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const State&, const State&, Zone, Field&) const override {}
  double energy(const State& state) const override;
  std::string energy_name() const override { return "elastic"; }

 private:
  std::shared_ptr<const SolidBatches> elements_;
};

}  // namespace traction
