// Newton's method and its linear systems: what a user can choose.
#pragma once

#include "system/operator_settings.h"

namespace traction {

enum class NewtonMethod { inexact_newton, newton };  // P0 Algorithms 2 and 1
enum class PreconditionerKind { automatic, none, block_jacobi, ilu, asm_ilu, gamg, hypre, ml, mumps, mumps_single };
enum class KrylovMethod { fgmres, bicgstab };

struct SolverSettings {
  NewtonMethod method = NewtonMethod::inexact_newton;
  OperatorKind linear_operator = OperatorKind::assembled;  // of the Newton systems; both exact
  KrylovMethod krylov = KrylovMethod::fgmres;              // inexact_newton only
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  double tolerance = 1e-5;      // [m/s]: mass-weighted root mean square of M^-1 r
  double forcing = 0.01;        // sigma of P0 Algorithm 2
  int maximum_iterations = 60;  // Newton iterations per stage; a landing with friction may take thirty
  int maximum_linear_iterations = 2000;
  bool reproducible = false;  // the same bits from every run on so many ranks, whenever it was interrupted
};

}  // namespace traction
