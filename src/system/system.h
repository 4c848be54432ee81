// The distributed force balance: masses, driven vertices and forces.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "mesh_partition/distribute.h"
#include "system/dependent_vertices.h"
#include "system/force.h"
#include "system/held_vertices.h"
#include "system/rigid_motion.h"

namespace traction {

/// The frame of a rod's segment both of whose ends a driven group holds: it moves as they do.
struct DrivenFrame {
  Motion motion;
  Vec3 tangent, director;  ///< at time 0

  /// The angle by which the motion turns the frame about the segment between two times, beyond carrying it without twist [rad].
  double turn(double from, double to) const;
};

/// A twist that is held at 0 because the frame of its segment is driven.
struct HeldTwist {
  std::array<int, 2> ends;  ///< the segment's ends
  double radius;            ///< h of the twist [m]
  DrivenFrame frame;
};

/// Vertices whose positions, or some components of these, are a given function of time. They are fixed if the motion is empty.
struct DrivenGroup {
  std::string name;  ///< "BODY.REGION"
  Motion motion;
  std::vector<int> vertices;                               ///< owned
  std::vector<Vec3> starts;                                ///< their positions at time 0 [m]
  std::vector<Vec3> directions = {};                       ///< orthogonal unit vectors; empty: all directions
  std::vector<Mat3> shares = {};                           ///< A of each vertex; empty: all are 1
  double until = std::numeric_limits<double>::infinity();  ///< when its vertices are released [s]
  /// Used by groups that hold nothing but twists, for the group before them, which drives the segments: one entry for each vertex.
  std::vector<HeldTwist> twists = {};
  bool holds_twists = false;

  /// Replaces the prescribed part of a quantity of the group's vertex k: x - A x + A target. The A of all groups that hold a vertex sum to H and their products
  /// vanish, so groups may be applied in any order.
  Vec3 imposed(std::size_t k, const Vec3& x, const Vec3& target) const { return shares.empty() ? target : Vec3(x + shares[k] * (target - x)); }
};

/// The vertices and directions that driven groups hold.
struct Constraints {
  /// A direction in which one vertex is held: the group, and the vertex's index in it.
  struct Hold {
    std::size_t group, entry;
    Vec3 direction;
  };
  std::vector<DrivenGroup> driven;         ///< with the vertices that currently follow them
  HeldVertices held;                       ///< for each local vertex; dependent vertices are held whole
  std::vector<char> moved;                 ///< for each local vertex: whether groups prescribe its whole motion, or that of all its masters
  std::map<int, std::vector<Hold>> holds;  ///< for owned vertices that are held in part
  std::vector<DrivenGroup> given;          ///< the groups as given, with all of their vertices
  std::vector<char> for_good;              ///< for each local vertex: whether a group that never releases it holds it whole
  std::size_t released = 0;                ///< number of groups that have released their vertices
};

/// The force that the support of driven vertices exerts on their body.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< about the origin of coordinates [N m]
};

/// Selects all of a system's forces, the modal ones, or the others.
enum class Terms { all, modal, other };

/// Owns the masses, forces and supports of all bodies, and evaluates the right-hand side of the equations of motion.
class System {
 public:
  /// `mass`: lumped mass of each local vertex [kg], all positive but of dependent vertices that belong to no element; masses of ghosts are not read. Dependent
  /// vertices pass theirs on to their masters. @collective
  System(std::shared_ptr<const DistributedMesh> mesh, std::vector<double> mass);

  const DistributedMesh& mesh() const { return *mesh_; }
  std::shared_ptr<const BlockPattern> pattern() const { return pattern_; }  ///< pattern of the elements
  const Halo& halo() const { return *mesh_->halo; }
  MPI_Comm communicator() const { return halo().communicator(); }
  const std::vector<double>& mass() const { return mass_; }          ///< with which a vertex accelerates [kg]; 0 for dependent vertices
  const std::vector<double>& own_mass() const { return own_mass_; }  ///< its share of its elements [kg]
  const DependentVertices& dependents() const { return dependents_; }
  /// The mass with which an owned vertex resists a force on it alone [kg]; positive, also for dependent vertices.
  const std::vector<double>& effective_mass() const { return dependents_.effective_mass(); }
  /// Completes a field of positions, velocities or their changes, of which owned independent vertices are right: dependent vertices, then ghosts. @collective
  void exchange(Field& field) const {
    dependents_.spread(field);
    halo().exchange(field.values());
  }
  double total_mass() const { return total_mass_; }  ///< sum over all ranks [kg]

