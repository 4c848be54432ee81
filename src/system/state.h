// Positions and velocities of the local vertices.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "math/tensor.h"
#include "parallel/halo.h"

namespace traction {

/// 3 doubles per local vertex, owned vertices first, then ghosts.
class Field {
 public:
  Field() = default;
  explicit Field(int local_vertices) : values_(3 * static_cast<std::size_t>(local_vertices), 0.0) {}

  Eigen::Map<Vec3> operator[](int vertex) { return Eigen::Map<Vec3>(values_.data() + 3 * static_cast<std::size_t>(vertex)); }
  Eigen::Map<const Vec3> operator[](int vertex) const { return Eigen::Map<const Vec3>(values_.data() + 3 * static_cast<std::size_t>(vertex)); }

  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  Eigen::Map<Eigen::VectorXd> array() { return {values_.data(), static_cast<Eigen::Index>(values_.size())}; }
  Eigen::Map<const Eigen::VectorXd> array() const { return {values_.data(), static_cast<Eigen::Index>(values_.size())}; }
  void set_zero() { values_.assign(values_.size(), 0.0); }

 private:
  std::vector<double> values_;
};

/// A displacement between two times, divided by a duration: the velocities of a run without inertia.
struct MeanVelocity {
  double from = 0;      ///< when the displacement began [s]; it ends at the state's time
  double duration = 1;  ///< [s]
};

/// Positions and velocities of the local vertices at one time.
struct State {
  Field q;                                          ///< positions [m]
  Field v;                                          ///< velocities [m/s]
  double time = 0;                                  ///< [s]; prescribed motions depend on it
  std::optional<MeanVelocity> mean = std::nullopt;  ///< of what the velocities are means, those of prescribed motions too; nothing: they are those at `time`

  State() = default;
  explicit State(int local_vertices) : q(local_vertices), v(local_vertices) {}
};

}  // namespace traction
