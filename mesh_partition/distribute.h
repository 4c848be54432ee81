// Distributes a mesh from one rank, so that each rank gets its share.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mesh/mesh.h"
#include "mesh_partition/partition.h"
#include "parallel/halo.h"

namespace traction {

/// A region as one rank sees it. Every rank has all regions, in the same order; a region may have no members here.
struct LocalRegion {
  std::string name;
  int dimension = 3;
  std::vector<int> members;    ///< dimension 3: into tetrahedra, 2: into triangles, else into vertices (all local numbers)
  std::vector<int> vertices;   ///< the members' vertices, sorted, owned and ghosts
  std::vector<int> rods = {};  ///< only for dimension 1: into rods
};

/// A dependent vertex that this rank owns.
struct LocalDependent {
  int vertex;                       ///< local number
  std::array<PetscInt, 4> masters;  ///< global numbers
  std::array<double, 4> weights;
};

/// A ten-node tetrahedron as one rank sees it.
struct LocalQuadratic {
  std::array<int, 10> vertices;  ///< as in QuadraticTetrahedron; local numbers
  int part;                      ///< index into `tetrahedra` of one of the eight into which it is cut; its regions are those of the element
};

/// One rank's share of the mesh: its owned vertices, every element that touches one of them, all hinges of every patch (ShellPatches) that does, every joint
/// that does with its rods, and the other vertices of these as ghosts. This local data suffices to compute the forces on owned vertices.
struct DistributedMesh {
  std::shared_ptr<const Halo> halo;
  std::vector<Vec3> vertices;                  ///< at rest [m], or a director (Rod), local numbers; owned first, in reverse Cuthill-McKee order
  std::vector<int> vertex_ids;                 ///< number in the undistributed mesh: the same at any rank count
  std::vector<std::array<int, 4>> tetrahedra;  ///< local numbers; the first `interior_tetrahedra` touch owned vertices only, each group sorted for locality
  int interior_tetrahedra = 0;
  std::vector<LocalQuadratic> quadratics;  ///< ten-node tetrahedra that touch an owned vertex; the first `interior_quadratics` touch owned vertices only
  int interior_quadratics = 0;
  std::vector<int> quadratic_of;              ///< for each tetrahedron the ten-node one that it is a part of, or -1; empty without ten-node tetrahedra
  std::vector<std::array<int, 3>> triangles;  ///< triangles that touch an owned vertex or are in a local hinge
  std::vector<int> shells;                    ///< numbers of the triangles that are elements
  std::vector<Hinge> hinges;                  ///< all hinges of the patches that touch an owned vertex; local numbers
  std::vector<Rod> rods;                      ///< the segments that touch an owned vertex or belong to a local joint; local numbers
  std::vector<Joint> joints;                  ///< the joints that touch an owned vertex; local numbers
  std::vector<int> twists;                    ///< the vertices that are twists; sorted
  std::vector<LocalDependent> dependents;
  std::vector<RigidFrame> frames;  ///< all rigid bodies, the same on every rank; `particles` are global numbers
  std::vector<LocalRegion> regions;
  std::unordered_map<std::string, std::size_t> region_numbers;  ///< indices into `regions`, by name; if several have one name, the first of them
  std::vector<Vec3> start_positions;                            ///< by local vertex, see Mesh [m]
  std::vector<Vec3> start_velocities;                           ///< [m/s]

  /// Whether a tetrahedron is a part of a ten-node one, which has its forces and its mass.
  bool is_part(int tetrahedron) const { return !quadratic_of.empty() && quadratic_of[static_cast<std::size_t>(tetrahedron)] >= 0; }

  /// Every element counts on exactly one rank: the one that owns its vertex with the lowest global number.
  template <std::size_t N>
  bool owns(const std::array<int, N>& element) const;

  const LocalRegion& region(const std::string& name) const;       ///< the name must exist (checked when the scene was built)
  const LocalRegion* find_region(const std::string& name) const;  ///< null if no region has this name
};

template <std::size_t N>
bool DistributedMesh::owns(const std::array<int, N>& element) const {
  int lowest = element[0];
  for (int vertex : element)
    if (halo->to_global(vertex) < halo->to_global(lowest)) lowest = vertex;
  return lowest < halo->owned();
}

/// Rank 0 passes the mesh and a partition with as many parts as ranks; the other ranks' arguments are ignored. @collective
DistributedMesh distribute(MPI_Comm communicator, const Mesh& mesh, const Partition& partition);

}  // namespace traction
