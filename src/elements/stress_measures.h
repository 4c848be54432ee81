// Stress and strain of deformed elements as seen in space (docs/theory/balance.md, "Stress and strain").
#pragma once

#include "elements/membrane_element.h"
#include "math/tensor.h"

namespace traction {

// The Cauchy stress sigma = P F^T / det F of a first Piola-Kirchhoff stress P [Pa], made symmetric: laws for small strains leave P F^T a little askew.
Mat3 cauchy_stress(const Mat3& F, const Mat3& P);

// sqrt(3/2 s:s) of the deviator s: in a bar that is pulled alone, the size of its stress.
double von_mises_stress(const Mat3& stress);

// ln V = ln(F F^T)/2, whose principal values are the logarithms of the principal stretches.
Mat3 logarithmic_strain(const Mat3& F);

// Force per present length in a sheet, T = P F^T / J2 with the stress resultant P [N/m] and the stretch of the area J2: a tensor in the sheet's plane.
Mat3 tension(const Matrix32<double>& F, const Matrix32<double>& P);

// ln V of a sheet: in its plane that of F, across it the logarithm of the thickness' stretch.
Mat3 logarithmic_strain(const MembraneMaterial& material, const Matrix32<double>& F);

}  // namespace traction
