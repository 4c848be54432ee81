// Thin sheets against the mechanics of beams and of rigid bodies: a strip that bends far under its weight, and an inflated shell that spins. The meshes are so
// small that each rank computes them alone.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/closed_forms.h"
#include "support/first_rank.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

using test::first_rank;

// The elastica of length 1 clamped horizontally, under its weight: B theta'' = -w (1 - s) cos(theta) with theta, positive downward, 0 at the clamp and theta' 0
// at the end; w: load L^3 / B. By the fourth-order Runge-Kutta method and bisection on theta' at the clamp.
struct Elastica {
  double x = 0, drop = 0;  // displacement of the end

  explicit Elastica(double load) {
    constexpr int kSteps = 2000;
    constexpr double h = 1.0 / kSteps;
    using Values = std::array<double, 4>;  // theta, theta', x, drop
    const auto rate = [&](double s, const Values& y) { return Values{y[1], -load * (1 - s) * std::cos(y[0]), std::cos(y[0]), std::sin(y[0])}; };
    const auto end = [&](double curvature) {
      Values y{0, curvature, 0, 0};
      const auto moved = [&](const Values& k, double part) {
        Values result = y;
        for (int i = 0; i < 4; ++i) result[i] += part * h * k[i];
        return result;
      };
      for (int n = 0; n < kSteps; ++n) {
        const double s = n * h;
        const Values a = rate(s, y), b = rate(s + h / 2, moved(a, 0.5)), c = rate(s + h / 2, moved(b, 0.5)), d = rate(s + h, moved(c, 1));
        for (int i = 0; i < 4; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
      }
      return y;
    };
    double low = 0, high = load;  // the clamp bears at most the moment of the straight strip, half of that
    while (high - low > 1e-13) {
      const double middle = (low + high) / 2;
      (end(middle)[1] < 0 ? low : high) = middle;
    }
    const Values y = end(low);
    x = y[2], drop = y[3];
  }
};

// Small loads: w / 8 is the end's deflection.
TEST(Elastica, OfSmallLoadsIsTheBeams) {
  const Elastica elastica(1e-3);
  EXPECT_NEAR(elastica.drop, 1e-3 / 8, 1e-9);
  EXPECT_NEAR(elastica.x, 1, 1e-7);
}

enum class Pattern { diagonal, alternating, random, skewed, stretched };

struct Strip {
  double load;  // rho g L^3 / B
  Pattern pattern;
  int cells = 20;  // along its length of 1
  double tolerance = 0.01;
};

constexpr double kStripWidth = 0.2;

// A strip from x = 0 to 1 and a row of triangles before it, which is clamped.
test::Sheet strip_sheet(const Strip& strip) {
  const double h = 1.0 / strip.cells;
  const int across = static_cast<int>(std::lround(kStripWidth / h * (strip.pattern == Pattern::stretched ? 4 : 1)));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-0.3 * h, 0.3 * h);
  test::Sheet sheet;
  for (int i = -1; i <= strip.cells; ++i)
    for (int j = 0; j <= across; ++j) {
      double x = i * h, y = kStripWidth * j / across;
      if (i > 0 && i < strip.cells) {
        if (strip.pattern == Pattern::random) {
          x += shift(random);
          if (j > 0 && j < across) y += shift(random);
        }
        if (strip.pattern == Pattern::skewed) x += 0.8 * h * std::sin(2 * std::numbers::pi * y / kStripWidth) * (i == 1 || i == strip.cells - 1 ? 0.5 : 1);
      }
      sheet.vertices.emplace_back(x, y, 0);
    }
  for (int i = 0; i <= strip.cells; ++i)
    for (int j = 0; j < across; ++j) {
      const int a = i * (across + 1) + j, b = a + across + 1, c = b + 1, d = a + 1;
      const bool rising = strip.pattern == Pattern::alternating ? (i + j) % 2 == 0 : strip.pattern != Pattern::random || random() % 2 == 0;
      if (rising) sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
      else sheet.triangles.insert(sheet.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return sheet;
}

class CantileverStrip : public testing::TestWithParam<Strip> {};

TEST_P(CantileverStrip, BendsAsTheElastica) {
  const Strip strip = GetParam();
  constexpr double kGravity = 10, kMass = 0.1;  // [m/s^2], [kg/m^2]
  Mesh mesh = test::shell_mesh("strip", strip_sheet(strip));
  Region clamp{"strip.clamp", 0, {}};
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i].x() < 1e-9) clamp.members.push_back(static_cast<int>(i));
  mesh.regions.push_back(clamp);
  Scene scene;
  scene.file = "test";
  scene.gravity = Vec3(0, 0, -kGravity);
  Body body;
  body.name = "strip";
  body.shell["skin"] = test::shell_material(3e3, 0, kMass, kMass * kGravity / strip.load, 0);  // so stiff that its weight stretches it by at most 2e-4
  body.damping = {5, 0};
  DrivenSettings held;
  held.region = "clamp";
  body.driven = {held};
  scene.bodies = {body};
  scene.time.steps = {{0, 0.04, std::nullopt}, {2.4, 0.2, std::nullopt}};
  scene.time.end = 7;
  scene.time.integrator = Integrator::backward_euler;
  scene.solver.tolerance = 1e-8;
  Simulation simulation = build_simulation(PETSC_COMM_SELF, scene, std::move(mesh));
  while (!simulation.loop->done()) simulation.loop->advance();
  std::array<double, 4> sums{};  // sums over the end's vertices: x, drop, number; and over all vertices: speed
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) {
    const Vec3 x = simulation.loop->state().q[i];
    sums[3] += simulation.loop->state().v[i].norm();
    if (simulation.mesh->vertices[i].x() != 1) continue;
    sums[0] += x.x(), sums[1] -= x.z(), sums[2] += 1;
  }
  const double x = sums[0] / sums[2], drop = sums[1] / sums[2];
  const Elastica exact(strip.load);
  if (first_rank())
    std::printf("load %g: end at (%.5f, %.5f), elastica (%.5f, %.5f): drop off by %.2g, reach by %.2g\n", strip.load, x, -drop, exact.x, -exact.drop,
                drop / exact.drop - 1, x / exact.x - 1);
  EXPECT_LT(sums[3], 1e-4);
  EXPECT_GT(exact.drop, 0.3);
  constexpr std::array kPatterns{"one diagonal", "alternating diagonals", "random", "skewed", "stretched"};
  const std::string name = fmt::format("elastica under its weight, ρ g L³/B = {}", strip.load);
  const std::string cells = fmt::format("{} cells along, {}", strip.cells, kPatterns[static_cast<std::size_t>(strip.pattern)]);
  for (const auto& [quantity, expected, got] : {std::tuple{": drop", exact.drop, drop}, std::tuple{": reach", exact.x, x}})
    test::expect_closed_form({"thin strips", name + quantity, "B θ″ = −w (1 − s) cos θ", expected, got, strip.tolerance, cells, "backward Euler until rest"});
}

