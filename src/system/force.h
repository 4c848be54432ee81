// A term of the force balance M dv/dt = sum f(q, v) (docs/theory/balance.md, "Equations of motion"), and the optional parts of a term besides its force.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "system/block_matrix.h"
#include "system/couplings.h"
#include "system/separate_terms.h"
#include "system/state.h"

namespace traction {

/// The state at which derivatives are taken, with valid ghosts, and the combination dq df/dq + dv df/dv that a stage needs: assembled blocks contain that sum.
/// Refers to the state, which must outlive it.
struct Linearization {
  const State& state;
  double dq, dv;

  Linearization(const State& at, double position_factor = 1, double velocity_factor = 1) : state(at), dq(position_factor), dv(velocity_factor) {}
};

/// A part c g g^T of a Jacobian that couples all vertices of a surface. Every rank holds the owned part of g.
struct RankOneTerm {
  double coefficient = 0;      ///< c
  std::vector<int> vertices;   ///< owned; g is zero elsewhere
  std::vector<Vec3> gradient;  ///< g at these vertices
  bool curved = false;         ///< whether g is the gradient of a quantity that is not linear in the positions, such as a volume
};

/// How a force takes part in assembled operators and preconditioners. A force that adds blocks must also provide the rest of its derivative. Both functions are
/// pure virtual, so that nothing is counted twice or forgotten.
class Assembly {
 public:
  virtual ~Assembly() = default;

  /// matrix += dq df/dq + dv df/dv, as far as 3x3 blocks between the vertices of an element represent it exactly.
  virtual void add_blocks(const Linearization&, BlockMatrix&) const = 0;
  /// change += the part of Force::add_product that these blocks do not contain.
  virtual void add_product_beyond_blocks(const Linearization&, const State& direction, Zone, Field& change) const = 0;

  /// Appends blocks between any vertices, each from one rank, by which preconditioners approximate that part.
  virtual void add_couplings(const Linearization&, std::vector<Coupling>&) const {}
  /// Whether these are so large a part of a body's stiffness that every preconditioner needs all of them; the same on all ranks.
  virtual bool needs_couplings() const { return false; }
  /// The number of rank-one terms by which preconditioners approximate that part; constant, and equal on all ranks.
  virtual int rank_one_terms() const { return 0; }
  /// Appends these terms of dq df/dq, each on every rank.
  virtual void add_rank_one_terms(const Linearization&, std::vector<RankOneTerm>&) const {}
  /// Appends the quantity of each curved term, on every rank. Ghosts are valid. @collective
  virtual void add_rank_one_quantities(const State&, std::vector<double>&) const {}
};

/// An assembly whose blocks hold the whole derivative.
class ExactBlocks : public Assembly {
 public:
  void add_product_beyond_blocks(const Linearization&, const State&, Zone, Field&) const final {}
};

/// How a force that is undefined at some positions (a barrier) limits steps.
class StepBound {
 public:
  virtual ~StepBound() = default;

  /// The part of a displacement of positions [m], at most 1, up to which the force stays defined; nothing if it is undefined where the displacement starts.
  /// Ghosts of state and displacement are valid; the same on all ranks. @collective
  virtual std::optional<double> admissible_part(const State& state, const Field& displacement) = 0;
  /// Whether straight paths of all vertices from one state to another pass through nothing that the force keeps apart, while prescribed motions (of obstacles)
  /// follow their own course between the two times. `bounded`: whether admissible parts of steps lead from one state to the other, so that only prescribed
  /// motions can be in the way. Ghosts of both are valid; the same on all ranks. @collective
  virtual bool is_clear(const State&, const State&, bool /*bounded*/) { return true; }
};

/// A force on single vertices while all others stay, which can be solved for one vertex at a time (docs/theory/newton.md, "Vertices in contact first").
class VertexForces {
 public:
  virtual ~VertexForces() = default;

  /// Stores everything that the force depends on besides the vertices of this rank, from a state for which it is prepared, ghosts valid. @collective
  virtual void hold_others(const State&) = 0;
  /// The owned vertices that the force may act on near that state, ascending. Vertices whose force another rank evaluates are missing.
  virtual std::span<const int> vertices() const = 0;
  /// force += f, derivative += dq df/dq + dv df/dv, for one of these vertices and its own position and velocity. Owned vertices are where `at.state` has them.
  virtual void add(int vertex, const Linearization& at, Vec3& force, Mat3& derivative) const = 0;
};

/// The memory of a force: it is committed when a step is accepted, and kept in checkpoints for any rank count.
class Memory {
 public:
  virtual ~Memory() = default;

