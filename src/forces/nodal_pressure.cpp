#include "forces/nodal_pressure.h"

#include <algorithm>
#include <utility>

namespace traction {

namespace {

// Forces of a mean stress on the four vertices of an element: -V p dJ/dx.
template <typename T, typename Real>
Corner4<T> pressure_forces(const SolidElementOf<Real>& element, const Real& stress, const Corner4<T>& x) {
  return forces_of_stress(element, Matrix3<T>(cofactor_and_determinant(deformation_gradient(element, x)).first * T(stress)));
}

// factor times their derivatives at constant stress: -V p J (g_a g_b^T - g_b g_a^T), g_a = F^-T grad N_a.
class PressureBlocks {
 public:
  PressureBlocks(const SolidBatch& element, const Pack& stress, const Corner4<Pack>& x, double factor)
      : deformed_(element, x), scale_(element.volume * stress * deformed_.determinant * -factor) {}

  Matrix3<Pack> operator()(int a, int b) const {
    const auto &ga = deformed_.gradients[a], &gb = deformed_.gradients[b];
    Matrix3<Pack> block;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) block(i, k) = (ga[i] * gb[k] - gb[i] * ga[k]) * scale_;
    return block;
  }

 private:
  DeformedElement<Pack> deformed_;
  Pack scale_;
};

// Calls action(a, b, g_ab) for all neighbours a and b in both orders, and for a = b.
template <typename Edges, typename Action>
void for_each_gradient(const Edges& edges, const std::vector<int>& vertices, const std::vector<Vec3>& own_gradients, Action action) {
  for (const auto& edge : edges) {
    const auto [a, b] = edge.vertices;
    action(a, b, edge.gradients[0]);
    action(b, a, edge.gradients[1]);
  }
  for (const int vertex : vertices) action(vertex, vertex, own_gradients[vertex]);
}

}  // namespace

