// The work and the size of factors, from which the cost of a preconditioner is estimated.
#pragma once

namespace traction {

/// The counts of a factorisation, the same on all ranks; 0 before the first one.
struct FactorCounts {
  double operations = 0;      ///< of a factorisation
  double entries = 0;         ///< of the factors
  double matrix_entries = 0;  ///< of the matrix
};

}  // namespace traction
