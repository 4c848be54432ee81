// Settings of Newton's method and its linear systems.
#pragma once

#include <array>

#include "settings/declaration.h"
#include "system/operator_settings.h"

namespace traction {

enum class NewtonMethod { inexact_newton, newton };  ///< P0 Algorithms 2 and 1
enum class PreconditionerKind { automatic, none, block_jacobi, ilu, asm_ilu, gamg, hypre, ml, mumps, mumps_single };
enum class KrylovMethod { automatic, fgmres, bicgstab };

constexpr auto choices_of(NewtonMethod) {
  return std::to_array<Choice<NewtonMethod>>({{NewtonMethod::inexact_newton, "inexact_newton", "Solves to a forcing term with a Krylov method."},
                                              {NewtonMethod::newton, "newton", "Solves directly."}});
}

constexpr auto choices_of(PreconditionerKind) {
  using enum PreconditionerKind;
  return std::to_array<Choice<PreconditionerKind>>(
      {{automatic, "automatic", "mumps_single up to 80 thousand vertices, ml above; from 2 thousand on, block_jacobi while that costs less."},
       {none, "none", "None, for comparison."},
       {block_jacobi, "block_jacobi", "The 3x3 blocks of the vertices on the diagonal."},
       {ilu, "ilu", "Incomplete factors of each rank's part."},
       {asm_ilu, "asm_ilu", "Incomplete factors of overlapping parts."},
       {gamg, "gamg", "PETSc's algebraic multigrid."},
       {hypre, "hypre", "hypre's algebraic multigrid."},
       {ml, "ml", "Trilinos' algebraic multigrid."},
       {mumps, "mumps", "Factors in double precision."},
       {mumps_single, "mumps_single", "Factors in single precision."}});
}

constexpr auto choices_of(KrylovMethod) {
  using enum KrylovMethod;
  return std::to_array<Choice<KrylovMethod>>(
      {{automatic, "automatic", "bicgstab if the preconditioner is none, block_jacobi, ilu or asm_ilu; otherwise fgmres."},
       {fgmres, "fgmres", "Flexible GMRES."},
       {bicgstab, "bicgstab", "BiCGStab."}});
}

/// How Newton's method and its linear systems are solved.
struct SolverSettings {
  static constexpr SettingsDescription kDescription{"solver", "Newton's method and its linear systems."};
  SETTING(NewtonMethod, method, NewtonMethod::inexact_newton, "How each Newton system is solved.");
  SETTING(OperatorKind, linear_operator, OperatorKind::assembled, "How the matrix of the Newton systems is applied; both are exact.", key("operator"));
  SETTING(KrylovMethod, krylov, KrylovMethod::automatic, "Krylov method of inexact_newton.");
  SETTING(PreconditionerKind, preconditioner, PreconditionerKind::automatic, "Preconditioner of the Krylov method.");
  SETTING(double, tolerance, 1e-5, "Mass-weighted root mean square of the velocity error at which the iteration ends.", unit("m/s"), positive);
  SETTING(
      double, relative_tolerance, 1e-3,
      "Allowed error relative to the velocity change that forces, or weight alone, cause in a step; the smaller of both tolerances applies. Without inertia: "
      "allowed imbalance relative to the forces that act, whatever the tolerance.",
      at_least(1e-9), at_most(1));
  SETTING(double, forcing, 0.01, "Forcing term of the first iteration (sigma of P0 Algorithm 2).", above(0), below(1), hint("a usual value is 0.01"));
  SETTING(int, maximum_iterations, 60, "Newton iterations per stage; a landing with friction may take thirty.", at_least(1));
  SETTING(int, maximum_linear_iterations, 2000, "Linear iterations per Newton iteration.", at_least(1));
  SETTING(int, restart, 60, "Iterations after which fgmres restarts; each needs the memory of two vectors until then.", at_least(1));
  SETTING(bool, contact_first, true, "Vertices in contact solve their own equations before each iterate is judged, which saves iterations in impacts.");
  SETTING(bool, reproducible, false, "Makes results the same to the last bit in every run on the same number of ranks, interrupted or not.");
};

}  // namespace traction
