#include "contact/mesh_contact.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "contact/admissible_part.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// A vertex that goes so far at once, as part of the surface's reach, is not through the region behind the surface in which the gap is negative: for all that
// contact allows as thickness and reach that is at least 0.4 of the reach deep.
constexpr double kPartOfReach = 0.25;

// Arrays for the triangles near one vertex, kept from vertex to vertex.
template <typename T>
struct Stencil {
  std::vector<Corners<T>> positions, velocities, reactions;

  void resize(std::size_t count) {
    positions.resize(count);
    velocities.resize(count);
    const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
    reactions.assign(count, Corners<T>{zero, zero, zero});
  }
};

// How much of the point below a vertex is one corner of the surface.
struct Share {
  PetscInt vertex;
  double weight;
};

// Keeps the largest, the first of equal ones, as many as make up most of the sum, but only a few, and scales them to a sum of 1.
void keep_largest(std::vector<Share>& shares) {
  constexpr double kMost = 0.95;
  constexpr std::size_t kFew = 4;  // 3, 6 and all within reach take as many linear iterations
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.weight > b.weight; });
  double total = 0, kept = 0;
  for (const Share& share : shares) total += share.weight;
  std::size_t count = 0;
  while (count < std::min(kFew, shares.size()) && kept < kMost * total) kept += shares[count++].weight;
  shares.resize(count);
  for (Share& share : shares) share.weight /= kept;
}

Vector3<Dual<double>> dual(const Vec3& value, const Vec3& derivative) {
  return {make_dual(value[0], derivative[0]), make_dual(value[1], derivative[1]), make_dual(value[2], derivative[2])};
}

Vec3 derivative_of(const Vector3<Dual<double>>& x) { return {x[0].derivative[0], x[1].derivative[0], x[2].derivative[0]}; }

}  // namespace

MeshContact::MeshContact(std::shared_ptr<const Halo> halo, std::string name, ContactLaw law, ImplicitSurface surface, bool two_sided,
                         ContactCandidates candidates)
    : Contact(std::move(name), law), halo_(std::move(halo)), surface_(surface), two_sided_(two_sided), candidates_(std::move(candidates)) {
  if (two_sided_) sides_.assign(candidates_.vertices().size(), 0);
}

void MeshContact::prepare(const State& state) {
  candidates_.update(state.q);
  find_sides(state.q);
}

void MeshContact::begin_step(const State& state) {
  if (two_sided_) {
    std::fill(sides_.begin(), sides_.end(), 0);
    start_ = state.q;
  }
  prepare(state);
}

// Of the vertices that have none yet: where they were at the start of the step, seen from the triangles that are within reach at these positions. So one that a
// guess takes through the surface from beyond its reach is not lost.
void MeshContact::find_sides(const Field& positions) {
  if (!two_sided_) return;
  const NearbyTriangles& nearby = *candidates_.nearby();
  Field now(nearby.copies().count()), start(nearby.copies().count());
  nearby.copies().forward(positions.values(), now.values());
  nearby.copies().forward(start_.values(), start.values());
  const WorkClock::Shift shift(work());
  std::vector<Corners<double>> corners;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] != 0) continue;
    const Candidates triangles = candidates_of(k, nearby);
    corners.clear();
    for (std::size_t i = 0; i < triangles.size(); ++i) corners.push_back(triangles.corners(now, i));
    const int vertex = candidates_.vertices()[k];
    const ImplicitSurfaceSample<double> sample(surface_, positions[vertex], corners);
    if (!sample.within_reach()) continue;
    double distance = 0;
    sample.for_each_corner([&](std::size_t i, int a, double share) {
      const Corners<double> corner = triangles.corners(start, i);
      distance += share * (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized().dot(start_[vertex] - corner[a]);
    });
    sides_[k] = distance < 0 ? -1 : 1;
  }
}

MeshContact::Candidates MeshContact::candidates_of(std::size_t k, const NearbyTriangles& nearby) const {
  return {nearby, nearby.near(k), two_sided_ && sides_[k] < 0};
}

MeshContact::Neighbourhood MeshContact::neighbourhood(const State& state) const {
  Neighbourhood result{candidates_.nearby(), {}, {}};
  const Scatter& copies = result.nearby->copies();
  result.q = Field(copies.count());
  result.v = Field(copies.count());
  copies.forward(state.q.values(), result.q.values());
  copies.forward(state.v.values(), result.v.values());
  return result;
}

