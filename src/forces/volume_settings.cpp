#include "forces/volume_settings.h"

namespace traction {

void VolumePenaltySettings::complete(const Given& given) const {
  for (const char* key : {"surface", "close_rims"}) {
    if (!region.empty() && given.has(key)) given.fail(key, "goes with a surface, but a region of tetrahedra is named too; remove one of the two");
  }
  if (!region.empty() && excluded_volume != 0) given.fail("excluded_volume", "lies within a surface, but a region of tetrahedra is named; leave it out");
  for (std::size_t i = 1; i < inflation.size(); ++i) {
    if (inflation[i].time <= inflation[i - 1].time)
      given.fail("inflation." + std::to_string(i) + ".time", "must be later than the time before it; sort the list by time");
  }
  if (model == VolumeModel::ideal_gas) {
    if (given.has("compressibility")) given.fail("compressibility", "has no effect on an ideal gas; leave it out, or name another model");
    return;
  }
  if (given.has("adiabatic_index")) given.fail("adiabatic_index", "is for the model 'ideal_gas', not for '" + std::string(word_of(model)) + "'; leave it out");
  if (!given.has("compressibility")) given.fail("compressibility", "is missing; give it in 1/Pa; that of water is 4.6e-10");
  if (compressibility <= 0) given.fail("compressibility", "must be greater than 0 for the model '" + std::string(word_of(model)) + "'; give it in 1/Pa");
  // The rest volume of the quadratic model is V / (1 - p kappa).
  if (model == VolumeModel::quadratic && gauge_pressure * compressibility >= 1)
    given.fail("gauge_pressure", "times the compressibility must be below 1 for the model 'quadratic'; lower one of the two");
}

}  // namespace traction
