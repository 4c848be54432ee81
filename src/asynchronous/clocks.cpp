#include "asynchronous/clocks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace traction {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostDense = 12;  // vertices of a stencil up to which its matrices are formed
constexpr int kIterations = 60;         // iterations of the power method for larger stencils
constexpr double kPowerMargin = 1.05;   // factor by which its result may be too low
constexpr double kDifference = 1e-6;    // displacement for differences of forces, relative to the stencil's extent
constexpr double kLeastExtent = 1e-3;   // [m], for stencils of one vertex
constexpr double kRoundingRate = 1e-3;  // [1/s]; lower frequencies cannot be distinguished from rounding errors

// Differences of one potential's forces about a state.
class Response {
 public:
  // Moves the state, and restores it at the end.
  Response(const Potentials& potentials, int potential, State& state)
      : potentials_(potentials),
        potential_(potential),
        vertices_(potentials.stencil(potential)),
        state_(state),
        plus_(vertices_.size()),
        minus_(vertices_.size()) {
    for (const int vertex : vertices_) {
      q_.emplace_back(state.q[vertex]);
      v_.emplace_back(state.v[vertex]);
      extent_ = std::max(extent_, (q_.back() - q_.front()).norm());
    }
    if (extent_ == 0) extent_ = kLeastExtent;
  }

  Eigen::Index size() const { return 3 * static_cast<Eigen::Index>(vertices_.size()); }
  // The stiffness, or the damping, along a direction of unit length: minus the derivative of the forces in positions, or in velocities.
  Eigen::VectorXd along(const Eigen::VectorXd& direction, bool of_velocity) {
    const double h = of_velocity ? extent_ : kDifference * extent_;
    move(direction, h, of_velocity);
    potentials_.forces(potential_, state_, plus_);
    move(direction, -h, of_velocity);
    potentials_.forces(potential_, state_, minus_);
    move(direction, 0, of_velocity);
    Eigen::VectorXd change(size());
    for (std::size_t a = 0; a < vertices_.size(); ++a) change.segment<3>(3 * static_cast<Eigen::Index>(a)) = (minus_[a] - plus_[a]) / (2 * h);
    return change;
  }
  // The largest eigenvalue of M^-1 times the derivative, 0 if none is positive. `masses`: of the stencil's vertices.
  double largest(const Eigen::VectorXd& masses, bool of_velocity) {
    Eigen::VectorXd root(size());
    for (Eigen::Index k = 0; k < size(); ++k) root[k] = 1 / std::sqrt(masses[k / 3]);
    if (vertices_.size() > kMostDense) return by_powers(root, of_velocity);
    Eigen::MatrixXd matrix(size(), size());
    for (Eigen::Index k = 0; k < size(); ++k) matrix.col(k) = root[k] * root.cwiseProduct(along(Eigen::VectorXd::Unit(size(), k), of_velocity));
    if (!matrix.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    const Eigen::MatrixXd symmetric = (matrix + matrix.transpose()) / 2;
    return std::max(0.0, Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[size() - 1]);
  }

 private:
  void move(const Eigen::VectorXd& direction, double h, bool of_velocity) {
    Field& field = of_velocity ? state_.v : state_.q;
    const std::vector<Vec3>& start = of_velocity ? v_ : q_;
    for (std::size_t a = 0; a < vertices_.size(); ++a) field[vertices_[a]] = start[a] + h * direction.segment<3>(3 * static_cast<Eigen::Index>(a));
  }
  double by_powers(const Eigen::VectorXd& root, bool of_velocity) {
    Eigen::VectorXd x(size());
    std::uint32_t number = 12345;
    for (Eigen::Index k = 0; k < size(); ++k) {
      number = 1664525u * number + 1013904223u;  // Numerical Recipes
      x[k] = number / 4294967296.0 - 0.5;
    }
    double value = 0;
    for (int i = 0; i < kIterations; ++i) {
      x.normalize();
      const Eigen::VectorXd moved = root.cwiseProduct(x);
      const double length = moved.norm();
      const Eigen::VectorXd next = length * root.cwiseProduct(along(moved / length, of_velocity));
      if (!next.allFinite()) return std::numeric_limits<double>::quiet_NaN();
      value = next.norm();
      if (value == 0) return 0;
      x = next;
    }
    return kPowerMargin * value;
  }

  const Potentials& potentials_;
  int potential_;
  std::span<const int> vertices_;
  State& state_;
  std::vector<Vec3> q_, v_, plus_, minus_;
  double extent_ = 0;
};

}  // namespace

