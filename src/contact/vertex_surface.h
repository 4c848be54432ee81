// Pairs of surface vertices and the smooth implicit surface of a deforming mesh, of another body or the same one, on whatever ranks they live.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/contact_law.h"
#include "contact/implicit_surface.h"
#include "contact/pair_search.h"
#include "contact/passage.h"
#include "contact/sheets.h"
#include "system/motion_settings.h"

namespace traction {

/// A vertex (the first point) and the corners of the triangles near it (see contact_law.h).
template <typename T>
class SurfaceSample {
 public:
  SurfaceSample(const ImplicitSurface& surface, std::span<const Vector3<T>> x, bool has_rim = false)
      : sample_(surface, x[0], as_corners<T>(x.subspan(1)), has_rim) {}

  bool within_reach() const { return sample_.within_reach(); }
  const T& gap() const { return sample_.gap(); }
  const Vector3<T>& gradient() const { return sample_.gradient(); }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const {
    forces[0] += sample_.gradient() * factor;
    sample_.add_gap_gradient(factor, as_corners<T>(forces.subspan(1)));
  }
  template <typename U, typename Frame>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Frame&) const {
    return v[0] - sample_.template velocity<U>(as_corners<U>(v.subspan(1)));
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    forces[0] += force;
    sample_.template add_velocity_transpose<U>(-force, as_corners<U>(forces.subspan(1)));
  }
  template <typename Action>
  void for_each_share(Action action) const {
    action(0, 1.0);
    sample_.for_each_corner([&](std::size_t triangle, int corner, double share) { action(1 + 3 * triangle + static_cast<std::size_t>(corner), share); });
  }

 private:
  ImplicitSurfaceSample<T> sample_;
};

/// A family of pairs (see pair_force.h). Each vertex forms a pair with each sheet near it; the other points of the pair are the corners of the sheet's
/// triangles. The owner of the vertex evaluates the contact. Forces on the surface's vertices are sent back to their owners and balance those on the vertex, in
/// sum and moment, contact by contact.
class VertexSurface {
 public:
  static constexpr bool touches_mesh = true;
  template <typename T>
  using Sample = SurfaceSample<T>;
  /// Empty, because the surface moves with its vertices.
  struct Frame {};

  using Search = PairSearch<1, 3>;

  /// `two_sided`: a vertex stays on the side of the surface where it is at the start of a step; otherwise it stays on the side of the normals. `weights`: one
  /// for each searched vertex. `is_driven`: whether local vertices are always driven; pairs driven on both sides do not touch. `at_rim`: whether the surface
  /// ends at local vertices; right for owned ones. @collective
  VertexSurface(std::shared_ptr<const Halo> halo, ImplicitSurface surface, bool two_sided, Search search, std::vector<PairWeight> weights,
                const std::vector<char>& is_driven, const std::vector<char>& at_rim);

  /// The pairs at one state.
  struct Pairs {
    /// A vertex and one sheet of the surface near it.
    struct Pair {
      std::size_t query;     ///< index of the vertex among those of the search
      std::uint64_t number;  ///< number of the sheet among those near the vertex
      std::size_t first;     ///< index of its first triangle
      bool has_rim;          ///< whether the surface ends within reach
    };
    std::vector<Pair> pairs;
    std::vector<std::array<int, 3>> triangles;  ///< as numbers of copies, turned so that normals point to the vertex's side

    std::span<const std::array<int, 3>> triangles_of(std::size_t k) const {
      const std::size_t end = k + 1 < pairs.size() ? pairs[k + 1].first : triangles.size();
      return std::span(triangles).subspan(pairs[k].first, end - pairs[k].first);
    }
  };

  /// The surface near this rank at one state.
  class Surroundings {
   public:
    Frame frame;
    Field q, v;  ///< positions and velocities of the copies

