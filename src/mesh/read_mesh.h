// Reading meshes from files, and the checks a mesh must pass before it is simulated. Serial: called on one rank.
#pragma once

#include <map>
#include <string>

#include "mesh/mesh.h"

namespace traction {

// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vtu or legacy .vtk. Vertices that no tetrahedron or triangle uses are dropped.
// Throws InputError (naming the file and the line, byte offset or element) on anything malformed, FileError if the file can't be read.
Mesh read_mesh(const std::string& path);

// Runs Gmsh on a parametric .geo file with `-3 -setnumber NAME VALUE ...`, writing `msh_path`, and returns nothing; read_mesh then reads it.
// Throws InputError with Gmsh's own message when it fails, when Gmsh is not installed, or when a parameter is not named in the .geo file.
void generate_mesh(const std::string& geo_path, const std::map<std::string, double>& parameters, const std::string& msh_path);

// Throws InputError naming the file and element: no tetrahedra, a vertex index out of range, a repeated vertex, a non-finite coordinate, an inverted
// (negative volume) or degenerate tetrahedron (volume below 1e-12 of its longest edge cubed), a degenerate triangle.
void check_elements(const Mesh& mesh);

// The outer faces of the tetrahedra (those that belong to exactly one), oriented outward from the solid.
// Throws InputError if a face belongs to more than two tetrahedra.
std::vector<std::array<int, 3>> boundary_faces(const Mesh& mesh);

// Reorients the triangles `region.members` of the mesh in place so that the region is a closed, consistently oriented surface that encloses a positive
// volume, and returns that volume [m^3]. Throws InputError naming the region and an open or non-manifold edge if it does not close.
double orient_closed_surface(Mesh& mesh, const Region& region);

}  // namespace traction
