#include "contact/contact_layers.h"

#include <algorithm>

namespace traction {

namespace {

constexpr double kLeastGap = 0.1;    // in thicknesses of the thinnest layer
constexpr double kLeastRoom = 0.01;  // in thicknesses of the thinnest layer
constexpr double kThin = 0.02;       // in thicknesses of the contact
constexpr double kHysteresis = 2;    // ratio of the gap at which a layer is removed to the layer's thickness

}  // namespace

double thinnest(const ContactLaw& law) { return law.layers.empty() ? law.thickness : law.layers.back().thickness; }

double least_gap_after_step(const ContactLaw& law) { return kLeastGap * thinnest(law); }

bool has_room_for_layer(const ContactLaw& law, double start_gap) { return start_gap > kLeastRoom * thinnest(law); }

double layer_thickness(const ContactLaw& law, double start_gap) { return std::min(start_gap, thinnest(law)); }

bool is_too_thin(const ContactLaw& law, const Penetration& penetration) {
  const double thickness = layer_thickness(law, penetration.start_gap);
  return thickness < kThin * law.thickness && penetration.start_gap - penetration.end_gap > thickness;
}

void add_layer(ContactLaw& law, const Penetration& penetration) {
  const double thickness = layer_thickness(law, penetration.start_gap), half = thickness / 2;
  const double force = law.normal_force(std::min(penetration.end_gap, half));
  const double taken = std::max(0.0, law.energy(penetration.end_gap) - law.energy(thickness));
  // At half the thickness a layer has the force 3/4 kappa_l delta_l and the energy kappa_l delta_l^2 / 8.
  const double stiffness = std::max(force / (0.75 * thickness), (taken + penetration.energy) / (half * half / 2));
  if (!law.layers.empty() && law.layers.back().thickness == thickness) law.layers.back().stiffness += stiffness;
  else law.layers.push_back({thickness, stiffness});
}

void remove_layers(ContactLaw& law, double minimum_gap) {
  std::erase_if(law.layers, [&](const ContactLayer& layer) { return minimum_gap >= std::min(kHysteresis * layer.thickness, law.thickness); });
}

}  // namespace traction
