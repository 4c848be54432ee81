// Rayleigh damping against its closed forms, and its effect on momentum, which it must not change.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string_view>
#include <vector>

#include "elements/materials/linear_elastic.h"
#include "forces/rayleigh_damping.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/closed_forms.h"
#include "support/first_rank.h"
#include "support/solid_settings.h"

namespace traction {
namespace {

using std::numbers::pi;
using test::first_rank;

// M (v_{n+1} - v_n) = -h alpha M v_{n+1}: each step of backward Euler slows a body in translation down by 1 / (1 + alpha h). Stiffness damping has
// no part in it.
TEST(MassDamping, SlowsTranslation) {
  const double alpha = 20, step = 0.01;
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = 10 * step;
  scene.time.integrator = Integrator::backward_euler;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.4, 1000, {}};
  body.damping = {alpha, 1e-3};
  body.initial.velocity = Vec3(3, -1, 2);
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {3, 2, 2}));
  Vec3 velocity = body.initial.velocity, path = Vec3::Zero();
  double worst = 0, farthest = 0;
  while (!simulation.loop->done()) {
    simulation.loop->advance();
    velocity /= 1 + alpha * step;
    path += step * velocity;
    for (int i = 0; i < simulation.system->halo().owned(); ++i) {
      worst = std::max(worst, (simulation.loop->state().v[i] - velocity).norm() / velocity.norm());
      farthest = std::max(farthest, (simulation.loop->state().q[i] - simulation.mesh->vertices[i] - path).norm() / path.norm());
    }
  }
  worst = maximum_over_ranks(PETSC_COMM_WORLD, worst);
  farthest = maximum_over_ranks(PETSC_COMM_WORLD, farthest);
  if (first_rank()) std::printf("largest relative error of a velocity %.2g, of a path %.2g\n", worst, farthest);
  EXPECT_LT(worst, 1e-10);
  EXPECT_LT(farthest, 1e-10);
}

// First axial mode, cos(pi x / L), of a free bar of 1 m with sqrt(E / rho) = 10 m/s, so slender that no bending couples with it. In a mode of frequency omega
// the equation of motion is a'' + beta omega^2 a' + omega^2 a = 0: its roots z obey -Re(z) = beta |z|^2 / 2 and |z| = omega, whatever the mesh makes of omega.
// SDIRK2 changes z by 0.04 z^3 h^2, with |z h| = 0.063 in 100 steps per period: the decay by 0.12 |z h|^2 = 5e-4 of it.
TEST(StiffnessDamping, DecayOfAnAxialMode) {
  const double omega = 10 * pi, beta = 0.1 / omega, period = 2 * pi / omega, step = period / 100;
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = 2 * period;
  scene.time.integrator = Integrator::sdirk2;
  Body body;
  body.name = "bar";
  body.solid["solid"] = {1e5, 0, 1000, {}};
  body.damping = {0, beta};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-12;
  scene.solver.forcing = 1e-4;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("bar", Vec3::Zero(), Vec3(1, 0.02, 0.02), {12, 1, 1}));
  State start = simulation.loop->state();
  for (int i = 0; i < simulation.system->halo().local(); ++i) start.q[i].x() += 1e-5 * std::cos(pi * simulation.mesh->vertices[i].x());
  simulation.loop->start_from(start);
  auto amplitude = [&] {
    double sum = 0;
    for (int i = 0; i < simulation.system->halo().owned(); ++i) {
      const Vec3& rest = simulation.mesh->vertices[i];
      sum += simulation.system->mass()[i] * std::cos(pi * rest.x()) * (simulation.loop->state().q[i].x() - rest.x());
    }
    return sum_over_ranks(PETSC_COMM_WORLD, sum);
  };
  std::vector<double> a{amplitude()};
  while (!simulation.loop->done()) {
    simulation.loop->advance();
    a.push_back(amplitude());
  }
  // a_n = Re(A r^n), r = exp(z h), obeys a_{n+1} = 2 Re(r) a_n - |r|^2 a_{n-1}: both coefficients by least squares, over intervals of a tenth of a period.
  const std::size_t stride = 10;
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  for (std::size_t n = stride; n + stride < a.size(); ++n) {
    const Eigen::Vector2d row(a[n], a[n - stride]);
    normal += row * row.transpose();
    right += row * a[n + stride];
  }
  const Eigen::Vector2d fit = normal.inverse() * right;
  const std::complex<double> root(fit[0] / 2, std::sqrt(-fit[1] - fit[0] * fit[0] / 4)), z = std::log(root) / (stride * step);
  const double expected = beta * std::norm(z) / 2;
  if (first_rank())
    std::printf("omega %.5f 1/s, of the bar %.5f; decay %.6f 1/s, relative error %.2g\n", std::abs(z), omega, -z.real(), -z.real() / expected - 1);
  test::expect_closed_form({"waves and vibrations", "bar with stiffness damping: decay of its first mode [1/s]", "β ω²/2 (Rayleigh)", expected, -z.real(), 2e-3,
                            "12 cells along", "sdirk2, 100 a period"});
  // The chain of lumped masses is slower by (pi / 12)^2 / 24 = 2.9e-3.
  EXPECT_NEAR(std::abs(z), omega, 4e-3 * omega);
}