    std::size_t count() const { return pairs_->pairs.size(); }
    std::uint64_t key(std::size_t k) const { return pairs_->pairs[k].query + (pairs_->pairs[k].number << 32); }
    bool near(std::size_t) const { return true; }
    std::span<const int> points(std::size_t k, std::vector<int>& buffer) const;
    int first_side(std::size_t) const { return 1; }
    std::size_t touching_points(std::size_t k) const { return 1 + 3 * pairs_->triangles_of(k).size(); }
    bool acts_on_first(std::size_t, std::size_t point) const { return point == 0; }
    double side(std::size_t) const { return 1; }
    PairWeight weight(std::size_t k) const { return family_->weights_[pairs_->pairs[k].query]; }
    int owned() const { return family_->halo_->owned(); }
    int copies() const { return nearby_->copies().count(); }
    Field copies_of(const Field& field) const;
    Field velocities_at(const State& state) const { return copies_of(state.v); }
    Field positions_at(const State& state) const { return copies_of(state.q); }
    int obstacle_of(int) const { return -1; }
    void add_back(const Field& reactions, Field& force) const { nearby_->copies().add_back(reactions.values(), force.values()); }
    PetscInt global_of(int point) const { return point < owned() ? family_->halo_->to_global(point) : nearby_->to_global(point - owned()); }
    int vertex_of(int point) const {
      const PetscInt vertex = global_of(point) - family_->halo_->first_owned();
      return vertex >= 0 && vertex < owned() ? static_cast<int>(vertex) : -1;
    }
    template <typename T>
    SurfaceSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      return {family_->surface_, x, pairs_->pairs[k].has_rim};
    }

   private:
    friend class VertexSurface;
    explicit Surroundings(const VertexSurface& family) : family_(&family), nearby_(family.search_.nearby()), pairs_(family.pairs_) {}

    const VertexSurface* family_;
    std::shared_ptr<const Search::Nearby> nearby_;
    std::shared_ptr<const Pairs> pairs_;
  };

  MPI_Comm communicator() const { return halo_->communicator(); }
  void begin_step(const State& state);
  void prepare(const State& state) { update(state.q); }
  double work_seconds() const { return work_.seconds() + search_.work_seconds(); }
  Frame frame_at(const State&) const { return {}; }
  std::vector<const Motion*> motions() const { return {}; }  ///< bodies have none
  Surroundings surroundings(const State& state) const;
  bool bounds_steps(const ContactLaw& law) const { return law.potential == ContactPotential::log_barrier; }
  bool is_clear(const ContactLaw&, const State&, const State&, bool) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement);
  std::optional<Vec3> passage(const ContactLaw& law, const State& start, const State& end);

  const Search& search() const { return search_; }

 private:
  std::size_t count() const { return search_.queries().size(); }
  int vertex(std::size_t k) const { return search_.queries()[k][0]; }
  void update(const Field& positions);
  Field copies_of(const Field& field) const;
  /// Chooses the side of the triangles of a sheet that have none yet, seen from a vertex. `now`, `start`: positions of the copies at present and at the start
  /// of the step.
  void find_sides(std::size_t query, std::span<const int> sheet, const Vec3& x, const Field& now, const Field& start);
  /// The corners of a candidate of the search, turned to the vertex's side.
  std::array<int, 3> turned(std::size_t query, int candidate) const;
  long number_of(const std::array<int, 3>& copies) const;
  /// Adds the triangles that the vertices cross on straight paths; the last update must have been at the paths' ends.
  void add_crossings(const Field& from, const Field& to, std::vector<TriangleCrossings>& paths) const;
  /// The number of pieces into which the straight paths between two positions are divided, so that everything a piece crosses is within reach of its end. 0 if
  /// the two sides' paths stay apart. @collective
  int pieces_of(const Field& start, const Field& end) const;
  /// The gap of each vertex; infinite where the surface is out of reach. Searches again if vertices have moved far.
  std::vector<double> gaps_at(const Field& positions, double offset);

  std::shared_ptr<const Halo> halo_;
  ImplicitSurface surface_;
  bool two_sided_;
  Search search_;
  std::vector<PairWeight> weights_;
  SheetFinder finder_;
  std::shared_ptr<const Pairs> pairs_;  ///< pairs of the last prepared state
  /// For two-sided surfaces, the side of each candidate of this search on which the vertex is. It is 1 if the normal points to the vertex, -1 if it points
  /// away, and 0 if the candidate has not been within reach since the start of the step.
  std::vector<signed char> sides_;
  std::shared_ptr<const Search::Nearby> sides_for_;
  Field start_;   ///< positions at the start of the step, if two-sided
  Field driven_;  ///< 1 in the first component of vertices that are driven
  bool has_rim_;  ///< whether the surface ends anywhere, on any rank
  Field at_rim_;  ///< 1 in the first component of vertices at which the surface ends; empty if it has no rim
  /// Whether the surface ends at the copies of this search.
  std::vector<char> copies_at_rim_;
  std::shared_ptr<const Search::Nearby> rim_for_;
  mutable WorkClock work_;
};

}  // namespace traction
