// The forces with which an obstacle presses, from which the work of its motion over a whole step follows (docs/theory/balance.md, "Energy balance").
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "parallel/collective.h"
#include "system/rigid_motion.h"

namespace traction {

/// The forces that an obstacle exerts at one moment, in sum and as a dyad about the point to which its motion has taken `about`.
struct ObstacleLoad {
  const Motion* motion = nullptr;
  Vec3 force = Vec3::Zero();  ///< sum of the forces on everything that touches the obstacle [N]
  Mat3 dyad = Mat3::Zero();   ///< the sum of r f^T, with r from that point to the place where each force acts [N m]

  /// Adds a force that acts at x while the obstacle is at `pose`.
  void add(const Pose& pose, const Vec3& x, const Vec3& exerted) {
    force += exerted;
    dyad += (x - pose.center) * exerted.transpose();
  }

  /// The work of these forces while the obstacle moves from the pose at which they act to another one, if they act on the same points of it [J].
  double work(const Pose& here, const Pose& there) const {
    const Mat3 turn = there.rotation * here.rotation.transpose() - Mat3::Identity();  // r becomes r + turn r
    return force.dot(there.center - here.center) + (turn * dyad).trace();
  }

  template <typename Action>
  void for_each_number(Action action) {
    for (double& number : force) action(number);
    for (double& number : dyad.reshaped()) action(number);
  }
};

/// The way from the point of a round obstacle that turns, at its middle, to its surface. Friction acts there. All other forces act on the middle: fading
/// forces of edges do not point at it, but its turn does not change them.
struct ObstacleArm {
  int obstacle = -1;              ///< its number; -1: no such obstacle
  Vec3 arm = Vec3::Zero();        ///< [m]
  bool is_on_first_side = false;  ///< of the pair
};

/// The loads of the obstacles that move, summed up pair by pair.
class LoadsOfObstacles {
 public:
  LoadsOfObstacles(const std::vector<const Motion*>& motions, double time) {
    for (const Motion* motion : motions) {
      loads_.push_back({motion});
      poses_.emplace_back(*motion, time);
    }
  }

  bool empty() const { return loads_.empty(); }
  /// Adds what acts on the points of the pair k. Obstacles have points of their own, or press on those that touch them: kOwnPoints. `friction`: the part of it
  /// that is friction, on the pair's first side [N].
  template <bool kOwnPoints, typename Surroundings>
  void add(const Surroundings& near, std::size_t k, std::span<const int> points, std::span<const Vec3> x, std::span<const Vec3> forces, const Vec3& friction) {
    if (loads_.empty()) return;
    if constexpr (requires { near.arm_of_friction(k, x); })
      if (const ObstacleArm arm = near.arm_of_friction(k, x); arm.obstacle >= 0)
        loads_[static_cast<std::size_t>(arm.obstacle)].dyad += arm.arm * (arm.is_on_first_side ? Vec3(-friction) : friction).transpose();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (const int obstacle = near.obstacle_of(points[i]); obstacle >= 0)
        loads_[obstacle].add(poses_[obstacle], x[i], kOwnPoints ? Vec3(-forces[i]) : forces[i]);
  }
  /// Adds a force that an obstacle exerts at x.
  void add(int obstacle, const Vec3& x, const Vec3& force) { loads_[obstacle].add(poses_[obstacle], x, force); }
  /// Over all ranks. @collective
  std::vector<ObstacleLoad> sum(MPI_Comm communicator) {
    if (loads_.empty()) return {};
    std::vector<double> numbers;
    for (ObstacleLoad& load : loads_) load.for_each_number([&](double& number) { numbers.push_back(number); });
    sum_over_ranks(communicator, numbers);
    auto next = numbers.begin();
    for (ObstacleLoad& load : loads_) load.for_each_number([&](double& number) { number = *next++; });
    return loads_;
  }

 private:
  std::vector<ObstacleLoad> loads_;
  std::vector<Pose> poses_;
};

}  // namespace traction