  /// The acceleration by weight [m/s^2]; accelerations that are small beside it do not count.
  double reference_acceleration() const { return reference_acceleration_; }
  void set_reference_acceleration(double acceleration) { reference_acceleration_ = acceleration; }
  /// Without inertia motions are sequences of equilibria: no force accelerates anything, and kinetic energy does not exist.
  bool has_inertia() const { return has_inertia_; }
  void set_inertia(bool has_inertia) { has_inertia_ = has_inertia; }

  /// `vertices`: owned, like the `twists` of the body's rods; every rank must add the same number of bodies. `dependents`: the body's vertices that follow
  /// these.
  void add_body(std::vector<int> vertices, std::string name = {}, const std::vector<int>& twists = {}, const std::vector<int>& dependents = {}) {
    places_.push_back(vertices);
    places_.back().insert(places_.back().end(), dependents.begin(), dependents.end());
    unknowns_.push_back(vertices);
    unknowns_.back().insert(unknowns_.back().end(), twists.begin(), twists.end());
    bodies_.push_back(std::move(vertices));
    body_names_.push_back(std::move(name));
  }
  const std::vector<std::vector<int>>& bodies() const { return bodies_; }
  const std::vector<std::vector<int>>& unknowns() const { return unknowns_; }  ///< for each body: its vertices, then its twists
  const std::vector<std::vector<int>>& places() const { return places_; }      ///< for each body: its vertices, then its dependent ones
  const std::vector<std::string>& body_names() const { return body_names_; }

  void add(std::shared_ptr<Force> force) { forces_.push_back(std::move(force)); }
  /// Adds a group of driven vertices. A vertex that several groups hold is held along all their directions; one that is held whole follows that group alone. If
  /// several groups hold it whole, or along the same direction, the first one counts. @collective
  void drive(DrivenGroup group);
  /// Frees vertices whose groups hold them until this time [s] or an earlier one. The groups remain, without vertices. Returns whether any of them was still
  /// holding. @collective
  bool release(double time);
  /// The holds of all groups, by which they can be restored after others were added for a while.
  const Constraints& constraints() const { return constraints_; }
  void set_constraints(Constraints constraints) { constraints_ = std::move(constraints); }
  const std::vector<std::shared_ptr<Force>>& forces() const { return forces_; }
  const std::vector<DrivenGroup>& driven() const { return constraints_.driven; }    ///< the same number of groups on every rank
  const std::vector<DrivenGroup>& given() const { return constraints_.given; }      ///< the same with all of their vertices, released ones included
  const HeldVertices& held() const { return constraints_.held; }                    ///< for each local vertex
  const std::vector<char>& is_driven() const { return constraints_.moved; }         ///< whether the whole motion of a local vertex is prescribed
  const std::vector<char>& held_for_good() const { return constraints_.for_good; }  ///< the same for vertices that are never released
  /// Sets the velocities of driven vertices to those of their motions at the state's time, in the directions in which they are held, and every ghost's velocity
  /// to its owner's. @collective
  void set_driven_velocities(State& state) const;
  /// The angles by which the supports of held twists turn their segments between two times, as arc lengths at the twists' radii [m]; by local vertex.
  std::map<int, double> held_turns(double from, double to) const;
  /// Sets the positions of driven vertices in the same way. @collective
  void set_driven_positions(State& state) const;
  /// The reaction of each driven group: the sum of M a - f over its vertices, in the directions in which it holds them. f are all forces at the state, whose
  /// ghosts must be valid, and a is the acceleration of the motion. At rest the reaction is minus the sum of all other forces. A jump of the motion's velocity
  /// is ignored. Groups that hold twists have none of their own: they add to the moment of the group before them. Groups of the same name have one together.
  /// @collective
  std::vector<Reaction> reactions(const State& state) const;
  std::vector<std::size_t> reaction_numbers() const;  ///< for each driven group: the number of its reaction
  /// For each set of owned dependent vertices, the force that their masters exert on them: the sum of m (a - gravity) - f. m are their own masses, f the forces
  /// on themselves, and a their accelerations, which follow from those of their masters. `gravity`: at the state's time [m/s^2]; it acts on the masters.
  /// @collective
  std::vector<Reaction> carried(const std::vector<std::vector<int>>& sets, const Vec3& gravity, const State& state) const;

