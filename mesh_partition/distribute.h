// From a mesh on one rank to each rank's share of it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "mesh_partition/partition.h"
#include "parallel/halo.h"

namespace traction {

// A region as one rank sees it. Every rank has all regions, in the same order; a region may have no members here.
struct LocalRegion {
  std::string name;
  int dimension = 3;
  std::vector<int> members;   // dimension 3: into tetrahedra, 2: into triangles, else into vertices (all local numbers)
  std::vector<int> vertices;  // the members' vertices, sorted, owned and ghosts
  std::vector<int> rods = {};  // of a region of dimension 1: into rods
};

// One rank's share: its owned vertices, every element that touches one of them, the hinges of every patch (ShellPatches) and the joints that do, with
// their rods, and the other vertices of these as ghosts. Forces on owned vertices can so be computed from local data alone.
struct DistributedMesh {
  std::shared_ptr<const Halo> halo;
  std::vector<Vec3> vertices;                  // at rest [m], or a director (Rod), local numbers; owned first, in reverse Cuthill-McKee order
  std::vector<int> vertex_ids;                 // number in the undistributed mesh: the same at any rank count
  std::vector<std::array<int, 4>> tetrahedra;  // local numbers; the first `interior_tetrahedra` touch owned vertices only, each group sorted for locality
  int interior_tetrahedra = 0;
  std::vector<std::array<int, 3>> triangles;  // that touch an owned vertex or are in a local hinge
  std::vector<int> shells;                    // which of them are elements
  std::vector<Hinge> hinges;                  // of the patches that touch an owned vertex; local numbers
  std::vector<Rod> rods;        // that touch an owned vertex or are in a local joint; local numbers
  std::vector<Joint> joints;    // that touch an owned vertex; local numbers
  std::vector<int> twists;      // the vertices that are twists; sorted
  std::vector<LocalRegion> regions;
  std::vector<Vec3> start_positions;   // [m], in local numbers; as Mesh has them
  std::vector<Vec3> start_velocities;  // [m/s]

  // Every element counts on exactly one rank: the one that owns its vertex with the lowest global number.
  template <std::size_t N>
  bool owns(const std::array<int, N>& element) const;

  const LocalRegion& region(const std::string& name) const;       // the name must exist (checked when the scene was built)
  const LocalRegion* find_region(const std::string& name) const;  // null if there is none
};

template <std::size_t N>
bool DistributedMesh::owns(const std::array<int, N>& element) const {
  int lowest = element[0];
  for (int vertex : element)
    if (halo->to_global(vertex) < halo->to_global(lowest)) lowest = vertex;
  return lowest < halo->owned();
}

// Rank 0 passes the mesh and a partition with as many parts as ranks; the other ranks' arguments are ignored. Collective.
DistributedMesh distribute(MPI_Comm communicator, const Mesh& mesh, const Partition& partition);

}  // namespace traction
