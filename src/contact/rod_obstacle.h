// Pairs of a rod's segments and a fixed or moving obstacle that has a gap function.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "contact/rod_spin.h"
#include "contact/vertex_obstacle.h"
#include "parallel/halo.h"
#include "parallel/scatter.h"
#include "system/held_spins.h"

namespace traction {

/// The first point is an end of a segment, at x; the others are its other end and its twist (see contact_law.h).
template <typename T>
class RodObstacleSample {
 public:
  RodObstacleSample(const GapFunction& obstacle, const Pose& pose, const SegmentSpin& spin, std::span<const Vector3<T>> x)
      : at_end_(obstacle, pose, x[0]), place_(x[0] - at_end_.gradient() * at_end_.gap()), motion_(spin, x, place_ - x[0]) {}

  bool within_reach() const { return true; }
  const T& gap() const { return at_end_.gap(); }
  Vector3<T> gradient() const { return at_end_.gradient(); }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const { at_end_.add_gap_gradient(factor, forces); }
  /// Velocity of the rod's surface against the obstacle's, at the place on the latter.
  template <typename U>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Pose& pose) const {
    return v[0] + motion_.template velocity<U>(v) - pose.velocity_at<U>(place_.template cast<U>());
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    forces[0] += force;
    motion_.template add_transpose<U>(force, forces);
  }
  template <typename Action>
  void for_each_share(Action action) const {
    action(0, 1.0);
  }
  /// Where the obstacle touches [m].
  const Vector3<T>& place() const { return place_; }

 private:
  ObstacleSample<T> at_end_;
  Vector3<T> place_;
  RodSurfaceMotion<T> motion_;
};

/// A family of pairs (see pair_force.h). Each end of each segment forms a pair with each gap function, so that a vertex between two segments spins with the
/// mean of both.
class RodObstacle {
 public:
  static constexpr bool touches_mesh = true;
  template <typename T>
  using Sample = RodObstacleSample<T>;
  using Frame = Pose;

  /// An end of a segment. Numbers are local ones, ghosts included.
  struct End {
    std::array<int, 3> points{};  ///< the end, the other end, and the twist
    bool is_second = false;       ///< whether it is the second of the two along the rod
    PairWeight weight;            ///< the weight's offset is the rod's radius
  };
  /// `ends`: of the segments that count on this rank. `vertices`: owned, of all of these rods; each has a weight. `twist_radius`: where arc length is the
  /// unknown of a twist [m]. `obstacle`, `motion`: as for VertexObstacle, but not of a mesh. @collective
  RodObstacle(std::shared_ptr<const Halo> halo, std::vector<End> ends, double twist_radius, std::vector<int> vertices, std::vector<PairWeight> weights,
              std::vector<GapFunction> obstacle, const Motion& motion, HeldSpins spins);

  /// State of the segments' ends and pose of the obstacle.
  class Surroundings {
   public:
    Pose frame;
    Field q, v;                   ///< positions and velocities of the copies
    std::map<int, double> spins;  ///< of held twists that this rank owns (see HeldSpins)

    std::size_t count() const { return family_->ends_.size() * family_->obstacle_.size(); }
    std::uint64_t key(std::size_t k) const { return k; }
    bool near(std::size_t) const { return true; }
    std::span<const int> points(std::size_t k, std::vector<int>&) const { return end(k).points; }
    int first_side(std::size_t) const { return 1; }
    std::size_t touching_points(std::size_t) const { return 1; }
    bool acts_on_first(std::size_t, std::size_t point) const { return point < 2; }
    double side(std::size_t) const { return 1; }
    PairWeight weight(std::size_t k) const { return end(k).weight; }
    int owned() const { return family_->halo_->owned(); }
    int copies() const { return family_->copies_->count(); }
    Field copies_of(const Field& field) const;
    Field velocities_at(const State& state) const;
    Field positions_at(const State& state) const { return copies_of(state.q); }
    void add_back(const Field& reactions, Field& force) const { family_->copies_->add_back(reactions.values(), force.values()); }
    PetscInt global_of(int point) const;
    int vertex_of(int point) const { return point < owned() ? point : -1; }
    template <typename T>
    RodObstacleSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      const SegmentSpin spin{end(k).is_second ? std::array<int, 3>{1, 0, 2} : std::array<int, 3>{0, 1, 2}, true, 1, family_->twist_radius_, 1, 0};
      return {family_->obstacle_[k % family_->obstacle_.size()], frame, spin, x};
    }

   private:
    friend class RodObstacle;
    Surroundings(const RodObstacle& family, Pose pose) : frame(std::move(pose)), family_(&family) {}
    const End& end(std::size_t k) const { return family_->ends_[k / family_->obstacle_.size()]; }
    const RodObstacle* family_;
  };

  MPI_Comm communicator() const { return halo_->communicator(); }
  void begin_step(const State&) {}
  void prepare(const State&) {}
  double work_seconds() const { return 0; }
  Pose frame_at(const State& state) const { return Pose(motion_, state); }
  std::map<int, double> spins_at(const State& state) const { return spins_.at(state); }
  std::vector<const Motion*> motions() const { return motion_.empty() ? std::vector<const Motion*>{} : std::vector{&motion_}; }
  Surroundings surroundings(const State& state) const;
  bool bounds_steps(const ContactLaw& law) const { return axes_.bounds_steps(law); }
  bool is_clear(const ContactLaw&, const State&, const State&, bool) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const {
    return axes_.admissible_part(law, state, displacement);
  }
  std::optional<Vec3> passage(const ContactLaw& law, const State& start, const State& end) const { return axes_.passage(law, start, end); }

 private:
  std::shared_ptr<const Halo> halo_;
  std::vector<End> ends_;  ///< points that are not owned as copies
  double twist_radius_;
  HeldSpins spins_;
  std::vector<GapFunction> obstacle_;
  Motion motion_;
  VertexObstacle axes_;             ///< the vertices, for their paths
  std::vector<PetscInt> vertices_;  ///< global numbers of the copies
  std::optional<Scatter> copies_;
};

}  // namespace traction
