// Pairs of vertices and triangles, and of edges, between deforming bodies and rigid obstacles, with their true distances, on whatever ranks they live.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/contact_law.h"
#include "contact/feature_search.h"
#include "contact/features.h"
#include "contact/obstacle_load.h"
#include "contact/sheet_sample.h"
#include "contact/side_areas.h"
#include "system/held_spins.h"

namespace traction {

/// A family of pairs (see pair_force.h; docs/theory/contact.md, "Edges and faces"). A vertex meets every sheet of a surface once, in one pair: summing over
/// triangles, minus the edges between them, plus their vertices, leaves few parts, each with a whole number as its factor. Two edges meet where the closest
/// points of their lines lie inside both edges. The rules for vertices also apply to additional places on faces, where a surface has them. Nothing passes
/// through anything, because every step is bounded by all pairs on its path.
class EdgesAndFaces {
 public:
  static constexpr bool touches_mesh = true;
  template <typename T>
  using Sample = SheetSample<T>;
  /// The points of both sides move by themselves. In addition, only the surfaces of round obstacles move relative to their points.
  using Frame = ObstacleTurns;

  /// `thickness`: the contact's thickness [m].
  EdgesAndFaces(FeatureSearch search, double thickness, HeldSpins spins);
  std::map<int, double> spins_at(const State& state) const { return spins_.at(state); }

  /// A vertex or place and a sheet, or two edges, that may touch each other.
  struct Pair {
    std::vector<PairedFeatures> parts;  ///< two edges have one
    std::vector<int> points;            ///< the first side's come first, then the second's, then others by which their surfaces turn
    std::size_t touching_points;        ///< number of points on either side
    double side;
    PairWeight weight;
    TurningSide turning{};
    int surface, other;  ///< of the first and of the second side
    double share;        ///< sum of the parts' counts: below 1 where the sheet continues in another contact
    int sheet;           ///< number of the second side's surface, and the place of the sheet among those of this surface near the first side; -1 for two edges
  };

  /// State of the points around this rank's pairs.
  class Surroundings {
   public:
    Frame frame;
    Field q, v;                   ///< positions and velocities of the copies
    std::map<int, double> spins;  ///< of held twists that this rank owns (see HeldSpins)

    std::size_t count() const { return pairs_->size(); }
    std::uint64_t key(std::size_t k) const;
    bool near(std::size_t) const { return true; }
    std::span<const int> points(std::size_t k, std::vector<int>&) const { return (*pairs_)[k].points; }
    int first_side(std::size_t k) const { return (*pairs_)[k].parts[0].first_side(); }
    std::size_t touching_points(std::size_t k) const { return (*pairs_)[k].touching_points; }
    bool acts_on_first(std::size_t k, std::size_t point) const;
    double side(std::size_t k) const { return (*pairs_)[k].side; }
    PairWeight weight(std::size_t k) const { return (*pairs_)[k].weight; }
    int owned() const { return nearby_->owned(); }
    int copies() const { return nearby_->copies(); }
    Field copies_of(const Field& field) const { return nearby_->copies_of(field); }
    Field velocities_at(const State& state) const;
    Field positions_at(const State& state) const;
    void add_back(const Field& reactions, Field& force) const { nearby_->add_back(reactions, force); }
    PetscInt global_of(int point) const { return nearby_->global_of(point); }
    int vertex_of(int point) const { return point < owned() ? point : -1; }
    int obstacle_of(int point) const {
      const int of_obstacles = point - owned() - nearby_->first_obstacle_copy();
      return of_obstacles < 0 ? -1 : family_->moving_[of_obstacles];
    }
    ObstacleArm arm_of_friction(std::size_t k, std::span<const Vec3> x) const;
    template <typename T>
    SheetSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      const Pair& pair = (*pairs_)[k];
      return {pair.parts, pair.turning, family_->thickness_ + pair.weight.offset, x};
    }

   private:
    friend class EdgesAndFaces;
    const EdgesAndFaces* family_ = nullptr;
    std::shared_ptr<const NearbyFeatures> nearby_;
    std::shared_ptr<const std::vector<Pair>> pairs_;
  };

