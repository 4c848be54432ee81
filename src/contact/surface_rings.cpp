#include "contact/surface_rings.h"

#include <petscmat.h>

#include <algorithm>

#include "parallel/petsc_handle.h"

namespace traction {

std::vector<std::vector<PetscInt>> surface_rings(const Halo& halo, const std::vector<std::array<int, 3>>& triangles, const std::vector<int>& vertices,
                                                 int rings) {
  const MPI_Comm communicator = halo.communicator();
  // The graph of edges as a matrix: the pattern of its power contains what can be reached over `rings` edges.
  std::vector<std::vector<PetscInt>> neighbours(halo.owned());
  for (int i = 0; i < halo.owned(); ++i) neighbours[i].push_back(halo.to_global(i));
  for (const auto& triangle : triangles)
    for (int a : triangle)
      if (a < halo.owned())
        for (int b : triangle) neighbours[a].push_back(halo.to_global(b));
  std::vector<PetscInt> start{0}, columns;
  for (auto& row : neighbours) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns.insert(columns.end(), row.begin(), row.end());
    start.push_back(static_cast<PetscInt>(columns.size()));
  }
  const std::vector<PetscScalar> ones(columns.size(), 1.0);
  PetscHandle<Mat> edges, reached;
  check_petsc(MatCreateMPIAIJWithArrays(communicator, halo.owned(), halo.owned(), PETSC_DETERMINE, PETSC_DETERMINE, start.data(), columns.data(), ones.data(),
                                        edges.receive()));
  const auto entries = [&](Mat matrix) {
    MatInfo info{};
    check_petsc(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info));
    return info.nz_used;
  };
  for (int ring = 1; ring < rings; ++ring) {
    const double before = entries(reached ? reached.get() : edges.get());
    PetscHandle<Mat> product;
    check_petsc(MatMatMult(edges, reached ? reached.get() : edges.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.receive()));
    reached = std::move(product);
    if (entries(reached) == before) break;  // everything reachable has been found
  }
  std::vector<std::vector<PetscInt>> result;
  for (int vertex : vertices) {
    const PetscInt row = halo.to_global(vertex);
    PetscInt count = 0;
    const PetscInt* found = nullptr;
    check_petsc(MatGetRow(reached ? reached.get() : edges.get(), row, &count, &found, nullptr));
    result.emplace_back(found, found + count);
    check_petsc(MatRestoreRow(reached ? reached.get() : edges.get(), row, &count, &found, nullptr));
    if (rings == 0) result.back() = {row};
    std::sort(result.back().begin(), result.back().end());
  }
  return result;
}

}  // namespace traction
