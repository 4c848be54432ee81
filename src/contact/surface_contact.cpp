#include "contact/surface_contact.h"

#include <algorithm>
#include <limits>

#include "parallel/collective.h"

namespace traction {

SurfaceContact::SurfaceContact(MPI_Comm communicator, std::string name, std::vector<int> vertices, std::vector<GapFunction> surfaces,
                               std::optional<MotionSettings> motion, ContactLaw law)
    : Contact(std::move(name), law),
      communicator_(communicator),
      vertices_(std::move(vertices)),
      surfaces_(std::move(surfaces)),
      motion_(std::move(motion)) {}

ContactSummary SurfaceContact::summarize(const State& state) {
  const Pose pose = pose_at(state.time);
  double gap = std::numeric_limits<double>::infinity();
  std::array<double, 4> sums{};   // active vertices, force
  for (int vertex : vertices_)
    for (const GapFunction& surface : surfaces_) {
      const ContactForce<double> contact = contact_force<double>(surface, pose, law(), state.q[vertex], state.v[vertex]);
      gap = std::min(gap, contact.gap);
      if (contact.gap < law().thickness) sums[0] += 1;
      for (int i = 0; i < 3; ++i) sums[1 + i] += contact.normal[i] + contact.friction[i];
    }
  gap = minimum_over_ranks(communicator_, gap);
  sum_over_ranks(communicator_, sums);
  return {gap, static_cast<long>(sums[0]), Vec3(sums[1], sums[2], sums[3])};
}

void SurfaceContact::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) {
  const Pose pose = pose_at(state.time);
  for (int vertex : vertices_)
    for (const GapFunction& surface : surfaces_) {
      const ContactForce<double> contact = contact_force<double>(surface, pose, law(), state.q[vertex], state.v[vertex]);
      normal_force[vertex] += contact.normal;
      total_force[vertex] += contact.normal + contact.friction;
    }
}

void SurfaceContact::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::boundary) return;   // only owned vertices are read
  const Pose pose = pose_at(state.time);
  for (int vertex : vertices_)
    for (const GapFunction& surface : surfaces_) {
      const ContactForce<double> contact = contact_force<double>(surface, pose, law(), state.q[vertex], state.v[vertex]);
      force[vertex] += contact.normal + contact.friction;
    }
}

void SurfaceContact::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::boundary) return;
  const Pose pose = pose_at(state.time);
  for (int vertex : vertices_) {
    Vector3<Dual<double>> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = make_dual(state.q[vertex][i], direction.q[vertex][i]);
      v[i] = make_dual(state.v[vertex][i], direction.v[vertex][i]);
    }
    for (const GapFunction& surface : surfaces_) {
      const auto contact = contact_force<Dual<double>>(surface, pose, law(), x, v);
      for (int i = 0; i < 3; ++i) change[vertex][i] += contact.normal[i].derivative[0] + contact.friction[i].derivative[0];
    }
  }
}

void SurfaceContact::add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const {
  using Dual3 = Dual<double, 3>;
  const Pose pose = pose_at(state.time);
  for (int vertex : vertices_) {
    // Seeded so that one derivative is dq df/dq + dv df/dv along a coordinate axis.
    Vector3<Dual3> x, v;
    for (int i = 0; i < 3; ++i) {
      x[i] = Dual3(state.q[vertex][i]);
      v[i] = Dual3(state.v[vertex][i]);
      x[i].derivative[i] = dq;
      v[i].derivative[i] = dv;
    }
    Mat3 block = Mat3::Zero();
    for (const GapFunction& surface : surfaces_) {
      const auto contact = contact_force<Dual3>(surface, pose, law(), x, v);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(i, j) += contact.normal[i].derivative[j] + contact.friction[i].derivative[j];
    }
    matrix.add(vertex, vertex, block);
  }
}

double SurfaceContact::energy(const State& state) const {
  const Pose pose = pose_at(state.time);
  double sum = 0;
  for (int vertex : vertices_)
    for (const GapFunction& surface : surfaces_) {
      const double gap = contact_force<double>(surface, pose, law(), state.q[vertex], state.v[vertex]).gap;
      sum += cubic_penalty(gap, law().thickness, law().stiffness);
    }
  return sum;
}

}  // namespace traction
