// A part of a contact: one family of pairs, or the friction that lags behind it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "contact/contact_law.h"
#include "contact/obstacle_load.h"
#include "contact/work_clock.h"
#include "system/force.h"

namespace traction {

// What contact adds to the history and the time loop's decisions; summed over ranks.
struct ContactSummary {
  double minimum_gap = 0;                                         // [m]; infinite where nothing is near
  long active = 0;                                                // pairs closer than the thickness (a vertex and a face of the inside of a box are one each)
  Vec3 force = Vec3::Zero();                                      // total on the first side [N]
  double yielding_gap = std::numeric_limits<double>::infinity();  // as minimum_gap, of pairs that can go through the surface [m]
  double friction_power = 0;                                      // of friction on both sides, not positive [W]
  double damping_power = 0;                                       // of the normal force's damping, not positive [W]
  double area = 0;                                                // at rest, of what presses; between two bodies the mean of both sides [m^2]
  std::vector<ObstacleLoad> obstacles{};                          // of those that move, always in the same order, whether they touch or not
};

// One pair in contact.
struct ContactPoint {
  int vertex = -1;                                            // that touches, if this rank owns it
  Vec3 position = Vec3::Zero();                               // of the vertex, or of the place on the edge, that touches [m]
  double area = 0;                                            // its share of the surface [m^2]
  double gap = 0;                                             // [m]
  Vec3 normal = Vec3::Zero();                                 // out of what is touched, of unit length
  Vec3 normal_force = Vec3::Zero(), friction = Vec3::Zero();  // on the vertex [N]
  double sliding_speed = 0;                                   // [m/s]
  const void* family = nullptr;                               // which pairs it is of,
  std::uint64_t pair = 0;                                     // and which of them, by its key
  double closing_speed = 0;                                   // of the two sides along the normal [m/s]
  double weight = 1;                                          // what the pair has of the contact's stiffness
};

class ContactTerm : public Force {
 public:
  // `law`: as it is at present, shared with the group that changes it.
  explicit ContactTerm(std::shared_ptr<const ContactLaw> law) : law_(std::move(law)) {}

  bool is_modal() const override { return false; }
  std::string energy_name() const override { return "contact"; }

  // Called before the stages of a step from this state, ghosts valid. Collective.
  virtual void begin_step(const State&) {}
  // Friction that lags has from now on the normal forces and directions at this state, ghosts valid (P0 Eqs. 24-26). Collective.
  virtual void lag_friction(const State&) {}

  // At a state at which the term is prepared, ghosts valid; collective.
  virtual ContactSummary summarize(const State&) = 0;
  // Where a vertex starts that goes through what it touches on its straight way from one state to another, or so deep that contact would push it out at the
  // wrong side; none if none does. What has no barrier in the way needs that. Ghosts of both are valid; the same on all ranks. Collective.
  virtual std::optional<Vec3> passage(const State&, const State&) { return {}; }
  // Appends the vertices of this rank in contact, or completes the points that an earlier term of the same family appended. Collective.
  virtual void add_points(const State&, std::vector<ContactPoint>& points) const = 0;
  // Adds the normal force on the vertices of both sides to `normal_force` and their whole force to `total_force` [N], as far as this rank owns them.
  // Collective.
  virtual void add_vertex_forces(const State&, Field& normal_force, Field& total_force) const = 0;
  // The vertices of this rank that were in contact at the last summary, once for each pair.
  virtual std::span<const int> touching() const { return {}; }
  // This rank's work on this contact so far: forces, products, blocks, energies, summaries and searches, without waiting for other ranks [s].
  virtual double work_seconds() const { return work_.seconds(); }

 protected:
  const ContactLaw& law() const { return *law_; }
  WorkClock& work() const { return work_; }

 private:
  std::shared_ptr<const ContactLaw> law_;
  mutable WorkClock work_;
};

}  // namespace traction
