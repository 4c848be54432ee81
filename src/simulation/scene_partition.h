// The partition that a scene asks for, with the cost of contact.
#pragma once

#include <string>
#include <vector>

#include "mesh_partition/partition.h"
#include "scene/scene.h"

namespace traction {

/// The cost of contact at each vertex of the scene's mesh, in units of one tetrahedron; empty if the scene gives contact no weight. Contact is computed by the
/// owners of touching vertices, on both sides only if each touches the other: touched triangles cost their owner next to nothing. `contacts_per_step`: mean
/// number of contacts of each vertex per step; if empty, all vertices of the surfaces that may touch count. Serial.
std::vector<double> contact_costs(const Scene& scene, const Mesh& mesh, const std::vector<double>& contacts_per_step = {});

/// Reads the partition from the scene's file, or makes it by METIS. Contact costs count in the latter case, and for another number of parts. Serial.
Partition partition_for(const Scene& scene, const Mesh& mesh, int parts, const std::vector<double>& contacts_per_step = {});

}  // namespace traction
