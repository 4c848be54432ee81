// The distributed force balance: masses, driven vertices and forces.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "mesh_partition/distribute.h"
#include "system/force.h"
#include "system/held_vertices.h"
#include "system/rigid_motion.h"

namespace traction {

// The frame of a rod's segment whose ends a driven group holds both: it moves as they do.
struct DrivenFrame {
  Motion motion;
  Vec3 tangent, director;  // at time 0

  // By how much the motion turns the frame about the segment between two times beside carrying it without twist [rad].
  double turn(double from, double to) const;
};

// A twist that is held at 0 because the frame of its segment is driven.
struct HeldTwist {
  std::array<int, 2> ends;  // of the segment
  double radius;            // h of the twist [m]
  DrivenFrame frame;
};

// Vertices whose positions, or the components of these along some directions, are a given function of time (fixed, when the motion is none).
struct DrivenGroup {
  std::string name;  // "BODY.REGION"
  Motion motion;
  std::vector<int> vertices;                               // owned
  std::vector<Vec3> starts;                                // their positions at time 0 [m]
  std::vector<Vec3> directions = {};                       // orthogonal, of unit length; none: all
  std::vector<Mat3> shares = {};                           // A of each vertex; empty: all are 1
  double until = std::numeric_limits<double>::infinity();  // when its vertices are released [s]
  // Of a group that holds twists and nothing else, beside the group before it, which drives their segments: one for each of its vertices.
  std::vector<HeldTwist> twists = {};
  bool holds_twists = false;

  // What becomes of a quantity of the group's vertex k that the motion prescribes: x - A x + A target. With the A of all groups that hold a vertex, which sum
  // to H and whose products with each other vanish, they may follow in any order.
  Vec3 imposed(std::size_t k, const Vec3& x, const Vec3& target) const { return shares.empty() ? target : Vec3(x + shares[k] * (target - x)); }
};

// What driven groups hold.
struct Constraints {
  // A direction in which one vertex is held: the group, the vertex's number in it.
  struct Hold {
    std::size_t group, entry;
    Vec3 direction;
  };
  std::vector<DrivenGroup> driven;         // with the vertices that follow them at present
  HeldVertices held;                       // per local vertex
  std::map<int, std::vector<Hold>> holds;  // of owned vertices that are held in part
  std::vector<DrivenGroup> given;          // as they were given, with all of their vertices
  std::vector<char> for_good;              // per local vertex: whether it is held whole by a group that never releases it
  std::size_t released = 0;                // how many groups have released theirs
};

// What the support of driven vertices exerts on their body.
struct Reaction {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 moment = Vec3::Zero();  // about the origin of coordinates [N m]
};

// Selects among a system's forces: all; those that are modal; those that are not.
enum class Terms { all, modal, other };

class System {
 public:
  // `mass`: lumped, per local vertex [kg], all positive; those of ghosts are not read.
  System(std::shared_ptr<const DistributedMesh> mesh, std::vector<double> mass);

  const DistributedMesh& mesh() const { return *mesh_; }
  std::shared_ptr<const BlockPattern> pattern() const { return pattern_; }  // of the elements
  const Halo& halo() const { return *mesh_->halo; }
  MPI_Comm communicator() const { return halo().communicator(); }
  const std::vector<double>& mass() const { return mass_; }
  double total_mass() const { return total_mass_; }  // over all ranks [kg]

  // What weight accelerates bodies by [m/s^2]: what is small beside that counts for nothing.
  double reference_acceleration() const { return reference_acceleration_; }
  void set_reference_acceleration(double acceleration) { reference_acceleration_ = acceleration; }
  // Without inertia motions are sequences of equilibria: no force accelerates anything, and there is no kinetic energy.
  bool has_inertia() const { return has_inertia_; }
  void set_inertia(bool has_inertia) { has_inertia_ = has_inertia; }

  // `vertices`: owned, and of its rods also `twists`; as many bodies on every rank.
  void add_body(std::vector<int> vertices, std::string name = {}, const std::vector<int>& twists = {}) {
    unknowns_.push_back(vertices);
    unknowns_.back().insert(unknowns_.back().end(), twists.begin(), twists.end());
    bodies_.push_back(std::move(vertices));
    body_names_.push_back(std::move(name));
  }
  const std::vector<std::vector<int>>& bodies() const { return bodies_; }
  const std::vector<std::vector<int>>& unknowns() const { return unknowns_; }  // of each body: its vertices, then its twists
  const std::vector<std::string>& body_names() const { return body_names_; }

