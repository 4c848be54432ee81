// Owned and ghost vertices of one rank, and the one exchange that keeps ghosts up to date (docs/theory/parallel.md, "Owned and ghost vertices").
#pragma once

#include <petscsf.h>

#include <span>
#include <vector>

namespace traction {

// Work is split so that a halo exchange hides behind the first part: `interior` reads owned vertices only, `boundary` may read ghosts and communicate.
enum class Zone { interior, boundary };

// Each rank owns a contiguous range of the global vertex numbers and sees some vertices of others as ghosts. Local vertices are numbered owned first
// (0 .. owned-1, global first_owned + local), then ghosts. Data on vertices is 3 doubles each in that order.
class Halo {
 public:
  // `ghosts`: global numbers of this rank's ghost vertices, in local order. Collective.
  Halo(MPI_Comm communicator, int owned, std::vector<PetscInt> ghosts);
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  MPI_Comm communicator() const { return communicator_; }
  int owned() const { return owned_; }
  int ghosts() const { return static_cast<int>(ghosts_.size()); }
  int local() const { return owned_ + ghosts(); }
  PetscInt first_owned() const { return first_owned_; }
  PetscInt global_count() const { return global_count_; }
  PetscInt to_global(int local) const { return local < owned_ ? first_owned_ + local : ghosts_[local - owned_]; }
  std::vector<PetscInt> to_global() const;

  // Copies owners' values into the ghosts of `values` (3 doubles per local vertex). Between begin and end the owned part may be read, the ghosts
  // not, and neither may be written: interior work goes there. Collective; one exchange at a time.
  void begin_exchange(std::span<double> values) const;
  void end_exchange(std::span<double> values) const;
  void exchange(std::span<double> values) const {
    begin_exchange(values);
    end_exchange(values);
  }

 private:
  MPI_Comm communicator_;
  int owned_;
  std::vector<PetscInt> ghosts_;
  PetscInt first_owned_ = 0;
  PetscInt global_count_ = 0;
  PetscSF forest_ = nullptr;
  MPI_Datatype vertex_type_ = MPI_DATATYPE_NULL;  // 3 doubles
};

}  // namespace traction
