// Vertices that follow others by fixed weights, which are no unknowns of their own (docs/theory/rigid.md, "Dependent vertices").
#pragma once

#include <memory>
#include <vector>

#include "mesh_partition/distribute.h"
#include "parallel/scatter.h"
#include "system/couplings.h"
#include "system/state.h"

namespace traction {

/// The matrix W of all positions x = W q by the independent ones, where x and q are fields over the same vertices: W is 1 for an independent vertex. All
/// functions are collective, and do nothing, without communication, where no rank has dependent vertices.
class DependentVertices {
 public:
  /// `mass`: by local vertex [kg]; only those of owned vertices are read. The masses of dependent vertices are added to their masters, except for rigid bodies,
  /// whose particles have them already.
  DependentVertices(const DistributedMesh& mesh, std::vector<double>& mass);

  bool any() const { return any_; }                                 ///< on any rank
  const std::vector<char>& marks() const { return is_dependent_; }  ///< for each local vertex

  /// x = W q: gives owned dependent vertices the positions or velocities that those of their masters entail. Ghosts are not touched.
  void spread(Field& field) const;
  /// f -> W^T f: moves forces on owned dependent vertices to their masters.
  void gather(Field& force) const;
  /// K -> W^T K W: replaces the rows and columns of dependent vertices, on whatever ranks they live. Lists the block of two masters once for all vertices that
  /// have the same masters, so that the list grows with the bodies that touch, not with the vertices that do.
  void reduce(std::vector<Coupling>& couplings) const;

  /// The values of a field at the first masters of this rank's dependent vertices, in the order of DistributedMesh::dependents.
  std::vector<Vec3> first_masters(const Field& field) const;

  /// The mass [kg] with which a vertex resists a force on it alone while all others are free: for a dependent vertex 1 / (sum of w^2 / m over its masters),
  /// else its own. One for each owned vertex.
  const std::vector<double>& effective_mass() const { return effective_mass_; }
  /// Whether all masters of each owned dependent vertex are marked; 0 for other vertices. `marks`: for each local vertex.
  std::vector<char> all_masters_marked(const std::vector<char>& marks) const;

 private:
  void pass_mass(const DistributedMesh& mesh, std::vector<double>& mass) const;

  void list_shares();

  const IndexMap* map_;
  std::vector<LocalDependent> dependents_;
  std::vector<PetscInt> masters_;                   ///< global numbers of all masters, ascending
  std::vector<std::array<int, 4>> master_numbers_;  ///< for each dependent vertex, into masters_
  std::vector<char> is_dependent_;
  std::shared_ptr<const Scatter> scatter_;
  std::vector<double> effective_mass_;
  std::vector<double> shares_;  ///< for each owned vertex four pairs of a master's global number and its weight; an independent one has itself, then -1
  std::vector<int> groups_;     ///< for each owned vertex: vertices of one group have the same masters in the same order
  std::vector<std::array<PetscInt, 4>> masters_of_group_;
  bool any_ = false;
};

}  // namespace traction
