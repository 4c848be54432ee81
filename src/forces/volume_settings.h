// Enclosed gas or liquid, and regions that keep their volume: what a user can choose.
#pragma once

#include <string>
#include <vector>

#include "settings/source.h"

namespace traction {

enum class VolumeModel { quadratic, ideal_gas, nearly_incompressible };  // P0 Eqs. 19, 17, 18

// How much gas or liquid there is, in parts of what there is at the start; linear between times, constant before and after. None: 1.
struct InflationPoint {
  double time = 0;    // [s]
  double factor = 1;  // positive
};
using Inflation = std::vector<InflationPoint>;  // times ascend

struct VolumePenaltySettings {
  std::string surface;  // a closed surface region of the body, or its rims are closed by flat caps (`close_rims`)
  std::string region;   // or a region of tetrahedra, that keeps its volume
  bool close_rims = false;
  double excluded_volume = 0;  // [m^3] within the surface that is not filled: a wheel's in its tire
  VolumeModel model = VolumeModel::ideal_gas;
  double gauge_pressure = 0;                // [Pa]; above the ambient 101325 Pa, at the initial volume
  double compressibility = 1.0 / 101325.0;  // kappa_v [1/Pa]; quadratic and nearly_incompressible only
  Inflation inflation;
  bool sparse = false;  // drop the rank-one term from the product, as P0 does for its direct solver
  Source source;
};

}  // namespace traction
