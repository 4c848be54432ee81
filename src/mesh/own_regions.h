// The regions that every mesh has, whether or not its file names any: `all` and `boundary`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

/// The region of all elements: the tetrahedra of a mesh, or if it has none its triangles, or if it has neither its segments.
inline constexpr const char* kAllElements = "all";
/// The region of the outer surface: the faces of the tetrahedra that belong to exactly one, or if the mesh has no tetrahedra its triangles.
inline constexpr const char* kOuterSurface = "boundary";

/// Whether a name that a file gives to a region is that of the mesh's own region `own`, in small or capital letters. The own region does not exist then, so
/// that `all` never means another thing than a set that its file calls ALL.
bool takes_own_name(const std::string& name_in_file, const std::string& own);

/// Adds those of the own regions that are named in `wanted` and whose names the file has not taken, with the triangles of the outer surface that the file does
/// not list. A face that the file lists, in either orientation, is the same triangle. Throws InputError if a face belongs to more than two tetrahedra. Serial.
void add_own_regions(Mesh& mesh, const std::set<std::string>& wanted);

/// The names of the own regions that the mesh has, or would have if they were wanted, for messages.
std::vector<std::string> own_regions(const Mesh& mesh);

}  // namespace traction
