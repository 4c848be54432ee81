// The stress that relaxes in viscoelastic solids, beside their elastic stress (docs/theory/balance.md, "Viscoelastic rubber").
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/relaxation.h"
#include "forces/point_laws.h"
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
/// Every quadrature point has stresses of its own. Between the last committed state and the one that is asked for, the stress of a law depends on positions
/// alone, so that blocks are symmetric. `Batches`: SolidBatches or QuadraticBatches.
template <template <typename> typename Material, typename Batches = SolidBatches>
class RelaxingSolid : public Force, private ExactBlocks, private Memory {
 public:
  /// `laws`: of each element, with a bulk modulus of 0. `branches`, `slots`: the most that an element of the scene has, and that a vertex keeps, the same on
  /// all ranks and in all forces of this kind.
  RelaxingSolid(std::shared_ptr<const Batches> batches, const std::vector<Material<double>>& laws, const std::vector<RelaxingElement>& elements, int branches,
                int slots);

  bool is_modal() const override { return false; }
  void add_force(const State& state, Zone zone, Field& force) const override {
    add_forces_of_laws<Batches, Law>(*batches_, laws_at(state.time), state, zone, force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_products_of_laws<Batches, Law>(*batches_, laws_at(at.state.time), at, direction, zone, change);
  }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override { add_blocks_of_laws<Law>(*batches_, laws_at(at.state.time), at, matrix); }
  const Assembly* assembly() const override { return this; }
  std::string work_name() const override { return "relaxation"; }
  Memory* memory() override { return this; }

 private:
  using Law = BranchLaw<Material, Pack>;
  using Laws = PointLaws<Batches, Law>;
  using Stress = std::array<Pack, 6>;  // xx, yy, zz, xy, yz, xz
  struct Point {
    std::vector<Stress> branches;  // Q at the last committed state [Pa]
    Stress shape{};                // S there [Pa]
  };
  struct Batch {
    std::vector<Pack> ratios, rates;  // stiffness ratio and 1 / tau of each branch [1/s]
    std::array<Point, kPointsOf<Batches>> points;
  };

  std::string name() const override { return kPointsOf<Batches> == 1 ? "relaxation" : "relaxation_at_points"; }
  int components() const override { return slots_ * numbers(); }
  void commit(const State& accepted) override;
  void relax(const State& state) override;
  void save(std::span<double> values) const override;
  void load(std::span<const double> values) override;
  /// Numbers that an element keeps: S and all Q of every point, and the time of the last committed state.
  int numbers() const { return 6 * (most_ + 1) * static_cast<int>(kPointsOf<Batches>) + 1; }

  /// The laws of all batches in a step that ends at a time [s].
  const std::vector<Laws>& laws_at(double time) const;
  /// The stress of the change of shape, S, at the quadrature points of a batch [Pa].
  std::array<Stress, kPointsOf<Batches>> shape_stresses(std::size_t batch, const State& state) const;
  /// Calls action(first number of the element's memory, batch, lane) for every element that this rank holds.
  template <typename Action>
  void for_each_memory(Action action) const;

  static constexpr std::array<std::array<int, 2>, 6> kEntries = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

  std::shared_ptr<const Batches> batches_;
  std::vector<Material<Pack>> shapes_;
  std::vector<RelaxingElement> elements_;
  int most_, slots_;
  double time_ = 0;  // at the last committed state [s]
  std::vector<Batch> memory_;
  mutable double laws_time_ = 0;  // time for which laws_ was made, if it was
  mutable std::vector<Laws> laws_;
};

template <template <typename> typename Material, typename Batches>
RelaxingSolid<Material, Batches>::RelaxingSolid(std::shared_ptr<const Batches> batches, const std::vector<Material<double>>& laws,
                                                const std::vector<RelaxingElement>& elements, int branches, int slots)
    : batches_(std::move(batches)), shapes_(batches_->packed(laws)), elements_(elements), most_(branches), slots_(slots) {
  for (const auto& batch : batches_->all()) {
    Batch& memory = memory_.emplace_back();
    memory.ratios.assign(static_cast<std::size_t>(most_), Pack(0.0));
    memory.rates.assign(static_cast<std::size_t>(most_), Pack(1.0));
    for (Point& point : memory.points) point.branches.assign(static_cast<std::size_t>(most_), Stress{});
    for (int lane = 0; lane < kPackWidth; ++lane) {
      const std::vector<PronyBranch>& own = elements_[static_cast<std::size_t>(batch.element(lane))].branches;
      for (std::size_t i = 0; i < own.size(); ++i) {
        memory.ratios[i].set(lane, own[i].ratio);
        memory.rates[i].set(lane, 1 / own[i].time);
      }
    }
  }
}

template <template <typename> typename Material, typename Batches>
auto RelaxingSolid<Material, Batches>::laws_at(double time) const -> const std::vector<Laws>& {
  if (!laws_.empty() && laws_time_ == time) return laws_;
  const double step = std::max(time - time_, 0.0);
  laws_.clear();
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    const Batch& memory = memory_[b];
    std::array<Stress, kPointsOf<Batches>> kept{};
    Pack stiffness(0.0);
    for (std::size_t i = 0; i < memory.rates.size(); ++i) {
      const BranchStep<Pack> branch(memory.rates[i] * step);
      stiffness += memory.ratios[i] * branch.taken;
      for (std::size_t q = 0; q < kept.size(); ++q)
        for (std::size_t k = 0; k < kept[q].size(); ++k) kept[q][k] += branch.kept * memory.points[q].branches[i][k];
    }
    Laws& laws = laws_.emplace_back();
    for (std::size_t q = 0; q < kept.size(); ++q) {
      laws[q].shape = shapes_[b];
      laws[q].stiffness = stiffness;
      for (std::size_t k = 0; k < kept[q].size(); ++k) {
        const auto [i, j] = kEntries[k];
        laws[q].kept(i, j) = laws[q].kept(j, i) = kept[q][k] - stiffness * memory.points[q].shape[k];
      }
    }
  }
  laws_time_ = time;
  return laws_;
}