  /// Measures areas together with those of a contact in which one of the two surfaces continues: begin_step then searches the other contact, too. Each of the
  /// two contacts is between two bodies, and lives as long as the other.
  void share_areas_with(EdgesAndFaces& other) { continued_.push_back(&other); }

  MPI_Comm communicator() const { return search_.halo().communicator(); }
  void begin_step(const State& state);
  void prepare(const State& state);
  double work_seconds() const { return work_.seconds() + search_.work_seconds(); }
  Frame frame_at(const State& state) const;
  std::vector<const Motion*> motions() const;
  Surroundings surroundings(const State& state) const;

  bool bounds_steps(const ContactLaw&) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement);
  bool is_clear(const ContactLaw& law, const State& start, const State& end, bool bounded);
  std::optional<Vec3> passage(const ContactLaw&, const State&, const State&) const { return {}; }  ///< bounded steps pass through nothing

  const FeatureSearch& search() const { return search_; }

 private:
  /// Positions of all points that a search has found.
  struct Positions {
    const Field& own;
    Field copies;
    int owned;
    Vec3 operator()(int point) const { return point < owned ? Vec3(own[point]) : Vec3(copies[point - owned]); }
  };
  Positions positions(const NearbyFeatures& nearby, const Field& q, const std::vector<Vec3>& obstacles) const;
  /// A triangle or lone edge within reach of a place.
  struct NearFeature {
    const NearbyFeature* feature;
    ClosestPoint closest;
  };
  PressingSide pressing_side(int own, int other) const;  // a body's surface presses on an obstacle
  /// How an edge takes part in a pair: factors on its own share for the potential and for the guard, and the number of parts into which places divide it.
  struct EdgeShare {
    double part = 1, guard = 1;
    int divisions = 1;
  };
  EdgeShare edge_share(const NearbyFeature& edge, int other) const;
  /// Upper bound on the factor on the penalty per area with which a surface presses on another one [1/m^2].
  double most_per_area(int own, int other) const;
  bool has_material(int surface) const { return std::isfinite(search_.surfaces()[static_cast<std::size_t>(surface)].most_per_area); }
  double offset(int first, int second) const { return search_.surfaces()[first].offset + search_.surfaces()[second].offset; }
  static std::vector<NearFeature> take_sheet(std::vector<NearFeature>& near);
  std::vector<Pair> pairs_at(const State& state);
  SideAreas::Halves halves_of(const std::vector<Pair>& pairs) const;
  void add_continued_halves(const State& state, SideAreas::Halves& halves) const;
  void scale_areas(std::vector<Pair>& pairs) const;
  void add_place_pairs(const NearbyFeatures& nearby, const NearbyFeatures::Query& query, const Positions& at, std::vector<Pair>& pairs) const;
  /// Adds the pair that a place forms with a sheet of triangles, or with a wire of lone edges. `number`: the sheet's, see Pair.
  void add_sheet_pair(const NearbyFeature& own, int surface, bool is_wire, int number, const std::vector<NearFeature>& near, const Positions& at,
                      std::vector<Pair>& pairs) const;
  TurningSide turning_side(int first, int second) const;
  void add_edge_pair(const NearbyFeature& first, const NearbyFeature& second, const Positions& at, std::vector<Pair>& pairs) const;
  /// The part of straight paths that keeps `kept` of every gap; nothing if a gap is closed at the start.
  std::optional<double> clear_part(const ContactLaw& law, const State& start, const State& end, double kept);

  FeatureSearch search_;
  HeldSpins spins_;
  double thickness_;
  SideAreas areas_;
  std::vector<EdgesAndFaces*> continued_;           ///< where surfaces continue
  std::vector<int> moving_;                         ///< for each point of obstacles: its obstacle among those that move; -1 if it stands still
  std::vector<int> turning_;                        ///< surfaces of the round obstacles that turn about their middles
  std::shared_ptr<const std::vector<Pair>> pairs_;  ///< pairs of the last prepared state
  WorkClock work_;
};

}  // namespace traction
