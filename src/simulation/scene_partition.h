// The partition a scene asks for, with what contact costs.
#pragma once

#include <string>
#include <vector>

#include "mesh_partition/partition.h"
#include "scene/scene.h"

namespace traction {

// What contact costs at each vertex of the scene's mesh, in units of one tetrahedron; empty when the scene gives contact no weight. A contact is
// computed where its vertices live, on both sides only when each is against the other: triangles that are touched cost their owner next to nothing.
// `contacts_per_step`: in how many contacts each vertex was in a mean step; empty: all vertices of the surfaces that may touch count. Serial.
std::vector<double> contact_costs(const Scene& scene, const Mesh& mesh, const std::vector<double>& contacts_per_step = {});

// From the scene's file, or by METIS. Contact costs weigh in the latter, and where the file has another number of parts. Serial.
Partition partition_for(const Scene& scene, const Mesh& mesh, int parts, const std::vector<double>& contacts_per_step = {});

}  // namespace traction
