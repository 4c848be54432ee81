// Finds motions by which bodies leave an unstable equilibrium (docs/theory/integrators.md, "Unstable equilibria").
#pragma once

#include <optional>

#include "system/stage_equation.h"

namespace traction {

/// A motion away from an equilibrium, which forces drive rather than resist.
struct UnstableMotion {
  Field direction;  ///< phi on owned vertices, with phi^T M phi = 1 [kg^-1/2]; its sign is arbitrary
  double rate = 0;  ///< sigma [1/s]: with the bodies' whole mass, it grows from rest as cosh(sigma t)
};

/// Looks for eigenvectors of A x = lambda M x with lambda < 0, where A = dr/dv of the stage that `equation` has begun, at its solution `at`, whose ghosts are
/// valid. Arnoldi's method (SLEPc's Krylov-Schur) with M^1/2 A^-1 M^1/2, by a factorisation by MUMPS, finds the lowest of them, one after the other. A motion
/// counts only if the exact product with A confirms it, beyond rounding. If several motions are found, at most six, the result is that part of them which leads
/// towards the displacement `toward`, or the first motion if that part is small. SLEPc's and PETSc's options have the prefix -stability_. Nothing if it finds
/// none, or if MUMPS could not factorise A. @collective
std::optional<UnstableMotion> unstable_motion(StageEquation& equation, const State& at, const Field& toward);

}  // namespace traction
