// Pairs of a body's surface vertices and an obstacle, still or moving.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "contact/contact_law.h"
#include "contact/gap_functions.h"
#include "system/rigid_motion.h"
#include "system/state.h"

namespace traction {

// A vertex at x before a gap function whose frame is the obstacle's pose: see contact_law.h.
template <typename T>
class ObstacleSample {
 public:
  ObstacleSample(const GapFunction& obstacle, const Pose& pose, const Vector3<T>& x) : pose_(pose), x_(x) {
    const Vector3<T> x_rest = pose.to_rest(x);
    sample_ = std::visit([&](const auto& shape) { return shape(x_rest); }, obstacle);
  }

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

 private:
  Pose pose_;
  Vector3<T> x_;
  GapSample<T> sample_;
};

// A family of pairs: see pair_force.h. Vertex k with gap function s is pair k * (gap functions) + s.
class VertexObstacle {
 public:
  static constexpr bool touches_mesh = false;
  template <typename T>
  using Sample = ObstacleSample<T>;
  using Frame = Pose;

  // `vertices`: owned. `obstacle`: what stands in their way, each part on its own. `motion`: the obstacle's.
  VertexObstacle(MPI_Comm communicator, std::vector<int> vertices, std::vector<GapFunction> obstacle, Motion motion)
      : communicator_(communicator), vertices_(std::move(vertices)), obstacle_(std::move(obstacle)), motion_(std::move(motion)) {}

  struct Surroundings {
    const VertexObstacle& family;
    Pose frame;
    Field q = {}, v = {};  // empty: there are no copies

    bool near(std::size_t) const { return true; }
    std::span<const int> others(std::size_t, std::vector<int>&) const { return {}; }
    int copies() const { return 0; }
    Field copies_of(const Field&) const { return {}; }
    void add_back(const Field&, Field&) const {}
    template <typename T>
    ObstacleSample<T> sample(std::size_t k, std::span<const Vector3<T>> x) const {
      return {family.obstacle_[k % family.obstacle_.size()], frame, x[0]};
    }
  };

  MPI_Comm communicator() const { return communicator_; }
  std::size_t count() const { return vertices_.size() * obstacle_.size(); }
  int vertex(std::size_t k) const { return vertices_[k / obstacle_.size()]; }
  void begin_step(const State&) {}
  void prepare(const State&) {}
  double work_seconds() const { return 0; }
  Pose frame_at(double time) const { return Pose(motion_, time); }
  Surroundings surroundings(const State& state) const { return {*this, frame_at(state.time)}; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const;

 private:
  MPI_Comm communicator_;
  std::vector<int> vertices_;
  std::vector<GapFunction> obstacle_;
  Motion motion_;
};

}  // namespace traction
