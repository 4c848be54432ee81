// A mesh in the memory of one rank, as read from a file: vertices, tetrahedra, triangles and named regions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// A named set of elements of one dimension (a Gmsh physical group). One element may belong to several regions.
struct Region {
  std::string name;
  int dimension = 3;               ///< members are indices into Mesh::tetrahedra for 3, Mesh::triangles for 2, and Mesh::vertices for 1 and 0
  std::vector<int> members;        ///< sorted, unique
  std::vector<int> segments = {};  ///< only for dimension 1: into Mesh::segments; sorted, unique
  std::vector<int> rods = {};      ///< only for dimension 1: into Mesh::rods; sorted
  int copies = 0;                  ///< number of elements that the file lists several times in this region; each is one member
};

/// A hinge: two triangles of a shell that share an edge, about which the shell bends.
struct Hinge {
  /// The edge's vertices, then those opposite to it in the first and in the second triangle; the first triangle has its vertices in the order 0, 1, 2
  std::array<int, 4> vertices;
  std::array<int, 2> triangles;  ///< into Mesh::triangles
};

/// A straight piece of a rod: its ends, and its twist. A twist is an unknown of its own, numbered among the vertices though it is at no place: in
/// Mesh::vertices it has the unit vector of the segment's first director at rest.
struct Rod {
  std::array<int, 3> vertices;
};

/// A joint: two segments of a rod that meet in a vertex, where the rod bends and twists.
struct Joint {
  std::array<int, 5> vertices;  ///< along the rod: three points, then the twists of the first and the second segment
  std::array<int, 2> rods;      ///< into Mesh::rods
};

/// A vertex whose position is at all times the sum of the positions of four others, by weights whose sum is 1.
struct DependentVertex {
  int vertex;
  std::array<int, 4> masters;  ///< none of which is dependent
  std::array<double, 4> weights;
};

/// A rigid body: four particles, each with a quarter of the mass, that have its center and moments of inertia, and span one tetrahedron; all other vertices of
/// the body depend on them (docs/theory/rigid.md, "Four particles").
struct RigidFrame {
  double mass = 0;                ///< with that of what is attached to it [kg]
  double own_mass = 0;            ///< without [kg]
  std::array<int, 4> particles;   ///< vertices
  std::array<Vec3, 4> positions;  ///< theirs at rest [m]
  double reach = 0;               ///< largest distance of a vertex from the center [m]
};

/// The moments of the inside of a rigid body, whose tetrahedra are not elements.
struct RigidInside {
  std::vector<Vec3> vertices;  ///< [m], where the body is placed
  std::vector<std::array<int, 4>> tetrahedra;
};

/// The edges of a tetrahedron by its corners, in the order of the mid-edge vertices of a ten-node tetrahedron.
inline constexpr std::array<std::array<int, 2>, 6> kTetrahedronEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// A ten-node tetrahedron. The mesh also has the eight tetrahedra in which it is cut, which give it surfaces, regions and frames, but no forces and no mass.
struct QuadraticTetrahedron {
  std::array<int, 10> vertices;  ///< four corners of positive volume, then the vertices of kTetrahedronEdges
  int first;                     ///< the first of its eight tetrahedra, which follow one another in Mesh::tetrahedra
};

/// Its elements are the tetrahedra and, numbered after them, the triangles that are shells, then the rods.
struct Mesh {
  std::vector<Vec3> vertices;                    ///< [m]
  std::vector<std::array<int, 4>> tetrahedra;    ///< positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0
  std::vector<QuadraticTetrahedron> quadratics;  ///< ten-node tetrahedra, whose parts are in `tetrahedra` (make_quadratic)
  std::vector<std::array<int, 3>> triangles;     ///< only those listed by the file; orientation as in the file
  std::vector<int> shells;                       ///< which triangles are elements; sorted, unique
  std::vector<Hinge> hinges;                     ///< between the shells that bend (find_hinges)
  std::vector<std::array<int, 2>> segments;      ///< only those listed by the file in regions, between vertices of the mesh
  std::vector<Rod> rods;                         ///< segments that are elements (add_rods)
  std::vector<Joint> joints;                     ///< between rods
  std::vector<DependentVertex> dependents;
  std::vector<RigidFrame> frames;    ///< one for each rigid body, in the order of the bodies
  std::vector<RigidInside> insides;  ///< one for each of them
  std::vector<Region> regions;
  int copied_tetrahedra = 0;  ///< number of tetrahedra that the file lists several times in one region, or without a region
  std::string source;         ///< the file it came from, for messages
  /// Where its vertices start [m], and how fast [m/s], if they do not start at rest in `vertices`: both are empty, or both have one entry per vertex.
  std::vector<Vec3> start_positions, start_velocities;

  const std::vector<Vec3>& start() const { return start_positions.empty() ? vertices : start_positions; }
  std::size_t elements() const { return tetrahedra.size() + shells.size() + rods.size(); }
  std::span<const int> element(std::size_t e) const {  // the element's vertices, including the twist of a rod
    if (e < tetrahedra.size()) return tetrahedra[e];
    if (e - tetrahedra.size() < shells.size()) return triangles[shells[e - tetrahedra.size()]];
    return rods[e - tetrahedra.size() - shells.size()].vertices;
  }
  bool is_rod(std::size_t e) const { return e >= tetrahedra.size() + shells.size(); }
  std::span<const int> corners(std::size_t e) const { return element(e).first(is_rod(e) ? 2 : element(e).size()); }  ///< the element's vertices without twists

  const Region* find_region(const std::string& name) const {
    for (const Region& region : regions)
      if (region.name == name) return &region;
    return nullptr;
  }
};

}  // namespace traction
