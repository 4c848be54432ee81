// Hyperelastic solids on linear tetrahedra (docs/theory/balance.md, "Linear tetrahedra").
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "elements/relaxation.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

/// The elastic forces of solids of one material, with their products, blocks and energy; elements/elasticity.h describes what a Material must have.
template <template <typename> typename Material>
class ElasticSolid : public Force, private ExactBlocks, private SeparateTerms {
 public:
  /// `materials`: one for each element. `has_foretold`: whether stresses are foretold (Force::foretell).
  ElasticSolid(std::shared_ptr<const SolidBatches> elements, const std::vector<Material<double>>& materials, bool has_foretold = false)
      : elements_(std::move(elements)), materials_(elements_->packed(materials)), has_foretold_(has_foretold) {}

  bool foretell(bool on) override {
    foretells_ = has_foretold_ && on && !base_.values().empty();
    return has_foretold_;
  }
  void linearize_foretold(bool on) override { linearizes_foretold_ = on; }
  void linearize(const Linearization& at) override {
    if (!has_foretold_) return;
    surpluses_.clear();
    if (linearizes_foretold_ && !base_.values().empty())
      for (std::size_t b = 0; b < materials_.size(); ++b) surpluses_.push_back(surplus_at(elements_->all()[b], materials_[b], at.state.q));
    base_ = at.state.q;
  }
  void add_force(const State& state, Zone zone, Field& force) const override {
    const auto kernel = [&](const SolidBatch& batch, const Material<Pack>& material) { return elastic_forces<Pack>(batch, material, gather(batch, state.q)); };
    const auto foretold = [&](const SolidBatch& batch, const Material<Pack>& material) {
      return elastic_forces<Pack>(batch, Foretold{material, Pack(1.0), surplus_at(batch, material, state.q)}, gather(batch, state.q));
    };
    if (foretells_) elements_->add(zone, 1, materials_, foretold, force);
    else elements_->add(zone, 1, materials_, kernel, force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    const auto kernel = [&](const SolidBatch& batch, const Material<Pack>& material) { return products_of(batch, material, at.state.q, direction.q); };
    const auto foretold = [&](const SolidBatch& batch, const Material<Pack>& material) {
      return derivatives(elastic_forces<Dual<Pack>>(batch, Foretold{material, Pack(1.0), surplus_of(batch)}, gather(batch, at.state.q, direction.q)));
    };
    if (!surpluses_.empty()) elements_->add(zone, 1, materials_, foretold, change);
    else elements_->add(zone, 1, materials_, kernel, change);
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override {
    const auto kernel = [&](const SolidBatch& batch, const Material<Pack>& material) {
      return elastic_blocks(batch, material, gather(batch, at.state.q), at.dq);
    };
    const auto foretold = [&](const SolidBatch& batch, const Material<Pack>& material) {
      return elastic_blocks(batch, Foretold{material, Pack(1.0), surplus_of(batch)}, gather(batch, at.state.q), at.dq);
    };
    if (!surpluses_.empty()) elements_->add_blocks(materials_, foretold, matrix);
    else elements_->add_blocks(materials_, kernel, matrix);
  }
  double energy(const State& state) const override {
    double total = 0;
    for (std::size_t b = 0; b < materials_.size(); ++b) {
      const SolidBatch& batch = elements_->all()[b];
      total += sum(batch.owned_volume * materials_[b].energy_density(deformation_gradient(batch, gather(batch, state.q))));
    }
    return total;
  }
  std::string energy_name() const override { return "elastic"; }
  const SeparateTerms* terms() const override { return this; }

 private:
  using Foretold = BranchLaw<Material, Pack>;  // the law with a further second Piola-Kirchhoff stress

  Matrix3<Pack> surplus_at(const SolidBatch& batch, const Material<Pack>& material, const Field& positions) const {
    return foretold_surplus(material, deformation_gradient(batch, gather(batch, base_)), deformation_gradient(batch, gather(batch, positions)));
  }
  const Matrix3<Pack>& surplus_of(const SolidBatch& batch) const { return surpluses_[static_cast<std::size_t>(&batch - elements_->all().data())]; }

  int count() const override { return elements_->count(); }
  bool reads_velocities() const override { return false; }
  std::vector<int> stencil(int term) const override {
    const auto vertices = elements_->vertices(term);
    return {vertices.begin(), vertices.end()};
  }
  void forces(int term, const State& state, std::span<Vec3> forces) const override {
    const SolidBatches::Single single = elements_->single(term);
    const Corner4<double> f = elastic_forces<double>(single.element, elements_->unpacked(materials_, term), gather(single.vertices, state.q));
    std::copy(f.begin(), f.end(), forces.begin());
  }

  /// One function does all of a batch's arithmetic. If its parts are called one by one, or inlined into the loop that scatters the results, the compiler passes
  /// more data through memory, and the product takes up to a third longer. Forces do not gain from this.
  [[gnu::flatten, gnu::noinline]] static Corner4<Pack> products_of(const SolidBatch& batch, const Material<Pack>& material, const Field& x, const Field& dx) {
    return derivatives(elastic_forces<Dual<Pack>>(batch, material, gather(batch, x, dx)));
  }

  std::shared_ptr<const SolidBatches> elements_;
  std::vector<Material<Pack>> materials_;  ///< one for each batch
  bool has_foretold_;
  Field base_;                            ///< positions at the last linearization; empty before it, or where nothing is foretold
  std::vector<Matrix3<Pack>> surpluses_;  ///< foretold stresses minus those at the last linearization, one for each batch; empty without foretold stresses
  bool foretells_ = false, linearizes_foretold_ = false;
};

}  // namespace traction