  void add(std::shared_ptr<Force> force) { forces_.push_back(std::move(force)); }
  // A vertex that several groups hold is held along all their directions; one that is held whole follows that group alone. Of groups that hold it whole, or
  // along the same direction, the first counts. Collective.
  void drive(DrivenGroup group);
  // Frees what groups hold until this time [s] or an earlier one. The groups remain, without vertices. Returns whether any of them was still holding.
  // Collective.
  bool release(double time);
  // What all groups hold, to go back to after more have been added for a while.
  const Constraints& constraints() const { return constraints_; }
  void set_constraints(Constraints constraints) { constraints_ = std::move(constraints); }
  const std::vector<std::shared_ptr<Force>>& forces() const { return forces_; }
  const std::vector<DrivenGroup>& driven() const { return constraints_.driven; }    // as many groups on every rank
  const HeldVertices& held() const { return constraints_.held; }                    // per local vertex
  const std::vector<char>& is_driven() const { return constraints_.held.whole(); }  // whether a local vertex is held whole,
  const std::vector<char>& held_for_good() const { return constraints_.for_good; }  // and is never released
  // Gives driven vertices the velocities of their motions at the state's time, as far as they are held, and every ghost its owner's velocity. Collective.
  void set_driven_velocities(State& state) const;
  // How far the supports of a held twist turn its segment between two times, as arc length at its radius [m]; by local vertex.
  std::map<int, double> held_turns(double from, double to) const;
  // The same for positions.
  void set_driven_positions(State& state) const;
  // The reaction of each driven group but those that hold twists, which add to the moment of the group before them: the sum of M a - f over its vertices, in the directions in which it holds them, f all forces at the state, whose ghosts
  // are valid, and a the acceleration of the motion. At rest that is minus the sum of all other forces. A jump of the motion's velocity counts for nothing.
  // Collective.
  std::vector<Reaction> reactions(const State& state) const;

  bool bounds_steps() const;
  // The least of all forces, none if any has none; 1 without communication when none bounds steps. Collective.
  std::optional<double> admissible_part(const State& state, const Field& displacement) const;
  bool is_clear(const State& start, const State& end) const;  // as StepBound has it, of all forces; collective

  // What forces remember: taken over where a step has ended; and as fields by name, of so many doubles per local vertex, which only owned vertices need to have
  // right when they are saved, and all when they are recalled.
  void commit(const State& accepted) const;
  std::map<std::string, std::vector<double>> remembered() const;
  void recall(const std::map<std::string, std::vector<double>>& fields) const;

  // Force::foretell of all forces: whether any does.
  bool foretell(bool on) const;
  void linearize_foretold(bool on) const;
  void prepare(const State& state) const;
  void linearize(const Linearization& at);

  // force = sum of all forces on owned vertices. The ghosts of `in_flight` (a field of `state`) are being exchanged when this is called: the exchange is ended
  // between interior and boundary work, then `after_exchange` runs. Collective.
  template <typename AfterExchange>
  void force(State& state, Field& in_flight, AfterExchange after_exchange, Field& force) const;
  // change = the derivative of that along `direction`, at the last linearize. Where all of direction.q is a multiple of direction.v, and `blocks` have been
  // assembled for that, they do what they can.
  template <typename AfterExchange>
  void product(const Linearization& at, State& direction, Field& in_flight, AfterExchange after_exchange, const BlockMatrix* blocks, Field& change) const;

  // The same for a state, or a state and a direction, whose ghosts are valid. Collective.
  void force(const State& state, Field& force, Terms terms = Terms::all) const;
  void product(const Linearization& at, const State& direction, Field& change, Terms terms = Terms::all) const;

 private:
  HeldVertices nothing_held() const;  // but the components of twists that mean nothing
  static bool among(const Force& term, Terms terms) { return terms == Terms::all || term.is_modal() == (terms == Terms::modal); }

  std::shared_ptr<const DistributedMesh> mesh_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> mass_;
  double total_mass_ = 0, reference_acceleration_ = 0;
  bool has_inertia_ = true;
  std::vector<std::vector<int>> bodies_, unknowns_;
  std::vector<std::string> body_names_;
  std::vector<std::shared_ptr<Force>> forces_;
  void hold(DrivenGroup group);
  void share_with_ghosts(std::vector<char>& marks) const;
  void drop_holds(const DrivenGroup& group);
  void share(int vertex);
  void add_holds(const DrivenGroup& group);

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
}

}  // namespace traction
