// Solves for vertices in contact one by one before Newton's method judges an iterate: nonlinear elimination (docs/theory/newton.md, "Vertices in contact
// first").
#pragma once

#include <vector>

#include "parallel/petsc_handle.h"
#include "system/stage_equation.h"

namespace traction {

/// Works with forces that have VertexForces. Vertices that these forces omit do not move. All functions are collective.
class VertexElimination {
 public:
  /// `layout`: a vector with the layout of the equation's vectors.
  VertexElimination(StageEquation& equation, Vec layout);
  VertexElimination(const VertexElimination&) = delete;
  VertexElimination& operator=(const VertexElimination&) = delete;

  /// Called before each solve of a stage.
  void begin();
  /// Replaces v, whose residual the equation has evaluated last, and that residual, if moving the vertices in contact reduces the norm of the whole residual.
  /// Returns the norm [kg m/s].
  double improve(Vec v, Vec residual, double norm);
  /// The number of replacements since `begin`.
  int kept() const { return kept_; }

  /// Copies v to `moved` with each vertex in contact at the solution of its own equation. False, with an undefined `moved`, if these vertices hold too little
  /// of the residual, or if low modes are split off, because the equation has another form then.
  bool move(Vec v, Vec residual, double norm, Vec moved);

 private:
  struct Vertex {
    int number;
    Vec3 residual;  ///< residual at v [kg m/s]
    Vec3 force;     ///< contact force at v [N]
    Mat3 block;     ///< block of dr/dv, without contact [kg]
  };
  bool select(Vec residual, double norm);
  bool would_touch(const Vertex& vertex);
  void solve(const Vertex& vertex);
  void place(int vertex, const Vec3& velocity);
  Vec3 contact_force(int vertex, Mat3& derivative) const;

  StageEquation& equation_;
  PetscHandle<Vec> moved_, moved_residual_;
  bool worthwhile_ = true;
  int kept_ = 0;
  std::vector<VertexForces*> forces_;
  State state_;  ///< the state with the vertices moved so far
  Field start_;  ///< velocities before the move
  std::vector<Vertex> vertices_;
};

}  // namespace traction
