// Sizes and stiffnesses of the parts of contact surfaces, by which a contact's stiffness is distributed.
#pragma once

#include <vector>

#include "contact/contact_law.h"
#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// The rods on a side of a contact, by their local numbers.
std::vector<int> rods_of(const DistributedMesh& mesh, const Body& body, const std::string& region);
/// The owned vertices of these rods, in ascending order.
std::vector<int> owned_ends(const DistributedMesh& mesh, const std::vector<int>& rods);
/// Area of these rods around each owned vertex, half of each segment's as seen from the side [m^2].
std::vector<double> rod_areas(const DistributedMesh& mesh, const std::vector<int>& rods, double radius);

/// The distance from a body's shell triangles to their surface: half the largest thickness [m].
double half_thickness(const Body& body);
/// The distances of a region's triangles from the surface of the body's shells, which are 0 where only a solid is.
struct HalfThicknesses {
  double smallest, largest;  ///< [m]
  bool of_shells;            ///< whether any triangle is a shell's, perhaps without a thickness
};
/// @collective
HalfThicknesses half_thicknesses(const DistributedMesh& mesh, const Body& body, const LocalRegion& region);
/// The largest of these distances [m]. @collective
double half_thickness(const DistributedMesh& mesh, const Body& body, const LocalRegion& region);
/// Whether friction acts on the surface of a body's shells, and not on their middle (docs/theory/friction.md, "Shells").
bool rubs_beside_middle(const Body& body, const ContactSettings& settings);
/// Warnings of sides of contacts that are not of one thickness, which touch everywhere as the thickest part does. @collective
std::vector<std::string> doubts_about_thicknesses(const DistributedMesh& mesh, const Scene& scene);

/// What a side of a contact touches.
enum class TouchedSide {
  rigid,       ///< rigid bodies and obstacles, on which rigid bodies press no harder than rigid_pressure()
  deformable,  ///< deformable bodies, or bodies of both kinds
};

/// The pressure of the penalty at zero gap for each local vertex [Pa]: the contact's pressure, or a part of the Young's modulus of the stiffest material there.
/// If the contact has a stiffness, only ratios count, and all are 1. `bodies`: those that touch. Throws InputError for shells without a thickness.
std::vector<double> pressures_at_zero_gap(const DistributedMesh& mesh, const SceneMaterials& materials, const ContactSettings& settings,
                                          const std::vector<const Body*>& bodies, TouchedSide touched);

/// The pressure at zero gap with which a rigid body presses on rigid bodies and obstacles at most, and obstacles on it [Pa]; infinite if that is no less than
/// what it presses with anyway, if the contact has a pressure or a stiffness, and for deformable bodies.
double rigid_pressure(const SceneMaterials& materials, const ContactSettings& settings, const Body& body);

/// The largest pressure at zero gap of each body. It is infinite for rigid bodies, whose modulus follows from the loads to be expected and not from a material,
/// and which press on others no harder than those press back. @collective
std::vector<double> largest_pressures(const DistributedMesh& mesh, const std::vector<const Body*>& touching, const std::vector<double>& pressures);

/// The stiffness of a mean vertex, and the share of each vertex: forces at zero gap add up to the pressure times the area.
struct StiffnessShares {
  double stiffness = 0;             ///< kappa [N/m]
  double mean_area = 0;             ///< [m^2]
  std::vector<PairWeight> weights;  ///< one for each vertex
};
/// `vertices`: owned. `areas`: one for each owned vertex [m^2]; `pressures`: one for each local vertex. @collective
StiffnessShares share_stiffness(MPI_Comm communicator, const ContactSettings& settings, const std::vector<int>& vertices, const std::vector<double>& areas,
                                const std::vector<double>& pressures);
/// The stiffness of a side of a contact whose vertices touch: the scene's, or the kappa whose penalty presses with p at zero gap on the mean area A of a
/// vertex, 3 kappa delta = p A. p is the scene's pressure, or else a part of the Young's modulus of the material beneath, for a rigid body at most that of what
/// it touches. Other vertices have it in proportion to their areas. `touched`: null for an obstacle. @collective
StiffnessShares share_stiffness_of_side(const DistributedMesh& mesh, const SceneMaterials& materials, const ContactSettings& settings,
                                        const std::vector<int>& vertices, const LocalRegion& region, const Body& body, const Body* touched);
/// The same as share_stiffness() for each of several bodies, of which a rank may own no vertex. @collective
std::vector<StiffnessShares> share_stiffness_by_body(MPI_Comm communicator, const ContactSettings& settings, const std::vector<std::vector<int>>& bodies,
                                                     const std::vector<double>& areas, const std::vector<double>& pressures);

}  // namespace traction
