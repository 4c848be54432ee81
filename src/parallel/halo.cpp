#include "parallel/halo.h"

#include <petscis.h>

namespace traction {

Halo::Halo(MPI_Comm communicator, int owned, std::vector<PetscInt> ghosts) : communicator_(communicator), owned_(owned), ghosts_(std::move(ghosts)) {
  PetscLayout layout = nullptr;
  PetscCallAbort(communicator_, PetscLayoutCreateFromSizes(communicator_, owned_, PETSC_DETERMINE, 1, &layout));
  PetscCallAbort(communicator_, PetscLayoutGetRange(layout, &first_owned_, nullptr));
  PetscCallAbort(communicator_, PetscLayoutGetSize(layout, &global_count_));
  PetscCallAbort(communicator_, PetscSFCreate(communicator_, &forest_));
  PetscCallAbort(communicator_, PetscSFSetGraphLayout(forest_, layout, this->ghosts(), nullptr, PETSC_COPY_VALUES, ghosts_.data()));
  PetscCallAbort(communicator_, PetscSFSetUp(forest_));
  PetscCallAbort(communicator_, PetscLayoutDestroy(&layout));
  MPI_Type_contiguous(3, MPI_DOUBLE, &vertex_type_);
  MPI_Type_commit(&vertex_type_);
}

Halo::~Halo() {
  PetscSFDestroy(&forest_);
  MPI_Type_free(&vertex_type_);
}

std::vector<PetscInt> Halo::to_global() const {
  std::vector<PetscInt> map(static_cast<std::size_t>(local()));
  for (int i = 0; i < local(); ++i) map[i] = to_global(i);
  return map;
}

void Halo::begin_exchange(std::span<double> values) const {
  PetscCallAbort(communicator_, PetscSFBcastBegin(forest_, vertex_type_, values.data(), values.data() + 3 * owned_, MPI_REPLACE));
}

void Halo::end_exchange(std::span<double> values) const {
  PetscCallAbort(communicator_, PetscSFBcastEnd(forest_, vertex_type_, values.data(), values.data() + 3 * owned_, MPI_REPLACE));
}

}  // namespace traction