void Clock::start_after(double time) {
  tick = std::max(1L, static_cast<long>(std::floor(time / step + 0.5)) - 1);
  while (this->time() <= time) ++tick;
}

Potentials::Potentials(const System& system) {
  for (const auto& force : system.forces()) {
    const SeparateTerms* terms = force->terms();
    if (!terms) throw std::logic_error("a force without separate terms in an asynchronous run: " + force->energy_name() + force->work_name());
    std::string name = force->energy_name().empty() ? force->work_name() : force->energy_name();
    if (name.empty()) name = "other";
    const auto found = std::find(kinds_.begin(), kinds_.end(), name);
    const int kind = static_cast<int>(found - kinds_.begin());
    if (found == kinds_.end()) kinds_.push_back(std::move(name));
    for (int term = 0; term < terms->count(); ++term) {
      const std::vector<int> stencil = terms->stencil(term);
      if (stencil.empty()) continue;
      potentials_.push_back({terms, force->flowing_terms(), term, kind, vertices_.size(), stencil.size()});
      if (!memory(count() - 1).empty()) remembering_.push_back(count() - 1);
      vertices_.insert(vertices_.end(), stencil.begin(), stencil.end());
      largest_ = std::max(largest_, stencil.size());
    }
  }
}

// A vertex's mass is shared out among the potentials around it. The largest frequency of all is then at most that of the worst potential with its share,
// whatever the shares (Rayleigh's quotient). The number of events per time is least with shares in proportion to the frequencies with the whole mass to the
// power of 2/3.
std::vector<double> stable_steps(const Potentials& potentials, const System& system, const State& state) {
  const auto number = static_cast<std::size_t>(potentials.count());
  std::vector<double> steps(number), weights(number), sums(system.mass().size(), 0.0);
  State scratch = state;
  const auto step_of = [&](int potential, const auto& share_of) {
    const auto vertices = potentials.stencil(potential);
    Eigen::VectorXd masses(static_cast<Eigen::Index>(vertices.size()));
    for (std::size_t a = 0; a < vertices.size(); ++a)
      masses[static_cast<Eigen::Index>(a)] = system.mass()[static_cast<std::size_t>(vertices[a])] * share_of(vertices[a]);
    Response response(potentials, potential, scratch);
    const double square = response.largest(masses, false), rate = response.largest(masses, true);
    // The limit of the leapfrog scheme with damping forces by earlier velocities (Belytschko, Liu, Moran 2000, Sec. 6.6).
    const double inverse = (std::sqrt(square + rate * rate / 4) + rate / 2) / 2;
    return inverse < kRoundingRate ? kInfinite : 1 / inverse;
  };
  for (int p = 0; p < potentials.count(); ++p) {
    const double step = step_of(p, [](int) { return 1.0; });
    double& weight = weights[static_cast<std::size_t>(p)];
    steps[static_cast<std::size_t>(p)] = step;
    weight = std::isfinite(step) ? std::pow(1 / step, 2.0 / 3) : 0;
    for (const int vertex : potentials.stencil(p)) sums[static_cast<std::size_t>(vertex)] += weight;
  }
  for (int p = 0; p < potentials.count(); ++p) {
    const double weight = weights[static_cast<std::size_t>(p)];
    if (weight > 0) steps[static_cast<std::size_t>(p)] = step_of(p, [&](int vertex) { return weight / sums[static_cast<std::size_t>(vertex)]; });
  }
  return steps;
}

}  // namespace traction
