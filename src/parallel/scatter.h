// Moves numbers between the owners of indices and copies of them on other ranks.
#pragma once

#include <memory>
#include <span>

#include "parallel/index_map.h"

namespace traction {

/// An index has a fixed number of components, doubles that lie side by side. `owned` spans begin with the numbers of this rank's owned indices, and may be
/// longer. A scatter holds no numbers and does not change; a copy of it shares its lists. All functions are collective.
class Scatter {
 public:
  /// Copies are the ghosts of the map.
  Scatter(const IndexMap& map, int components) : Scatter(map, map.global_ghosts(), components) {}
  /// `wanted`: global indices of the copies, in their order; they may include indices of this rank and repeated ones.
  Scatter(const IndexMap& map, std::span<const PetscInt> wanted, int components);

  int count() const { return count_; }  ///< number of copies on this rank

  /// copies[i] = the owner's numbers. Between begin and end, `owned` may be read but `copies` may not, and neither may be written; other scatters may be in
  /// progress.
  void begin(std::span<const double> owned, std::span<double> copies) const;
  void end(std::span<const double> owned, std::span<double> copies) const;
  void forward(std::span<const double> owned, std::span<double> copies) const {
    begin(owned, copies);
    end(owned, copies);
  }
  /// The same if the copies are the ghosts. `local`: the numbers of all local indices.
  void begin(std::span<double> local) const { begin(local, local.subspan(owned_size_)); }
  void end(std::span<double> local) const { end(local, local.subspan(owned_size_)); }
  void forward(std::span<double> local) const { forward(local, local.subspan(owned_size_)); }

  /// The owner's numbers += copies[i], for all copies everywhere: first those on the owner itself, then those of other ranks in the order of the ranks, and for
  /// each rank in its own order.
  void add_back(std::span<const double> copies, std::span<double> owned) const;

 private:
  struct Connections;
  int count_;
  std::size_t owned_size_;  ///< doubles of the owned indices
  std::shared_ptr<const Connections> connections_;
};

}  // namespace traction
