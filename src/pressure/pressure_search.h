// Finds which of many bodies with pressure fields may touch, across ranks (docs/theory/pressure.md, "Many bodies").
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parallel/halo.h"
#include "parallel/scatter.h"
#include "pressure/pressure_pair.h"
#include "system/rigid_motion.h"
#include "system/state.h"

namespace traction {

/// A body or plane of a scene that takes part in pressure contact; the same on all ranks.
struct PressurePartner {
  std::string name;
  std::shared_ptr<const PressureBody> body;
  std::optional<std::array<PetscInt, 4>> particles{};  ///< global numbers of the four particles that carry a body
  Motion motion{};                                     ///< motion of a plane
  bool is_free = false;                                ///< whether contact can move it
  double friction = 0;                                 ///< coefficient of friction, for contacts that combine those of both sides
};

/// The pairs that one rank evaluates, and copies of the particles that it needs for them.
struct PressureNeighborhood {
  /// Two partners that may touch.
  struct Pair {
    int first, second;  ///< numbers of partners
    PressurePair fields;
  };
  std::vector<Pair> pairs;
  std::vector<PetscInt> particles;  ///< the particles that carry this rank's own bodies come first
  std::vector<int> first_copy;      ///< for each partner the place of its particles among these, -1 where they are not needed
  Scatter copies;                   ///< to these places, 3 components
};

/// A body belongs to the rank that owns its first particle. Pairs of bodies on two ranks are shared out between both.
class PressureSearch {
 public:
  /// `excluded`: pairs of partners that do not touch, the lower number first. Partners that cannot move, and those without a field, never touch each other.
  PressureSearch(std::shared_ptr<const Halo> halo, std::vector<PressurePartner> partners, std::vector<std::pair<int, int>> excluded);

  /// Makes the neighborhood hold all pairs that touch at these positions, and on the straight way between two. Searches only if a body has left the box in
  /// which it was when pairs were last looked for, which is larger than the body. @collective
  void cover(const Field& positions);
  void cover(const Field& from, const Field& to);

  const std::vector<PressurePartner>& partners() const { return partners_; }
  /// Does not change while somebody holds it.
  const std::shared_ptr<const PressureNeighborhood>& neighborhood() const { return neighborhood_; }
  int searches() const { return searches_; }

 private:
  bool may_touch(int a, int b) const;
  std::vector<BoundingBox> own_boxes(const Field& positions) const;
  bool is_covered(const std::vector<BoundingBox>& boxes) const;
  void search(const std::vector<BoundingBox>& boxes);
  std::shared_ptr<const PressureNeighborhood> gather(std::vector<std::pair<int, int>> pairs) const;

  std::shared_ptr<const Halo> halo_;
  std::vector<PressurePartner> partners_;
  std::vector<std::pair<int, int>> excluded_;
  std::vector<int> own_;            ///< bodies of this rank
  std::vector<char> owns_;          ///< whether each partner is one of this rank's own bodies
  std::vector<BoundingBox> reach_;  ///< the box in which pairs of each own body have been looked for
  std::shared_ptr<const PressureNeighborhood> neighborhood_;
  int searches_ = 0;
};

}  // namespace traction
