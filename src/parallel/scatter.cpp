#include "parallel/scatter.h"

#include <petscsf.h>

#include <vector>

#include "parallel/petsc_handle.h"

namespace traction {

struct Scatter::Connections {
  PetscHandle<PetscSF> forest;     // owned indices are the graph's roots, copies its leaves
  MPI_Datatype type = MPI_DOUBLE;  // PETSc does not register a type made of one double

  explicit Connections(int components) {
    if (components == 1) return;
    MPI_Type_contiguous(components, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
  }
  ~Connections() {
    if (type != MPI_DOUBLE) MPI_Type_free(&type);
  }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
};

Scatter::Scatter(const IndexMap& map, std::span<const PetscInt> wanted, int components)
    : count_(static_cast<int>(wanted.size())), owned_size_(static_cast<std::size_t>(components) * map.owned()) {
  std::vector<PetscSFNode> owners;
  for (const PetscInt index : wanted) {
    const int rank = map.owner_of(index);
    owners.push_back({rank, index - map.first_of(rank)});
  }
  auto connections = std::make_shared<Connections>(components);
  check_petsc(PetscSFCreate(map.communicator(), connections->forest.receive()));
  check_petsc(PetscSFSetGraph(connections->forest, map.owned(), count_, nullptr, PETSC_COPY_VALUES, owners.data(), PETSC_COPY_VALUES));
  check_petsc(PetscSFSetUp(connections->forest));
  connections_ = std::move(connections);
}

void Scatter::begin(std::span<const double> owned, std::span<double> copies) const {
  check_petsc(PetscSFBcastBegin(connections_->forest, connections_->type, owned.data(), copies.data(), MPI_REPLACE));
}

void Scatter::end(std::span<const double> owned, std::span<double> copies) const {
  check_petsc(PetscSFBcastEnd(connections_->forest, connections_->type, owned.data(), copies.data(), MPI_REPLACE));
}

void Scatter::add_back(std::span<const double> copies, std::span<double> owned) const {
  check_petsc(PetscSFReduceBegin(connections_->forest, connections_->type, copies.data(), owned.data(), MPI_SUM));
  check_petsc(PetscSFReduceEnd(connections_->forest, connections_->type, copies.data(), owned.data(), MPI_SUM));
}

}  // namespace traction