// Without stress, and for any rotation of the body, the force is that of the elastic stiffness: -beta K v. Both moduli of the material count.
class StiffnessDampingOf : public testing::TestWithParam<SolidMaterial> {};

TEST_P(StiffnessDampingOf, IsTheElasticStiffnessWhereThereIsNoStress) {
  const double beta = 2e-3;
  Scene scene;
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1;
  Body body;
  body.name = "block";
  body.solid["solid"] = test::solid_settings(GetParam(), 1e5, 0.3, 1000);
  body.damping = {0, beta};
  scene.bodies = {body};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.3, 0.25), {2, 3, 2}));
  const System& system = *simulation.system;
  // Hooke's law would mistake a rotation for strain.
  const double angle = word_of(GetParam()) == LinearElastic<double>::name ? 0 : 1.1;
  const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(1, 2, -3).normalized()).toRotationMatrix();
  State state(system.halo().local()), direction(system.halo().local());
  for (int i = 0; i < system.halo().local(); ++i) {
    const Vec3 x = simulation.mesh->vertices[i];
    state.q[i] = turn * x;
    state.v[i] = Vec3(std::sin(20 * x.y()), x.x() * x.z() * 30, std::cos(15 * x.x() + 9 * x.y()));
    direction.q[i] = state.v[i];
  }
  Field damping(system.halo().local()), elastic(system.halo().local());
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& force : system.forces()) {
      if (dynamic_cast<const RayleighDamping*>(force.get())) force->add_force(state, zone, damping);
      if (force->energy_name() == "elastic") force->add_product(state, direction, zone, elastic);
    }
  double worst = 0, largest = 0;
  for (int i = 0; i < system.halo().owned(); ++i) {
    worst = std::max(worst, (damping[i] - beta * elastic[i]).norm());
    largest = std::max(largest, damping[i].norm());
  }
  worst = maximum_over_ranks(PETSC_COMM_WORLD, worst);
  largest = maximum_over_ranks(PETSC_COMM_WORLD, largest);
  if (first_rank()) std::printf("largest difference %.2g N of %.3g N\n", worst, largest);
  EXPECT_GT(largest, 1);
  EXPECT_LT(worst, 1e-12 * largest);
}

std::vector<SolidMaterial> all_solid_materials() {
  std::vector<SolidMaterial> all;
  for (const auto& choice : choices_of(SolidMaterial())) all.push_back(choice.value);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Materials, StiffnessDampingOf, testing::ValuesIn(all_solid_materials()),
                         [](const auto& info) { return std::string(word_of(info.param)); });

// A block of 0.2 m x 0.2 m x 0.3 m that gas has stretched, spinning at 10 rad/s about its long axis while it moves on, for 0.1 s.
struct Drift {
  double linear = 0, angular = 0;  // relative errors of momentum and angular momentum
  double would_lose = 0;           // 2 beta p V t / I
};

