// The speed at which the two sides of a scene's contact approach each other, and the stiffness that this requires (contact/stiffness_ahead.h).
#pragma once

#include <vector>

#include "contact/contact_group.h"
#include "contact/feature_search.h"
#include "contact/gap_functions.h"
#include "contact/stiffness_ahead.h"
#include "simulation/scene_materials.h"
#include "system/rigid_motion.h"
#include "system/system.h"

namespace traction {

/// One side of a contact.
struct ContactFace {
  std::vector<int> vertices;  ///< owned
  double impedance = 0;       ///< impedance of the stiffest solid at these vertices, 0 for a shell [Pa s/m]
  double mass = 0;            ///< mass of the heaviest of these vertices [kg]
};
/// Collects the properties of one side. @collective
ContactFace contact_face(const System& system, const SceneMaterials& materials, std::vector<int> vertices);

/// `area`: the mean area share of a vertex that touches [m^2]. Refers to the system.
StiffnessAhead ahead_of_obstacle(const System& system, double thickness, double area, ContactFace face, std::vector<GapFunction> obstacle, Motion motion);
/// `both`: vertices of the second face touch the first face, too.
StiffnessAhead ahead_of_body(const System& system, double thickness, double area, ContactFace first, ContactFace second, bool both);
/// Makes the stiffness follow the speed at which the faces of solids approach wires or nails, which take the load of a whole face along a line or in a point;
/// does nothing if no obstacle has any, or if all bodies are shells. Refers to the system. @collective
void look_ahead_of_wires(ContactGroup& group, const System& system, const SceneMaterials& materials, double area, const std::vector<ContactSurface>& surfaces);

}  // namespace traction
