// What is doubtful about shapes that contact touches otherwise than by edges and faces: sentences for the user.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "contact/gap_functions.h"
#include "mesh_partition/distribute.h"

namespace traction {

// A surface of triangles that is touched as a smooth one.
struct SmoothlyTouched {
  std::string contact;  // where it is described
  std::string name;     // of the surface
  double reach = 0;     // [m]
};

// Sharp edges, which the smooth surface rounds off, and places that are thinner than its reach. `region`: the triangles here, at least all around owned
// vertices. `has_outside`: their normals point out of a body. Collective.
std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const DistributedMesh& mesh, const std::vector<std::array<int, 3>>& region,
                                      bool has_outside);
// The same of an obstacle's, which every rank has as a whole.
std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const std::vector<Vec3>& points, const StaticSurface& surface);

// An obstacle so small that it fits between the vertices that touch it, whose edges have this length [m].
std::vector<std::string> doubts_about(const std::string& contact, const std::string& obstacle, const std::vector<GapFunction>& shapes, double longest_edge);

}  // namespace traction