template <template <typename> typename Material, typename Batches>
auto RelaxingSolid<Material, Batches>::shape_stresses(std::size_t batch, const State& state) const -> std::array<Stress, kPointsOf<Batches>> {
  const auto& own = batches_->all()[batch];
  const auto F = deformation_gradients(own, gather(own, state.q));
  std::array<Stress, kPointsOf<Batches>> stresses;
  for (std::size_t q = 0; q < stresses.size(); ++q) {
    const Matrix3<Pack> S = second_piola_stress<Pack>(shapes_[batch], F[q]);
    for (std::size_t k = 0; k < kEntries.size(); ++k) stresses[q][k] = S(kEntries[k][0], kEntries[k][1]);
  }
  return stresses;
}

template <template <typename> typename Material, typename Batches>
void RelaxingSolid<Material, Batches>::commit(const State& accepted) {
  const double step = std::max(accepted.time - time_, 0.0);
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    Batch& memory = memory_[b];
    const auto now = shape_stresses(b, accepted);
    for (std::size_t i = 0; i < memory.rates.size(); ++i) {
      const BranchStep<Pack> branch(memory.rates[i] * step);
      for (std::size_t q = 0; q < now.size(); ++q) {
        Point& point = memory.points[q];
        for (std::size_t k = 0; k < now[q].size(); ++k)
          point.branches[i][k] = branch.kept * point.branches[i][k] + memory.ratios[i] * branch.taken * (now[q][k] - point.shape[k]);
      }
    }
    for (std::size_t q = 0; q < now.size(); ++q) memory.points[q].shape = now[q];
  }
  time_ = accepted.time;
  laws_.clear();
}

template <template <typename> typename Material, typename Batches>
void RelaxingSolid<Material, Batches>::relax(const State& state) {
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    const auto now = shape_stresses(b, state);
    for (std::size_t q = 0; q < now.size(); ++q) {
      Point& point = memory_[b].points[q];
      std::fill(point.branches.begin(), point.branches.end(), Stress{});
      point.shape = now[q];
    }
  }
  time_ = state.time;
  laws_.clear();
}

template <template <typename> typename Material, typename Batches>
template <typename Action>
void RelaxingSolid<Material, Batches>::for_each_memory(Action action) const {
  for (std::size_t b = 0; b < memory_.size(); ++b) {
    const auto& batch = batches_->all()[b];
    for (int lane = 0; lane < batch.count; ++lane) {
      const RelaxingElement& element = elements_[static_cast<std::size_t>(batch.element(lane))];
      action(static_cast<std::size_t>(numbers()) * static_cast<std::size_t>(slots_ * element.home + element.slot), b, lane);
    }
  }
}

template <template <typename> typename Material, typename Batches>
void RelaxingSolid<Material, Batches>::save(std::span<double> values) const {
  for_each_memory([&](std::size_t at, std::size_t b, int lane) {
    const auto put = [&](const Stress& stress) {
      for (const Pack& entry : stress) values[at++] = entry[lane];
    };
    for (const Point& point : memory_[b].points) {
      put(point.shape);
      for (const Stress& branch : point.branches) put(branch);
    }
    values[at] = time_;
  });
}

template <template <typename> typename Material, typename Batches>
void RelaxingSolid<Material, Batches>::load(std::span<const double> values) {
  for_each_memory([&](std::size_t at, std::size_t b, int lane) {
    const auto take = [&](Stress& stress) {
      for (Pack& entry : stress) entry.set(lane, values[at++]);
    };
    for (Point& point : memory_[b].points) {
      take(point.shape);
      for (Stress& branch : point.branches) take(branch);
    }
    time_ = values[at];
  });
  laws_.clear();
}

}  // namespace traction
