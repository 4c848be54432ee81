// Pairs of the vertices of rods or shells, whose surfaces lie at a distance from them, and a fixed or moving obstacle that has a gap function.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/surface_turn.h"
#include "contact/vertex_obstacle.h"
#include "parallel/halo.h"
#include "parallel/scatter.h"
#include "system/held_spins.h"

namespace traction {

/// The first point is the vertex that touches, at x; the others are those by which its surface turns (see contact_law.h).
template <typename T>
class ThickVertexSample {
 public:
  /// `reach`: the distance at which contact begins [m].
  ThickVertexSample(const GapFunction& obstacle, const Pose& pose, std::span<const SurfaceTurn> turns, double reach, std::span<const Vector3<T>> x)
      : at_vertex_(obstacle, pose, x[0]), gradient_(at_vertex_.gradient()), place_(x[0] - gradient_ * at_vertex_.gap()) {
    if (real_part(gap()) >= reach) return;
    motions_ = {turns, x, gap(), gradient_};
  }

  bool within_reach() const { return true; }
  const T& gap() const { return at_vertex_.gap(); }
  const Vector3<T>& gradient() const { return gradient_; }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const { forces[0] += gradient_ * factor; }
  /// Velocity of the surface against the obstacle's, at the place on the latter.
  template <typename U>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Pose& pose) const {
    Vector3<U> sum = v[0] - pose.velocity_at<U>(place_.template cast<U>());
    motions_.template add_velocity<U>(v, sum);
    return sum;
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    forces[0] += force;
    motions_.template add_transpose<U>(force, forces);
  }
  template <typename Action>
  void for_each_share(Action action) const {
    action(0, 1.0);
  }
  /// Where the obstacle touches [m].
  const Vector3<T>& place() const { return place_; }

 private:
  ObstacleSample<T> at_vertex_;
  Vector3<T> gradient_, place_;
  SurfaceMotions<T> motions_;
};

/// A family of pairs (see pair_force.h). Each vertex forms a pair with each gap function. A rod's vertex between two segments is listed twice, once with either
/// segment, so that it spins with the mean of both.
class ThickVertexObstacle {
 public:
  static constexpr bool touches_mesh = true;
  template <typename T>
  using Sample = ThickVertexSample<T>;
  using Frame = Pose;

  /// A vertex that this rank owns or, at the end of one of its segments, has as a ghost.
  struct ThickVertex {
    std::vector<int> points;         ///< local numbers, ghosts included: the vertex, and those by which its surface turns
    std::vector<SurfaceTurn> turns;  ///< with indices into `points`
    PairWeight weight;
  };
  /// `vertices`: those that count on this rank. `owned`: all of them that this rank owns, in ascending order; each has a weight. `obstacle`, `motion`: as for
  /// VertexObstacle, but not of a mesh. `reach`: the distance at which contact begins, the largest of any vertex [m]. @collective
  ThickVertexObstacle(std::shared_ptr<const Halo> halo, std::vector<ThickVertex> vertices, std::vector<int> owned, std::vector<PairWeight> weights,
                      std::vector<GapFunction> obstacle, const Motion& motion, double reach, HeldSpins spins);

  /// State of the vertices and pose of the obstacle.
  class Surroundings {
   public:
    Pose frame;
    Field q, v;                   ///< positions and velocities of the copies
    std::map<int, double> spins;  ///< of held twists that this rank owns (see HeldSpins)

    std::size_t count() const { return is_close_ ? close_.size() : family_->vertices_.size() * family_->obstacle_.size(); }
    std::uint64_t key(std::size_t k) const { return number(k); }
    bool near(std::size_t) const { return true; }
    std::span<const int> points(std::size_t k, std::vector<int>&) const { return vertex(k).points; }
    int first_side(std::size_t) const { return 1; }
    std::size_t touching_points(std::size_t) const { return 1; }
    bool acts_on_first(std::size_t k, std::size_t point) const { return !vertex(k).turns.front().is_segment() || point < 2; }
    double side(std::size_t) const { return 1; }
    PairWeight weight(std::size_t k) const { return vertex(k).weight; }
    int owned() const { return family_->halo_->owned(); }
    int copies() const { return family_->copies_->count(); }
    Field copies_of(const Field& field) const;
    Field velocities_at(const State& state) const;
    Field positions_at(const State& state) const { return copies_of(state.q); }
    void add_back(const Field& reactions, Field& force) const { family_->copies_->add_back(reactions.values(), force.values()); }
    PetscInt global_of(int point) const;
    int vertex_of(int point) const { return point < owned() ? point : -1; }
    template <typename T>
    ThickVertexSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      return {family_->obstacle_[number(k) % family_->obstacle_.size()], frame, vertex(k).turns, family_->reach_, x};
    }

   private:
    friend class ThickVertexObstacle;
    Surroundings(const ThickVertexObstacle& family, const State& state);
    std::size_t number(std::size_t k) const { return is_close_ ? close_[k] : k; }
    const ThickVertex& vertex(std::size_t k) const { return family_->vertices_[number(k) / family_->obstacle_.size()]; }
    const ThickVertexObstacle* family_;
    bool is_close_ = false;
    std::vector<std::size_t> close_;  ///< the pairs within reach, ascending, if is_close_
  };

  MPI_Comm communicator() const { return halo_->communicator(); }
  void begin_step(const State&) {}
  void prepare(const State&) {}
  double work_seconds() const { return 0; }
  Pose frame_at(const State& state) const { return Pose(motion_, state); }
  std::map<int, double> spins_at(const State& state) const { return spins_.at(state); }
  std::vector<const Motion*> motions() const { return motion_.empty() ? std::vector<const Motion*>{} : std::vector{&motion_}; }
  Surroundings surroundings(const State& state) const { return {*this, state}; }
  /// The surroundings with the pairs alone that touch at the state.
  Surroundings close_surroundings(const State& state) const;
  bool bounds_steps(const ContactLaw& law) const { return middles_.bounds_steps(law); }
  bool is_clear(const ContactLaw&, const State&, const State&, bool) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const {
    return middles_.admissible_part(law, state, displacement);
  }
  std::optional<Vec3> passage(const ContactLaw& law, const State& start, const State& end) const { return middles_.passage(law, start, end); }

 private:
  std::shared_ptr<const Halo> halo_;
  std::vector<ThickVertex> vertices_;  ///< points that are not owned as copies
  HeldSpins spins_;
  std::vector<GapFunction> obstacle_;
  Motion motion_;
  double reach_;
  VertexObstacle middles_;           ///< the vertices, for their paths
  std::vector<PetscInt> elsewhere_;  ///< global numbers of the copies
  std::optional<Scatter> copies_;
};

}  // namespace traction
