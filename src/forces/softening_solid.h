// The stress that rubber loses below the largest energy that it has borne, beside its elastic stress (docs/theory/balance.md, "Softening").
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "elements/elasticity.h"
#include "elements/softening.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

/// How an element softens, and where its largest energy is kept.
struct SofteningElement {
  SofteningEnergy law{};
  int home = -1, slot = 0;  ///< place at which the state is kept: the local vertex, and the slot at this vertex
};

/// Interface of the forces of softening, for all laws.
class Softening : public Force {
 public:
  /// The part of its stress of the change of shape that each element has lost at a state, in the order in which they were given.
  virtual std::vector<double> lost_parts(const State& state) const = 0;
};

/// Between the last committed state and the present one the stress derives from an energy, with the largest energy density of both: the energy that the solid
/// gives back when it is unloaded. The rest is dissipated (flow_loss).
template <template <typename> typename Material>
class SofteningSolid : public Softening, private ExactBlocks, private Memory {
 public:
  /// `laws`: of each element, with a bulk modulus of 0. `slots`: the most that a vertex keeps, the same on all ranks and in all forces of this kind.
  SofteningSolid(std::shared_ptr<const SolidBatches> batches, const std::vector<Material<double>>& laws, std::vector<SofteningElement> elements, int slots)
      : batches_(std::move(batches)), elements_(std::move(elements)), slots_(slots) {
    const std::vector<Material<Pack>> shapes = batches_->packed(laws);
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      Law& law = laws_.emplace_back(Law{shapes[b], Pack(1.0), Pack(0.0), Pack(0.0), Pack(0.0)});
      for (int lane = 0; lane < kPackWidth; ++lane) {
        const SofteningEnergy& own = element(b, lane).law;
        law.r.set(lane, own.r);
        law.m.set(lane, own.m);
        law.beta.set(lane, own.beta);
      }
    }
  }

  bool is_modal() const override { return false; }
  void add_force(const State& state, Zone zone, Field& force) const override {
    const auto kernel = [&](const SolidBatch& batch, const Law& law) { return elastic_forces<Pack>(batch, law, gather(batch, state.q)); };
    batches_->add(zone, 1, laws_, kernel, force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    const auto kernel = [&](const SolidBatch& batch, const Law& law) {
      return derivatives(elastic_forces<Dual<Pack>>(batch, law, gather(batch, at.state.q, direction.q)));
    };
    batches_->add(zone, 1, laws_, kernel, change);
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override {
    const auto kernel = [&](const SolidBatch& batch, const Law& law) { return elastic_blocks(batch, law, gather(batch, at.state.q), at.dq); };
    batches_->add_blocks(laws_, kernel, matrix);
  }
  double energy(const State& state) const override {
    return sum_over_elements(state, [](const SofteningEnergy& law, double present, double peak) { return law.stored(present, std::max(present, peak)); });
  }
  std::string energy_name() const override { return "elastic"; }
  double flow_loss(const State& state) const override {
    return sum_over_elements(
        state, [](const SofteningEnergy& law, double present, double peak) { return present > peak ? law.dissipated(present) - law.dissipated(peak) : 0.0; });
  }
  std::string work_name() const override { return "softening"; }  // counts flow_loss
  Memory* memory() override { return this; }
  std::vector<double> lost_parts(const State& state) const override {
    std::vector<double> parts(elements_.size());
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const SolidBatch& batch = batches_->all()[b];
      const Pack present = density(b, state);
      for (int lane = 0; lane < batch.count; ++lane)
        parts[static_cast<std::size_t>(batch.element(lane))] = element(b, lane).law.lost_part(present[lane], laws_[b].peak[lane]);
    }
    return parts;
  }

 private:
  using Law = SofteningLaw<Material, Pack>;

  std::string name() const override { return "softening"; }
  int components() const override { return slots_; }
  void commit(const State& accepted) override {
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const Pack present = density(b, accepted);
      for (int lane = 0; lane < kPackWidth; ++lane) laws_[b].peak.set(lane, std::max(laws_[b].peak[lane], present[lane]));
    }
  }
  /// After a long rest the rubber has borne the present state.
  void relax(const State& state) override { commit(state); }
  void save(std::span<double> values) const override {
    for_each_memory([&](std::size_t at, std::size_t b, int lane) { values[at] = laws_[b].peak[lane]; });
  }
  void load(std::span<const double> values) override {
    for_each_memory([&](std::size_t at, std::size_t b, int lane) { laws_[b].peak.set(lane, values[at]); });
  }

  const SofteningElement& element(std::size_t batch, int lane) const { return elements_[static_cast<std::size_t>(batches_->all()[batch].element(lane))]; }
  /// The energy density of the change of shape [J/m^3].
  Pack density(std::size_t b, const State& state) const {
    const SolidBatch& batch = batches_->all()[b];
    return laws_[b].shape.energy_density(deformation_gradient(batch, gather(batch, state.q)));
  }
  /// The sum of of_element(law, present energy density, largest one so far) times the volume of each owned element [J].
  template <typename OfElement>
  double sum_over_elements(const State& state, OfElement of_element) const {
    double total = 0;
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const SolidBatch& batch = batches_->all()[b];
      const Pack present = density(b, state);
      for (int lane = 0; lane < batch.count; ++lane) total += batch.owned_volume[lane] * of_element(element(b, lane).law, present[lane], laws_[b].peak[lane]);
    }
    return total;
  }
  /// Calls action(number of the element's memory, batch, lane) for every element that this rank holds.
  template <typename Action>
  void for_each_memory(Action action) const {
    for (std::size_t b = 0; b < laws_.size(); ++b)
      for (int lane = 0; lane < batches_->all()[b].count; ++lane) {
        const SofteningElement& own = element(b, lane);
        action(static_cast<std::size_t>(slots_) * static_cast<std::size_t>(own.home) + static_cast<std::size_t>(own.slot), b, lane);
      }
  }

  std::shared_ptr<const SolidBatches> batches_;
  std::vector<SofteningElement> elements_;
  int slots_;
  std::vector<Law> laws_;  ///< one for each batch, with the largest energy density of committed states
};

}  // namespace traction
