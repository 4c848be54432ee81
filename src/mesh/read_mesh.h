// Reading meshes from files, and the checks a mesh must pass before it is simulated. Serial: called on one rank.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "mesh/mesh.h"

namespace traction {

/// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vtu or legacy .vtk, or .inp (Abaqus). Vertices that no tetrahedron or triangle uses are dropped. Throws
/// InputError (naming the file and the line, byte offset or element) on anything malformed and on a file that doesn't exist or may not be read, FileError if
/// the machine fails to read it.
///
/// Regions are Gmsh's physical groups; in the formats of VTK they are the values of the cell array "region" (strings or integers) or else
/// "gmsh:physical" (integers, 0 for none). A group without a name is called physical_NUMBER, and in VTK an integer is its own name; where
/// regions of several dimensions share a number, only the one of highest dimension has the plain name, the others are called NAME_surface,
/// NAME_curve and NAME_point. Two regions with one name, and regions without members, don't exist: the former is an InputError, the latter
/// are left out. A tetrahedron in no region is kept, a triangle in no region is dropped. An element that the file lists several times, once
/// for each of its groups, is one element.
///
/// In .inp files regions are sets and surfaces, in instances called INSTANCE.NAME, and instances themselves (docs/scenes.md, "Meshes of Abaqus"). Of those that
/// share a name the one of highest dimension has it; the others end in _surface, _curve or _point. Elements outside of instances that are in no set are in the
/// region solid, shell or rod. Two of one dimension and name, compared without case, are an InputError.
///
/// The segments of regions named in `rods` are elements, too, whose vertices are kept. For them .txt files can be read, of one point "x y z" per line in the
/// order along a rod (a fourth number is not used), whose region is called "rod", with
/// first_point, last_point, and the ends of first_segment and last_segment; so are lines and poly-lines of VTK's formats that are in no region.
///
/// If `shells` names the mesh's own region `all` or `boundary` (mesh/own_regions.h), and the file has no tetrahedra and no region of that name, triangles in no
/// region are kept. If `rods` names `all`, and the file has neither tetrahedra nor triangles nor a region of that name, it is the region of all segments,
/// whether or not they are in regions. add_own_regions adds the others.
Mesh read_mesh(const std::string& path, const std::set<std::string>& rods = {}, const std::set<std::string>& shells = {});

/// Where the vertices of a body start, and how fast [m/s].
struct VertexMotion {
  std::vector<Vec3> positions, velocities;
};
/// Reads a .vtu or legacy .vtk file with one point per vertex, in the order of the body's mesh, or a frame fields_NNNNNN.hdf of a run or the last one in
/// fields.hdf: there the body has its name, or is alone. `unit`: that of lengths in the former [m]; frames are in metres. The velocities are the file's point
/// array "velocity" if wanted, else 0. Throws InputError that names the file if it is none of these, has no velocities, has another number of vertices than
/// `vertices`, or numbers that are not finite.
VertexMotion read_vertex_motion(const std::string& path, const std::string& body, std::size_t vertices, bool with_velocities, double unit);

/// Runs Gmsh on a parametric .geo file with `-3 -setnumber NAME VALUE ...`, writing `msh_path`, and returns nothing; read_mesh then reads
/// it. A failed run leaves nothing behind, nor does it touch an older file of that name. Throws InputError with Gmsh's own message when it
/// fails, when Gmsh is not installed, or when a parameter would have no effect: it is not named in the .geo file, or is assigned there
/// outside of DefineConstant. Throws FileError if `msh_path` can't be written, Interrupted when a signal asks for an end meanwhile.
void generate_mesh(const std::string& geo_path, const std::map<std::string, double>& parameters, const std::string& msh_path);

/// Throws InputError naming the file and element: neither tetrahedra nor triangles, a vertex index out of range, a repeated vertex, a non-finite coordinate, an
/// inverted (negative volume) or degenerate tetrahedron (volume below 1e-12 of its longest edge cubed), a degenerate triangle (area below
/// 1e-12 of its longest edge squared), a member of a region out of range.
void check_elements(const Mesh& mesh);

/// The outer faces of the tetrahedra (those that belong to exactly one), oriented outward from the solid.
/// Throws InputError if a face belongs to more than two tetrahedra.
std::vector<std::array<int, 3>> boundary_faces(const Mesh& mesh);

/// The triangles of a region, oriented out of the solid. Throws InputError if one is not an outer face of the tetrahedra, or if an edge belongs to more than
/// two.
std::vector<std::array<int, 3>> outward_faces(const Mesh& mesh, const Region& region);

/// A surface without a body behind it, as obstacles have. It may contain wires and nails besides triangles, or nothing else.
struct SurfaceMesh {
  std::vector<Vec3> vertices;                 ///< [m] as in the file
  std::vector<std::array<int, 3>> triangles;  ///< normals by the right hand
  std::vector<std::array<int, 2>> segments;   ///< segments that are not edges of a triangle
  std::vector<int> points;                    ///< vertices that belong to no triangle and no segment
  bool closed = false;                        ///< two triangles at every edge
};
/// Reads the triangles of a .stl file (ASCII or binary); faces ("f"), poly-lines ("l") and points ("p") of a .obj file; the triangles of a .msh file, with the
/// segments and points of its physical curves and points; the triangles, lines, poly-lines and vertices of a .vtu or legacy .vtk file. Vertices in one place
/// are one; elements that have collapsed are left out. Seams between parts that only nearly match are closed. Throws InputError naming the file and the place:
/// nothing in it, a degenerate triangle, neighbours that are oriented differently, an edge of more than two triangles, any other kind of element.
SurfaceMesh read_surface(const std::string& path);

/// How deep a point lies behind a surface, and where it is [m].
struct Overlap {
  double depth = 0;  ///< [m]; 0 for none
  Vec3 at = Vec3::Zero();
};
/// The depth of the deepest point behind a closed surface: inside if its triangles are oriented outward, outside if they are oriented inward. Nothing lies
/// behind an empty surface.
Overlap deepest_overlap(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface, const std::vector<Vec3>& points);

/// The point where an edge of one surface passes through the inside of a triangle of the other, if they cross; surfaces that only touch do not cross.
std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& first, const std::vector<Vec3>& y,
                                  const std::vector<std::array<int, 3>>& second);
/// The point where a segment passes through the inside of a triangle.
std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& y,
                                  const std::vector<std::array<int, 2>>& segments);
/// The point where a surface crosses itself.
std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles);

/// Reorients the triangles `region.members` of the mesh in place so that the region is a closed, consistently oriented surface that encloses
/// a positive volume, and returns that volume [m^3]. Throws InputError naming the region and an open or non-manifold edge if it does not
/// close. The surface may have several parts; one inside another bounds the enclosed volume from within and is oriented inward.
double orient_closed_surface(Mesh& mesh, const Region& region);

}  // namespace traction
