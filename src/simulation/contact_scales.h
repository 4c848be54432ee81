// How large and how hard the parts of contact surfaces are: what a contact's stiffness is shared out by.
#pragma once

#include <vector>

#include "contact/contact_law.h"
#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

// Area of the region's triangles around each owned vertex, a third from each [m^2].
std::vector<double> vertex_areas(const DistributedMesh& mesh, const LocalRegion& region);

const Body& body_of(const Scene& scene, const std::string& name);

// How far the surface of a body's shells is from their triangles: half their thickness, the largest of the body's [m].
double half_thickness(const Body& body);

// What the penalty of each local vertex presses with at zero gap [Pa]: the contact's pressure, or a part of the Young's modulus of the stiffest material there.
// Where the contact has a stiffness, only ratios count, and all are 1. `bodies`: those that touch. Throws InputError for shells without a thickness.
std::vector<double> pressures_at_zero_gap(const DistributedMesh& mesh, const SceneMaterials& materials, const ContactSettings& settings,
                                          const std::vector<const Body*>& bodies);

// The stiffness of a mean vertex and what each of some vertices has of it: forces at zero gap add up to the pressure times the area.
struct StiffnessShares {
  double stiffness = 0;             // kappa [N/m]
  double mean_area = 0;             // [m^2]
  std::vector<PairWeight> weights;  // of each vertex
};
// `vertices`: owned. `areas`: of owned vertices [m^2], `pressures`: of local ones. Collective.
StiffnessShares share_stiffness(MPI_Comm communicator, const ContactSettings& settings, const std::vector<int>& vertices, const std::vector<double>& areas,
                                const std::vector<double>& pressures);

}  // namespace traction