// Calls action(k, force on vertex k, its candidates, reactions on them) for every vertex with candidates.
template <typename Action>
void MeshContact::for_each_contact(const State& state, const Neighbourhood& near, Action action) const {
  const WorkClock::Shift shift(work());
  Stencil<double> stencil;
  for (std::size_t k = 0; k < candidates_.vertices().size(); ++k) {
    const Candidates triangles = candidates_of(k, *near.nearby);
    if (triangles.empty()) continue;
    stencil.resize(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      stencil.positions[i] = triangles.corners(near.q, i);
      stencil.velocities[i] = triangles.corners(near.v, i);
    }
    const int vertex = candidates_.vertices()[k];
    const ContactForce<double> contact =
        mesh_contact_force<double>(surface_, law(), state.q[vertex], state.v[vertex], stencil.positions, stencil.velocities, stencil.reactions);
    action(k, contact, triangles, stencil.reactions);
  }
}

// Calls action(k, its candidates) for every vertex in contact at the last linearize.
template <typename Action>
void MeshContact::for_each_active(Action action) const {
  const WorkClock::Shift shift(work());
  for (std::size_t k : active_) action(k, candidates_of(k, *linearized_.nearby));
}

void MeshContact::lag_friction(const State& state) {
  if (!has_lagged_friction()) return;
  prepare(state);
  lagged_ = neighbourhood(state);
  lagged_positions_.clear();
  for (int vertex : candidates_.vertices()) lagged_positions_.emplace_back(state.q[vertex]);
}

template <typename T, typename VertexVelocity, typename CopyVelocity, typename Action>
void MeshContact::for_each_lagged(VertexVelocity velocity_of_vertex, CopyVelocity velocity_of_copy, Action action) const {
  const WorkClock::Shift shift(work());
  const ContactLaw contact_law = law();
  Stencil<double> geometry;
  Stencil<T> motion;
  for (std::size_t k = 0; k < lagged_positions_.size(); ++k) {
    const Candidates triangles = candidates_of(k, *lagged_.nearby);
    if (triangles.empty()) continue;
    geometry.resize(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) geometry.positions[i] = triangles.corners(lagged_.q, i);
    const ImplicitSurfaceSample<double> sample(surface_, lagged_positions_[k], geometry.positions);
    const double gap = sample.gap() - contact_law.offset;
    if (!sample.within_reach() || gap >= contact_law.thickness) continue;
    motion.resize(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) motion.velocities[i][a] = velocity_of_copy(triangles[i][a]);
    const double length = sample.gradient().norm(), normal_force = length * contact_law.normal_force(gap);
    const Vector3<T> relative = velocity_of_vertex(candidates_.vertices()[k]) - sample.template velocity<T>(motion.velocities);
    const Vector3<T> friction =
        friction_force<T>(contact_law, sliding_velocity<T>(contact_law, Vec3(sample.gradient() / length).template cast<T>(), relative), T(normal_force));
    sample.template add_velocity_transpose<T>(-friction, motion.reactions);
    action(k, friction, triangles, motion.reactions);
  }
}

// Calls action(vertex, friction), and adds what friction does to the surface to `reactions` on the lagged neighbourhood's copies.
template <typename Action>
void MeshContact::add_lagged_friction(const State& state, Action action, Field* reactions) const {
  if (!lagged_.nearby) return;
  Field velocities(lagged_.nearby->copies().count());
  lagged_.nearby->copies().forward(state.v.values(), velocities.values());
  for_each_lagged<double>([&](int vertex) -> Vec3 { return state.v[vertex]; }, [&](int copy) -> Vec3 { return velocities[copy]; },
                          [&](std::size_t k, const Vec3& friction, const Candidates& triangles, const auto& forces) {
                            action(candidates_.vertices()[k], friction);
                            if (!reactions) return;
                            for (std::size_t i = 0; i < triangles.size(); ++i)
                              for (int a = 0; a < 3; ++a) (*reactions)[triangles[i][a]] += forces[i][a];
                          });
}

void MeshContact::linearize(const State& state) {
  prepare(state);
  linearized_ = neighbourhood(state);
  active_.clear();
  directions_.set_active(primal_dual(), candidates_.vertices().size());
  for_each_contact(state, linearized_, [&](std::size_t k, const ContactForce<double>& contact, auto, const auto&) {
    if (directions_.active()) directions_.update(k, contact.gap < law().thickness, contact.sliding);
    if (contact.gap < law().thickness) active_.push_back(k);
  });
}

void MeshContact::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior) return;
  const Neighbourhood near = neighbourhood(state);
  Field reactions(near.nearby->copies().count());
  for_each_contact(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Candidates& triangles, const auto& forces) {
    if (!(contact.gap < law().thickness)) return;
    force[candidates_.vertices()[k]] += contact.normal + contact.friction;
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) reactions[triangles[i][a]] += forces[i][a];
  });
  near.nearby->copies().add_back(reactions.values(), force.values());
  if (!lagged_.nearby) return;

  reactions = Field(lagged_.nearby->copies().count());
  add_lagged_friction(
      state, [&](int vertex, const Vec3& friction) { force[vertex] += friction; }, &reactions);
  lagged_.nearby->copies().add_back(reactions.values(), force.values());
}

