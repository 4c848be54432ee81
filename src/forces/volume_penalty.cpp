#include "forces/volume_penalty.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dual.h"
#include "math/time_table.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// A sixth of the cross product of two edges: the part of dV/dx that each of the triangle's vertices has.
template <typename T>
Vector3<T> vertex_share(const Vector3<T>& x0, const Vector3<T>& x1, const Vector3<T>& x2) {
  const Vector3<T> a = x1 - x0, b = x2 - x0;
  return a.cross(b) * (1.0 / 6.0);
}

// x^(1/gamma), x itself where gamma is 1.
double root(double x, double gamma) { return gamma == 1 ? x : std::pow(x, 1 / gamma); }

// Adds the forces of the pressure's change by the volume's, whose gradient is that of the vertices that are given; `slope` is dp/dV. Collective.
void add_rank_one_product(const Halo& halo, const std::vector<int>& vertices, const Field& gradient, double slope, const Field& direction, Field& change) {
  double volume_change = 0;
  for (int vertex : vertices) volume_change += gradient[vertex].dot(direction[vertex]);
  const double pressure_change = slope * sum_over_ranks(halo.communicator(), volume_change);
  for (int vertex : vertices) change[vertex] += pressure_change * gradient[vertex];
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 matrix;
  matrix << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return matrix;
}

}  // namespace

VolumeLaw VolumeLaw::with_pressure(VolumeModel model, double volume, double gauge_pressure, double compressibility, double adiabatic_index) {
  VolumeLaw law{model, volume, compressibility, adiabatic_index};
  switch (model) {
    case VolumeModel::ideal_gas: law.rest_volume = volume * root(1 + gauge_pressure / kAtmosphere, adiabatic_index); break;
    case VolumeModel::quadratic: law.rest_volume = volume / (1 - gauge_pressure * compressibility); break;
    case VolumeModel::nearly_incompressible: law.rest_volume = volume * std::exp(gauge_pressure * compressibility); break;
  }
  return law;
}

double VolumeLaw::energy(double volume) const {
  // Computed from the change of volume, because the energy is nearly proportional to its square: most of the energy is small, and would be lost in differences
  // of volumes.
  const double V0 = rest_volume, change = (volume - V0) / V0, logarithm = std::log1p(change);
  switch (model) {
    case VolumeModel::ideal_gas: {
      const double excess = adiabatic_index - 1;
      return kAtmosphere * V0 * (change + (excess == 0 ? -logarithm : std::expm1(-excess * logarithm) / excess));
    }
    case VolumeModel::quadratic: return V0 * change * change / (2 * compressibility);
    default: return V0 * ((1 + change) * logarithm - change) / compressibility;
  }
}

double VolumeLaw::pressure(double volume) const {
  if (!(volume > 0)) return std::numeric_limits<double>::quiet_NaN();  // beyond its pole the gas law would give a finite pressure again
  const double V0 = rest_volume, V = volume;
  switch (model) {
    case VolumeModel::ideal_gas: return -kAtmosphere * (1 - (adiabatic_index == 1 ? V0 / V : std::pow(V0 / V, adiabatic_index)));
    case VolumeModel::quadratic: return -(V - V0) / (V0 * compressibility);
    default: return -std::log(V / V0) / compressibility;
  }
}

double VolumeLaw::pressure_slope(double volume) const {
  const double V0 = rest_volume, V = volume;
  switch (model) {
    case VolumeModel::ideal_gas:
      if (adiabatic_index != 1) return -adiabatic_index * kAtmosphere * std::pow(V0 / V, adiabatic_index) / V;
      return -kAtmosphere * V0 / (V * V);
    case VolumeModel::quadratic: return -1 / (V0 * compressibility);
    default: return -1 / (V * compressibility);
  }
}

VolumePenalty::VolumePenalty(std::shared_ptr<const Halo> halo, std::vector<std::array<int, 3>> triangles, std::vector<char> owned, VolumeLaw law,
                             Inflation inflation, double excluded_volume, bool sparse)
    : halo_(std::move(halo)),
      triangles_(std::move(triangles)),
      owned_(std::move(owned)),
      law_(law),
      inflation_(std::move(inflation)),
      excluded_volume_(excluded_volume),
      sparse_(sparse),
      gradient_(halo_->local()) {
  for (const auto& triangle : triangles_)
    for (int vertex : triangle)
      if (vertex < halo_->owned()) surface_vertices_.push_back(vertex);
  std::sort(surface_vertices_.begin(), surface_vertices_.end());
  surface_vertices_.erase(std::unique(surface_vertices_.begin(), surface_vertices_.end()), surface_vertices_.end());
  terms_.emplace(*this, surface_vertices_);
}

