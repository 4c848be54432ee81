// Properties of a body's mesh that a user should know before a run, such as its size and whether it is in one piece.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/mesh_faults.h"

namespace traction {

/// The properties of a body's mesh that the log reports.
struct BodySummary {
  std::string name;
  std::size_t vertices = 0, tetrahedra = 0, shells = 0, rods = 0;  ///< `rods`: their segments
  std::size_t quadratics = 0;                                      ///< ten-node tetrahedra, whose parts `tetrahedra` are
  Eigen::AlignedBox3d extent;                                      ///< where it starts [m]
  double mean_edge = 0;                                            ///< mean length of its elements' edges, at rest [m]
  int parts = 0;                                                   ///< number of pieces that no element connects
  double center_outside = 0;                                       ///< distance of a rigid body's center of mass from the convex hull of its mesh [m]
  bool is_rigid = false;                                           ///< whether the body is rigid; its only tetrahedron is then that of its particles
  double rigid_mass = 0;                                           ///< of a rigid body without what is attached to it [kg]
  std::size_t coinciding = 0;                                      ///< number of pairs of vertices in one place at rest, unless it is rigid
  std::optional<Vec3> flush;                                       ///< a place where parts of a solid lie against each other at rest and are not joined [m]
  std::vector<LoosePart> loose;                                    ///< parts of its shells and rods that can turn freely
  MeshDoubts doubts;                                               ///< doubts about its tetrahedra at rest, unless it is rigid
};

/// If a body is larger than this [m] and its mesh is not scaled, the mesh may be in millimetres.
constexpr double kSizeInMillimetres = 10;

/// Ends a message about a body whose place is wrong: names the unit of its mesh as a possible cause. Empty for smaller bodies. `size`: its longest side [m].
std::string doubt_about_units(const std::string& body, double size);

/// The same for a body and another one, or an obstacle, that start in the same place: names an obstacle only if it is also far larger than the body.
std::string doubt_about_units(const std::string& body, double size, const std::string& other, double other_size, bool is_obstacle);

/// The pairs of places that coincide up to rounding, by their numbers: each with the first of those in the same place.
std::vector<std::array<std::size_t, 2>> coinciding_places(const std::vector<Vec3>& places);

/// Summarizes each of the named bodies. The mesh must have a region of each name that holds all vertices of the body.
std::vector<BodySummary> summarize_bodies(const Mesh& mesh, const std::vector<std::string>& bodies);

}  // namespace traction
