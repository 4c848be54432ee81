// Checks the rods that contacts name, before anything is computed.
#pragma once

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Throws InputError, which names the contact or the segment, where contact cannot take a body's rods: elliptic sections, several radii on one side, smooth
/// surfaces, and in rods that touch themselves segments shorter than the radius and bends sharper than it. `mesh`: of the body, where it starts. Serial.
void check_contact_of_rods(const Mesh& mesh, const Body& body, const Scene& scene);

/// Whether some contact lets a rod of the body touch the body's own rods.
bool touches_itself(const Body& body, const Scene& scene);

}  // namespace traction
