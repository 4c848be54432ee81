// What a user should know of a body's mesh before a run: its size, and whether it is in one piece.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

struct BodySummary {
  std::string name;
  std::size_t vertices = 0, tetrahedra = 0, shells = 0, rods = 0;  // of rods the segments
  Eigen::AlignedBox3d extent;  // where it starts [m]
  double mean_edge = 0;        // of its elements, at rest [m]
  int parts = 0;               // that no element connects
  std::size_t coinciding = 0;  // vertices that lie, at rest, where another does that is not the same
};

// Summarizes each of the named bodies; the mesh has a region of each name that holds all vertices of the body.
std::vector<BodySummary> summarize_bodies(const Mesh& mesh, const std::vector<std::string>& bodies);

}  // namespace traction
