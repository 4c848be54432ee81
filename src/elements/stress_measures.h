// Stress and strain of deformed elements as seen in space (docs/theory/balance.md, "Stress and strain").
#pragma once

#include "elements/membrane_element.h"
#include "math/tensor.h"

namespace traction {

/// The Cauchy stress sigma = P F^T / det F for a first Piola-Kirchhoff stress P [Pa], made symmetric, because P F^T is slightly asymmetric in laws for small
/// strains.
Mat3 cauchy_stress(const Mat3& F, const Mat3& P);

/// The von Mises stress sqrt(3/2 s:s) of the deviator s. In a bar that is pulled, it is the size of the stress.
double von_mises_stress(const Mat3& stress);

/// ln V = ln(F F^T)/2, whose principal values are the logarithms of the principal stretches.
Mat3 logarithmic_strain(const Mat3& F);

/// Force per present length in a sheet, T = P F^T / J2, a tensor in the sheet's plane. P is the stress resultant [N/m], J2 the stretch of the area.
Mat3 tension(const Matrix32<double>& F, const Matrix32<double>& P);

/// ln V of a sheet: F determines it in the sheet's plane; across the sheet it is the logarithm of the thickness' stretch.
Mat3 logarithmic_strain(double squared_thickness_stretch, const Matrix32<double>& F);

}  // namespace traction