void MeshContact::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior) return;
  const NearbyTriangles& nearby = *linearized_.nearby;
  Field dq(nearby.copies().count()), dv(nearby.copies().count()), reactions(nearby.copies().count());
  nearby.copies().forward(direction.q.values(), dq.values());
  nearby.copies().forward(direction.v.values(), dv.values());
  Stencil<Dual<double>> stencil;
  for_each_active([&](std::size_t k, const Candidates& triangles) {
    stencil.resize(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) {
        const int copy = triangles[i][a];
        stencil.positions[i][a] = dual(linearized_.q[copy], dq[copy]);
        stencil.velocities[i][a] = dual(linearized_.v[copy], dv[copy]);
      }
    const int vertex = candidates_.vertices()[k];
    const auto contact =
        mesh_contact_force<Dual<double>>(surface_, law(), dual(state.q[vertex], direction.q[vertex]), dual(state.v[vertex], direction.v[vertex]),
                                         stencil.positions, stencil.velocities, stencil.reactions, directions_.of(k));
    change[vertex] += derivative_of(contact.normal) + derivative_of(contact.friction);
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) reactions[triangles[i][a]] += derivative_of(stencil.reactions[i][a]);
  });
  nearby.copies().add_back(reactions.values(), change.values());
  if (!lagged_.nearby) return;

  Field velocities(lagged_.nearby->copies().count()), directions(lagged_.nearby->copies().count());
  reactions = Field(lagged_.nearby->copies().count());
  lagged_.nearby->copies().forward(state.v.values(), velocities.values());
  lagged_.nearby->copies().forward(direction.v.values(), directions.values());
  for_each_lagged<Dual<double>>([&](int vertex) { return dual(state.v[vertex], direction.v[vertex]); },
                                [&](int copy) { return dual(velocities[copy], directions[copy]); },
                                [&](std::size_t k, const auto& friction, const Candidates& triangles, const auto& forces) {
                                  change[candidates_.vertices()[k]] += derivative_of(friction);
                                  for (std::size_t i = 0; i < triangles.size(); ++i)
                                    for (int a = 0; a < 3; ++a) reactions[triangles[i][a]] += derivative_of(forces[i][a]);
                                });
  lagged_.nearby->copies().add_back(reactions.values(), change.values());
}

// As if the vertex touched the weighted mean of a few corners: with B the derivative for the vertex alone, w = 1 for the vertex and minus their weights for the
// corners, vertices a and b get w_a w_b B. All corners within reach would fill the factors of the matrix.
void MeshContact::add_couplings(const State& state, double dq, double dv, std::vector<Coupling>& couplings) const {
  using Dual3 = Dual<double, 3>;
  const NearbyTriangles& nearby = *linearized_.nearby;
  Stencil<Dual3> stencil;
  for_each_active([&](std::size_t k, const Candidates& triangles) {
    stencil.resize(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) {
        const int copy = triangles[i][a];
        stencil.positions[i][a] = Vec3(linearized_.q[copy]).cast<Dual3>();
        stencil.velocities[i][a] = Vec3(linearized_.v[copy]).cast<Dual3>();
      }
    const int vertex = candidates_.vertices()[k];
    // Seeded so that one derivative is dq df/dq + dv df/dv along a coordinate axis.
    Vector3<Dual3> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = Dual3(state.q[vertex][i]);
      v[i] = Dual3(state.v[vertex][i]);
      x[i].derivative[i] = dq;
      v[i].derivative[i] = dv;
    }
    const auto contact = mesh_contact_force<Dual3>(surface_, law(), x, v, stencil.positions, stencil.velocities, stencil.reactions, directions_.of(k));
    Mat3 block;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) block(i, j) = contact.normal[i].derivative[j] + contact.friction[i].derivative[j];
    std::vector<Corners<double>> corners(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) corners[i] = triangles.corners(linearized_.q, i);
    const ImplicitSurfaceSample<double> sample(surface_, state.q[vertex], corners);
    std::map<PetscInt, double> weights;  // of vertices: a corner of several triangles comes once
    sample.for_each_corner([&](std::size_t i, int a, double share) { weights[nearby.to_global(triangles[i][a])] += share; });
    std::vector<Share> shares;
    for (const auto& [corner, weight] : weights) shares.push_back({corner, weight});
    keep_largest(shares);
    for (Share& share : shares) share.weight = -share.weight;
    shares.push_back({halo_->to_global(vertex), 1});
    for (const Share& row : shares)
      for (const Share& column : shares) couplings.push_back({row.vertex, column.vertex, row.weight * column.weight * block});
  });
}

