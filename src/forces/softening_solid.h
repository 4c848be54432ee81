// The stress that rubber loses below the largest energy that it has borne, beside its elastic stress (docs/theory/balance.md, "Softening").
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "elements/elasticity.h"
#include "elements/softening.h"
#include "forces/point_laws.h"
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
  /// How much each element has softened at a state: the share of its stress against changes of shape that is lost, as the mean over its quadrature points.
  /// Elements are in the order in which they were given.
  virtual std::vector<double> lost_parts(const State& state) const = 0;
};

/// Between the last committed state and the present one the stress derives from an energy, with the largest energy density of both: the energy that the solid
/// gives back when it is unloaded. The rest is dissipated (flow_loss). Every quadrature point has a largest energy of its own. `Batches`: SolidBatches or
/// QuadraticBatches.
template <template <typename> typename Material, typename Batches = SolidBatches>
class SofteningSolid : public Softening, private ExactBlocks, private Memory {
 public:
  /// `laws`: of each element, with a bulk modulus of 0. `slots`: the most that a vertex keeps, the same on all ranks and in all forces of this kind.
  SofteningSolid(std::shared_ptr<const Batches> batches, const std::vector<Material<double>>& laws, std::vector<SofteningElement> elements, int slots)
      : batches_(std::move(batches)), elements_(std::move(elements)), slots_(slots) {
    const std::vector<Material<Pack>> shapes = batches_->packed(laws);
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      Law law{shapes[b], Pack(1.0), Pack(0.0), Pack(0.0), Pack(0.0)};
      for (int lane = 0; lane < kPackWidth; ++lane) {
        const SofteningEnergy& own = element(b, lane).law;
        law.r.set(lane, own.r);
        law.m.set(lane, own.m);
        law.beta.set(lane, own.beta);
      }
      laws_.emplace_back().fill(law);
    }
  }

  bool is_modal() const override { return false; }
  void add_force(const State& state, Zone zone, Field& force) const override { add_forces_of_laws<Batches, Law>(*batches_, laws_, state, zone, force); }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_products_of_laws<Batches, Law>(*batches_, laws_, at, direction, zone, change);
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override { add_blocks_of_laws<Law>(*batches_, laws_, at, matrix); }
  double energy(const State& state) const override {
    return sum_over_points(state, [](const SofteningEnergy& law, double present, double peak) { return law.stored(present, std::max(present, peak)); });
  }
  std::string energy_name() const override { return "elastic"; }
  double flow_loss(const State& state) const override {
    return sum_over_points(
        state, [](const SofteningEnergy& law, double present, double peak) { return present > peak ? law.dissipated(present) - law.dissipated(peak) : 0.0; });
  }
  std::string work_name() const override { return "softening"; }  // counts flow_loss
  Memory* memory() override { return this; }
  std::vector<double> lost_parts(const State& state) const override {
    std::vector<double> parts(elements_.size());
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const auto& batch = batches_->all()[b];
      const auto present = densities(b, state);
      for (int lane = 0; lane < batch.count; ++lane)
        for (std::size_t q = 0; q < present.size(); ++q)
          parts[static_cast<std::size_t>(batch.element(lane))] +=
              element(b, lane).law.lost_part(present[q][lane], laws_[b][q].peak[lane]) / static_cast<double>(present.size());
    }
    return parts;
  }

 private:
  using Law = SofteningLaw<Material, Pack>;

  static constexpr std::size_t kPoints = kPointsOf<Batches>;

  std::string name() const override { return kPoints == 1 ? "softening" : "softening_at_points"; }
  int components() const override { return slots_ * static_cast<int>(kPoints); }
  void commit(const State& accepted) override {
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const auto present = densities(b, accepted);
      for (std::size_t q = 0; q < kPoints; ++q)
        for (int lane = 0; lane < kPackWidth; ++lane) laws_[b][q].peak.set(lane, std::max(laws_[b][q].peak[lane], present[q][lane]));
    }
  }
  /// After a long rest the rubber has borne the present state.
  void relax(const State& state) override { commit(state); }
  void save(std::span<double> values) const override {
    for_each_memory([&](std::size_t at, std::size_t b, int lane) {
      for (const Law& law : laws_[b]) values[at++] = law.peak[lane];
    });
  }
  void load(std::span<const double> values) override {
    for_each_memory([&](std::size_t at, std::size_t b, int lane) {
      for (Law& law : laws_[b]) law.peak.set(lane, values[at++]);
    });
  }

  const SofteningElement& element(std::size_t batch, int lane) const { return elements_[static_cast<std::size_t>(batches_->all()[batch].element(lane))]; }
  /// The energy densities of the change of shape at the points of a batch [J/m^3].
  std::array<Pack, kPoints> densities(std::size_t b, const State& state) const {
    const auto& batch = batches_->all()[b];
    const auto F = deformation_gradients(batch, gather(batch, state.q));
    std::array<Pack, kPoints> result;
    for (std::size_t q = 0; q < kPoints; ++q) result[q] = laws_[b][q].shape.energy_density(F[q]);
    return result;
  }
  /// The sum of at_point(law, present energy density, largest one so far) times the volume of each point of owned elements [J].
  template <typename AtPoint>
  double sum_over_points(const State& state, AtPoint at_point) const {
    double total = 0;
    for (std::size_t b = 0; b < laws_.size(); ++b) {
      const auto& batch = batches_->all()[b];
      const auto present = densities(b, state), volumes = owned_volumes(batch);
      for (int lane = 0; lane < batch.count; ++lane)
        for (std::size_t q = 0; q < kPoints; ++q) total += volumes[q][lane] * at_point(element(b, lane).law, present[q][lane], laws_[b][q].peak[lane]);
    }
    return total;
  }
  /// Calls action(first number of the element's memory, batch, lane) for every element that this rank holds.
  template <typename Action>
  void for_each_memory(Action action) const {
    for (std::size_t b = 0; b < laws_.size(); ++b)
      for (int lane = 0; lane < batches_->all()[b].count; ++lane) {
        const SofteningElement& own = element(b, lane);
        action(kPoints * static_cast<std::size_t>(slots_ * own.home + own.slot), b, lane);
      }
  }

  std::shared_ptr<const Batches> batches_;
  std::vector<SofteningElement> elements_;
  int slots_;
  std::vector<PointLaws<Batches, Law>> laws_;  ///< one for each batch, with the largest energy densities of committed states
};

}  // namespace traction
