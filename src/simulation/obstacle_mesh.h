// The surfaces of obstacles.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mesh/read_mesh.h"
#include "scene/scene.h"

namespace traction {

/// A box's corners and triangles, with normals that point outward.
SurfaceMesh box_mesh(const BoxSettings& box);
/// Reads an obstacle's surface on rank 0 and distributes it to all ranks, in metres. @collective
SurfaceMesh obstacle_mesh(MPI_Comm communicator, const MeshObstacleSettings& settings);

}  // namespace traction
