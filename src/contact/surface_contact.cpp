#include "contact/surface_contact.h"

#include <algorithm>
#include <limits>

#include "contact/admissible_part.h"
#include "parallel/collective.h"

namespace traction {

SurfaceContact::SurfaceContact(MPI_Comm communicator, std::string name, std::vector<int> vertices, std::vector<GapFunction> surfaces, Motion motion,
                               ContactLaw law)
    : Contact(std::move(name), law), communicator_(communicator), vertices_(std::move(vertices)), surfaces_(std::move(surfaces)), motion_(std::move(motion)) {}

void SurfaceContact::lag_friction(const State& state) {
  if (!has_lagged_friction()) return;
  lagged_positions_.clear();
  for (int vertex : vertices_) lagged_positions_.emplace_back(state.q[vertex]);
  lagged_pose_ = pose_at(state.time);
}

template <typename T>
ContactForce<T> SurfaceContact::force_on(std::size_t k, std::size_t s, const Pose& pose, const ContactLaw& law, const Vector3<T>& x,
                                         const Vector3<T>& v) const {
  const GapFunction& surface = surfaces_[s];
  ContactForce<T> contact = contact_force<T>(surface, pose, law, x, v, directions_.of(k * surfaces_.size() + s));
  if (!law.friction || !law.lagged || lagged_positions_.empty()) return contact;
  const ContactForce<double> lagged = contact_force<double>(surface, lagged_pose_, law, lagged_positions_[k], Vec3::Zero());
  const double normal_force = lagged.normal.norm();
  if (normal_force > 0)
    contact.friction = friction_force<T>(
        law, sliding_velocity<T>(law, Vec3(lagged.normal / normal_force).cast<T>(), v - pose.velocity_at<T>(lagged_positions_[k].cast<T>())), T(normal_force));
  return contact;
}

template <typename Action>
void SurfaceContact::for_each_contact(const State& state, Action action) const {
  const WorkClock::Shift shift(work());
  const Pose pose = pose_at(state.time);
  const ContactLaw contact_law = law();
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      action(vertices_[k], force_on<double>(k, s, pose, contact_law, state.q[vertices_[k]], state.v[vertices_[k]]));
}

std::vector<ContactPoint> SurfaceContact::points(const State& state) const {
  const Pose pose = pose_at(state.time);
  std::vector<ContactPoint> result;
  for_each_contact(state, [&](int vertex, const ContactForce<double>& contact) {
    if (!(contact.gap < thickness())) return;
    const Vec3 normal = contact.normal.normalized(), relative = state.v[vertex] - pose.velocity_at<double>(state.q[vertex]);
    result.push_back({vertex, contact.gap, normal, contact.normal, contact.friction, sliding_speed(normal, relative)});
  });
  return result;
}

ContactSummary SurfaceContact::summarize(const State& state) {
  double gap = std::numeric_limits<double>::infinity();
  std::array<double, 4> sums{};  // active vertices, force
  touching_.clear();
  for_each_contact(state, [&](int vertex, const ContactForce<double>& contact) {
    gap = std::min(gap, contact.gap);
    if (contact.gap < thickness()) touching_.push_back(vertex);
    for (int i = 0; i < 3; ++i) sums[1 + i] += contact.normal[i] + contact.friction[i];
  });
  sums[0] = static_cast<double>(touching_.size());
  gap = minimum_over_ranks(communicator_, gap);
  sum_over_ranks(communicator_, sums);
  return {gap, static_cast<long>(sums[0]), Vec3(sums[1], sums[2], sums[3])};
}

void SurfaceContact::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) {
  for_each_contact(state, [&](int vertex, const ContactForce<double>& contact) {
    normal_force[vertex] += contact.normal;
    total_force[vertex] += contact.normal + contact.friction;
  });
}

void SurfaceContact::linearize(const State& state) {
  directions_.set_active(primal_dual(), vertices_.size() * surfaces_.size());
  if (!directions_.active()) return;
  std::size_t contact = 0;
  for_each_contact(state, [&](int, const ContactForce<double>& force) { directions_.update(contact++, force.gap < thickness(), force.sliding); });
}

void SurfaceContact::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::boundary) return;  // only owned vertices are read
  for_each_contact(state, [&](int vertex, const ContactForce<double>& contact) { force[vertex] += contact.normal + contact.friction; });
}

void SurfaceContact::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::boundary) return;
  const WorkClock::Shift shift(work());
  const Pose pose = pose_at(state.time);
  const ContactLaw contact_law = law();
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const int vertex = vertices_[k];
    Vector3<Dual<double>> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = make_dual(state.q[vertex][i], direction.q[vertex][i]);
      v[i] = make_dual(state.v[vertex][i], direction.v[vertex][i]);
    }
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const auto contact = force_on<Dual<double>>(k, s, pose, contact_law, x, v);
      for (int i = 0; i < 3; ++i) change[vertex][i] += contact.normal[i].derivative[0] + contact.friction[i].derivative[0];
    }
  }
}

void SurfaceContact::add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const {
  using Dual3 = Dual<double, 3>;
  const WorkClock::Shift shift(work());
  const Pose pose = pose_at(state.time);
  const ContactLaw contact_law = law();
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const int vertex = vertices_[k];
    // Seeded so that one derivative is dq df/dq + dv df/dv along a coordinate axis.
    Vector3<Dual3> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = Dual3(state.q[vertex][i]);
      v[i] = Dual3(state.v[vertex][i]);
      x[i].derivative[i] = dq;
      v[i].derivative[i] = dv;
    }
    Mat3 block = Mat3::Zero();
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const auto contact = force_on<Dual3>(k, s, pose, contact_law, x, v);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(i, j) += contact.normal[i].derivative[j] + contact.friction[i].derivative[j];
    }
    if (!block.isZero(0)) matrix.add_diagonal(vertex, block);
  }
}

std::optional<double> SurfaceContact::admissible_part(const State& state, const Field& displacement) {
  const Pose pose = pose_at(state.time);
  double part = 1;  // negative when the start is not admissible
  {
    const WorkClock::Shift shift(work());
    for (int vertex : vertices_)
      for (const GapFunction& surface : surfaces_) {
        const auto gap_after = [&](double part_done) {
          const Vec3 x = state.q[vertex] + part_done * displacement[vertex];
          return std::visit([&](const auto& shape) { return shape(pose.to_rest(x)).gap; }, surface) - offset();
        };
        const double start = gap_after(0), distance = displacement[vertex].norm();
        const auto admissible = [&](double done) { return gap_after(done) >= least_gap(start, thickness()); };
        part = start > 0 ? std::min(part, traction::admissible_part(depth_of(surface) / distance, admissible)) : -1;
      }
  }
  part = minimum_over_ranks(communicator_, part);
  if (part < 0) return std::nullopt;
  return part;
}

double SurfaceContact::energy(const State& state) const {
  double sum = 0;
  const ContactLaw contact_law = law();
  for_each_contact(state, [&](int, const ContactForce<double>& contact) { sum += contact_law.energy(contact.gap); });
  return sum;
}

}  // namespace traction
