#include "dynamics/linearized_stage.h"

#include <cmath>

#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

// Vectors of 3 x owned vertices that exist for the length of a scope.
class Vectors {
 public:
  explicit Vectors(const Halo& halo) : halo_(halo) {}

  // A new vector that holds the field's owned part, 0 in directions in which vertices are held.
  Vec copy(const Field& field, const System& system) {
    PetscScalar* values = nullptr;
    PetscHandle<Vec>& vector = vectors_.emplace_back();
    check_petsc(VecCreateMPI(halo_.communicator(), 3 * halo_.owned(), PETSC_DETERMINE, vector.receive()));
    check_petsc(VecGetArray(vector, &values));
    for (int i = 0; i < halo_.owned(); ++i) Eigen::Map<Vec3>(values + 3 * i) = system.held().free_part(i, field[i]);
    check_petsc(VecRestoreArray(vector, &values));
    return vector;
  }

 private:
  const Halo& halo_;
  std::vector<PetscHandle<Vec>> vectors_;
};

// Computes U and W of  A_H = A + U W^T  for the unknown change of velocity p, where positions change by R_q + a h (p - P p): W = M X, U = (a h)^2 df/dq X + a h
// M X B, where B is the modes' damping. The rank is s instead of 2s because positions are eliminated.
LowRankUpdate make_update(const System& system, const ModalSplit& split, double step, Vectors& vectors) {
  LowRankUpdate update;
  Field column(system.halo().local());
  for (int k = 0; k < split.basis().count(); ++k) {
    column.array() = step * step * split.gradient(k).array();
    split.basis().add_force(step * split.damping().col(k), column);
    update.u.push_back(vectors.copy(column, system));
    column.set_zero();
    split.basis().add_force(Eigen::VectorXd::Unit(split.basis().count(), k), column);
    update.w.push_back(vectors.copy(column, system));
  }
  return update;
}

}  // namespace

NewtonReport solve_linearized(StageEquation& equation, NewtonSolver& solver, const State& base, Field force, const StageExponential& exponential,
                              State& solution) {
  System& system = equation.system();
  const Halo& halo = system.halo();
  const Stage& stage = equation.stage();
  const double step = stage.step, impulse = stage.force_share * step;
  const ModalSplit* split = exponential.split;

  // The right side (R_q, M R_v); the momentum contains M already.
  State rest(halo.local());
  rest.q.array() = stage.q_hat.array() - base.q.array();
  rest.v.array() = stage.v_hat.array() - base.v.array();
  if (split && exponential.project_history) {
    split->basis().add_motion(-split->basis().coordinates(rest.q), rest.q);
    split->basis().add_motion(-split->basis().coordinates(rest.v), rest.v);
  }
  rest.q.array() += step * base.v.array();
  if (split) {
    split->basis().add_motion(exponential.increment.q - step * split->basis().coordinates(base.v), rest.q);
    split->basis().add_motion(exponential.increment.v, rest.v);
    split->basis().add_force(-split->loads(), force);
  }

  // Driven vertices move to their prescribed positions; `driven` holds the change of their velocity, and its effect on the other vertices is added to the right
  // side.
  State driven(halo.local()), target = base;
  target.time = stage.time;
  system.set_driven_positions(target);
  for (const DrivenGroup& group : system.driven())
    for (int vertex : group.vertices) driven.v[vertex] = system.held().held_part(vertex, (target.q[vertex] - base.q[vertex] - rest.q[vertex]) / step);
  if (!system.driven().empty()) system.exchange(driven.v);
  driven.q.array() = rest.q.array() + step * driven.v.array();
  Field right(halo.local());
  system.product(base, driven, right);
  right.array() += force.array();
  if (split) split->basis().add_force(-split->stiffness() * split->basis().coordinates(rest.q) - exponential.duration * split->drive(), right);
  right.array() = impulse * right.array() + stage.momentum.array();
  for (int i = 0; i < halo.owned(); ++i) right[i] += system.mass()[i] * rest.v[i];

  Vectors vectors(halo);
  const LowRankUpdate update = split ? make_update(system, *split, step, vectors) : LowRankUpdate{};
  const Vec right_side = vectors.copy(right, system), unknown = vectors.copy(right, system);
  NewtonReport report = solver.solve_linear(right_side, update, unknown);
  if (!report.converged) return report;

  State change(halo.local());
  const PetscScalar* values = nullptr;
  check_petsc(VecGetArrayRead(unknown, &values));
  for (int i = 0; i < halo.owned(); ++i) change.v[i] = driven.v[i] + system.held().free_part(i, Eigen::Map<const Vec3>(values + 3 * i));
  check_petsc(VecRestoreArrayRead(unknown, &values));
  system.exchange(change.v);
  change.q.array() = rest.q.array() + step * change.v.array();
  if (split) split->basis().add_motion(-step * split->basis().coordinates(change.v), change.q);
  solution = base;
  solution.time = stage.time;
  solution.q.array() += change.q.array();
  solution.v.array() += change.v.array();
  return report;
}

}  // namespace traction
