// Neo-Hookean solids on linear tetrahedra (docs/theory/balance.md, "Neo-Hookean solids").
#pragma once

#include <memory>

#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

class NeoHookeanSolid : public Force, private ExactBlocks {
 public:
  explicit NeoHookeanSolid(std::shared_ptr<const SolidBatches> elements) : elements_(std::move(elements)) {}

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return "elastic"; }

 private:
  std::shared_ptr<const SolidBatches> elements_;
};

}  // namespace traction
