// Distributes a total among the vertices of a region.
#pragma once

#include <map>
#include <vector>

#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// The vertices with masses of their own that are attached to what carries them; without the surfaces of rigid bodies, which have none.
struct AttachedMasses {
  explicit AttachedMasses(const System& system);  ///< @collective

  std::vector<LocalDependent> vertices;  ///< of this rank
  bool is_any;                           ///< on any rank
};

/// The masses [kg] of a body's owned vertices, `body` being the region of all of it. The particles of a rigid body have the mass of the vertices that are
/// attached to it, too. Those vertices appear with the negative of their masses, so that total, center and moments are the body's own. @collective
std::map<int, double> masses_of_body(const System& system, const LocalRegion& body, const AttachedMasses& attached);
std::map<int, double> masses_of_body(const System& system, const LocalRegion& body);  ///< The same for one body. @collective

/// The masses [kg] that the owned vertices of a region, or of a whole body, have from its own elements. @collective
std::map<int, double> masses_of_region(const System& system, const SceneMaterials& materials, const LocalRegion& region);

/// The share of each owned vertex of a region: the integral of its shape function over the area at rest if `by_area` [m^2], else its mass as above [kg]. On
/// faces of ten-node tetrahedra corners have hardly any area, or a negative one where faces are curved. Where the region has no elements with mass, the share
/// is that of all elements around the vertex, or 1 where these have none either, as on a rigid body. Those of a whole rigid body are on its particles alone,
/// and some of them may be negative if it carries much mass. @collective
std::map<int, double> shares_of_vertices(const System& system, const SceneMaterials& materials, const LocalRegion& region, bool by_area);

}  // namespace traction
