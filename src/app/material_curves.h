// Curves of a scene's solid materials in standard tests.
#pragma once

#include <string>
#include <vector>

#include "elements/homogeneous_loading.h"
#include "scene/scene.h"

namespace traction {

/// One row of materials.csv.
struct MaterialPoint {
  std::string material;  ///< BODY.REGION
  Loading loading{};
  double stretch = 1;  ///< along the load; the shear in shear
  double stress = 0;   ///< force per area at rest [Pa]
  double energy = 0;   ///< [J/m^3]
  double volume_ratio = 1;
};

/// Every solid region of the scene in each loading, over stretches from `least` to `most` (shears up to `most` - 1). A curve ends where a law has no state with
/// free sides. Serial.
std::vector<MaterialPoint> material_curves(const Scene& scene, double least, double most);

}  // namespace traction