INSTANTIATE_TEST_SUITE_P(Patterns, CantileverStrip,
                         testing::Values(Strip{3, Pattern::diagonal}, Strip{12, Pattern::diagonal}, Strip{3, Pattern::alternating}, Strip{3, Pattern::random},
                                         Strip{12, Pattern::random}, Strip{3, Pattern::skewed}, Strip{3, Pattern::stretched}));

// An inflated ball of rubber, a little longer than wide, that spins.
class SpinningBall : public testing::TestWithParam<double> {  // stiffness damping [s]
 protected:
  static constexpr double kSpin = 20;  // [rad/s]

  static Simulation spinning(double step) {
    test::Sheet sheet = test::sphere(1);
    for (Vec3& x : sheet.vertices) x = Vec3(0.1 * x.x(), 0.1 * x.y(), 0.13 * x.z());
    Mesh mesh = test::shell_mesh("ball", sheet);
    test::add_closed_region(mesh, "ball", false);
    Scene scene;
    scene.file = "test";
    scene.time.steps = {{0, step, std::nullopt}};
    scene.time.end = 0.15;
    scene.time.integrator = Integrator::trapezoidal;
    Body body;
    body.name = "ball";
    body.shell["skin"] = test::shell_material(2e3, 0.45, 0.5, 2e-2, 0);
    body.damping = {0, GetParam()};
    VolumePenaltySettings gas;
    gas.surface = "skin";
    gas.gauge_pressure = 1000;
    body.volumes = {gas};
    body.initial.velocity = Vec3(1, -2, 0.5);
    body.initial.angular_velocity = Vec3(0, 0, kSpin);
    scene.bodies = {body};
    scene.solver.tolerance = 1e-11;
    return build_simulation(PETSC_COMM_SELF, scene, std::move(mesh));
  }
  struct Motion {
    Vec3 linear, angular;  // momentum, the latter about the centroid
    double spin, unrest;   // about z [rad/s]; kinetic energy beyond that of the rigid motion, in parts of that of the spin
  };
  static Motion motion_of(const Simulation& simulation) {
    const System& system = *simulation.system;
    const State& state = simulation.loop->state();
    std::array<double, 7> first{};
    for (int i = 0; i < system.halo().owned(); ++i) {
      first[6] += system.mass()[i];
      for (int k = 0; k < 3; ++k) first[k] += system.mass()[i] * state.q[i][k], first[3 + k] += system.mass()[i] * state.v[i][k];
    }
    sum_over_ranks(system.communicator(), first);
    const Vec3 centroid = Vec3(first[0], first[1], first[2]) / first[6], velocity = Vec3(first[3], first[4], first[5]) / first[6];
    std::array<double, 5> second{};  // angular momentum, moment of inertia about z, twice the kinetic energy
    for (int i = 0; i < system.halo().owned(); ++i) {
      const Vec3 r = state.q[i] - centroid, v = state.v[i] - velocity, l = system.mass()[i] * r.cross(v);
      for (int k = 0; k < 3; ++k) second[k] += l[k];
      second[3] += system.mass()[i] * (r.x() * r.x() + r.y() * r.y());
      second[4] += system.mass()[i] * v.squaredNorm();
    }
    sum_over_ranks(system.communicator(), second);
    const double spin = second[2] / second[3], rigid = spin * second[2];
    return {velocity * first[6], Vec3(second[0], second[1], second[2]), spin, (second[4] - rigid) / rigid};
  }
};

