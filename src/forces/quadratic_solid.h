// Hyperelastic solids on ten-node tetrahedra with one mean volume ratio each (docs/theory/balance.md, "Ten-node tetrahedra"), and their viscosity.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/relaxation.h"
#include "forces/quadratic_batches.h"
#include "system/force.h"

namespace traction {

/// The elastic forces of solids of one law, with their products, blocks and energy; elements/elasticity.h describes what a Material must have. If a law has an
/// energy of the volume ratio alone, this part is taken out of the law and acts on the mean volume ratio of each element.
template <template <typename> typename Material>
class QuadraticSolid : public Force, private ExactBlocks {
 public:
  /// `materials`: one for each element. `has_foretold`: whether all stresses are foretold, not the mean ones alone (Force::foretell).
  QuadraticSolid(std::shared_ptr<const QuadraticBatches> elements, const std::vector<QuadraticMaterialOf<Material, double>>& materials,
                 VolumetricLaw::Form form, bool has_foretold = false)
      : elements_(std::move(elements)), materials_(elements_->packed<Parameters>(materials)), form_(form), has_foretold_(has_foretold) {}

  bool foretell(bool on) override {
    foretells_ = (kHasMean || has_foretold_) && on && !base_.values().empty();
    return kHasMean || has_foretold_;
  }
  void linearize_foretold(bool on) override { linearizes_foretold_ = on; }
  void linearize(const Linearization& at) override {
    if (!kHasMean && !has_foretold_) return;
    surpluses_.clear();
    if (linearizes_foretold_ && !base_.values().empty())
      for (std::size_t b = 0; b < materials_.size(); ++b) surpluses_.push_back(surplus_at(elements_->all()[b], materials_[b], at.state.q));
    base_ = at.state.q;
  }
  void add_force(const State& state, Zone zone, Field& force) const override {
    const auto kernel = [&](const QuadraticBatch& batch, const Parameters& material) {
      if (!foretells_) return elastic_forces<Pack>(batch, material, form_, gather(batch, state.q));
      const Surplus surplus = surplus_at(batch, material, state.q);
      return elastic_forces<Pack>(batch, material, form_, gather(batch, state.q), surplus.mean, has_foretold_ ? &surplus.at_points : nullptr);
    };
    elements_->add(zone, 1, materials_, kernel, force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    const auto kernel = [&](const QuadraticBatch& batch, const Parameters& material) { return products_of(batch, material, at.state.q, direction.q); };
    elements_->add(zone, 1, materials_, kernel, change);
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override {
    const auto kernel = [&](const QuadraticBatch& batch, const Parameters& material, int b) {
      return elastic_forces<Dual<Pack, 3>>(batch, material, form_, seeded(gather(batch, at.state.q), b, at.dq), mean_surplus_of(batch), surplus_of(batch));
    };
    elements_->add_blocks(materials_, kernel, matrix);
  }
  double energy(const State& state) const override {
    double total = 0;
    for (std::size_t b = 0; b < materials_.size(); ++b) {
      const QuadraticBatch& batch = elements_->all()[b];
      total += sum(batch.is_owned * elastic_energy<Pack>(batch, materials_[b], form_, gather(batch, state.q)));
    }
    return total;
  }
  std::string energy_name() const override { return "elastic"; }

 private:
  using Parameters = QuadraticMaterialOf<Material, Pack>;
  static constexpr bool kHasMean = HasVolumetricPart<Material<double>>;

  /// Differences between foretold and other stresses: of the mean volume ratio, and of the second Piola-Kirchhoff stresses at the quadrature points.
  struct Surplus {
    Pack mean{0.0};
    PointTensors<Pack> at_points;  ///< unset unless has_foretold_
  };

  /// The stresses that the last linearization foretells for given positions, minus the actual ones.
  Surplus surplus_at(const QuadraticBatch& batch, const Parameters& material, const Field& positions) const {
    const Corner10<Pack> x = gather(batch, positions), base = gather(batch, base_);
    Surplus surplus;
    if constexpr (kHasMean) {
      Corner10<Dual<Pack>> along;
      for (int a = 0; a < 10; ++a)
        for (int i = 0; i < 3; ++i) along[a][i] = Dual<Pack>(base[a][i], {x[a][i] - base[a][i]});
      const Dual<Pack> foretold = material.mean.stress(form_, mean_volume_ratio(batch, deformation_gradients(batch, along)));
      surplus.mean = foretold.value + foretold.derivative[0] - material.mean.stress(form_, mean_volume_ratio(batch, deformation_gradients(batch, x)));
    }
    if (has_foretold_) {
      const PointTensors<Pack> from = deformation_gradients(batch, base), to = deformation_gradients(batch, x);
      for (int q = 0; q < kQuadraturePoints; ++q) surplus.at_points[q] = foretold_surplus(material.law, from[q], to[q]);
    }
    return surplus;
  }
  std::size_t number_of(const QuadraticBatch& batch) const { return static_cast<std::size_t>(&batch - elements_->all().data()); }
  Pack mean_surplus_of(const QuadraticBatch& batch) const { return surpluses_.empty() ? Pack(0.0) : surpluses_[number_of(batch)].mean; }
  const PointTensors<Pack>* surplus_of(const QuadraticBatch& batch) const {
    return surpluses_.empty() || !has_foretold_ ? nullptr : &surpluses_[number_of(batch)].at_points;
  }

  /// One function does all of a batch's arithmetic, as in ElasticSolid.
  [[gnu::flatten, gnu::noinline]] Corner10<Pack> products_of(const QuadraticBatch& batch, const Parameters& material, const Field& x, const Field& dx) const {
    return derivatives(elastic_forces<Dual<Pack>>(batch, material, form_, gather(batch, x, dx), mean_surplus_of(batch), surplus_of(batch)));
  }

  std::shared_ptr<const QuadraticBatches> elements_;
  std::vector<Parameters> materials_;  ///< one for each batch
  VolumetricLaw::Form form_;
  bool has_foretold_;
  Field base_;                      ///< positions at the last linearization; empty before it, or where nothing is foretold
  std::vector<Surplus> surpluses_;  ///< foretold stresses minus those at the last linearization, one for each batch; empty without foretold stresses
  bool foretells_ = false, linearizes_foretold_ = false;
};

/// Stiffness damping of ten-node tetrahedra: a viscosity with the moduli of the laws at their quadrature points (docs/theory/balance.md, "Rayleigh damping").
class QuadraticViscosity : public Force, private ExactBlocks {
 public:
  /// `moduli`: one for each element. `time`: by which these are multiplied [s].
  QuadraticViscosity(std::shared_ptr<const QuadraticBatches> elements, const std::vector<LameParameters<double>>& moduli, double time)
      : elements_(std::move(elements)), moduli_(elements_->packed<LameParameters<Pack>>(moduli)), time_(time) {}

  void add_force(const State& state, Zone zone, Field& force) const override {
    const auto kernel = [&](const QuadraticBatch& batch, const LameParameters<Pack>& moduli) {
      return viscous_forces<Pack>(batch, moduli, gather(batch, state.q), gather(batch, state.v));
    };
    elements_->add(zone, time_, moduli_, kernel, force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    const auto kernel = [&](const QuadraticBatch& batch, const LameParameters<Pack>& moduli) {
      return derivatives(viscous_forces<Dual<Pack>>(batch, moduli, gather(batch, at.state.q, direction.q), gather(batch, at.state.v, direction.v)));
    };
    elements_->add(zone, time_, moduli_, kernel, change);
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override {
    matrix.make_general();
    const auto kernel = [&](const QuadraticBatch& batch, const LameParameters<Pack>& moduli, int b) {
      return viscous_forces<Dual<Pack, 3>>(batch, moduli, seeded(gather(batch, at.state.q), b, time_ * at.dq),
                                           seeded(gather(batch, at.state.v), b, time_ * at.dv));
    };
    elements_->add_blocks(moduli_, kernel, matrix);
  }
  std::string work_name() const override { return "damping"; }

 private:
  std::shared_ptr<const QuadraticBatches> elements_;
  std::vector<LameParameters<Pack>> moduli_;  ///< one for each batch
  double time_;
};

}  // namespace traction