std::optional<double> MeshContact::admissible_part(const State& state, const Field& displacement) {
  Field moved = state.q;
  // The gap of each vertex after a part of the way; infinite where the surface is out of reach.
  const auto gaps_after = [&](double part) {
    moved.array() = state.q.array() + part * displacement.array();
    candidates_.update(moved);
    find_sides(moved);
    const NearbyTriangles& nearby = *candidates_.nearby();
    Field copies(nearby.copies().count());
    nearby.copies().forward(moved.values(), copies.values());
    const WorkClock::Shift shift(work());
    std::vector<double> gaps(candidates_.vertices().size(), std::numeric_limits<double>::infinity());
    std::vector<Corners<double>> corners;
    for (std::size_t k = 0; k < gaps.size(); ++k) {
      corners.clear();
      const Candidates triangles = candidates_of(k, nearby);
      for (std::size_t i = 0; i < triangles.size(); ++i) corners.push_back(triangles.corners(copies, i));
      const ImplicitSurfaceSample<double> sample(surface_, moved[candidates_.vertices()[k]], corners);
      if (sample.within_reach()) gaps[k] = sample.gap() - offset();
    }
    return gaps;
  };
  const std::vector<double> start = gaps_after(0);
  const auto spare = [&](const std::vector<double>& gaps) {  // of the vertex that has least
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < gaps.size(); ++k) least = std::min(least, gaps[k] - least_gap(start[k], thickness()));
    return minimum_over_ranks(halo_->communicator(), least);
  };
  if (!(spare(start) > 0)) return std::nullopt;
  double distance = 0;  // that any vertex of either side goes; the two sides may go as far in opposite directions
  for (int vertex : candidates_.watched()) distance = std::max(distance, displacement[vertex].norm());
  distance = maximum_over_ranks(halo_->communicator(), distance);
  return traction::admissible_part(kPartOfReach * surface_.reach / (2 * distance), [&](double part) { return spare(gaps_after(part)) >= 0; });
}

double MeshContact::energy(const State& state) const {
  double sum = 0;
  for_each_contact(state, neighbourhood(state), [&](std::size_t, const ContactForce<double>& contact, auto, const auto&) { sum += law().energy(contact.gap); });
  return sum;
}

std::vector<ContactPoint> MeshContact::points(const State& state) const {
  const Neighbourhood near = neighbourhood(state);
  std::vector<ContactPoint> result;
  std::map<int, std::size_t> point_of;
  for_each_contact(state, near, [&](std::size_t k, const ContactForce<double>& contact, const Candidates& triangles, const auto&) {
    if (!(contact.gap < law().thickness)) return;
    const int vertex = candidates_.vertices()[k];
    std::vector<Corners<double>> positions, velocities;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      positions.push_back(triangles.corners(near.q, i));
      velocities.push_back(triangles.corners(near.v, i));
    }
    const ImplicitSurfaceSample<double> sample(surface_, state.q[vertex], positions);
    const Vec3 normal = sample.gradient().normalized(), relative = state.v[vertex] - sample.velocity<double>(velocities);
    point_of[vertex] = result.size();
    result.push_back({vertex, contact.gap, normal, contact.normal, contact.friction, sliding_speed(normal, relative)});
  });
  add_lagged_friction(state, [&](int vertex, const Vec3& friction) {
    if (const auto found = point_of.find(vertex); found != point_of.end()) result[found->second].friction += friction;
  });
  return result;
}

ContactSummary MeshContact::summarize(const State& state) {
  prepare(state);
  double gap = std::numeric_limits<double>::infinity();
  std::array<double, 4> sums{};  // active vertices, force
  touching_.clear();
  for_each_contact(state, neighbourhood(state), [&](std::size_t k, const ContactForce<double>& contact, auto, const auto&) {
    gap = std::min(gap, contact.gap);
    if (contact.gap < law().thickness) touching_.push_back(candidates_.vertices()[k]);
    for (int i = 0; i < 3; ++i) sums[1 + i] += contact.normal[i] + contact.friction[i];
  });
  add_lagged_friction(state, [&](int, const Vec3& friction) {
    for (int i = 0; i < 3; ++i) sums[1 + i] += friction[i];
  });
  sums[0] = static_cast<double>(touching_.size());
  gap = minimum_over_ranks(halo_->communicator(), gap);
  sum_over_ranks(halo_->communicator(), sums);
  return {gap, static_cast<long>(sums[0]), Vec3(sums[1], sums[2], sums[3])};
}

// The vertices' own share: a surface whose vertices are to show what presses on them is the first of a contact in the other direction.
void MeshContact::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) {
  prepare(state);
  for_each_contact(state, neighbourhood(state), [&](std::size_t k, const ContactForce<double>& contact, auto, const auto&) {
    const int vertex = candidates_.vertices()[k];
    normal_force[vertex] += contact.normal;
    total_force[vertex] += contact.normal + contact.friction;
  });
  add_lagged_friction(state, [&](int vertex, const Vec3& friction) { total_force[vertex] += friction; });
}

}  // namespace traction
