// The Jacobian of a stage as a matrix, for preconditioners.
#pragma once

#include <petscmat.h>

#include <algorithm>
#include <span>
#include <vector>

#include "system/couplings.h"
#include "system/stage_equation.h"

namespace traction {

/// 3x3 blocks of dr/dv, without the part that a split removes: exact ones between neighbouring vertices, and the forces' couplings as an approximation of the
/// rest. Its pattern and bits depend on the state only, not on earlier contents. It is of use for right sides without a part along the directions in which
/// vertices are held (StageEquation::set_held_aside), where it has numbers of the size of its others in place of the mass.
class StageMatrix {
 public:
  /// Without `couples` only couplings of a vertex with itself count, so that the pattern is always that of the mesh.
  StageMatrix(StageEquation& equation, bool couples);

  StageEquation& equation() const { return equation_; }
  /// Assembles the matrix at the equation's last linearize. Returns whether the pattern has changed; the first pattern is the mesh's. @collective
  bool assemble();
  /// Marks the owned vertices whose rows have blocks that are not zero besides the one on the diagonal: not those that are held whole or follow others.
  std::vector<char> coupled_vertices() const;
  /// Calls action(row, columns, blocks) for each owned row; row and columns are global numbers.
  template <typename Action>
  void for_each_row(Action action) const;
  /// An empty AIJ matrix of block size 3, with space for the mesh's pattern. @collective
  PetscHandle<Mat> create_petsc() const { return equation_.blocks().create_petsc(); }
  /// Empties such a matrix, and allocates space for the present pattern. @collective
  void preallocate(Mat matrix) const;

 private:
  /// Raises the mass in the directions in which an owned vertex is held, a part of its diagonal block, to the size of the block: beside the stiffness that a
  /// long step without inertia gives the other directions, rounding would hide it.
  void scale_held_part(int i, Mat3& diagonal) const;
  /// The couplings in the row of an owned vertex.
  std::span<const Coupling> couplings_of(int i) const { return std::span(couplings_).subspan(start_[i], start_[i + 1] - start_[i]); }

  StageEquation& equation_;
  bool couples_;
  std::vector<Coupling> couplings_;  ///< sorted by row and column
  std::vector<std::size_t> start_;   ///< start of each owned row in these
};

template <typename Action>
void StageMatrix::for_each_row(Action action) const {
  const System& system = equation_.system();
  const double factor = -equation_.impulse();
  std::vector<PetscInt> global;
  std::vector<Mat3> row;
  equation_.blocks().for_each_row(factor, system.effective_mass(), system.held(), [&](int i, const std::vector<int>& columns, const std::vector<Mat3>& blocks) {
    global.clear();
    for (int column : columns) global.push_back(system.halo().to_global(column));
    row = blocks;
    for (const Coupling& coupling : couplings_of(i)) {
      const auto found = std::find(global.begin(), global.end(), coupling.column) - global.begin();
      if (found == static_cast<std::ptrdiff_t>(global.size())) {
        global.push_back(coupling.column);
        row.emplace_back(Mat3::Zero());
      }
      row[found] += factor * coupling.block;
    }
    scale_held_part(i, row[std::find(columns.begin(), columns.end(), i) - columns.begin()]);
    action(system.halo().to_global(i), global, row);
  });
}

}  // namespace traction
