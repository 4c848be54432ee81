// The rigid motions that a body's supports resist.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "contact/contact_group.h"
#include "system/body_motion.h"
#include "system/system.h"

namespace traction {

/// The stiffness with which each body is held against its six rigid motions. A motion is a displacement and a rotation about the body's center, the former in
/// parts of its gyration radius. All supports are springs: a single held vertex, or a contact as a whole, has a stiffness of 1. Supports are added first, then
/// complete() is called, then motions may be asked for.
class Supports {
 public:
  using Vec6 = Eigen::Matrix<double, 6, 1>;

  /// `motions`: of each body, at positions q, with valid ghosts; all three must outlive this.
  Supports(const System& system, const std::vector<BodyMotion>& motions, const Field& q);

  void add_held_vertices();
  /// Every vertex that is joined, carried by another body, or carries another body counts by itself. @collective
  void add_joints();
  /// The weight of each body. @collective
  void add_weights(const State& state);
  /// A contact counts as a whole. Where its friction is fully developed it does not resist motion along the friction. @collective
  void add_contact(const ContactGroup& contact, const State& state);
  void complete();  ///< @collective

  /// Whether a body touches something without friction, or with friction that is fully developed.
  bool slips(std::size_t body) const { return slips_[body] > 0; }
  bool slides(std::size_t body) const { return slides_[body] > 0; }
  /// The part of a rigid motion that nothing resists. A body that hangs below the axis about which it may turn is held by its weight W: while it turns by t and
  /// its center moves by s, the weight does the work W . (t x s) / 2.
  Vec6 free_part(std::size_t body, const Vec6& motion) const;

 private:
  using Mat6 = Eigen::Matrix<double, 6, 6>;

  bool is_carried(int vertex) const;  ///< by another body
  /// A spring at a vertex that acts in the directions onto which `held` projects.
  void add(std::size_t body, int vertex, const Mat3& held, double weight);

  const System& system_;
  const std::vector<BodyMotion>& motions_;
  const Field& q_;
  std::vector<Mat6> stiffness_;
  std::vector<double> slips_, slides_;  ///< not zero for bodies that touch something without friction, or with fully developed one
  std::vector<Vec3> weights_;
};

}  // namespace traction
