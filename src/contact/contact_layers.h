// Layers that stiffen the cubic penalty without adding energy (docs/theory/contact.md, "Layers").
#pragma once

#include "contact/contact_law.h"

namespace traction {

// What a solved step showed of a contact whose gaps close too far.
struct Penetration {
  double start_gap = 0;  // the smallest where the step starts [m]
  double end_gap = 0;    // the smallest where it ends [m]
  double energy = 0;     // the largest m v^2 / 2 of vertices that are too deep there and go deeper [J]
};

// The thickness of the thinnest layer, or of the contact where it has none [m].
double thinnest(const ContactLaw& law);
// A step must leave all gaps at least this [m]: then a layer that is put in later, and may be no thicker than the gap, is not much thinner than the last.
double least_gap_after_step(const ContactLaw& law);
// Whether a layer can begin at this gap: not where vertices are behind the surface, or almost so.
bool has_room_for_layer(const ContactLaw& law, double start_gap);
// The thickness of the layer that answers a step from this gap [m].
double layer_thickness(const ContactLaw& law, double start_gap);
// Whether that would be so thin that the step is better taken in shorter ones first.
bool is_too_thin(const ContactLaw& law, const Penetration& penetration);

// Adds that layer, or makes it stiffer if the law has one of this thickness already. Half its thickness holds the force that the law had at the deepest point,
// and stores the energy that the law took from there on and the vertices still had.
void add_layer(ContactLaw& law, const Penetration& penetration);
// Removes the layers that are less than half as thick as the smallest gap [m], and all when that is the contact's thickness. They store nothing.
void remove_layers(ContactLaw& law, double minimum_gap);

}  // namespace traction