TEST_P(SpinningBall, KeepsItsAngularMomentum) {
  double drifts[2];
  for (int fine : {0, 1}) {
    if (fine && GetParam() == 0) continue;  // the order shows only after vibrations have died
    Simulation simulation = spinning(fine ? 2.5e-4 : 5e-4);
    const Motion before = motion_of(simulation);
    while (!simulation.loop->done()) simulation.loop->advance();
    const Motion after = motion_of(simulation);
    drifts[fine] = (after.angular - before.angular).norm() / before.angular.norm();
    if (first_rank())
      std::printf("damping %g s: angular momentum off by %.2g, spin %.4f rad/s, unrest %.2g\n", GetParam(), drifts[fine], after.spin, after.unrest);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
    EXPECT_NEAR(before.spin, kSpin, 1e-10);
    // The inflated ball has a larger moment of inertia, and at most vibrates: damping ends the vibration and keeps the spin.
    EXPECT_LT(after.spin, 0.995 * kSpin);
    EXPECT_GT(after.spin, 0.8 * kSpin);
    if (GetParam() > 0) {
      EXPECT_LT(after.unrest, 1e-6);
    } else {
      EXPECT_GT(after.unrest, 1e-4);
    }
  }
  EXPECT_LT(drifts[0], 5e-3);
  if (GetParam() > 0) {
    EXPECT_LT(drifts[1], 0.3 * drifts[0]);  // the trapezoidal rule's, of second order
  }
}

INSTANTIATE_TEST_SUITE_P(Damping, SpinningBall, testing::Values(0.0, 2e-3));

}  // namespace
}  // namespace traction