NodalPressure::NodalPressure(std::shared_ptr<const Halo> halo, std::shared_ptr<const SolidBatches> elements, const VolumetricLaw& law)
    : halo_(std::move(halo)), elements_(std::move(elements)), law_(law), scatter_(*halo_, 1), rest_volumes_(halo_->local(), 0.0) {
  std::vector<std::array<int, 2>> pairs;
  for (const SolidBatch& batch : elements_->all())
    for (int lane = 0; lane < batch.count; ++lane) {
      for (int a = 0; a < 4; ++a) {
        vertices_.push_back(batch.vertices[a][lane]);
        if (vertices_.back() < halo_->owned()) rest_volumes_[vertices_.back()] += 0.25 * batch.volume[lane];
      }
      for (int e = 0; e < 6; ++e)
        if (batch.edges[e][lane] >= 0) pairs.push_back({batch.vertices[kTetrahedronEdges[e][0]][lane], batch.vertices[kTetrahedronEdges[e][1]][lane]});
    }
  const auto drop_copies = [](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  drop_copies(vertices_);
  drop_copies(pairs);
  for (const auto& pair : pairs) edges_.push_back({pair});
  for (const SolidBatch& batch : elements_->all()) {
    auto& own = own_.emplace_back();
    for (int e = 0; e < 6; ++e)
      for (int lane = 0; lane < kPackWidth; ++lane) {
        const std::array<int, 2> pair{batch.vertices[kTetrahedronEdges[e][0]][lane], batch.vertices[kTetrahedronEdges[e][1]][lane]};
        own[e][lane] = batch.edges[e][lane] < 0 ? -1 : static_cast<int>(std::lower_bound(pairs.begin(), pairs.end(), pair) - pairs.begin());
      }
  }
  first_incidence_.assign(static_cast<std::size_t>(halo_->local()) + 1, 0);
  for (const auto& pair : pairs)
    for (const int vertex : pair) ++first_incidence_[vertex + 1];
  for (std::size_t i = 1; i < first_incidence_.size(); ++i) first_incidence_[i] += first_incidence_[i - 1];
  incidences_.resize(first_incidence_.back());
  std::vector<std::size_t> next(first_incidence_.begin(), first_incidence_.end() - 1);
  for (std::size_t e = 0; e < pairs.size(); ++e)
    for (const bool is_first : {true, false}) incidences_[next[pairs[e][is_first ? 0 : 1]]++] = {static_cast<int>(e), pairs[e][is_first ? 1 : 0], is_first};
}

std::vector<double> NodalPressure::volume_ratios(const Field& positions) const {
  std::vector<double> ratios(rest_volumes_.size(), 0.0);
  for (const SolidBatch& batch : elements_->all()) {
    const Pack quarter = batch.volume * 0.25 * cofactor_and_determinant(deformation_gradient(batch, gather(batch, positions))).second;
    for (int a = 0; a < 4; ++a)
      for (int lane = 0; lane < batch.count; ++lane) ratios[batch.vertices[a][lane]] += quarter[lane];
  }
  for (const int vertex : vertices_) ratios[vertex] = vertex < halo_->owned() ? ratios[vertex] / rest_volumes_[vertex] : 0;
  return ratios;
}

std::vector<double> NodalPressure::stresses_at(const std::vector<double>& ratios) const {
  std::vector<double> stresses(ratios.size(), 0.0);
  for (const int vertex : vertices_)
    if (vertex < halo_->owned()) stresses[vertex] = law_.stress(ratios[vertex]);
  return stresses;
}

std::vector<double> NodalPressure::foretold_stresses(const Field& positions) const {
  Field moved = positions;
  moved.array() -= base_.array();
  std::vector<double> stresses = volume_changes(moved);
  for (const int vertex : vertices_) stresses[vertex] = stresses_[vertex] + stiffnesses_[vertex] * stresses[vertex];
  return stresses;
}

std::vector<double> NodalPressure::volume_changes(const Field& direction) const {
  std::vector<double> changes(rest_volumes_.size(), 0.0);
  for (const Edge& edge : edges_) {
    const auto [a, b] = edge.vertices;
    const Vec3 difference = direction[b] - direction[a];
    changes[a] += edge.gradients[0].dot(difference);
    changes[b] -= edge.gradients[1].dot(difference);
  }
  return changes;
}

std::vector<Pack> NodalPressure::means(std::vector<double> stresses) const {
  scatter_.forward(stresses);
  std::vector<Pack> result;
  for (const SolidBatch& batch : elements_->all()) {
    Pack& mean = result.emplace_back(0.0);
    for (int lane = 0; lane < kPackWidth; ++lane) {
      double sum = 0;
      for (int a = 0; a < 4; ++a) sum += stresses[batch.vertices[a][lane]];
      mean.set(lane, 0.25 * sum);
    }
  }
  return result;
}

void NodalPressure::linearize(const Linearization& at) {
  const std::vector<double> ratios = volume_ratios(at.state.q);
  const bool foretold = linearizes_foretold_ && !base_.values().empty();
  mean_stresses_ = means(foretold ? foretold_stresses(at.state.q) : stresses_at(ratios));
  stresses_ = stresses_at(ratios);
  base_ = at.state.q;
  stiffnesses_.assign(ratios.size(), 0.0);
  for (const int vertex : vertices_)
    if (vertex < halo_->owned()) stiffnesses_[vertex] = law_.slope(ratios[vertex]) / rest_volumes_[vertex];
  scatter_.forward(stiffnesses_);
  own_gradients_.assign(ratios.size(), Vec3::Zero());
  for (Edge& edge : edges_) edge.gradients = {Vec3::Zero(), Vec3::Zero()};
  for (std::size_t b = 0; b < own_.size(); ++b) {
    const SolidBatch& batch = elements_->all()[b];
    const Corner4<Pack> forces = pressure_forces(batch, Pack(-0.25), gather(batch, at.state.q));
    for (int lane = 0; lane < batch.count; ++lane) {
      std::array<Vec3, 4> shares;
      for (int a = 0; a < 4; ++a) {
        shares[a] = Vec3(forces[a][0][lane], forces[a][1][lane], forces[a][2][lane]);
        own_gradients_[batch.vertices[a][lane]] += shares[a];
      }
      for (int e = 0; e < 6; ++e) {
        if (own_[b][e][lane] < 0) continue;
        Edge& edge = edges_[own_[b][e][lane]];
        edge.gradients[0] += shares[kTetrahedronEdges[e][1]];
        edge.gradients[1] += shares[kTetrahedronEdges[e][0]];
      }
    }
  }
}

void NodalPressure::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior) return;  // the averages need every element
  const std::vector<Pack> stresses = means(foretells_ ? foretold_stresses(state.q) : stresses_at(volume_ratios(state.q)));
  const auto kernel = [&](const SolidBatch& batch, const Pack& stress) { return pressure_forces(batch, stress, gather(batch, state.q)); };
  for (const Zone part : {Zone::interior, Zone::boundary}) elements_->add(part, 1, stresses, kernel, force);
}

