// Copies of vertices that any rank may own, beyond the element halo. Contact reads other bodies through them.
#pragma once

#include <petscsf.h>

#include <span>
#include <vector>

#include "parallel/halo.h"

namespace traction {

// Data are 3 doubles per vertex; `owned` spans begin with this rank's owned vertices. All functions are collective.
class VertexGather {
 public:
  // `vertices`: global numbers of the vertices wanted here, in the order of the copies; owned ones may be among them.
  VertexGather(const Halo& halo, const std::vector<PetscInt>& vertices);
  ~VertexGather();
  VertexGather(const VertexGather&) = delete;
  VertexGather& operator=(const VertexGather&) = delete;

  int count() const { return count_; }
  // copies[i] = the owner's value.
  void gather(std::span<const double> owned, std::span<double> copies) const;
  // The owner's value += copies[i], from every rank that has a copy.
  void add_back(std::span<const double> copies, std::span<double> owned) const;

 private:
  MPI_Comm communicator_;
  int count_;
  PetscSF forest_ = nullptr;
  MPI_Datatype vertex_type_ = MPI_DATATYPE_NULL;
};

}  // namespace traction
