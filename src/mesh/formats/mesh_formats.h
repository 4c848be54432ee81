// The readers behind read_mesh, one per family of formats. Internal to this folder.
#pragma once

#include <set>
#include <string>

#include "mesh/mesh.h"
#include "mesh/read_mesh.h"

namespace traction {

/// `rods` and `shells`: the names of regions whose segments and triangles are elements. All elements of the last two formats are in regions.
Mesh read_gmsh(const std::string& path, const std::set<std::string>& rods, const std::set<std::string>& shells);  ///< .msh
Mesh read_vtk(const std::string& path, const std::set<std::string>& rods, const std::set<std::string>& shells);   ///< .vtu and legacy .vtk, by the extension
Mesh read_inp(const std::string& path, const std::set<std::string>& rods);                                        ///< .inp
Mesh read_points(const std::string& path, const std::set<std::string>& rods);                                     ///< .txt

constexpr const char* kRodWithoutName = "rod";  ///< the region of lines that belong to no other region

/// Reads the elements of a surface as its file lists them, for read_surface to check.
SurfaceMesh read_gmsh_surface(const std::string& path);
SurfaceMesh read_vtk_surface(const std::string& path);

/// Reads the points of a .vtu or legacy .vtk file in its order, with its point array "velocity", or zeros.
VertexMotion read_vtk_points(const std::string& path, bool with_velocities);

/// Throws InputError if a file is empty, or if its beginning shows that it is not a mesh but a picture, an archive or a program.
void refuse_other_file(const std::string& path);

/// The whole file as bytes. Throws FileError if reading fails.
std::string read_bytes(const std::string& path);

}  // namespace traction
