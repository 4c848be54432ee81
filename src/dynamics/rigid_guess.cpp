#include "dynamics/rigid_guess.h"

#include <Eigen/LU>

#include "parallel/collective.h"

namespace traction {

namespace {

// Sums over a body's vertices: mass, first moment, momentum, then, about the origin, angular momentum and the six second moments xx, yy, zz, xy, yz, zx.
constexpr int kSums = 16;

void add_vertex(double mass, const Vec3& x, const Vec3& v, double* sums) {
  const Vec3 angular = x.cross(v);
  sums[0] += mass;
  for (int i = 0; i < 3; ++i) {
    sums[1 + i] += mass * x[i];
    sums[4 + i] += mass * v[i];
    sums[7 + i] += mass * angular[i];
    sums[10 + i] += mass * x[i] * x[i];
    sums[13 + i] += mass * x[i] * x[(i + 1) % 3];
  }
}

struct RigidState {
  Vec3 center, velocity, spin;
};

RigidState rigid_state(const double* sums) {
  const double mass = sums[0];
  RigidState rigid;
  rigid.center = Vec3(sums[1], sums[2], sums[3]) / mass;
  rigid.velocity = Vec3(sums[4], sums[5], sums[6]) / mass;
  const Vec3 angular = Vec3(sums[7], sums[8], sums[9]) - mass * rigid.center.cross(rigid.velocity);
  Mat3 second;  // moments about the center
  second << sums[10], sums[13], sums[15], sums[13], sums[11], sums[14], sums[15], sums[14], sums[12];
  second -= mass * rigid.center * rigid.center.transpose();
  const Mat3 inertia = second.trace() * Mat3::Identity() - second;
  rigid.spin = inertia.fullPivLu().solve(angular);
  return rigid;
}

}  // namespace

void move_rigidly(const System& system, const State& state, double dt, Field& positions) {
  std::vector<double> sums(kSums * system.bodies().size(), 0.0);
  for (std::size_t b = 0; b < system.bodies().size(); ++b)
    for (int vertex : system.bodies()[b]) add_vertex(system.mass()[vertex], state.q[vertex], state.v[vertex], sums.data() + kSums * b);
  sum_over_ranks(system.communicator(), sums);
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidState rigid = rigid_state(sums.data() + kSums * b);
    const double angle = rigid.spin.norm() * dt;
    const Mat3 rotation = angle > 0 ? Eigen::AngleAxisd(angle, rigid.spin.normalized()).toRotationMatrix() : Mat3::Identity();
    const Vec3 center = rigid.center + dt * rigid.velocity;
    for (int vertex : system.bodies()[b]) positions[vertex] = center + rotation * (state.q[vertex] - rigid.center);
  }
}

}  // namespace traction
