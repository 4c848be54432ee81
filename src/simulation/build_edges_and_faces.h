// Contact between the edges and faces of bodies and obstacles, from the scene.
#pragma once

#include <memory>
#include <vector>

#include "contact/edges_and_faces.h"
#include "simulation/contact_scales.h"

namespace traction {

/// The surfaces of a contact, and the stiffness it has for them.
struct ContactSurfaces {
  std::vector<ContactSurface> surfaces;
  std::vector<std::size_t> sides;  ///< for each surface: the number of its body, or after all of these that of its obstacle
  RestShape rest;
  SurfacePairs pairs;
  double stiffness = 0;                      ///< stiffness for a mean vertex [N/m]
  double mean_area = 0;                      ///< [m^2]
  std::vector<double> stiffness_per_area{};  ///< factor on the penalty, by local vertex [1/m^2]
};

/// Where bodies of the scene carry vertices of others, also by whole edges and triangles of these surfaces. @collective
AttachedPlaces attached_places(const Simulation& simulation, const std::vector<ContactSurface>& surfaces);

/// The surfaces of `bodies`, one for the faces and one for the rods of each, then those of `obstacles`, which have faces; `pairs` are to be filled in.
/// Adds a warning for every box that is left apart (FlushBoxes::doubts). @collective
ContactSurfaces contact_surfaces(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials,
                                 const std::vector<BodySurface>& bodies, const std::vector<const Obstacle*>& obstacles);

/// Adds a warning for every body whose faces are too near to each other at rest to touch. @collective
std::shared_ptr<EdgesAndFaces> edges_and_faces(Simulation& simulation, const ContactSettings& settings, ContactSurfaces surfaces);

}  // namespace traction
