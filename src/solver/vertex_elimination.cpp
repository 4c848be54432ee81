#include "solver/vertex_elimination.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>

#include "parallel/collective.h"
#include "parallel/log_event.h"

namespace traction {

namespace {

constexpr double kShareToTry = 0.5;        // share of |r|^2 that vertices in contact must hold
constexpr double kSmallShare = 0.1;        // relative to the mean |r_i|^2 over the vertices near contact: vertices with less stay
constexpr double kWorthwhile = 0.9;        // largest remaining share of the norm: otherwise the rest of the solve omits the elimination
constexpr double kVertexTolerance = 1e-3;  // share of a vertex's residual that may remain, because its equation is an approximation itself
constexpr double kVertexDecrease = 1e-4;
constexpr int kVertexIterations = 20;
constexpr int kVertexBacktracks = 12;

}  // namespace

VertexElimination::VertexElimination(StageEquation& equation, Vec layout) : equation_(equation) {
  check_petsc(VecDuplicate(layout, moved_.receive()));
  check_petsc(VecDuplicate(layout, moved_residual_.receive()));
}

void VertexElimination::begin() {
  worthwhile_ = true;
  kept_ = 0;
}

double VertexElimination::improve(Vec v, Vec residual, double norm) {
  if (!worthwhile_ || !move(v, residual, norm, moved_)) return norm;
  check_petsc(VecAXPY(moved_, -1, v));
  if (equation_.admissible_part(v, moved_).value_or(0) < 1) return norm;
  check_petsc(VecAXPY(moved_, 1, v));
  equation_.residual(moved_, moved_residual_);
  PetscReal moved_norm = 0;
  check_petsc(VecNorm(moved_residual_, NORM_2, &moved_norm));
  worthwhile_ = moved_norm < kWorthwhile * norm;
  if (!(moved_norm < norm)) return norm;
  ++kept_;
  check_petsc(VecCopy(moved_, v));
  check_petsc(VecCopy(moved_residual_, residual));
  return moved_norm;
}

bool VertexElimination::move(Vec v, Vec residual, double norm, Vec moved) {
  static const LogEvent event("VertexElimination");
  const LogEvent::Scope timed(event);
  if (equation_.stage().split) return false;
  forces_.clear();
  for (const auto& term : equation_.system().forces())
    if (VertexForces* part = term->vertex_forces()) forces_.push_back(part);
  if (forces_.empty()) return false;
  state_ = equation_.evaluated();
  start_ = state_.v;
  for (VertexForces* part : forces_) part->hold_others(state_);
  if (!select(residual, norm)) return false;
  for (const Vertex& vertex : vertices_) solve(vertex);
  PetscScalar* values = nullptr;
  check_petsc(VecCopy(v, moved));
  check_petsc(VecGetArray(moved, &values));
  for (const Vertex& vertex : vertices_) Eigen::Map<Vec3>(values + 3 * vertex.number) = state_.v[vertex.number];
  check_petsc(VecRestoreArray(moved, &values));
  return true;
}

// Finds the vertices that touch, or would touch without contact forces, and hold a share of the residual. False if together they hold too little of it.
bool VertexElimination::select(Vec residual, double norm) {
  const System& system = equation_.system();
  std::vector<int> near;
  for (const VertexForces* part : forces_) near.insert(near.end(), part->vertices().begin(), part->vertices().end());
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::erase_if(near, [&](int vertex) { return system.held().whole()[vertex] != 0; });

  vertices_.clear();
  const PetscScalar* values = nullptr;
  check_petsc(VecGetArrayRead(residual, &values));
  std::array<double, 2> sums{0, static_cast<double>(near.size())};  // |r_i|^2, vertices
  for (int i : near) sums[0] += Eigen::Map<const Vec3>(values + 3 * i).squaredNorm();
  sum_over_ranks(system.communicator(), sums);
  double held = 0;
  if (sums[0] > kShareToTry * norm * norm)
    for (int i : near) {
      Vertex vertex;
      vertex.number = i;
      vertex.residual = Eigen::Map<const Vec3>(values + 3 * i);
      if (vertex.residual.squaredNorm() < kSmallShare * sums[0] / sums[1]) continue;
      vertex.block = equation_.vertex_block(i);
      Mat3 derivative;
      vertex.force = contact_force(i, derivative);
      if (vertex.force.isZero(0) && !would_touch(vertex)) continue;
      held += vertex.residual.squaredNorm();
      vertices_.push_back(vertex);
    }
  check_petsc(VecRestoreArrayRead(residual, &values));
  return sum_over_ranks(system.communicator(), held) > kShareToTry * norm * norm;
}

// Whether a vertex that does not touch would do so if its equation were solved without contact.
bool VertexElimination::would_touch(const Vertex& vertex) {
  const int i = vertex.number;
  Mat3 derivative;
  place(i, start_[i] - equation_.system().held().free_part(i, vertex.block.partialPivLu().solve(vertex.residual)));
  const Vec3 force = contact_force(i, derivative);
  place(i, start_[i]);
  return !force.isZero(0);  // true for NaN
}

void VertexElimination::place(int vertex, const Vec3& velocity) {
  const Stage& stage = equation_.stage();
  state_.v[vertex] = velocity;
  state_.q[vertex] = stage.q_hat[vertex] + stage.step * velocity;
}

Vec3 VertexElimination::contact_force(int vertex, Mat3& derivative) const {
  Vec3 force = Vec3::Zero();
  derivative.setZero();
  const Linearization at(state_, equation_.stage().step, 1);
  for (const VertexForces* part : forces_) part->add(vertex, at, force, derivative);
  return force;
}

// Damped Newton iterations on the vertex's three equations (docs/theory/newton.md, "Vertices in contact first", (N9)), in the directions in which it is free.
void VertexElimination::solve(const Vertex& vertex) {
  const int i = vertex.number;
  const HeldVertices& held = equation_.system().held();
  const double impulse = equation_.impulse();
  const Vec3 start = start_[i];
  Mat3 derivative;
  const auto residual_at = [&](const Vec3& w) -> Vec3 {
    place(i, w);
    const Vec3 change = contact_force(i, derivative) - vertex.force;
    return held.free_part(i, vertex.residual + vertex.block * (w - start) - impulse * change);
  };
  Vec3 w = start, r = residual_at(w);
  const double goal = kVertexTolerance * r.norm();
  for (int iteration = 0; iteration < kVertexIterations && r.norm() > goal; ++iteration) {
    const Mat3 jacobian = held.free_part(i, i, vertex.block - impulse * derivative) + held.projector(i);
    const Vec3 step = jacobian.partialPivLu().solve(r);
    Vec3 next, next_r;
    bool accepted = false;
    double alpha = 1;
    for (int tried = 0; tried <= kVertexBacktracks && !accepted; ++tried, alpha /= 2) {
      next = w - alpha * step;
      next_r = residual_at(next);
      accepted = next_r.norm() <= (1 - kVertexDecrease * alpha) * r.norm();  // false for NaN
    }
    if (!accepted) break;
    w = next;
    r = next_r;
  }
  place(i, w);
}

}  // namespace traction
