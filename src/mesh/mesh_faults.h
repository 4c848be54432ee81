// Faults of meshes of tetrahedra that give a body a wrong mass or stiffness, although each tetrahedron is right.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

/// Throws InputError that names two tetrahedra and a place if two of the mesh share space, so that its mass would count twice there: an element listed twice, a
/// folded mesh, a part that was meshed twice. Tetrahedra that share vertices, edges or faces and no space do not overlap, however the mesh is turned; parts
/// that reach into each other by less than an element's middle are left to `doubts_about`. n log n; the volumes of all tetrahedra are positive.
void refuse_overlaps(const Mesh& mesh);

/// Doubtful properties of a solid, which may be intended, but are more often mistakes.
struct MeshDoubts {
  std::size_t flat = 0;          ///< number of tetrahedra that are all but flat
  double least_height = 0;       ///< the least height of a tetrahedron over its longest edge
  Vec3 flattest = Vec3::Zero();  ///< the middle of the flattest tetrahedron [m]
  std::optional<Vec3> crossing;  ///< a place where the surface of the solid crosses itself [m]
  std::optional<Vec3> hinge;     ///< a place where two parts have vertices in common, all on one line, and no face [m]
  bool hinge_is_edge = false;    ///< whether they have more than one vertex in common
};
/// Doubts about a solid of some tetrahedra, with its vertices `x` at rest [m]. Vertices that are marked in `stiffened` belong to other elements, too, and are
/// no hinges. n log n.
MeshDoubts doubts_about(const std::vector<Vec3>& x, const std::vector<std::array<int, 4>>& tetrahedra, const std::vector<char>& stiffened);

/// A part of a mesh's shells or rods that can turn freely about where it meets the other elements.
struct LoosePart {
  int vertex;  ///< one that it has in common with them
  Vec3 place;  ///< where that is at rest [m]
  bool is_rod;
  bool meets_edge;  ///< whether it meets them along a line, else in a vertex
};
/// The parts of bending shells whose vertices in common with tetrahedra all lie on one line, and the parts of rods that have one vertex in common with
/// tetrahedra or shells. Parts with a vertex that is marked in `attached` are held otherwise. n log n.
std::vector<LoosePart> find_loose_parts(const Mesh& mesh, const std::vector<char>& attached);

}  // namespace traction
