// Linear springs from vertices to fixed points: f = -k (q - p).
#pragma once

#include <vector>

#include "system/force.h"

namespace traction {

/// Springs that hold vertices to fixed points.
class PointSpring : public Force, private ExactBlocks, private SeparateTerms {
 public:
  /// Given for each owned vertex: stiffness k [N/m], and the point p where its spring is at rest [m].
  PointSpring(std::vector<double> stiffness, std::vector<Vec3> points) : stiffness_(std::move(stiffness)), points_(std::move(points)) {}

  void add_force(const State& state, Zone zone, Field& force) const override {
    for_each(zone, [&](int i, double k) { force[i] -= k * (state.q[i] - points_[i]); });
  }
  void add_product(const Linearization&, const State& direction, Zone zone, Field& change) const override {
    for_each(zone, [&](int i, double k) { change[i] -= k * direction.q[i]; });
  }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override {
    for_each(Zone::interior, [&](int i, double k) { matrix.add_diagonal(i, -at.dq * k * Mat3::Identity()); });
  }
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override {
    double sum = 0;
    for_each(Zone::interior, [&](int i, double k) { sum += 0.5 * k * (state.q[i] - points_[i]).squaredNorm(); });
    return sum;
  }
  std::string energy_name() const override { return "spring"; }
  const SeparateTerms* terms() const override { return this; }
  int count() const override { return static_cast<int>(stiffness_.size()); }
  bool reads_velocities() const override { return false; }
  std::vector<int> stencil(int term) const override { return {term}; }
  void forces(int term, const State& state, std::span<Vec3> forces) const override {
    const auto i = static_cast<std::size_t>(term);
    forces[0] = -stiffness_[i] * (state.q[term] - points_[i]);
  }

 private:
  template <typename Action>
  void for_each(Zone zone, Action action) const {
    if (zone == Zone::interior)
      for (std::size_t i = 0; i < stiffness_.size(); ++i) action(static_cast<int>(i), stiffness_[i]);
  }

  std::vector<double> stiffness_;
  std::vector<Vec3> points_;
};

}  // namespace traction
