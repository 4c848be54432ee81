// One term of the force balance M dv/dt = sum f(q, v) (docs/theory/balance.md, "Equations of motion").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "system/block_matrix.h"
#include "system/couplings.h"
#include "system/state.h"

namespace traction {

// A part c g g^T of a Jacobian that couples all vertices of a surface. Every rank holds the owned part of g.
struct RankOneTerm {
  double coefficient = 0;      // c
  std::vector<int> vertices;   // owned; g is zero elsewhere
  std::vector<Vec3> gradient;  // g at these
};

// All functions are called on every rank in the same order, `interior` before `boundary`. Forces on ghost vertices need not be right: only owned
// ones are read. Positions at which a force is undefined (an inverted element) give NaN, never an exception.
class Force {
 public:
  virtual ~Force() = default;

  // Whether low modes of the motion are those of this force too, and additive schemes integrate its part of them exponentially: of all but contact with its
  // friction.
  virtual bool is_modal() const { return true; }

  // Before forces at a state that may be far from the last one: contact candidates. Ghosts valid; comes before the boundary work.
  virtual void prepare(const State&) {}
  // Whether from the next linearize on products may be those of a primal-dual linearization, where exact ones mislead Newton's method far from the solution;
  // they become exact as it converges. Off at first: all exact.
  virtual void set_primal_dual(bool) {}
  // Before a batch of products and blocks at this state (ghosts valid).
  virtual void linearize(const State&) {}

  // Whether some positions are out of bounds for steps to them to be cut short at (a barrier); the same on all ranks.
  virtual bool bounds_steps() const { return false; }
  // The part of a displacement of positions [m], at most 1, up to which the force stays defined; none when it is not even where the displacement starts. State
  // and displacement with ghosts valid; the same on all ranks. Collective.
  virtual std::optional<double> admissible_part(const State&, const Field& /*displacement*/) { return 1; }

  // force += f(q, v)  [N]
  virtual void add_force(const State& state, Zone zone, Field& force) const = 0;
  // change += df/dq direction.q + df/dv direction.v  [N]
  virtual void add_product(const State& state, const State& direction, Zone zone, Field& change) const = 0;

  // An assembled operator takes products apart: matrix += dq df/dq + dv df/dv, as far as 3x3 blocks between the vertices of an element hold it exactly,
  virtual void add_blocks(const State&, double /*dq*/, double /*dv*/, BlockMatrix&) const {}
  // and what these blocks leave of add_product.
  virtual void add_product_beyond_blocks(const State& state, const State& direction, Zone zone, Field& change) const {
    add_product(state, direction, zone, change);
  }
  // Blocks between vertices anywhere that stand for that in a preconditioner, each from one rank, appended: those of dq df/dq + dv df/dv at the last linearize,
  virtual void add_couplings(const State&, double /*dq*/, double /*dv*/, std::vector<Coupling>&) const {}
  // and terms that hold a part of it exactly: how many, always and on all ranks the same,
  virtual int rank_one_terms() const { return 0; }
  // and the terms of dq df/dq at the last linearize, appended, each on every rank.
  virtual void add_rank_one_terms(double /*dq*/, std::vector<RankOneTerm>&) const {}

  // This rank's share of the stored energy [J]; 0 for forces that have none.
  virtual double energy(const State&) const { return 0; }
  // Which column of the history the energy counts to ("elastic", "gravity", ...); empty for none.
  virtual std::string energy_name() const { return {}; }
};

}  // namespace traction
