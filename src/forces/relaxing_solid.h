// The stress that relaxes in viscoelastic solids, beside their elastic stress (docs/theory/balance.md, "Viscoelastic rubber").
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/relaxation.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

/// A branch of a Prony series.
struct PronyBranch {
  double ratio = 0;  ///< stiffness over that of slow loading
  double time = 1;   ///< [s]
};

/// The branches of an element, and where their stresses are kept.
struct RelaxingElement {
  std::vector<PronyBranch> branches;
  int home = -1, slot = 0;  ///< place at which the state is kept: the local vertex, and the slot at this vertex
};

/// Each branch has a stress Q with Q' + Q / tau = ratio S', where S is the elastic stress of the change of shape: Q is exact where S changes evenly in a step.
/// Between the last committed state and the one that is asked for, the stress of a law depends on positions alone, so that blocks are symmetric.
template <template <typename> typename Material>
class RelaxingSolid : public Force, private ExactBlocks, private Memory {
 public:
  /// `laws`: of each element, with a bulk modulus of 0. `branches`, `slots`: the most that an element of the scene has, and that a vertex keeps, the same on
  /// all ranks and in all forces of this kind.
  RelaxingSolid(std::shared_ptr<const SolidBatches> batches, const std::vector<Material<double>>& laws, const std::vector<RelaxingElement>& elements,
                int branches, int slots);

  bool is_modal() const override { return false; }
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  std::string work_name() const override { return "relaxation"; }
  Memory* memory() override { return this; }

 private:
  using Stress = std::array<Pack, 6>;  // xx, yy, zz, xy, yz, xz
  struct Batch {
    std::vector<Pack> ratios, rates;  // stiffness ratio and 1 / tau of each branch [1/s]
    std::vector<Stress> branches;     // Q at the last committed state [Pa]
    Stress shape{};                   // S there [Pa]
  };

  std::string name() const override { return "relaxation"; }
  int components() const override { return slots_ * numbers(); }
  void commit(const State& accepted) override;
  void relax(const State& state) override;
  void save(std::span<double> values) const override;
  void load(std::span<const double> values) override;
  int numbers() const { return 6 * (most_ + 1) + 1; }  // numbers that an element keeps: S, all Q, and the time of the last committed state

  /// The laws of all batches in a step that ends at a time [s].
  const std::vector<BranchLaw<Material, Pack>>& laws_at(double time) const;
  Stress shape_stress(std::size_t batch, const State& state) const;
  /// Calls action(first number of the element's memory, batch, lane) for every element that this rank holds.
  template <typename Action>
  void for_each_memory(Action action) const;

  static constexpr std::array<std::array<int, 2>, 6> kEntries = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

  std::shared_ptr<const SolidBatches> batches_;
  std::vector<Material<Pack>> shapes_;
  std::vector<RelaxingElement> elements_;
  int most_, slots_;
  double time_ = 0;  // at the last committed state [s]
  std::vector<Batch> memory_;
  mutable double laws_time_ = 0;  // time for which laws_ was made, if it was
  mutable std::vector<BranchLaw<Material, Pack>> laws_;
};

template <template <typename> typename Material>
RelaxingSolid<Material>::RelaxingSolid(std::shared_ptr<const SolidBatches> batches, const std::vector<Material<double>>& laws,
                                       const std::vector<RelaxingElement>& elements, int branches, int slots)
    : batches_(std::move(batches)), shapes_(batches_->packed(laws)), elements_(elements), most_(branches), slots_(slots) {
  for (const SolidBatch& batch : batches_->all()) {
    Batch& memory = memory_.emplace_back();
    memory.ratios.assign(static_cast<std::size_t>(most_), Pack(0.0));
    memory.rates.assign(static_cast<std::size_t>(most_), Pack(1.0));
    memory.branches.assign(static_cast<std::size_t>(most_), Stress{});
    for (int lane = 0; lane < kPackWidth; ++lane) {
      const std::vector<PronyBranch>& own = elements_[static_cast<std::size_t>(batch.element(lane))].branches;
      for (std::size_t i = 0; i < own.size(); ++i) {
        memory.ratios[i].set(lane, own[i].ratio);
        memory.rates[i].set(lane, 1 / own[i].time);
      }
    }
  }
}

