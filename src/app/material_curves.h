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
  double stretch = 1;  ///< stretch along the load; in shear the shear
  double stress = 0;   ///< force per area at rest [Pa]
  double energy = 0;   ///< [J/m^3]
  double volume_ratio = 1;
};

/// One row of relaxation.csv: the shear modulus for small strains at a time after a sudden deformation, and in oscillations of the angular frequency 1 / time.
struct ModulusPoint {
  std::string material;                        ///< BODY.REGION
  double time = 0;                             ///< [s]
  double relaxing = 0, storage = 0, loss = 0;  ///< [Pa]
};

/// Every solid region with stress that relaxes, over times from a hundredth of its shortest relaxation time to a hundred times its longest
/// (docs/theory/balance.md, "Viscoelastic rubber"). Serial.
std::vector<ModulusPoint> relaxation_curves(const Scene& scene);

/// Every solid region of the scene in each loading, over stretches from `least` to `most` (shears up to `most` - 1). Solids with fibres are loaded
/// along and across them. A curve ends where a law has no state with free sides. Serial.
std::vector<MaterialPoint> material_curves(const Scene& scene, double least, double most);

/// One row of cyclic.csv: a state of a specimen of rubber that softens, in uniaxial tension that is repeated and increased.
struct CyclicPoint {
  std::string material;  ///< BODY.REGION
  int cycle = 0;         ///< from 1
  double stretch = 1;
  double stress = 0;      ///< force per area at rest [Pa]
  double energy = 0;      ///< energy density that the specimen gives back [J/m^3]
  double dissipated = 0;  ///< so far [J/m^3]
};

/// Every solid region that softens, stretched twice to a third of the way to `most`, twice to two thirds, and twice to `most`. Serial.
std::vector<CyclicPoint> cyclic_curves(const Scene& scene, double most);

/// The rows as CSV with a header.
std::string table_of(const std::vector<MaterialPoint>& points);
std::string table_of(const std::vector<ModulusPoint>& points);
std::string table_of(const std::vector<CyclicPoint>& points);

}  // namespace traction
