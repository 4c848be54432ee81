// The broad phase of contact with a mesh: which triangles are near which vertices, wherever either lives (docs/theory/parallel.md, "Contact across ranks").
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/work_clock.h"
#include "parallel/scatter.h"
#include "system/state.h"

namespace traction {

// The surface's triangles as one rank knows them.
struct ContactSurface {
  std::vector<std::array<int, 3>> triangles;  // local vertices; each triangle of the surface on exactly one rank
};

// The outcome of a search.
class NearbyTriangles {
 public:
  // Candidates of the k-th vertex, as numbers of triangles().
  std::span<const int> near(std::size_t k) const { return std::span<const int>(candidates_).subspan(start_[k], start_[k + 1] - start_[k]); }
  // The triangles that are candidates of any vertex here, as numbers of copies().
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  // Copies of their vertices.
  const Scatter& copies() const { return *copies_; }
  PetscInt to_global(int copy) const { return vertices_[copy]; }

 private:
  friend class ContactCandidates;
  std::vector<std::size_t> start_;
  std::vector<int> candidates_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<PetscInt> vertices_;  // global numbers of the copies
  std::optional<Scatter> copies_;
};

// The search finds all pairs closer than reach + margin and is repeated only when something has moved so far that a pair within reach could be missing. So the
// pairs within reach, all that contact depends on, do not depend on when the search was made or how the mesh is partitioned.
class ContactCandidates {
 public:
  // `vertices`: owned. `excluded[k]`: sorted global numbers of vertices whose triangles do not count for vertices[k] (self-contact); empty for none at all.
  ContactCandidates(std::shared_ptr<const Halo> halo, std::vector<int> vertices, ContactSurface surface, double reach,
                    std::vector<std::vector<PetscInt>> excluded);

  // Searches anew if need be. Positions of owned and ghost vertices [m]. Collective.
  void update(const Field& positions);

  const std::vector<int>& vertices() const { return vertices_; }
  const std::vector<int>& watched() const { return watched_; }  // vertices of either side, owned
  // Of the last search; a later one leaves it as it is.
  const std::shared_ptr<const NearbyTriangles>& nearby() const { return nearby_; }
  long searches() const { return searches_; }
  double work_seconds() const { return work_.seconds(); }  // of this rank's own part in the searches

 private:
  double moved(const Field& positions) const;
  void search(const Field& positions);

  std::shared_ptr<const Halo> halo_;
  std::vector<int> vertices_;
  ContactSurface surface_;
  double reach_, margin_;
  std::vector<std::vector<PetscInt>> excluded_;
  std::vector<int> watched_;  // owned vertices on either side
  std::optional<Field> searched_at_;
  std::shared_ptr<const NearbyTriangles> nearby_;
  long searches_ = 0;
  WorkClock work_;
};

// For each of `vertices` (owned), the sorted global numbers of the vertices at most `rings` edges of the surface away, itself included. `triangles` are all of
// the surface that touch an owned vertex. Collective.
std::vector<std::vector<PetscInt>> surface_rings(const Halo& halo, const std::vector<std::array<int, 3>>& triangles, const std::vector<int>& vertices,
                                                 int rings);

}  // namespace traction
