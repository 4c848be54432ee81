// Interface of the parts of a contact: a family of pairs, or lagged friction.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "contact/contact_law.h"
#include "contact/obstacle_load.h"
#include "contact/work_clock.h"
#include "system/force.h"

namespace traction {

/// Quantities of a contact for the history and for the time loop's decisions, summed over ranks.
struct ContactSummary {
  double minimum_gap = 0;     ///< [m]; infinite where nothing is near
  long active = 0;            ///< number of pairs closer than the thickness; a vertex near several faces of the inside of a box counts once for each
  Vec3 force = Vec3::Zero();  ///< total force on the contact's first side [N]
  double yielding_gap = std::numeric_limits<double>::infinity();  ///< least gap of the pairs that can pass through the surface [m]
  double friction_power = 0;                                      ///< power of friction on both sides, not positive [W]
  double damping_power = 0;                                       ///< power of the normal force's damping, not positive [W]
  double area = 0;                                                ///< pressed area at rest; between two bodies the mean of both sides [m^2]
  double energy = 0;                                              ///< stored [J]
  std::vector<ObstacleLoad> obstacles{};                          ///< loads of the moving obstacles, always in the same order, whether they touch or not
};

/// One pair in contact.
struct ContactPoint {
  int vertex = -1;                                            ///< the touching vertex, if this rank owns it
  Vec3 position = Vec3::Zero();                               ///< position of the vertex, or of the place on the edge, that touches [m]
  double area = 0;                                            ///< its share of the surface [m^2]
  double gap = 0;                                             ///< [m]
  Vec3 normal = Vec3::Zero();                                 ///< unit vector that points out of what is touched
  Vec3 normal_force = Vec3::Zero(), friction = Vec3::Zero();  ///< on the vertex [N]
  double sliding_speed = 0;                                   ///< [m/s]
  const void* family = nullptr;                               ///< identifies the family of the pair
  std::uint64_t pair = 0;                                     ///< the pair's key, which identifies it within the family
  double closing_speed = 0;                                   ///< closing speed of the two sides along the normal [m/s]
  double weight = 1;                                          ///< the pair's share of the contact's stiffness
};

/// The energy that contact stores at each body, and the bodies that touch each other.
struct ContactByBody {
  std::vector<double> energies;            ///< by body, this rank's share; a pair of two bodies counts at one of them [J]
  std::set<std::pair<int, int>> meetings;  ///< pairs of bodies that this rank has found to touch, the smaller number first
};

/// A part of a contact: a force that shares its group's law and reports gaps, loads and dissipated powers.
class ContactTerm : public Force {
 public:
  /// `law`: shared with the group, which changes it.
  explicit ContactTerm(std::shared_ptr<const ContactLaw> law) : law_(std::move(law)) {}

  bool is_modal() const override { return false; }
  std::string energy_name() const override { return "contact"; }

  /// Called before the stages of a step from this state, whose ghosts are valid. @collective
  virtual void begin_step(const State&) {}
  /// Sets the normal forces and directions of lagged friction to those at this state, whose ghosts are valid (P0 Eqs. 24-26). @collective
  virtual void lag_friction(const State&) {}

  /// Summarizes the contact at a state for which the term is prepared, ghosts valid. @collective
  virtual ContactSummary summarize(const State&) = 0;
  /// Detects vertices that pass through a surface without a barrier on the straight path between two states, or end so deep that contact would push them out at
  /// the wrong side. Returns where such a vertex starts, the same place on all ranks; nothing if no vertex does. Ghosts of both states are valid. @collective
  virtual std::optional<Vec3> passage(const State&, const State&) { return {}; }
  /// Appends the vertices of this rank in contact, or completes the points that an earlier term of the same family appended. @collective
  virtual void add_points(const State&, std::vector<ContactPoint>& points) const = 0;
  /// Adds the normal forces on the vertices of both sides to `normal_force` and their total forces to `total_force` [N], for vertices that this rank owns.
  /// @collective
  virtual void add_vertex_forces(const State&, Field& normal_force, Field& total_force) const = 0;
  /// Adds the force of each pair along its own normal to the first component of `magnitudes` [N], for the vertices of both sides that this rank owns, so that
  /// pairs that press from opposite sides do not cancel. Pressure fields, whose forces act on no vertex of a surface, add nothing. @collective
  virtual void add_normal_magnitudes(const State&, Field&) const {}
  /// For each pair that presses, adds the sliding velocity of either side against the other, times the share of the normal force that a vertex bears [N m/s],
  /// to `sliding`, and this share to the first component of `shares` [N], for vertices that this rank owns. @collective
  virtual void add_sliding(const State&, Field&, Field&) const {}
  /// Adds the most friction that each pair can exert to the first component of `most` [N], for vertices that this rank owns, if pairs have coefficients of
  /// their own. Returns whether they have. @collective
  virtual bool add_most_friction(const State&, Field& /*most*/) const { return false; }
  /// For each pair that touches and closes, adds the velocity of the other side to `pushes` at the vertices of either side, and 1 to the first component of
  /// `counts`, for vertices that this rank owns [m/s]. Ghosts of the state are valid. @collective
  virtual void add_pushes(const State&, Field&, Field&) const {}
  /// Adds energies and meetings at a state for which the term is prepared and whose ghosts are valid. `bodies`: in the first component of each local vertex, 1
  /// + the number of its body, 0 if it has none. @collective
  virtual void add_by_body(const State&, const Field& /*bodies*/, ContactByBody&) const {}
  /// This rank's vertices that were in contact at the last summary, listed once for each pair.
  virtual std::span<const int> touching() const { return {}; }
  /// Seconds that this rank has worked on this contact so far: forces, products, blocks, energies, summaries and searches, without time spent waiting for other
  /// ranks [s].
  virtual double work_seconds() const { return work_.seconds(); }

 protected:
  const ContactLaw& law() const { return *law_; }
  WorkClock& work() const { return work_; }

 private:
  std::shared_ptr<const ContactLaw> law_;
  mutable WorkClock work_;
};

}  // namespace traction
