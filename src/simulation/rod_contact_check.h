// Checks the rods that contacts name, before anything is computed.
#pragma once

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Throws InputError, which names the contact or the segment, if contact does not support a body's rods. These are rods with elliptic sections or several radii
/// on one side, rods against smooth surfaces, and rods that touch themselves and have segments shorter than the radius or bends sharper than it. `mesh`: the
/// body's mesh where it starts. Serial.
void check_contact_of_rods(const Mesh& mesh, const Body& body, const Scene& scene);

/// Throws InputError unless all that a contact with the potential imc names is rods alone, and its thickness suits their radii: this potential is a function
/// of the distance between the axes of two rods and of their radii.
void check_rods_of_imc(const ContactSettings& settings, const Scene& scene);

/// Whether some contact lets a rod of the body touch the body's own rods.
bool touches_itself(const Body& body, const Scene& scene);

}  // namespace traction