  /// Forces of the same name remember something at different vertices, and have as many components.
  virtual std::string name() const = 0;
  /// Doubles that are remembered per vertex, the same on all ranks.
  virtual int components() const = 0;
  /// Takes over the state in which a step has ended, ghosts valid.
  virtual void commit(const State& accepted) = 0;
  /// Forgets stress that relaxes: this state has lasted for long. Ghosts are valid.
  virtual void relax(const State&) {}
  /// Writes components() doubles for each local vertex that remembers anything; only those of owned vertices are read. Other values are not touched. What is
  /// remembered of an element is kept with one of its vertices (simulation/element_slots.h).
  virtual void save(std::span<double> values) const = 0;
  /// Takes such doubles, with valid ghosts.
  virtual void load(std::span<const double> values) = 0;
};

/// Interface of forces. All functions are called on every rank in the same order, `interior` before `boundary`. Forces on ghost vertices need not be right:
/// only owned ones are read. Positions at which a force is undefined (an inverted element) give NaN, never an exception.
class Force {
 public:
  virtual ~Force() = default;

  /// Whether low modes of vibration include this force, so that additive schemes integrate its part of them exponentially: true except for contact and its
  /// friction.
  virtual bool is_modal() const { return true; }

  /// Prepares for forces at a state that may be far from the last one (contact candidates). Ghosts are valid; called before the boundary work.
  virtual void prepare(const State&) {}
  /// Allows products of a primal-dual linearization from the next linearize on, for use where exact products mislead Newton's method far from the solution;
  /// they become exact as it converges. Off by default.
  virtual void set_primal_dual(bool) {}
  /// What is thin bends easily and stretches hardly: a step of Newton's method that bends it also stretches it, to second order, by more than any force would.
  /// While `on`, forces take the stresses that the last linearization foretells, to first order (docs/theory/newton.md, "Foretold stresses"). Returns whether
  /// the force does so at all, the same on all ranks.
  virtual bool foretell(bool) { return false; }
  /// Sets whether products, from the next linearize on, are those at foretold stresses. Off by default.
  virtual void linearize_foretold(bool) {}
  /// Prepares for a batch of products and blocks.
  virtual void linearize(const Linearization&) {}

  /// force += f(q, v)  [N]
  virtual void add_force(const State& state, Zone zone, Field& force) const = 0;
  /// change += df/dq direction.q + df/dv direction.v  [N]
  virtual void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const = 0;

  /// This rank's share of the stored energy [J]; 0 for forces that store none.
  virtual double energy(const State&) const { return 0; }
  /// The column of the history to which the energy belongs ("elastic", "gravity", ...); empty for none.
  virtual std::string energy_name() const { return {}; }
  /// The work of the history (WorkKind's names in dynamics/energy_balance.h) that counts kinetic energy which the force adds without taking it from a store, or
  /// energy added to its store as time passes; empty for forces that only store energy.
  virtual std::string work_name() const { return {}; }

  /// This rank's share of the energy that plastic flow dissipates if a step from the last committed state ends at this one [J].
  virtual double flow_loss(const State&) const { return 0; }

  /// Sets of owned vertices that the force joins beyond elements and contacts, as springs do: as many sets in the same order on every rank.
  virtual std::vector<std::span<const int>> joined() const { return {}; }

  /// The optional parts. Null means: products are never assembled, steps are never limited, vertices are never solved for separately, nothing is remembered.
  /// Always the same on all ranks.
  virtual const Assembly* assembly() const { return nullptr; }
  virtual StepBound* step_bound() { return nullptr; }
  virtual VertexForces* vertex_forces() { return nullptr; }
  virtual Memory* memory() { return nullptr; }
  /// Null also means: the force has no clock of its own, and only schemes that take one step for everything can integrate it.
  virtual const SeparateTerms* terms() const { return nullptr; }
  /// The same terms if they flow plastically.
  virtual FlowingTerms* flowing_terms() { return nullptr; }
};

}  // namespace traction
