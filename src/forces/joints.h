// The joints of a scene: their forces, and their numbers in the history (docs/theory/rigid.md, "Joints").
#pragma once

#include <mpi.h>

#include <memory>
#include <tuple>
#include <vector>

#include "forces/joint_elements.h"

namespace traction {

/// The elements on this rank that hold and drive a scene's joints. Every hinge and slider has one spring, which may have no stiffness.
struct JointParts {
  std::vector<PinElement> pins;
  std::vector<GuideElement> guides;
  std::vector<JointSpring<HingeAngle>> hinge_springs;
  std::vector<JointSpring<SliderDisplacement>> slider_springs;
  std::vector<JointMotion<HingeAngle>> hinge_motions;
  std::vector<JointMotion<SliderDisplacement>> slider_motions;
  std::vector<JointDrive<HingeAngle>> hinge_drives;
  std::vector<JointDrive<SliderDisplacement>> slider_drives;
};

/// The numbers of one joint in the history.
struct JointReading {
  Vec3 force = Vec3::Zero();   ///< force of all parts of the joint on the first body [N]
  Vec3 moment = Vec3::Zero();  ///< moment of this force about the joint's place on the first body [N m]
  double gap = 0;              ///< the largest distance of points that the joint keeps together [m]
  double coordinate = 0;       ///< a hinge's angle, up to half a turn [rad], or a slider's displacement [m]
  double effort = 0;           ///< a motor's torque [N m] or force [N] on the first body
  double power = 0;            ///< power of the motor on the bodies [W]
};

/// Owns the forces of all joints, and sums up what each joint exerts.
class Joints {
 public:
  /// `count`: number of joints, the same on all ranks; the parts number them from 0. @collective
  Joints(const std::shared_ptr<const Halo>& halo, JointParts parts, int count);

  /// The joints that have a part on any rank.
  const std::vector<std::shared_ptr<Force>>& forces() const { return forces_; }
  /// One for each joint, the same on all ranks. @collective
  std::vector<JointReading> readings(const State& state) const;

 private:
  template <typename Element>
  using Links = PointLinks<Element, static_cast<int>(std::tuple_size_v<decltype(Element::points)>)>;
  template <typename Element>
  std::shared_ptr<const Links<Element>> add(const std::shared_ptr<const Halo>& halo, std::vector<Element> elements, const char* energy_name);

  MPI_Comm communicator_;
  int count_;
  std::vector<std::shared_ptr<Force>> forces_;
  std::shared_ptr<const Links<PinElement>> pins_;
  std::shared_ptr<const Links<GuideElement>> guides_;
  std::shared_ptr<const Links<JointSpring<HingeAngle>>> hinge_springs_;
  std::shared_ptr<const Links<JointSpring<SliderDisplacement>>> slider_springs_;
  std::shared_ptr<const Links<JointMotion<HingeAngle>>> hinge_motions_;
  std::shared_ptr<const Links<JointMotion<SliderDisplacement>>> slider_motions_;
  std::shared_ptr<const Links<JointDrive<HingeAngle>>> hinge_drives_;
  std::shared_ptr<const Links<JointDrive<SliderDisplacement>>> slider_drives_;
};

}  // namespace traction
