// Blocks of a Jacobian between vertices that no element joins, such as those of bodies in contact.
#pragma once

#include <petscsys.h>

#include <algorithm>
#include <span>
#include <vector>

#include "math/tensor.h"
#include "parallel/index_map.h"
#include "system/held_vertices.h"

namespace traction {

/// A 3x3 block at the row and columns of any two vertices, given by their global numbers.
struct Coupling {
  PetscInt row, column;
  Mat3 block;
};

inline bool same_place(const Coupling& a, const Coupling& b) { return a.row == b.row && a.column == b.column; }

/// The vertices that couplings name, and numbers of theirs: those of this rank's vertices are read in place, others come from their owners.
class CoupledVertices {
 public:
  /// @collective
  CoupledVertices(const IndexMap& vertices, const std::vector<Coupling>& couplings);

  /// The local number of a vertex that this rank owns; those of other ranks are numbered after these.
  int number(PetscInt vertex) const {
    const PetscInt local = vertex - map_.first_owned();
    if (local >= 0 && local < map_.owned()) return static_cast<int>(local);
    return map_.owned() + static_cast<int>(std::lower_bound(others_.begin(), others_.end(), vertex) - others_.begin());
  }
  const std::vector<PetscInt>& others() const { return others_; }  ///< ascending
  /// `own`: begins with `components` numbers for each owned vertex. Returns the numbers of the vertices in others(). @collective
  std::vector<double> of_others(std::span<const double> own, int components) const;

 private:
  const IndexMap& map_;
  std::vector<PetscInt> others_;
};

/// The sum of all ranks' couplings, in rows that this rank owns, sorted by row and column, without rows and columns of the directions in which vertices are
/// held. Blocks of one place are added in the order of the ranks and, within a rank, of its list: equal lists give equal bits. @collective
std::vector<Coupling> sum_couplings(const IndexMap& vertices, std::vector<Coupling> couplings, const HeldVertices& held);

}  // namespace traction
