// Uniform gravity.
#pragma once

#include <vector>

#include "math/time_table.h"
#include "system/force.h"

namespace traction {

/// The weight of all vertices [N], times a factor that may change over time.
class Gravity : public Force {
 public:
  /// `mass`: of each owned vertex [kg]; `acceleration` [m/s^2], and a factor on it over time.
  Gravity(std::vector<double> mass, const Vec3& acceleration, TimeTable over = {})
      : mass_(std::move(mass)), acceleration_(acceleration), over_(std::move(over)), terms_(*this, massive()) {}

  void add_force(const State& state, Zone zone, Field& force) const override {
    const Vec3 acceleration = acceleration_at(state.time);
    if (zone == Zone::interior)
      for (std::size_t i = 0; i < mass_.size(); ++i) force[static_cast<int>(i)] += mass_[i] * acceleration;
  }
  void add_product(const Linearization&, const State&, Zone, Field&) const override {}
  double energy(const State& state) const override {
    const Vec3 acceleration = acceleration_at(state.time);
    double sum = 0;
    for (std::size_t i = 0; i < mass_.size(); ++i) sum -= mass_[i] * acceleration.dot(state.q[static_cast<int>(i)]);
    return sum;
  }
  std::string energy_name() const override { return "gravity"; }
  std::string work_name() const override { return over_.empty() ? "" : "loads"; }
  const SeparateTerms* terms() const override { return &terms_; }

 private:
  std::vector<int> massive() const {
    std::vector<int> vertices;
    for (std::size_t i = 0; i < mass_.size(); ++i)
      if (mass_[i] != 0) vertices.push_back(static_cast<int>(i));
    return vertices;
  }
  Vec3 acceleration_at(double time) const { return over_.empty() ? acceleration_ : Vec3(factor_at(over_, time) * acceleration_); }

  std::vector<double> mass_;
  Vec3 acceleration_;
  TimeTable over_;
  WholeForce terms_;
};

}  // namespace traction
