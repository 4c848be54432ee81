// Vertices of bodies that other bodies carry (docs/theory/rigid.md, "Attachments").
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "mesh/mesh_plan.h"
#include "scene/scene.h"
#include "system/system.h"

namespace traction {

// Gives rigid bodies the mass of the vertices that they carry. `vertex_mass`: for each body of the plan, of its vertices [kg]. Serial.
void add_attached_mass(const Scene& scene, MeshPlan& plan, const std::vector<std::vector<double>>& vertex_mass);

// Makes attached vertices dependent on those of the elements next to them. `mesh`: of all bodies, with their regions. Throws InputError where nothing can carry
// a vertex. Serial.
void attach(Mesh& mesh, const Scene& scene);

// The owned vertices of each attachment.
std::vector<std::vector<int>> attached_vertices(const System& system, const Scene& scene);

}  // namespace traction
