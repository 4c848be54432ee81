// How several ranks, each of which holds all vertices, divide the work on them (docs/theory/asynchronous.md, "Ranks").
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "asynchronous/clocks.h"
#include "asynchronous/moving_vertices.h"

namespace traction {

/// Which vertices, and which potentials, each rank owns in an asynchronous run.
class RankShare {
 public:
  /// `rates`: how often each potential acts per second. `potentials` outlives this.
  RankShare(MPI_Comm communicator, const Potentials& potentials, std::vector<double> rates, int vertices);

  MPI_Comm communicator() const { return communicator_; }
  std::vector<char> owned() const;  ///< by this rank: one mark for each vertex

  using Link = std::array<int, 4>;
  /// Divides the vertices among the ranks, so that ranks have about as many events and few are linked across: by potentials, and by `links`, as below. The same
  /// on every rank. Throws InputError when METIS fails.
  void divide(const std::vector<Link>& links);
  bool is_divided() const { return !owned_by_.empty(); }

  /// The vertices that this rank owns and `rings` rings around them, as marks. Links the vertices of each potential, and those of each of `links`; there,
  /// numbers that are no vertex are ignored. Common potentials link nothing.
  std::vector<char> with_rings(int rings, const std::vector<Link>& links) const;

  /// Gives every rank the owners' positions, velocities and times of all vertices, and the numbers that potentials remember. A potential belongs to the
  /// first vertex of its stencil. @collective
  void gather(MovingVertices& vertices) const;
  /// Exchanges marks of the vertices of which each rank needs copies. @collective
  void require(const std::vector<char>& needed);
  /// The same for the vertices that each rank needs. @collective
  void exchange(MovingVertices& vertices) const;

 private:
  bool is_vertex(int point) const { return point >= 0 && point < vertices_; }
  /// These count, pack and unpack the numbers that belong to the vertices of a list, in its order.
  std::size_t count_numbers(const std::vector<int>& list) const;
  std::vector<double> packed(const MovingVertices& vertices, const std::vector<int>& list) const;
  void unpack(const double* numbers, const std::vector<int>& list, MovingVertices& vertices) const;

  MPI_Comm communicator_;
  int rank_ = 0, ranks_ = 1, vertices_;
  std::vector<std::vector<int>> owned_by_;  ///< vertices of each rank; empty before the first division
  const Potentials& potentials_;
  std::vector<double> rates_;
  struct Neighbour {
    int rank;
    std::vector<int> sends, receives;  ///< vertices, in the order of their numbers
  };
  std::vector<Neighbour> neighbours_;
  std::vector<std::size_t> first_;  ///< the potentials of vertex i are potentials_of_[first_[i]] to potentials_of_[first_[i + 1] - 1]
  std::vector<int> potentials_of_;
  std::vector<std::vector<int>> remembering_;  ///< potentials that belong to each vertex and remember something; empty if none does
};

}  // namespace traction
