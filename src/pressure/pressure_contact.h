// The force between two rigid bodies, or a rigid body and an obstacle, that press on each other with their pressure fields.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "contact/contact_term.h"
#include "parallel/halo.h"
#include "parallel/scatter.h"
#include "pressure/pressure_pair.h"
#include "system/rigid_motion.h"

namespace traction {

// One rank evaluates the pair: the owner of the first particle of its first body. Forces on the particles of both bodies are sent back to their owners.
class PressureContact : public ContactTerm, private Assembly {
 public:
  // A side that is a body has its four particles as global numbers; one that is a plane has its motion.
  struct Side {
    std::optional<std::array<PetscInt, 4>> particles;
    Motion motion;
  };
  // `law`: its stiffness is that with which the pair's pressures are meant; `pair`: the same on all ranks. At least one side is a body. Collective.
  PressureContact(std::string name, std::shared_ptr<const Halo> halo, PressurePair pair, std::array<Side, 2> sides, const PressureLaw& traction,
                  std::shared_ptr<const ContactLaw> law);

  const std::string& name() const { return name_; }
  // The largest pressure of the fields on the contact surface, the same on all ranks [Pa]. Collective.
  double largest_pressure(const State& state) const;
  // The contact surface, on the rank that evaluates the pair. Collective.
  std::vector<ContactTriangle> surface(const State& state) const;

  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  double energy(const State& state) const override;
  const Assembly* assembly() const override { return this; }

  std::optional<Vec3> passage(const State& start, const State& end) override;
  // Throws SolverError, on all ranks alike, if one side has sunk into the other in whole.
  ContactSummary summarize(const State& state) override;
  void add_points(const State&, std::vector<ContactPoint>&) const override {}
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const override;
  std::span<const int> touching() const override { return touching_; }

 private:
  // The positions and velocities of the points of both sides, on the rank that evaluates the pair.
  struct Place {
    PressurePair::Points x, v;
  };
  Place place(const State& state) const;
  PressureLaw present_law(bool with_friction = true) const;
  void add_back(const PressurePair::Points& forces, Field& force) const;

  void add_blocks(const Linearization&, BlockMatrix&) const override {}
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_product(at, direction, zone, change);
  }
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;

  std::string name_;
  std::shared_ptr<const Halo> halo_;
  PressurePair pair_;
  std::array<Side, 2> sides_;
  PressureLaw traction_;
  double stiffness_;                 // the stiffness of the law whose weight is 1
  double whole_energy_;              // as PressurePair has it
  bool evaluates_ = false;           // whether this rank does
  std::vector<PetscInt> particles_;  // on that rank, of both sides
  std::array<int, 8> copy_of_;       // for each point its place among the particles; -1: it is an obstacle's
  std::optional<Scatter> copies_;
  std::vector<int> owned_particles_;  // on this rank, of both bodies
  std::vector<int> touching_;
  PressurePair::Derivative by_position_, by_velocity_;  // at the last linearize
  bool acts_ = false;                                   // whether they are not zero
};

}  // namespace traction
