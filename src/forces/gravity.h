// Uniform gravity.
#pragma once

#include <vector>

#include "system/force.h"

namespace traction {

class Gravity : public Force {
 public:
  // `mass`: of each owned vertex [kg]; `acceleration` [m/s^2].
  Gravity(std::vector<double> mass, const Vec3& acceleration) : mass_(std::move(mass)), acceleration_(acceleration) {}

  void add_force(const State&, Zone zone, Field& force) const override {
    if (zone == Zone::interior)
      for (std::size_t i = 0; i < mass_.size(); ++i) force[static_cast<int>(i)] += mass_[i] * acceleration_;
  }
  void add_product(const Linearization&, const State&, Zone, Field&) const override {}
  double energy(const State& state) const override {
    double sum = 0;
    for (std::size_t i = 0; i < mass_.size(); ++i) sum -= mass_[i] * acceleration_.dot(state.q[static_cast<int>(i)]);
    return sum;
  }
  std::string energy_name() const override { return "gravity"; }

 private:
  std::vector<double> mass_;
  Vec3 acceleration_;
};

}  // namespace traction
