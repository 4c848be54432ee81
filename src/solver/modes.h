// The lowest modes of vibration of a system about a state, K x = lambda M x, by SLEPc's EPS.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "system/modal_basis.h"

namespace traction {

/// The modes that were found, by ascending frequency.
struct Modes {
  std::vector<double> eigenvalues;  ///< lambda, the squares of the angular frequencies [1/s^2]; ascending
  std::shared_ptr<const ModalBasis> basis;
  double scale = 0;  ///< size of the eigenvalues of the lowest modes that deform, estimated [1/s^2]
};

/// Computes the `count` modes nearest to lambda = 0. Modes that share the lambda of the last one are computed, too, because rounding decides on their order; a
/// square beam has such modes. K = -df/dq of the system's modal forces at `state`, whose ghosts are valid, as if it were at rest; driven vertices are held. The
/// method is Lanczos (Krylov-Schur) on M^1/2 (K + sigma M)^-1 M^1/2, with each inverse to 1e-13 by GMRES on a factorisation by MUMPS. `source`: where the count
/// was given, for the InputError that is thrown if the system has fewer modes. Throws SolverError if they are not found. SLEPc's and PETSc's options have the
/// prefix -modes_.
/// @collective
Modes lowest_modes(System& system, const State& state, int count, const std::string& source = "time.modes");

}  // namespace traction
