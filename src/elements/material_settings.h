// What bodies are made of.
#pragma once

#include "settings/source.h"

namespace traction {

struct SolidMaterialSettings {
  double youngs_modulus = 0;  // [Pa]
  double poisson_ratio = 0;
  double density = 0;  // [kg/m^3]
  Source source;
};

// Of a thin sheet of triangles. Moduli and density are those of its surface; where a scene gives a thickness t and the bulk's E and rho they are E t, rho t,
// and E t^3 / (12 (1 - nu^2)) for bending.
struct ShellMaterialSettings {
  double youngs_modulus = 0;     // [N/m]
  double poisson_ratio = 0;      // from above -1 to 0.5, which is incompressible: the sheet thins as it is stretched
  double density = 0;            // [kg/m^2]
  double bending_stiffness = 0;  // [N m]; 0: a membrane
  double thickness = 0;          // [m], of contact: surfaces touch half of it before the triangles do
  bool flat = false;             // bends towards a plane instead of the shape it is meshed in
  Source source;
  bool operator==(const ShellMaterialSettings&) const = default;
};

}  // namespace traction
