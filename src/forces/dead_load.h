// Forces on vertices whose direction does not change with their motion.
#pragma once

#include <vector>

#include "math/time_table.h"
#include "system/force.h"

namespace traction {

/// Forces of fixed direction on vertices [N], times a factor that may change over time.
class DeadLoad : public Force {
 public:
  /// f = factor(t) F. `forces`: F on each of the `vertices`, which are owned [N]. `start`: where its potential, -factor(t) F (q - start), is zero [m].
  DeadLoad(std::vector<int> vertices, std::vector<Vec3> forces, TimeTable over, const Field& start)
      : vertices_(std::move(vertices)), forces_(std::move(forces)), over_(std::move(over)), terms_(*this, vertices_) {
    starting_work_ = work(start);
  }

  void add_force(const State& state, Zone zone, Field& force) const override {
    if (zone == Zone::boundary) return;
    const double factor = factor_at(over_, state.time);
    for (std::size_t k = 0; k < vertices_.size(); ++k) force[vertices_[k]] += factor * forces_[k];
  }
  void add_product(const Linearization&, const State&, Zone, Field&) const override {}
  double energy(const State& state) const override { return factor_at(over_, state.time) * (starting_work_ - work(state.q)); }
  std::string energy_name() const override { return "load"; }
  std::string work_name() const override { return over_.empty() ? "" : "loads"; }
  const SeparateTerms* terms() const override { return &terms_; }

 private:
  double work(const Field& positions) const {
    double sum = 0;
    for (std::size_t k = 0; k < vertices_.size(); ++k) sum += forces_[k].dot(positions[vertices_[k]]);
    return sum;
  }

  std::vector<int> vertices_;
  std::vector<Vec3> forces_;
  TimeTable over_;
  WholeForce terms_;
  double starting_work_ = 0;
};

}  // namespace traction
