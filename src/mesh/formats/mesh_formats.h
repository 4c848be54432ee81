// The readers behind read_mesh, one per family of formats. Internal to this folder.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace traction {

Mesh read_gmsh(const std::string& path);  // .msh
Mesh read_vtk(const std::string& path);   // .vtu and legacy .vtk, told apart by the extension

// The whole file as bytes. Throws FileError if reading fails.
std::string read_bytes(const std::string& path);

}  // namespace traction
