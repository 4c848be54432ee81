// The points of asynchronous contact: vertices of bodies, which impulses move, and points of obstacles, which move as prescribed.
#pragma once

#include "asynchronous/contact_setup.h"
#include "asynchronous/moving_vertices.h"
#include "system/rigid_motion.h"

namespace traction {

/// Obstacles move uniformly within each piece of the driver's rows, as driven vertices do.
class ContactPoints {
 public:
  ContactPoints(const ContactSetup& setup, MovingVertices& vertices, int vertex_count)
      : vertices_(vertices), setup_(setup), first_(vertex_count), places_(setup.obstacle_points.size(), Vec3::Zero()), velocities_(places_) {}

  int count() const { return first_ + static_cast<int>(places_.size()); }
  bool is_vertex(int point) const { return point < first_; }
  Vec3 position(int point, double time) const {
    return is_vertex(point) ? vertices_.position(point, time) : Vec3(places_[index(point)] + (time - start_) * velocities_[index(point)]);
  }
  Vec3 velocity(int point) const { return is_vertex(point) ? Vec3(vertices_.state().v[point]) : velocities_[index(point)]; }
  double inverse_mass(int point) const { return is_vertex(point) ? vertices_.inverse_mass(point) : 0; }
  double inverse_mass(int point, const Vec3& direction) const { return is_vertex(point) ? vertices_.inverse_mass(point, direction) : 0; }
  void drift(int point, double time) {
    if (is_vertex(point)) vertices_.drift(point, time);
  }
  void kick(int point, const Vec3& impulse) {
    if (is_vertex(point)) vertices_.kick(point, impulse);
  }
  /// Moves obstacles uniformly from one time to another.
  void move_obstacles(double from, double to) {
    start_ = from;
    std::vector<Pose> before, after;
    for (const Motion& motion : setup_.motions) {
      before.emplace_back(motion, from);
      after.emplace_back(motion, to);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto& [place, motion] = setup_.obstacle_points[i];
      places_[i] = before[static_cast<std::size_t>(motion)].to_world(place);
      velocities_[i] = setup_.motions[static_cast<std::size_t>(motion)].empty()
                           ? Vec3(Vec3::Zero())
                           : Vec3((after[static_cast<std::size_t>(motion)].to_world(place) - places_[i]) / (to - from));
    }
  }

 private:
  std::size_t index(int point) const { return static_cast<std::size_t>(point - first_); }

  MovingVertices& vertices_;
  const ContactSetup& setup_;
  int first_;  ///< obstacle point
  std::vector<Vec3> places_, velocities_;
  double start_ = 0;  ///< when they were there [s]
};

}  // namespace traction
