// Layers that stiffen the cubic penalty without adding energy (docs/theory/contact.md, "Layers").
#pragma once

#include "contact/contact_law.h"

namespace traction {

/// Measurements of a solved step in which the gaps of a contact close too far.
struct Penetration {
  double start_gap = 0;  ///< smallest gap where the step starts [m]
  double end_gap = 0;    ///< smallest gap where the step ends [m]
  double energy = 0;     ///< largest m v^2 / 2 of the vertices that are too deep at the end and move deeper [J]
};

/// The thickness of the thinnest layer, or of the contact if it has no layers [m].
double thinnest(const ContactLaw& law);
/// The smallest gap a step may end with [m]. A layer added later may be no thicker than the gap, so this keeps it from being much thinner than the last one.
double least_gap_after_step(const ContactLaw& law);
/// Whether a layer can begin at this gap: it cannot where vertices are behind the surface, or almost so.
bool has_room_for_layer(const ContactLaw& law, double start_gap);
/// The thickness of the layer that is added after a step from this gap [m].
double layer_thickness(const ContactLaw& law, double start_gap);
/// Whether that layer would be so thin that the step should first be repeated with shorter steps.
bool is_too_thin(const ContactLaw& law, const Penetration& penetration);

/// Adds that layer, or makes it stiffer if the law already has one of this thickness. At half the layer's thickness it exerts the force that the law had at the
/// deepest point, and stores the energy that the law absorbed from there on plus what the vertices still had.
void add_layer(ContactLaw& law, const Penetration& penetration);
/// Removes the layers that are less than half as thick as the smallest gap [m], and all layers when the gap reaches the contact's thickness. The removed layers
/// store no energy.
void remove_layers(ContactLaw& law, double minimum_gap);

}  // namespace traction
