// Damping of the normal force of contact, after Hunt and Crossley (docs/theory/contact.md, "Damping").
#pragma once

#include <span>
#include <vector>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

constexpr double kLeastOfBarrier = 0.1;  ///< part of a barrier's force that remains under damping, however fast the gap opens

/// lambda max(0, 1 - c d'), where d' is the rate of the gap [m/s]. The force dissipates energy while the gap closes and while it opens, and never attracts.
/// At least a part of `barrier`, the force of barriers in lambda, remains: velocities of a stage are not its displacements over its length, so without it a gap
/// could close while it seems to open.
template <typename T>
T damped_force(double damping, const T& normal_force, const T& gap_rate, const T& barrier) {
  const T damped = normal_force * (1.0 - damping * gap_rate), least = real_part(barrier) > 0 ? barrier * kLeastOfBarrier : T(0.0);
  return real_part(damped) > real_part(least) ? damped : least;
}

/// The exact rate at which the gap of a pair grows whose points have velocities v [m/s]: the points' contribution minus that of an obstacle's own motion.
/// Sample and Frame are explained in contact_law.h.
template <typename T, typename Sample, typename Frame>
T gap_rate(const Sample& sample, const Frame& frame, std::span<const Vector3<T>> v) {
  const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
  std::vector<Vector3<T>> slopes(v.size(), zero);
  const std::vector<Vector3<T>> still(v.size(), zero);
  sample.add_gap_gradient(T(1.0), slopes);
  T rate = sample.gradient().dot(sample.template relative_velocity<T>(still, frame));
  for (std::size_t i = 0; i < v.size(); ++i) rate += slopes[i].dot(v[i]);
  return rate;
}

}  // namespace traction
