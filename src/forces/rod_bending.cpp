#include "forces/rod_bending.h"

#include <algorithm>

#include "system/held_spins.h"

namespace traction {

RodJoint RodBendingElement::at(double time) const {
  RodJoint joint = *this;
  for (int j = 0; j < 2; ++j) {
    if (!driven[j] || has_released(*driven[j]->system, driven[j]->until)) continue;
    const DrivenFrame& frame = driven[j]->frame;
    const Pose pose(frame.motion, time);
    joint.frames[j] = {pose.rotation * frame.tangent, pose.rotation * frame.director};
    joint.spin[j] = pose.angular_velocity.dot(joint.frames[j].tangent);
  }
  return joint;
}

void RodBending::commit(const State& accepted) {
  for (RodBendingElement& element : elements()) {
    RodJoint present = element.at(accepted.time);
    present.carry_along(gather(element, accepted.q));
    element.frames = present.frames;
    element.reference_twist = present.reference_twist;
  }
}

// The tangents and directors of a segment, then the reference twist of the joint that it is the second segment of.
void RodBending::save(std::span<double> values) const {
  for (const RodBendingElement& element : elements())
    for (int j = 0; j < 2; ++j) {
      double* own = values.data() + kComponents * static_cast<std::size_t>(element.vertices[3 + j]);
      std::copy_n(element.frames[j].tangent.data(), 3, own);
      std::copy_n(element.frames[j].director.data(), 3, own + 3);
      if (j == 1) own[6] = element.reference_twist;
    }
}

void RodBending::load(std::span<const double> values) {
  for (RodBendingElement& element : elements())
    for (int j = 0; j < 2; ++j) {
      const double* own = values.data() + kComponents * static_cast<std::size_t>(element.vertices[3 + j]);
      element.frames[j] = {Eigen::Map<const Vec3>(own), Eigen::Map<const Vec3>(own + 3)};
      if (j == 1) element.reference_twist = own[6];
    }
}

std::vector<RodBending::Reading> RodBending::readings(const State& state) const {
  std::vector<Reading> result;
  for (const RodBendingElement& element : elements()) {
    RodStrains strains = element.at(state.time).strains(gather(element, state.q));
    strains.first_curvature -= element.natural.first_curvature;
    strains.second_curvature -= element.natural.second_curvature;
    strains.twist -= element.natural.twist;
    result.push_back({{element.vertices[3], element.vertices[4]}, strains});
  }
  return result;
}

}  // namespace traction
