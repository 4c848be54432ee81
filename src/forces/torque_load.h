// A torque on a set of vertices (docs/theory/balance.md, "Torques").
#pragma once

#include <mpi.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "math/time_table.h"
#include "parallel/collective.h"
#include "system/force.h"

namespace traction {

/// f_i = w_i omega x r_i, r_i = q_i - sum of w_j q_j, with the omega for which the moments r_i x f_i sum to the torque: J omega = torque, where
/// J = sum of w_i (r_i.r_i - r_i r_i^T). The forces sum to zero. The torque keeps its direction; it derives from no energy.
class TorqueLoad : public Force {
 public:
  /// `vertices`: owned, with weights that sum to 1 over all ranks. `torque` [N m] times a factor over time.
  TorqueLoad(MPI_Comm communicator, std::vector<int> vertices, std::vector<double> weights, const Vec3& torque, TimeTable over)
      : communicator_(communicator),
        vertices_(std::move(vertices)),
        weights_(std::move(weights)),
        torque_(torque),
        over_(std::move(over)),
        terms_(*this, vertices_) {}

  /// Whether the vertices do not lie on one line. @collective
  bool can_turn(const Field& q) const {
    constexpr double kLine = 1e-8;  // relative to the largest moment
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(evaluate<double>(places(q)).J).eigenvalues();
    return moments[0] > kLine * moments[2];
  }

  bool is_modal() const override { return false; }
  void add_force(const State& state, Zone zone, Field& force) const override {
    if (zone == Zone::interior) return;  // the centroid needs every rank
    add<double>(state, places(state.q), force);
  }
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    if (zone == Zone::interior) return;
    add<Dual<double>>(at.state, places(at.state.q, direction.q), change);
  }
  std::string work_name() const override { return "loads"; }
  const SeparateTerms* terms() const override { return &terms_; }

 private:
  template <typename T>
  struct Spread {
    Vector3<T> center;
    Eigen::Matrix<T, 3, 3> J;  ///< [m^2]
  };

  /// The places of the vertices; with a direction, as dual numbers along it.
  std::vector<Vec3> places(const Field& q) const {
    std::vector<Vec3> x;
    for (const int vertex : vertices_) x.emplace_back(q[vertex]);
    return x;
  }
  std::vector<Vector3<Dual<double>>> places(const Field& q, const Field& direction) const {
    std::vector<Vector3<Dual<double>>> x;
    for (const int vertex : vertices_) x.push_back(make_dual(Vec3(q[vertex]), Vec3(direction[vertex])));
    return x;
  }
  template <typename T, std::size_t N>
  void sum(std::array<T, N>& numbers) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
    sum_over_ranks(communicator_, std::span(reinterpret_cast<double*>(numbers.data()), N * sizeof(T) / sizeof(double)));
  }
  template <typename T>
  Spread<T> evaluate(const std::vector<Vector3<T>>& x) const {
    std::array<T, 3> first{T(0.0), T(0.0), T(0.0)};
    for (std::size_t k = 0; k < x.size(); ++k)
      for (int i = 0; i < 3; ++i) first[i] += x[k][i] * weights_[k];
    sum(first);
    Spread<T> spread{{first[0], first[1], first[2]}, {}};
    std::array<T, 9> second;
    second.fill(T(0.0));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Vector3<T> r = x[k] - spread.center;
      const T square = r.dot(r);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) second[3 * i + j] += ((i == j ? square : T(0.0)) - r[i] * r[j]) * weights_[k];
    }
    sum(second);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) spread.J(i, j) = second[3 * i + j];
    return spread;
  }
  template <typename T>
  void add(const State& state, const std::vector<Vector3<T>>& x, Field& result) const {
    const Spread<T> spread = evaluate<T>(x);
    const Vector3<T> a = spread.J.col(0), b = spread.J.col(1), c = spread.J.col(2);
    const Vec3 torque = factor_at(over_, state.time) * torque_;
    const T volume = a.dot(Vector3<T>(b.cross(c)));
    const auto component = [&](const Vector3<T>& p, const Vector3<T>& q) { return T(torque_along(torque, Vector3<T>(p.cross(q))) / volume); };
    const Vector3<T> omega(component(b, c), component(c, a), component(a, b));  // by Cramer's rule
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Vector3<T> f = omega.cross(Vector3<T>(x[k] - spread.center)) * T(weights_[k]);
      if constexpr (std::is_same_v<T, double>) result[vertices_[k]] += f;
      else result[vertices_[k]] += derivative_of(f);
    }
  }
  template <typename T>
  static T torque_along(const Vec3& torque, const Vector3<T>& direction) {
    return direction[0] * torque[0] + direction[1] * torque[1] + direction[2] * torque[2];
  }

  MPI_Comm communicator_;
  std::vector<int> vertices_;
  std::vector<double> weights_;
  Vec3 torque_;
  TimeTable over_;
  WholeForce terms_;
};

}  // namespace traction
