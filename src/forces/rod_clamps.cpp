#include "forces/rod_clamps.h"

#include <algorithm>

namespace traction {

double RodClampElement::energy(const std::array<Vec3, 6>& x) const {
  const RodClampStrains<double> now = strains<double>(x);
  double energy = 0;
  for (int k = 0; k < 3; ++k) energy += stiffness()[k] * now.value[k] * now.value[k] / 2;
  return energy;
}

void RodClampElement::carry_along(const std::array<Vec3, 6>& x) {
  const RodClampStrains<double> now = strains<double>(x);
  const MovingRodFrame<double>& segment = now.frames[begins ? 1 : 0];
  const Vec3 across = segment.tangent.cross(segment.director);  // orthogonal again, to rounding
  frame = {segment.tangent, across.cross(segment.tangent).normalized()};
  reference_twist = now.reference_twist;
}

void RodClamps::commit(const State& accepted) {
  const std::vector<Places> places = places_at(accepted);
  for (std::size_t e = 0; e < places.size(); ++e) mutable_elements()[e].carry_along(places[e]);
}

void RodClamps::save(std::span<double> values) const {
  for (const RodClampElement& element : elements()) {
    double* own = values.data() + kComponents * static_cast<std::size_t>(element.twist);
    own[element.begins ? 0 : 1] = element.reference_twist;
    std::copy_n(element.frame.tangent.data(), 3, own + 2);
    std::copy_n(element.frame.director.data(), 3, own + 5);
  }
}

void RodClamps::load(std::span<const double> values) {
  for (RodClampElement& element : mutable_elements()) {
    const double* own = values.data() + kComponents * static_cast<std::size_t>(element.twist);
    element.reference_twist = own[element.begins ? 0 : 1];
    element.frame = {Eigen::Map<const Vec3>(own + 2), Eigen::Map<const Vec3>(own + 5)};
  }
}

}  // namespace traction
