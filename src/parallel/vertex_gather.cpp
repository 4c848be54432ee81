#include "parallel/vertex_gather.h"

namespace traction {

VertexGather::VertexGather(const Halo& halo, const std::vector<PetscInt>& vertices)
    : communicator_(halo.communicator()), count_(static_cast<int>(vertices.size())) {
  PetscLayout layout = nullptr;
  PetscCallAbort(communicator_, PetscLayoutCreateFromSizes(communicator_, halo.owned(), PETSC_DETERMINE, 1, &layout));
  PetscCallAbort(communicator_, PetscSFCreate(communicator_, &forest_));
  PetscCallAbort(communicator_, PetscSFSetGraphLayout(forest_, layout, count_, nullptr, PETSC_COPY_VALUES, vertices.data()));
  PetscCallAbort(communicator_, PetscSFSetUp(forest_));
  PetscCallAbort(communicator_, PetscLayoutDestroy(&layout));
  MPI_Type_contiguous(3, MPI_DOUBLE, &vertex_type_);
  MPI_Type_commit(&vertex_type_);
}

VertexGather::~VertexGather() {
  PetscSFDestroy(&forest_);
  MPI_Type_free(&vertex_type_);
}

void VertexGather::gather(std::span<const double> owned, std::span<double> copies) const {
  PetscCallAbort(communicator_, PetscSFBcastBegin(forest_, vertex_type_, owned.data(), copies.data(), MPI_REPLACE));
  PetscCallAbort(communicator_, PetscSFBcastEnd(forest_, vertex_type_, owned.data(), copies.data(), MPI_REPLACE));
}

void VertexGather::add_back(std::span<const double> copies, std::span<double> owned) const {
  PetscCallAbort(communicator_, PetscSFReduceBegin(forest_, vertex_type_, copies.data(), owned.data(), MPI_SUM));
  PetscCallAbort(communicator_, PetscSFReduceEnd(forest_, vertex_type_, copies.data(), owned.data(), MPI_SUM));
}

}  // namespace traction