void NodalPressure::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  const auto kernel = [&](const SolidBatch& batch, const Pack& stress) {
    return derivatives(pressure_forces(batch, stress, gather(batch, at.state.q, direction.q)));
  };
  elements_->add(zone, 1, mean_stresses_, kernel, change);
  add_product_beyond_blocks(at, direction, zone, change);
  if (zone == Zone::interior) return;
  for_each_gradient(edges_, vertices_, own_gradients_, [&](int a, int b, const Vec3& g) { change[b] -= stiffnesses_[a] * g.dot(direction.q[b]) * g; });
}

void NodalPressure::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  const auto kernel = [&](const SolidBatch& batch, const Pack& stress) { return PressureBlocks(batch, stress, gather(batch, at.state.q), at.dq); };
  elements_->add_blocks(mean_stresses_, kernel, matrix);
  for_each_gradient(edges_, vertices_, own_gradients_,
                    [&](int a, int b, const Vec3& g) { matrix.add_diagonal(b, -at.dq * stiffnesses_[a] * g * g.transpose()); });
}

void NodalPressure::add_product_beyond_blocks(const Linearization&, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior) return;
  std::vector<double> stresses = volume_changes(direction.q);
  for (const int vertex : vertices_) stresses[vertex] *= stiffnesses_[vertex];
  scatter_.forward(stresses);
  for_each_gradient(edges_, vertices_, own_gradients_,
                    [&](int a, int b, const Vec3& g) { change[b] -= (stresses[a] - stiffnesses_[a] * g.dot(direction.q[b])) * g; });
}

// Each owned vertex a, whose gradients are complete, adds -d2U/dJ2 / V_a g_ab g_ac^T to the block of each two vertices b and c around it.
void NodalPressure::add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const {
  std::vector<int> place(rest_volumes_.size(), -1), columns;
  std::vector<Mat3> row;
  const auto add_volume_of = [&](int a, const Vec3& gradient) {
    if (a >= halo_->owned()) return;
    const Vec3 scaled = -at.dq * stiffnesses_[a] * gradient;
    const auto add = [&](int c, const Vec3& other) {
      if (place[c] < 0) {
        place[c] = static_cast<int>(columns.size());
        columns.push_back(c);
        row.emplace_back(Mat3::Zero());
      }
      row[place[c]] += scaled * other.transpose();
    };
    add(a, own_gradients_[a]);
    for (const Incidence& at_a : edges_of(a)) add(at_a.vertex, edges_[at_a.edge].gradients[at_a.is_first ? 0 : 1]);
  };
  for (const int b : vertices_) {
    add_volume_of(b, own_gradients_[b]);
    for (const Incidence& at_b : edges_of(b)) add_volume_of(at_b.vertex, edges_[at_b.edge].gradients[at_b.is_first ? 1 : 0]);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] != b) couplings.push_back({halo_->to_global(b), halo_->to_global(columns[k]), row[k]});
      place[columns[k]] = -1;
    }
    columns.clear();
    row.clear();
  }
}

double NodalPressure::energy(const State& state) const {
  const std::vector<double> ratios = volume_ratios(state.q);
  double total = 0;
  for (const int vertex : vertices_)
    if (vertex < halo_->owned()) total += rest_volumes_[vertex] * law_.energy(ratios[vertex]);
  return total;
}

std::vector<double> NodalPressure::element_stresses(const Field& positions) const {
  const std::vector<Pack> stresses = means(stresses_at(volume_ratios(positions)));
  std::vector<double> result(static_cast<std::size_t>(elements_->count()));
  for (std::size_t b = 0; b < stresses.size(); ++b) {
    const SolidBatch& batch = elements_->all()[b];
    for (int lane = 0; lane < batch.count; ++lane) result[static_cast<std::size_t>(batch.element(lane))] = stresses[b][lane];
  }
  return result;
}

}  // namespace traction