  bool bounds_steps() const;
  /// The smallest StepBound::admissible_part of all forces that bound steps; nothing if one of them returns nothing. If no force bounds steps, the result is 1
  /// and takes no communication. @collective
  std::optional<double> admissible_part(const State& state, const Field& displacement) const;
  bool is_clear(const State& start, const State& end, bool bounded) const;  ///< whether all forces consider the paths clear, as in StepBound. @collective

  /// What forces remember. commit() updates it at the end of a step; relax() updates it after a long rest, in which stress has relaxed. remembered() returns
  /// it, and recall() sets it, as named fields, each with a fixed number of doubles per local vertex. Fields from remembered() are valid only at owned
  /// vertices; fields for recall() must be valid at ghosts, too.
  void commit(const State& accepted) const;
  void relax(const State& state) const;
  std::map<std::string, std::vector<double>> remembered() const;
  void recall(const std::map<std::string, std::vector<double>>& fields) const;

  /// Calls Force::foretell of all forces; returns whether any foretells stresses.
  bool foretell(bool on) const;
  void linearize_foretold(bool on) const;
  void prepare(const State& state) const;
  void linearize(const Linearization& at);

  /// Sums all forces on owned vertices. The ghosts of `in_flight` (a field of `state`) are being exchanged when this is called: the exchange is ended between
  /// interior and boundary work, then `after_exchange` runs. @collective
  template <typename AfterExchange>
  void force(State& state, Field& in_flight, AfterExchange after_exchange, Field& force) const;
  /// The derivative of that sum along `direction`, at the last linearize. If direction.q is a multiple of direction.v and `blocks` have been assembled for it,
  /// the blocks are used as far as possible.
  template <typename AfterExchange>
  void product(const Linearization& at, State& direction, Field& in_flight, AfterExchange after_exchange, const BlockMatrix* blocks, Field& change) const;

  /// The same for a state, or a state and a direction, whose ghosts are valid. @collective
  void force(const State& state, Field& force, Terms terms = Terms::all) const;
  /// Sums all forces, and the sizes of the terms on each owned vertex itself [N], which do not cancel in equilibrium. @collective
  void force(const State& state, Field& force, std::vector<double>& sizes) const;
  void product(const Linearization& at, const State& direction, Field& change, Terms terms = Terms::all) const;

 private:
  /// Forces on all owned vertices themselves, before dependent ones give theirs to their masters.
  void own_force(const State& state, Field& force, Terms terms = Terms::all) const;
  /// Overwrites the accelerations of driven vertices by those of their motion [m/s²].
  void impose_accelerations(const State& state, Field& accelerations) const;
  HeldVertices nothing_held() const;  ///< holds only dependent vertices and the unused components of twists
  static bool among(const Force& term, Terms terms) { return terms == Terms::all || term.is_modal() == (terms == Terms::modal); }

  std::shared_ptr<const DistributedMesh> mesh_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> own_mass_, mass_;
  DependentVertices dependents_;
  double total_mass_ = 0, reference_acceleration_ = 0;
  bool has_inertia_ = true;
  std::vector<std::vector<int>> bodies_, unknowns_, places_;
  std::vector<std::string> body_names_;
  std::vector<std::shared_ptr<Force>> forces_;
  void hold(DrivenGroup group);
  void share_with_ghosts(std::vector<char>& marks) const;
  void drop_holds(const DrivenGroup& group);
  void share(int vertex);
  void add_holds(const DrivenGroup& group);
  void mark_dependents(std::vector<char>& marks) const;

  Constraints constraints_;
};

template <typename AfterExchange>
void System::force(State& state, Field& in_flight, AfterExchange after_exchange, Field& force) const {
  force.set_zero();
  for (const auto& term : forces_) term->add_force(state, Zone::interior, force);
  halo().end_exchange(in_flight.values());
  after_exchange();
  prepare(state);
  for (const auto& term : forces_) term->add_force(state, Zone::boundary, force);
  dependents_.gather(force);
}

template <typename AfterExchange>
void System::product(const Linearization& at, State& direction, Field& in_flight, AfterExchange after_exchange, const BlockMatrix* blocks,
                     Field& change) const {
  const auto add = [&](Zone zone) {
    if (blocks) blocks->multiply(zone, direction.v, change);
    for (const auto& term : forces_) {
      if (const Assembly* assembly = blocks ? term->assembly() : nullptr) assembly->add_product_beyond_blocks(at, direction, zone, change);
      else term->add_product(at, direction, zone, change);
    }
  };
  change.set_zero();
  add(Zone::interior);
  halo().end_exchange(in_flight.values());
  after_exchange();
  add(Zone::boundary);
  dependents_.gather(change);
}

}  // namespace traction
