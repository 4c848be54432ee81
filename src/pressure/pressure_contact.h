// The forces between rigid bodies, and between these and planes, that press on each other with their pressure fields.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "pressure/pressure_search.h"

namespace traction {

/// Forces on the particles that carry the bodies of a pair are sent back to their owners.
class PressureContact : public ContactTerm, private Assembly {
 public:
  /// The contact at the last summary, over all pairs and the same on all ranks.
  struct Totals {
    double pairs = 0;                              ///< that touch
    double force = 0;                              ///< sum of the sizes of their forces [N]
    double energy = 0;                             ///< [J]
    double friction_power = 0, damping_power = 0;  ///< not positive [W]
    double largest_pressure = 0;                   ///< where the fields meet [Pa]
  };

  /// `law`: with its stiffness pressures have their full values. `traction`: the dissipation of each pair is that of its bodies, and so is its coefficient of
  /// friction if `combines_friction`. `is_group`: the partners are
  /// bodies and then planes, and the summary's force is that of planes on bodies; otherwise two partners, and it is that on the first. @collective
  PressureContact(std::string name, std::shared_ptr<const Halo> halo, PressureSearch search, bool is_group, const PressureLaw& traction, bool combines_friction,
                  std::shared_ptr<const ContactLaw> law);

  const std::string& name() const { return name_; }
  bool is_group() const { return is_group_; }
  const std::vector<PressurePartner>& partners() const { return search_.partners(); }
  const Totals& totals() const { return totals_; }
  /// The parts of the contact surface that this rank evaluates. @collective
  std::vector<ContactTriangle> surface(const State& state);
  /// Throws InputError, on all ranks alike, if two partners lie so deep in each other that their pressures could not separate them. @collective
  void refuse_deep_start(const State& state, const std::string& source);

  void prepare(const State& state) override { search_.cover(state.q); }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  double energy(const State& state) const override;
  const Assembly* assembly() const override { return this; }

  std::optional<Vec3> passage(const State& start, const State& end) override;
  /// Throws SolverError, on all ranks alike, if one of two partners lies wholly inside the other.
  ContactSummary summarize(const State& state) override;
  void add_points(const State&, std::vector<ContactPoint>&) const override {}
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const override;
  bool add_most_friction(const State& state, Field& most) const override;
  void add_by_body(const State& state, const Field& bodies, ContactByBody& result) const override;
  std::span<const int> touching() const override { return touching_; }

 private:
  using Neighborhood = PressureNeighborhood;
  using Pair = PressureNeighborhood::Pair;
  /// The positions and velocities of all points at one moment, on this rank.
  struct Places {
    Field x, v;                                        ///< at the copies
    std::vector<FourPoints<double>> plane_x, plane_v;  ///< for each partner, empty unless it is a plane
  };
  /// The derivative of the forces of one pair.
  struct Block {
    int first, second;
    PressurePair::Derivative by_position, by_velocity;
  };

  Places places(const State& state) const;
  PressurePair::Points points(const Pair& pair, const Field& copies, const std::vector<FourPoints<double>>& planes) const;
  PressureLaw present_law(const Pair& pair, bool with_friction = true) const;
  double factor() const { return law().stiffness / stiffness_; }
  void add(const PressurePair::Points& forces, int first, int second, const Neighborhood& near, Field& reactions) const;
  std::string named(const Pair& pair) const;

  void add_blocks(const Linearization&, BlockMatrix&) const override {}
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_product(at, direction, zone, change);
  }
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;

  std::string name_;
  std::shared_ptr<const Halo> halo_;
  PressureSearch search_;
  bool is_group_;
  PressureLaw traction_;
  bool combines_friction_;
  double stiffness_;  ///< the stiffness of the law whose weight is 1
  Totals totals_;
  std::vector<int> own_particles_, touching_;
  std::shared_ptr<const Neighborhood> linearized_;  ///< at the last linearize, of which these are the pairs that touch
  std::vector<Block> blocks_;
};

}  // namespace traction