Drift spin_of_stretched_block(double beta) {
  const double modulus = 1e5, poisson_ratio = 0.45, gauge_pressure = 5000;
  Scene scene;
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 0.1;
  scene.time.integrator = Integrator::sdirk2;
  Body body;
  body.name = "block";
  body.solid["solid"] = {modulus, poisson_ratio, 1000, {}};
  VolumePenaltySettings gas;
  gas.surface = "surface";
  gas.gauge_pressure = gauge_pressure;
  body.volumes = {gas};
  body.damping = {0, beta};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  scene.solver.forcing = 1e-4;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(-0.1, -0.1, -0.15), Vec3(0.1, 0.1, 0.15), {3, 3, 4}));
  // A uniform stretch s balances gas and stress: mu (s - 1/s) + 3 lambda ln(s) / s = p s^2, so that only the spin causes vibrations at the start.
  const double mu = modulus / (2 * (1 + poisson_ratio)), lambda = modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  const VolumeLaw law = simulation.bodies[0].volumes.at(0)->law_at(0);
  const double rest_volume = 0.2 * 0.2 * 0.3;
  double low = 1, high = 1.1;
  while (high - low > 1e-14) {
    const double s = (low + high) / 2;
    (mu * (s - 1 / s) + 3 * lambda * std::log(s) / s < law.pressure(rest_volume * s * s * s) * s * s ? low : high) = s;
  }
  const Vec3 spin(0, 0, 10), velocity(3, -1, 2);
  State start = simulation.loop->state();
  for (int i = 0; i < simulation.system->halo().local(); ++i) {
    start.q[i] *= low;
    start.v[i] = velocity + spin.cross(Vec3(start.q[i]));
  }
  simulation.loop->start_from(start);

  struct Sums {
    Vec3 linear, angular;
    double inertia;  // about the axis of the spin
  };
  auto sums = [&] {
    const System& system = *simulation.system;
    const State& state = simulation.loop->state();
    std::array<double, 7> parts{};
    const Vec3 center = velocity * state.time;
    for (int i = 0; i < system.halo().owned(); ++i) {
      const Vec3 x = state.q[i] - center, p = system.mass()[i] * state.v[i], l = x.cross(p);
      for (int k = 0; k < 3; ++k) parts[k] += p[k], parts[3 + k] += l[k];
      parts[6] += system.mass()[i] * (x.x() * x.x() + x.y() * x.y());
    }
    sum_over_ranks(PETSC_COMM_WORLD, parts);
    return Sums{Vec3(parts[0], parts[1], parts[2]), Vec3(parts[3], parts[4], parts[5]), parts[6]};
  };
  const Sums before = sums();
  while (!simulation.loop->done()) simulation.loop->advance();
  const Sums after = sums();
  const double volume = rest_volume * low * low * low;
  return {(after.linear - before.linear).norm() / before.linear.norm(), (after.angular - before.angular).norm() / before.angular.norm(),
          2 * beta * law.pressure(volume) * volume * 0.1 / before.inertia};
}

// Damping of the form -beta K(q) v would make the torque -2 beta p V omega and take a share 2 beta p V t / I of the spin.
TEST(StiffnessDamping, LeavesTheSpinOfAGasFilledBody) {
  const Drift free = spin_of_stretched_block(0), damped = spin_of_stretched_block(1e-3);
  if (first_rank())
    std::printf("momentum drift %.2g, angular %.3g without damping; %.2g, %.3g with; a damping by K(q) would take %.3g\n", free.linear, free.angular,
                damped.linear, damped.angular, damped.would_lose);
  EXPECT_LT(free.linear, 1e-13);
  EXPECT_LT(damped.linear, 1e-13);
  // The remaining drift is the integrator's error, with and without damping.
  EXPECT_LT(damped.angular, 2 * free.angular);
  EXPECT_LT(damped.angular, 1e-3 * damped.would_lose);
}

}  // namespace
}  // namespace traction
