// A sparse matrix of 3x3 blocks over the vertices: what the preconditioner is built from.
#pragma once

#include <petscmat.h>

#include <array>
#include <memory>
#include <vector>

#include "math/tensor.h"
#include "parallel/halo.h"

namespace traction {

// Rows are owned vertices, columns local vertices; the pattern is fixed at construction. Forces add blocks in any order; rows of ghosts and blocks outside the
// pattern are ignored (a preconditioner may be approximate), so that element loops need no case distinction.
class BlockMatrix {
 public:
  // Couples all vertices of each element with each other.
  BlockMatrix(std::shared_ptr<const Halo> halo, const std::vector<std::array<int, 4>>& elements);

  void set_zero();
  void add(int row, int column, const Mat3& block);

  // Makes row and column of each listed owned or ghost vertex zero, but for `diagonal[vertex]` times the identity.
  void eliminate(const std::vector<char>& fixed, const std::vector<double>& diagonal);

  // A PETSc AIJ matrix of block size 3 with this pattern; copy_to fills it. Collective.
  Mat create_petsc() const;
  void copy_to(Mat matrix) const;

 private:
  std::shared_ptr<const Halo> halo_;
  std::vector<int> row_start_;
  std::vector<int> columns_;      // sorted within a row
  std::vector<double> blocks_;    // 9 per column, row-major
};

}  // namespace traction
