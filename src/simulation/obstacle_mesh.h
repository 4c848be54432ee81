// The surfaces of obstacles.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mesh/read_mesh.h"
#include "scene/scene.h"

namespace traction {

// A box's corners and triangles, normals out of it.
SurfaceMesh box_mesh(const BoxSettings& box);
// In metres. Read on rank 0, which every other has it from. Collective.
SurfaceMesh obstacle_mesh(MPI_Comm communicator, const MeshObstacleSettings& settings);

}  // namespace traction
