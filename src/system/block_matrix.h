// A sparse matrix of 3x3 blocks over the vertices, for assembled operators and for preconditioners (docs/theory/newton.md, "Block matrix").
#pragma once

#include <petscmat.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "math/pack.h"
#include "math/tensor.h"
#include "parallel/petsc_handle.h"
#include "system/block_pattern.h"
#include "system/held_vertices.h"
#include "system/state.h"

namespace traction {

/// The product y_i = D_i p_i + sum_j K_ij (p_j - p_i) over the neighbours j of the owned vertex i. In this form, forces that do not change under translations
/// need no diagonal blocks, and rigid translations cause no loss of precision. While all couplings are symmetric, K_ji = K_ij^T, only half of them are stored.
class BlockMatrix {
 public:
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  void set_zero();

  /// Adds block to D_i; ignored for ghosts.
  void add_diagonal(int i, const Mat3& block);
  /// Adds block to K_ij. The sum of all added blocks must be symmetric, K_ji = K_ij^T, because blocks for i > j are not read. The edge must be in the pattern
  /// unless both vertices are ghosts.
  void add_symmetric(int i, int j, const Mat3& block);
  /// Makes the matrix general: K_ij and K_ji may differ from now on.
  void make_general();
  /// Adds block to K_ij of a general matrix. The edge must be in the pattern unless both vertices are ghosts.
  void add_general(int i, int j, const Mat3& block);
  bool is_general() const { return !transposed_.empty(); }

  /// Direct access for loops over elements: K_ij of an edge, and for general matrices K_ji^T, row-major.
  double* block(int edge) { return blocks_.data() + 9 * static_cast<std::size_t>(edge); }
  double* transposed(int edge) { return transposed_.data() + 9 * static_cast<std::size_t>(edge); }

  /// change += this * direction on owned vertices, for a zone. `boundary` must follow `interior` of the same direction.
  void multiply(Zone zone, const Field& direction, Field& change) const;

  /// D_i of the owned vertices.
  const std::vector<Mat3>& diagonal() const { return diagonal_; }
  /// Calls action(j, K_ij) for each neighbour of the owned vertex i, ascending.
  template <typename Action>
  void for_each_coupling(int i, Action action) const;
  /// Calls action(row, columns, blocks) for each owned row of `mass` times the identity plus `factor` times this matrix, columns ascending. In directions in
  /// which vertices are held, rows and columns contain only `mass`.
  template <typename Action>
  void for_each_row(double factor, const std::vector<double>& mass, const HeldVertices& held, Action action) const;

  /// A PETSc AIJ matrix of block size 3 with this pattern. @collective
  PetscHandle<Mat> create_petsc() const;
  /// Empties such a matrix and allocates space for this pattern and the given number of additional blocks in each owned row, in columns of this rank's vertices
  /// and of others. @collective
  void preallocate(Mat matrix, std::vector<PetscInt> own_blocks, std::vector<PetscInt> other_blocks) const;

 private:
  using Mat3Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  template <bool general>
  void multiply_interior() const;
  Eigen::Map<const Mat3Rows> coupling(int edge) const { return Eigen::Map<const Mat3Rows>(blocks_.data() + 9 * static_cast<std::size_t>(edge)); }
  Eigen::Map<const Mat3Rows> opposite(int edge) const {  // K_ji^T
    return Eigen::Map<const Mat3Rows>((is_general() ? transposed_ : blocks_).data() + 9 * static_cast<std::size_t>(edge));
  }

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> blocks_, transposed_;  ///< 9 numbers per edge, and padding for a read of 4 at the last row
  std::vector<Mat3> diagonal_;
  std::vector<int> on_diagonal_;  ///< vertices with a nonzero diagonal block
  std::vector<char> has_diagonal_;
  /// Vectors of the product in progress, padded to four, because a load right after a store with other bounds would stall.
  mutable std::vector<Four> input_, output_;
};

template <typename Action>
void BlockMatrix::for_each_coupling(int i, Action action) const {
  for (const auto& lower : pattern_->lower_edges(i)) action(lower.vertex, Mat3(opposite(lower.edge).transpose()));
  for (int edge = pattern_->first_edge(i); edge < pattern_->first_edge(i + 1); ++edge) action(pattern_->upper_vertex(edge), Mat3(coupling(edge)));
}

template <typename Action>
void BlockMatrix::for_each_row(double factor, const std::vector<double>& mass, const HeldVertices& held, Action action) const {
  std::vector<int> columns;
  std::vector<Mat3> row;
  for (int i = 0; i < pattern_->halo().owned(); ++i) {
    columns.clear();
    row.clear();
    Mat3 diagonal = diagonal_[i];
    const auto add = [&](int column, const Mat3& block) {
      diagonal -= block;
      columns.push_back(column);
      row.push_back(block);
    };
    for (const auto& lower : pattern_->lower_edges(i)) add(lower.vertex, opposite(lower.edge).transpose());
    columns.push_back(i);
    row.emplace_back();
    const std::size_t own = row.size() - 1;
    for (int edge = pattern_->first_edge(i); edge < pattern_->first_edge(i + 1); ++edge) add(pattern_->upper_vertex(edge), coupling(edge));
    row[own] = diagonal;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      row[k] = held.free_part(i, columns[k], row[k]);
      row[k] *= factor;
    }
    row[own] += mass[i] * Mat3::Identity();
    action(i, columns, row);
  }
}

/// Inserts a row of blocks, row and columns in global numbers, into a matrix of create_petsc; the caller assembles the matrix afterwards.
void set_row(Mat matrix, PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks);

}  // namespace traction
