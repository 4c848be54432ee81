// The force between a place and a sheet that it touches in several parts at once, over any scalar (docs/theory/contact.md, "Edges and faces").
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "contact/contact_law.h"

namespace traction {

/// The normal force of each part, damped; sets gap, energy and damping of `result`, which begins with an infinite gap and zeros.
template <typename T, typename Sample, typename Frame>
std::vector<T> part_normal_forces(const ContactLaw& law, const PairWeight& weight, const Sample& sample, const Frame& frame, std::span<const Vector3<T>> v,
                                  ContactForce<T>& result) {
  const std::size_t parts = sample.part_count();
  std::vector<T> normal_forces(parts, T(0.0));
  T sum(0.0), barriers(0.0);
  for (std::size_t i = 0; i < parts; ++i) {
    const auto& part = sample.part(i);
    const T gap = part.gap() - (law.offset + weight.offset);
    if (real_part(gap) < real_part(result.gap)) result.gap = gap;
    if (real_part(gap) >= law.thickness) continue;
    const ContactLaw::Parts<T> forces = law.normal_forces(gap, weight);
    normal_forces[i] = forces.sum() * part.count();
    result.energy += law.energy(gap, weight) * part.count();
    sum += normal_forces[i];
    if (law.damping > 0) barriers += law.of_barriers(forces) * part.count();
  }
  if (law.damping > 0 && real_part(sum) > 0) {
    T power(0.0);  // that the undamped forces would take up
    for (std::size_t i = 0; i < parts; ++i) power += normal_forces[i] * gap_rate<T>(sample.part(i), frame, v);
    const T factor = damped_force<T>(law.damping, sum, power / sum, barriers) / sum;
    result.damping = (factor - 1.0) * power;
    for (T& force : normal_forces) force *= factor;
  }
  return normal_forces;
}

/// Friction acts once between the place and the sheet, under the sum of the parts' normal forces, against the mean of their sliding velocities with the normal
/// forces as weights. Negative normal forces, which correct for features that count twice, therefore never make friction accelerate a sliding body, and a place
/// that moves from part to part keeps its friction. Damping likewise acts on the mean rate of the gaps. `sample` has parts (sheet_sample.h); see contact_force
/// for the rest.
template <typename T, typename Sample, typename Frame>
ContactForce<T> sheet_force(const ContactLaw& law, const PairWeight& weight, const Sample& sample, const Frame& frame, std::span<const Vector3<T>> v,
                            std::span<Vector3<T>> forces, const Vec3* friction_direction = nullptr) {
  const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
  ContactForce<T> result{T(std::numeric_limits<double>::infinity()), T(0.0), zero, zero, zero};
  const std::vector<T> normal_forces = part_normal_forces<T>(law, weight, sample, frame, v, result);
  const std::size_t parts = normal_forces.size();
  T sum(0.0);
  for (const T& force : normal_forces) sum += force;
  for (std::size_t i = 0; i < parts; ++i) {
    result.normal += sample.part(i).gradient() * normal_forces[i];
    sample.part(i).add_gap_gradient(normal_forces[i], forces);
  }
  if (!law.implicit_friction() || weight.friction == 0 || !(real_part(sum) > 0)) return result;

  const T inverse = 1.0 / sum;
  for (std::size_t i = 0; i < parts; ++i) {
    const Vector3<T> relative = sample.part(i).template relative_velocity<T>(v, frame);
    result.sliding += sliding_velocity<T>(law, sample.part(i).gradient(), relative) * (normal_forces[i] * inverse);
  }
  const auto in_plane = [&](const Vector3<T>& x) {
    Vector3<T> mean = zero;
    for (std::size_t i = 0; i < parts; ++i) mean += sliding_velocity<T>(law, sample.part(i).gradient(), x) * (normal_forces[i] * inverse);
    return mean;
  };
  const Vector3<T> friction = pair_friction<T>(law, local_friction(law, weight), result.sliding, T(sum * weight.friction), in_plane, friction_direction);
  result.friction_power = friction.dot(result.sliding);
  for (std::size_t i = 0; i < parts; ++i) {
    const Vector3<T> own = sliding_velocity<T>(law, sample.part(i).gradient(), friction) * (normal_forces[i] * inverse);
    result.friction += own;
    sample.part(i).template add_velocity_transpose<T>(own, forces);
  }
  return result;
}

}  // namespace traction