template <template <typename> typename Material>
auto RelaxingSolid<Material>::laws_at(double time) const -> const std::vector<BranchLaw<Material, Pack>>& {
  if (!laws_.empty() && laws_time_ == time) return laws_;
  const double step = std::max(time - time_, 0.0);
  laws_.clear();
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    const Batch& memory = memory_[b];
    BranchLaw<Material, Pack> law{shapes_[b], Pack(0.0), Matrix3<Pack>::Constant(Pack(0.0))};
    Stress kept{};
    for (std::size_t i = 0; i < memory.branches.size(); ++i) {
      const BranchStep<Pack> branch(memory.rates[i] * step);
      law.stiffness += memory.ratios[i] * branch.taken;
      for (std::size_t k = 0; k < kept.size(); ++k) kept[k] += branch.kept * memory.branches[i][k];
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const auto [i, j] = kEntries[k];
      law.kept(i, j) = law.kept(j, i) = kept[k] - law.stiffness * memory.shape[k];
    }
    laws_.push_back(law);
  }
  laws_time_ = time;
  return laws_;
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::add_force(const State& state, Zone zone, Field& force) const {
  const auto kernel = [&](const SolidBatch& batch, const auto& law) { return elastic_forces<Pack>(batch, law, gather(batch, state.q)); };
  batches_->add(zone, 1, laws_at(state.time), kernel, force);
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  const auto kernel = [&](const SolidBatch& batch, const auto& law) {
    return derivatives(elastic_forces<Dual<Pack>>(batch, law, gather(batch, at.state.q, direction.q)));
  };
  batches_->add(zone, 1, laws_at(at.state.time), kernel, change);
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  const auto kernel = [&](const SolidBatch& batch, const auto& law) { return elastic_blocks(batch, law, gather(batch, at.state.q), at.dq); };
  batches_->add_blocks(laws_at(at.state.time), kernel, matrix);
}

template <template <typename> typename Material>
auto RelaxingSolid<Material>::shape_stress(std::size_t batch, const State& state) const -> Stress {
  const SolidBatch& own = batches_->all()[batch];
  const Matrix3<Pack> S = second_piola_stress<Pack>(shapes_[batch], deformation_gradient(own, gather(own, state.q)));
  Stress stress;
  for (std::size_t k = 0; k < stress.size(); ++k) stress[k] = S(kEntries[k][0], kEntries[k][1]);
  return stress;
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::commit(const State& accepted) {
  const double step = std::max(accepted.time - time_, 0.0);
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    Batch& memory = memory_[b];
    const Stress now = shape_stress(b, accepted);
    for (std::size_t i = 0; i < memory.branches.size(); ++i) {
      const BranchStep<Pack> branch(memory.rates[i] * step);
      for (std::size_t k = 0; k < now.size(); ++k)
        memory.branches[i][k] = branch.kept * memory.branches[i][k] + memory.ratios[i] * branch.taken * (now[k] - memory.shape[k]);
    }
    memory.shape = now;
  }
  time_ = accepted.time;
  laws_.clear();
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::relax(const State& state) {
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    std::fill(memory_[b].branches.begin(), memory_[b].branches.end(), Stress{});
    memory_[b].shape = shape_stress(b, state);
  }
  time_ = state.time;
  laws_.clear();
}

template <template <typename> typename Material>
template <typename Action>
void RelaxingSolid<Material>::for_each_memory(Action action) const {
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    const SolidBatch& batch = batches_->all()[b];
    for (int lane = 0; lane < batch.count; ++lane) {
      const RelaxingElement& element = elements_[static_cast<std::size_t>(batch.element(lane))];
      action(static_cast<std::size_t>(numbers()) * static_cast<std::size_t>(slots_ * element.home + element.slot), b, lane);
    }
  }
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::save(std::span<double> values) const {
  for_each_memory([&](std::size_t at, std::size_t b, int lane) {
    const auto put = [&](const Stress& stress) {
      for (const Pack& entry : stress) values[at++] = entry[lane];
    };
    put(memory_[b].shape);
    for (const Stress& branch : memory_[b].branches) put(branch);
    values[at] = time_;
  });
}

template <template <typename> typename Material>
void RelaxingSolid<Material>::load(std::span<const double> values) {
  for_each_memory([&](std::size_t at, std::size_t b, int lane) {
    const auto take = [&](Stress& stress) {
      for (Pack& entry : stress) entry.set(lane, values[at++]);
    };
    take(memory_[b].shape);
    for (Stress& branch : memory_[b].branches) take(branch);
    time_ = values[at];
  });
  laws_.clear();
}

}  // namespace traction