VolumeLaw VolumePenalty::law_at(double time) const { return law_.inflated(factor_at(inflation_, time)); }

double VolumePenalty::volume(const Field& positions) const {
  double sum = 0;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (!owned_[t]) continue;
    const Vec3 x0 = positions[triangles_[t][0]], x1 = positions[triangles_[t][1]], x2 = positions[triangles_[t][2]];
    sum += (x0 + x1 + x2).dot(vertex_share<double>(x0, x1, x2)) / 3;
  }
  return sum_over_ranks(halo_->communicator(), sum) - excluded_volume_;
}

void VolumePenalty::linearize(const Linearization& at) {
  linearized_volume_ = volume(at.state.q);
  for (int vertex : surface_vertices_) gradient_[vertex].setZero();
  for (const auto& triangle : triangles_) {
    const Vec3 share = vertex_share<double>(at.state.q[triangle[0]], at.state.q[triangle[1]], at.state.q[triangle[2]]);
    for (int vertex : triangle)
      if (vertex < halo_->owned()) gradient_[vertex] += share;
  }
}

void VolumePenalty::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior) return;  // the volume needs every triangle
  const double pressure = law_at(state.time).pressure(volume(state.q));
  for (const auto& triangle : triangles_) {
    const Vec3 share = pressure * vertex_share<double>(state.q[triangle[0]], state.q[triangle[1]], state.q[triangle[2]]);
    for (int vertex : triangle) force[vertex] += share;
  }
}

void VolumePenalty::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior) return;
  const double pressure = law_at(at.state.time).pressure(linearized_volume_);
  for (const auto& triangle : triangles_) {
    std::array<Vector3<Dual<double>>, 3> x;
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) x[a][i] = make_dual(at.state.q[triangle[a]][i], direction.q[triangle[a]][i]);
    const Vector3<Dual<double>> share = vertex_share(x[0], x[1], x[2]);
    for (int vertex : triangle)
      for (int i = 0; i < 3; ++i) change[vertex][i] += pressure * share[i].derivative[0];
  }
  add_rank_one_product(*halo_, surface_vertices_, gradient_, law_at(at.state.time).pressure_slope(linearized_volume_), direction.q, change);
}

// Newton's method finds the same solution without this term, in more iterations.
void VolumePenalty::add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior || sparse_) return;
  add_rank_one_product(*halo_, surface_vertices_, gradient_, law_at(at.state.time).pressure_slope(linearized_volume_), direction.q, change);
}

void VolumePenalty::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  const double factor = at.dq * law_at(at.state.time).pressure(linearized_volume_) / 6;
  for (const auto& triangle : triangles_)
    for (int b = 0; b < 3; ++b) {
      // d/dx_b of (x1 - x0) x (x2 - x0) is the cross matrix of the opposite edge. Not symmetric, but its sum over the triangles of a closed surface is: V's
      // second derivative.
      const Vec3 edge = at.state.q[triangle[(b + 2) % 3]] - at.state.q[triangle[(b + 1) % 3]];
      for (int a = 0; a < 3; ++a)
        if (a != b) matrix.add_symmetric(triangle[a], triangle[b], factor * cross_matrix(edge));
    }
}

void VolumePenalty::add_rank_one_terms(const Linearization& at, std::vector<RankOneTerm>& terms) const {
  if (sparse_) return;
  RankOneTerm term{at.dq * law_at(at.state.time).pressure_slope(linearized_volume_), surface_vertices_, {}, true};
  term.gradient.reserve(surface_vertices_.size());
  for (int vertex : surface_vertices_) term.gradient.push_back(gradient_[vertex]);
  terms.push_back(std::move(term));
}

double VolumePenalty::energy(const State& state) const {
  const double enclosed = volume(state.q);
  int rank = 0;
  MPI_Comm_rank(halo_->communicator(), &rank);
  return rank == 0 ? law_at(state.time).energy(enclosed) : 0;  // one rank's share is the whole, because the volume is global already
}

}  // namespace traction
