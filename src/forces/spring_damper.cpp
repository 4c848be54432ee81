#include "forces/spring_damper.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "math/dual.h"
#include "parallel/collective.h"

namespace traction {

double SpringDamper::energy(const Vec3& e) const {
  const double stretch = e.norm() - rest_length;
  return stiffness * stretch * stretch / 2;
}

SpringDampers::Ends SpringDampers::own_sum(const SpringDamper& spring, const State& state) const {
  Ends sum{Vec3::Zero(), Vec3::Zero()};
  for (std::size_t k = 0; k < spring.vertices.size(); ++k) {
    sum.e += spring.weights[k] * state.q[spring.vertices[k]];
    sum.rate += spring.weights[k] * state.v[spring.vertices[k]];
  }
  return sum;
}

std::vector<SpringDampers::Ends> SpringDampers::sums(const State& state) const {
  std::vector<Ends> sums;
  for (const SpringDamper& spring : springs_) sums.push_back(own_sum(spring, state));
  static_assert(sizeof(Ends) == 6 * sizeof(double));
  sum_over_ranks(communicator_, {sums.front().e.data(), 6 * sums.size()});
  return sums;
}

std::vector<SpringDampers::Ends> SpringDampers::ends(const State& state) const {
  std::vector<Ends> result = sums(state);
  for (std::size_t s = 0; s < springs_.size(); ++s) result[s].e -= springs_[s].anchor;
  return result;
}

std::vector<SpringDampers::Reading> SpringDampers::readings(const State& state) const {
  const std::vector<Ends> now = ends(state);
  std::vector<Reading> readings;
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const Vec3 F = springs_[s].force<double>(now[s].e, now[s].rate);
    const double length = now[s].e.norm();
    readings.push_back({length, length > 0 ? F.dot(now[s].e) / length : F.norm()});
  }
  return readings;
}

void SpringDampers::linearize(const Linearization& at) {
  using Number = Dual<double, 3>;
  const std::vector<Ends> now = ends(at.state);
  const auto derivative_along = [&](std::size_t s, double position, double velocity) {
    Vector3<Number> e, rate;
    for (int i = 0; i < 3; ++i) {
      e[i] = Number(now[s].e[i]);
      e[i].derivative[i] = position;
      rate[i] = Number(now[s].rate[i]);
      rate[i].derivative[i] = velocity;
    }
    const Vector3<Number> F = springs_[s].force<Number>(e, rate);
    Mat3 derivative;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) derivative(i, j) = F[i].derivative[j];
    return derivative;
  };
  derivatives_.clear();
  for (std::size_t s = 0; s < springs_.size(); ++s) derivatives_.push_back({derivative_along(s, 1, 0), derivative_along(s, 0, 1)});
}

void SpringDampers::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior) return;  // the ends need every rank
  const std::vector<Ends> now = ends(state);
  for (std::size_t s = 0; s < springs_.size(); ++s) pull(springs_[s], springs_[s].force<double>(now[s].e, now[s].rate), force);
}

void SpringDampers::add_product(const Linearization&, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior) return;
  const std::vector<Ends> along = sums(direction);
  for (std::size_t s = 0; s < springs_.size(); ++s)
    pull(springs_[s], derivatives_[s].by_position * along[s].e + derivatives_[s].by_velocity * along[s].rate, change);
}

void SpringDampers::forces(int term, const State& state, std::span<Vec3> forces) const {
  const SpringDamper& spring = springs_[static_cast<std::size_t>(term)];
  const Ends now = own_sum(spring, state);
  const Vec3 F = spring.force<double>(now.e - spring.anchor, now.rate);
  for (std::size_t k = 0; k < spring.vertices.size(); ++k) forces[k] = -spring.weights[k] * F;
}

// -G^T S G with the rows of G that make e of q, and S the symmetric part of dq dF/de + dv dF/de': one term for each of S's principal directions u, with the
// gradient w_a u.
void SpringDampers::add_rank_one_terms(const Linearization& at, std::vector<RankOneTerm>& terms) const {
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const Mat3 S = at.dq * derivatives_[s].by_position + at.dv * derivatives_[s].by_velocity;
    const Eigen::SelfAdjointEigenSolver<Mat3> principal((S + S.transpose()) / 2);
    for (int m = 0; m < 3; ++m) {
      RankOneTerm& term = terms.emplace_back(RankOneTerm{-principal.eigenvalues()[m], springs_[s].vertices, {}, false});
      for (const double weight : springs_[s].weights) term.gradient.emplace_back(weight * principal.eigenvectors().col(m));
    }
  }
}

double SpringDampers::energy(const State& state) const {
  const std::vector<Ends> now = ends(state);
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  double sum = 0;
  for (std::size_t s = 0; s < springs_.size() && rank == 0; ++s)
    sum += springs_[s].energy(now[s].e);  // one rank's share is the whole, because the ends are global already
  return sum;
}

std::string SpringDampers::work_name() const {
  return std::any_of(springs_.begin(), springs_.end(), [](const SpringDamper& spring) { return spring.damping > 0; }) ? "damping" : "";
}

}  // namespace traction
