// Pairs of a body's surface vertices and a fixed or moving obstacle.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "contact/contact_law.h"
#include "contact/gap_functions.h"
#include "system/rigid_motion.h"
#include "system/state.h"

namespace traction {

/// A vertex at x and a gap function whose frame is the obstacle's pose (see contact_law.h).
template <typename T>
class ObstacleSample {
 public:
  ObstacleSample(const GapFunction& obstacle, const Pose& pose, const Vector3<T>& x)
      : pose_(pose), x_(x), sample_(std::visit([&](const auto& shape) { return shape(pose.to_rest(x)); }, obstacle)) {}
  ObstacleSample(const SheetGap& sheet, const Pose& pose, const Vector3<T>& x) : pose_(pose), x_(x), sample_(sheet(pose.to_rest(x))) {}

  bool within_reach() const { return true; }
  const T& gap() const { return sample_.gap; }
  Vector3<T> gradient() const { return pose_.rotation.cast<T>() * sample_.normal; }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const { forces[0] += gradient() * factor; }
  template <typename U>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Pose& pose) const {
    return v[0] - pose.velocity_at<U>(x_.template cast<U>());
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    forces[0] += force;
  }
  template <typename Action>
  void for_each_share(Action action) const {
    action(0, 1.0);
  }

 private:
  Pose pose_;
  Vector3<T> x_;
  GapSample<T> sample_;
};

/// A family of pairs (see pair_force.h). Vertex i and gap function s form pair i * (gap functions) + s; for a mesh each sheet near a vertex forms a pair.
class VertexObstacle {
 public:
  static constexpr bool touches_mesh = false;
  template <typename T>
  using Sample = ObstacleSample<T>;
  using Frame = Pose;

  /// `vertices`: owned. `weights`: one for each vertex. `obstacle`: its gap functions, each of which touches by itself; a mesh has one. `motion`: the
  /// obstacle's.
  VertexObstacle(MPI_Comm communicator, std::vector<int> vertices, std::vector<PairWeight> weights, std::vector<GapFunction> obstacle, Motion motion)
      : communicator_(communicator), vertices_(std::move(vertices)), weights_(std::move(weights)), obstacle_(std::move(obstacle)), motion_(std::move(motion)) {}

  /// Pose of the obstacle at one state, and the pairs that may touch.
  struct Surroundings {
    /// A vertex and one sheet of the obstacle's mesh near it.
    struct Sheet {
      std::size_t vertex;    ///< index of the vertex in the family
      std::uint64_t number;  ///< number of the sheet among those near the vertex
      std::size_t first;     ///< index of its first triangle
      bool has_rim;          ///< whether the mesh ends within reach
    };
    const VertexObstacle& family;
    Pose frame;
    Field q = {}, v = {};  ///< empty: this family has no copies
    std::vector<Sheet> sheets = {};
    std::vector<Corners<double>> triangles = {};                      ///< triangles of the sheets, in the obstacle's frame
    std::shared_ptr<const std::vector<std::size_t>> close = nullptr;  ///< the pairs that may touch, ascending; null: all

    bool has_sheets() const { return family.mesh() != nullptr; }
    std::size_t pair(std::size_t k) const { return close ? (*close)[k] : k; }
    std::size_t vertex(std::size_t k) const { return has_sheets() ? sheets[k].vertex : pair(k) / family.obstacle_.size(); }
    std::size_t count() const { return has_sheets() ? sheets.size() : close ? close->size() : family.vertices_.size() * family.obstacle_.size(); }
    std::uint64_t key(std::size_t k) const { return has_sheets() ? sheets[k].vertex + (sheets[k].number << 32) : pair(k); }
    bool near(std::size_t) const { return true; }
    std::span<const int> points(std::size_t k, std::vector<int>&) const { return {&family.vertices_[vertex(k)], 1}; }
    int first_side(std::size_t) const { return 1; }
    std::size_t touching_points(std::size_t) const { return 1; }
    bool acts_on_first(std::size_t, std::size_t) const { return true; }
    double side(std::size_t) const { return 1; }
    PairWeight weight(std::size_t k) const { return family.weights_[vertex(k)]; }
    int owned() const { return std::numeric_limits<int>::max(); }
    int vertex_of(int point) const { return point; }
    int copies() const { return 0; }
    Field copies_of(const Field&) const { return {}; }
    Field velocities_at(const State&) const { return {}; }
    Field positions_at(const State&) const { return {}; }
    int obstacle_of(int) const { return family.motion_.empty() ? -1 : 0; }
    void add_back(const Field&, Field&) const {}
    template <typename T>
    ObstacleSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      if (!has_sheets()) return {family.obstacle_[pair(k) % family.obstacle_.size()], frame, x[0]};
      const std::size_t end = k + 1 < sheets.size() ? sheets[k + 1].first : triangles.size();
      return {SheetGap{family.mesh()->surface(), std::span(triangles).subspan(sheets[k].first, end - sheets[k].first), sheets[k].has_rim}, frame, x[0]};
    }
  };

  MPI_Comm communicator() const { return communicator_; }
  void begin_step(const State&) {}
  void prepare(const State&) {}
  double work_seconds() const { return 0; }
  Pose frame_at(const State& state) const { return Pose(motion_, state); }
  std::vector<const Motion*> motions() const { return motion_.empty() ? std::vector<const Motion*>{} : std::vector{&motion_}; }
  Surroundings surroundings(const State& state) const;
  /// The surroundings without pairs that are too far apart to touch, if leave_out_beyond() was called; otherwise all of them.
  Surroundings close_surroundings(const State& state) const;
  /// Makes close_surroundings() leave out pairs with gaps beyond `reach` [m], at which nothing may touch. No effect if the obstacle moves or is a mesh.
  void leave_out_beyond(double reach) { reach_ = reach; }
  bool bounds_steps(const ContactLaw& law) const { return law.potential == ContactPotential::log_barrier; }
  bool is_clear(const ContactLaw&, const State&, const State&, bool) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const;
  std::optional<Vec3> passage(const ContactLaw& law, const State& start, const State& end) const;

 private:
  /// The obstacle, if it is a mesh.
  const StaticSurface* mesh() const {
    const auto* gap = std::get_if<MeshGap>(&obstacle_.front());
    return gap ? gap->surface.get() : nullptr;
  }

  bool may_leave_out() const { return reach_ && motion_.empty() && mesh() == nullptr; }
  bool is_listed(const State& state) const;
  void list_close_pairs(const State& state) const;

  MPI_Comm communicator_;
  std::vector<int> vertices_;
  std::vector<PairWeight> weights_;
  std::vector<GapFunction> obstacle_;
  Motion motion_;
  std::optional<double> reach_;
  /// The close pairs, and where the vertices were when they were found. They are found anew when a vertex has moved so far that some may be missing.
  mutable std::shared_ptr<const std::vector<std::size_t>> close_;
  mutable std::vector<Vec3> listed_at_;
};

}  // namespace traction
