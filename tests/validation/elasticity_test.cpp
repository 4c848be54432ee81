// Deformation against the strength of materials: waves in a bar, a bar under its own weight, and a block on the floor and on a slope.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "parallel/collective.h"
#include "simulation/contact_scales.h"
#include "simulation/simulation.h"
#include "simulation/vertex_areas.h"
#include "support/box_mesh.h"
#include "support/closed_forms.h"
#include "support/first_rank.h"

namespace traction {
namespace {

using std::numbers::pi;
using test::first_rank;

// A bar from x = 0 to 1 m with a cross-section of 2 cm x 2 cm, so slender that no bending couples with its first axial mode. Waves travel at
// sqrt(E / rho) = 10 m/s; as Poisson's ratio is 0, they leave its sides in place.
Scene bar_scene(bool clamped) {
  Scene scene;
  Body body;
  body.name = "bar";
  body.solid["solid"] = {1e5, 0, 1000, {}};
  if (clamped) body.driven = {{{}, "left", {}, {}}};
  scene.bodies = {body};
  return scene;
}

Mesh bar_mesh(int cells) { return test::box_mesh("bar", Vec3::Zero(), Vec3(1, 0.02, 0.02), {cells, 1, 1}); }

// First axial mode: cos(pi x) with both ends free, sin(pi x / 2) with the left one held.
class AxialMode : public testing::TestWithParam<bool> {
 protected:
  static double shape(double x) { return GetParam() ? std::sin(pi * x / 2) : std::cos(pi * x); }
  static double angular_frequency() { return (GetParam() ? pi / 2 : pi) * 10; }  // frequency of a continuous bar, pi/L sqrt(E / rho) or half of that [rad/s]

  // The mode's share of the displacement [m].
  static double amplitude(const Simulation& simulation) {
    std::array<double, 2> sums{};
    for (int i = 0; i < simulation.system->halo().owned(); ++i) {
      const Vec3& rest = simulation.mesh->vertices[i];
      const double weight = simulation.system->mass()[i] * shape(rest.x());
      sums[0] += weight * (simulation.loop->state().q[i].x() - rest.x());
      sums[1] += weight * shape(rest.x());
    }
    sum_over_ranks(PETSC_COMM_WORLD, sums);
    return sums[0] / sums[1];
  }

  // From a period of free vibration in 40 steps of the trapezoidal rule.
  static double measured(int cells) {
    Scene scene = bar_scene(GetParam());
    const double period = 2 * pi / angular_frequency(), step = period / 40;
    scene.time.steps = {{0, step, std::nullopt}};
    scene.time.end = period;
    scene.time.integrator = Integrator::trapezoidal;
    scene.solver.tolerance = 1e-12;
    scene.solver.forcing = 1e-4;
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, bar_mesh(cells));
    State start = simulation.loop->state();
    for (int i = 0; i < simulation.system->halo().local(); ++i) start.q[i].x() += 1e-5 * shape(simulation.mesh->vertices[i].x());
    simulation.loop->start_from(start);
    std::vector<double> a{amplitude(simulation)};
    while (!simulation.loop->done()) {
      simulation.loop->advance();
      a.push_back(amplitude(simulation));
    }
    // a_n = A cos(theta n) obeys a_{n+1} + a_{n-1} = 2 cos(theta) a_n; of this rule tan(theta / 2) = omega h / 2 without error.
    double product = 0, square = 0;
    for (std::size_t n = 1; n + 1 < a.size(); ++n) product += a[n] * (a[n + 1] + a[n - 1]) / 2, square += a[n] * a[n];
    return 2 / step * std::tan(std::acos(product / square) / 2);
  }
};

// A chain of lumped masses vibrates more slowly than the bar by (k h)^2 / 24, k the wave number and h the cell: 6.4e-3 for 8 cells with free ends, 1.6e-3 with
// one held, a quarter of that for 16. The uneven masses of a free end's four corners bend it, which adds a few hundredths.
TEST_P(AxialMode, Frequency) {
  const double exact = angular_frequency(), chain = std::pow((GetParam() ? pi / 2 : pi) / 8, 2) / 24;
  const double got = measured(16), coarse = 1 - measured(8) / exact, fine = 1 - got / exact;
  if (first_rank()) std::printf("frequency too low by %.4g with 8 cells, %.4g with 16: ratio %.3f\n", coarse, fine, coarse / fine);
  EXPECT_NEAR(coarse, chain, 0.05 * chain);
  EXPECT_NEAR(coarse / fine, 4, 0.3);
  test::expect_closed_form({"waves and vibrations", GetParam() ? "swinging bar held at one end: frequency [rad/s]" : "swinging free bar: frequency [rad/s]",
                            GetParam() ? "π/(2 L) √(E/ρ)" : "π/L √(E/ρ)", exact, got, 2e-3, "16 cells along", "trapezoidal, 40 a period"});
}

INSTANTIATE_TEST_SUITE_P(Ends, AxialMode, testing::Bool(), [](const auto& info) { return info.param ? "LeftHeld" : "Free"; });

// u(L) = rho g L^2 / (2 E), here with the next order: (F - 1 / F) E / 2 = P is F = 1 + P / E + (P / E)^2 / 2 + ..., and P = rho g (L - x).
TEST(HangingBar, StretchesUnderItsWeight) {
  Scene scene = bar_scene(true);
  const double strain = 1e-4;  // at the clamp, rho g L / E
  scene.bodies[0].solid["solid"].youngs_modulus = 1000 * 9.81 / strain;
  scene.gravity = Vec3(9.81, 0, 0);
  scene.time.steps = {{0, 1, std::nullopt}};  // 50 periods of the slowest axial vibration: backward Euler leaves none of it
  scene.time.end = 12;
  scene.time.integrator = Integrator::backward_euler;
  scene.solver.tolerance = 1e-7;  // relative to the 9.81 m/s that gravity adds in a step
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, bar_mesh(8));
  while (!simulation.loop->done()) simulation.loop->advance();
  // A tension at the end is borne by its corners in parts of 2, 1, 1 and 2, and strains the bar uniformly on any mesh. So, by reciprocity, the end's
  // displacement under any load, averaged with these weights, depends on the load's first moment alone.
  std::array<double, 2> sums{};
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    const Vec3& rest = simulation.mesh->vertices[i];
    EXPECT_NEAR(simulation.loop->state().v[i].norm(), 0, 1e-10);
    if (rest.x() != 1) continue;
    const double weight = (rest.y() == 0) == (rest.z() == 0) ? 2 : 1;
    sums[0] += weight * (simulation.loop->state().q[i].x() - 1);
    sums[1] += weight;
  }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  ASSERT_EQ(sums[1], 6);
  const double expected = strain / 2 * (1 + strain / 3), found = sums[0] / sums[1];
  if (first_rank()) std::printf("end displacement %.8e m, expected %.8e m: relative difference %.2g\n", found, expected, found / expected - 1);
  // The end face bends a little; the formula above neglects the squares of its slopes.
  test::expect_closed_form({"elasticity", "bar under its weight: elongation to the second order", "P/E + (P/E)² in ∫ ρ g (L − x)", expected, found, 5e-6,
                            "8 cells along", "backward Euler until rest"});
}

// Gas in a block without load stretches it by s in all directions: P = mu (s - 1/s) + 3 lambda ln(s) / s balances p s^2, p that of the stretched gas.
TEST(GasFilledBlock, ExpandsUniformly) {
  const double modulus = 1e5, poisson_ratio = 0.3, gauge_pressure = 6000;
  Scene scene;
  Body body;
  body.name = "block";
  body.solid["solid"] = {modulus, poisson_ratio, 1000, {}};
  VolumePenaltySettings gas;
  gas.surface = "surface";
  gas.gauge_pressure = gauge_pressure;
  body.volumes = {gas};
  scene.bodies = {body};
  scene.time.steps = {{0, 1e-3, std::nullopt}, {5e-3, 1, std::nullopt}};
  scene.time.end = 15;
  scene.time.integrator = Integrator::backward_euler;
  scene.solver.tolerance = 1e-8;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(-0.1, -0.1, -0.15), Vec3(0.1, 0.1, 0.15), {3, 3, 4}));
  while (!simulation.loop->done()) simulation.loop->advance();
  const double mu = modulus / (2 * (1 + poisson_ratio)), lambda = modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  double low = 1, high = 1.1;
  while (high - low > 1e-14) {
    const double s = (low + high) / 2, pressure = (gauge_pressure + 101325) / (s * s * s) - 101325;
    (mu * (s - 1 / s) + 3 * lambda * std::log(s) / s < pressure * s * s ? low : high) = s;
  }
  const State& end = simulation.loop->state();
  const auto& rest = simulation.mesh->vertices;
  double worst = 0;  // relative error of an edge's length
  for (const auto& t : simulation.mesh->tetrahedra)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) worst = std::max(worst, std::abs((end.q[t[a]] - end.q[t[b]]).norm() / (low * (rest[t[a]] - rest[t[b]]).norm()) - 1));
  worst = maximum_over_ranks(PETSC_COMM_WORLD, worst);
  if (first_rank()) std::printf("stretch %.8f, largest relative error of an edge %.2g\n", low, worst);
  EXPECT_GT(low, 1.01);
  test::expect_closed_form({"volumes", "block that gas stretches: the edge that is off most", "μ (s − 1/s) + 3 λ ln s/s = p s², p V constant", low,
                            low * (1 + worst), 1e-11, "3 × 3 × 4 cells", "backward Euler until rest"});
}

// A block on a plane tilted by `degrees` about y, once it lies still or creeps steadily. `out` of the plane, `down` the slope.
class BlockOnASlope {
 public:
  explicit BlockOnASlope(double degrees) : angle_(degrees * pi / 180) {
    const Mat3 tilt = Eigen::AngleAxisd(angle_, Vec3::UnitY()).toRotationMatrix();
    out = tilt * Vec3::UnitZ();
    down = tilt * Vec3::UnitX();
    Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0.004), Vec3(0.2, 0.2, 0.204), {3, 3, 3});
    for (Vec3& vertex : mesh.vertices) vertex = tilt * vertex;
    Scene scene;
    scene.time.steps = {{0, 5e-3, std::nullopt}, {1, 0.1, std::nullopt}};
    scene.time.end = 10;
    scene.time.integrator = Integrator::backward_euler;
    scene.gravity = Vec3(0, 0, -kGravity);
    Body body;
    body.name = "block";
    body.solid["solid"] = {1e5, 0.45, 1000, {}};
    body.damping = {0, 1e-3};
    scene.bodies = {body};
    scene.obstacles = {{"floor", PlaneSettings{Vec3::Zero(), out}, {}, {}}};
    ContactSettings contact;
    contact.name = "rest";
    contact.vertices = {"block", "surface"};
    contact.against = "floor";
    contact.thickness = kThickness;
    FrictionSettings friction;
    friction.dynamic = friction.static_ = kFriction;
    friction.tolerance = kTolerance;
    contact.friction = friction;
    scene.contacts = {contact};
    scene.solver.tolerance = 1e-10;
    simulation = build_simulation(PETSC_COMM_WORLD, scene, std::move(mesh));
    while (!simulation.loop->done()) simulation.loop->advance();
  }

  double angle() const { return angle_; }
  // Sum of 3 kappa (delta - d)^2 / delta over the bottom's vertices nearer than delta, each with as much of kappa as it has of a mean vertex's area [N].
  double normal_force() const {
    const double kappa = simulation.contacts.at(0)->stiffness();
    const std::vector<double> areas = vertex_areas(*simulation.mesh, simulation.mesh->region("block.surface"));
    const double mean_area = sum_over_ranks(PETSC_COMM_WORLD, std::reduce(areas.begin(), areas.end())) / (4 * 4 * 4 - 2 * 2 * 2);
    double sum = 0;
    for (int vertex : simulation.mesh->region("block.bottom").vertices) {
      if (vertex >= simulation.system->halo().owned()) continue;
      const double gap = out.dot(Vec3(simulation.loop->state().q[vertex]));
      if (gap < kThickness) sum += 3 * kappa * areas[vertex] / mean_area * (kThickness - gap) * (kThickness - gap) / kThickness;
    }
    return sum_over_ranks(PETSC_COMM_WORLD, sum);
  }

  static constexpr double kGravity = 9.81, kThickness = 5e-3, kFriction = 0.3, kTolerance = 1e-3, kWeight = 1000 * 0.2 * 0.2 * 0.2 * kGravity;
  Simulation simulation;
  Vec3 out, down;

 private:
  double angle_;
};

TEST(BlockOnASlope, PenaltyBalancesTheWeightOnLevelGround) {
  const BlockOnASlope block(0);
  const double force = block.normal_force();
  if (first_rank()) std::printf("normal force off by %.2g of the weight\n", force / block.kWeight - 1);
  test::expect_closed_form(
      {"contact", "block at rest: normal force from the gaps", "m g", block.kWeight, force, 1e-5, "3 × 3 × 3 cells", "backward Euler until rest"});
}

// Smoothed friction mu s(v) N = W sin(theta) with N = W cos(theta) and s(v) = 1 - (1 - v / eps)^2 gives v = eps (1 - sqrt(1 - tan(theta) / mu)).
TEST(BlockOnASlope, CreepsAsSmoothedFrictionLetsIt) {
  const BlockOnASlope block(10);
  const double force = block.normal_force(), weight = block.kWeight * std::cos(block.angle());
  const double expected = block.kTolerance * (1 - std::sqrt(1 - std::tan(block.angle()) / block.kFriction));
  double slowest = 1, fastest = 0;
  for (int i = 0; i < block.simulation.system->halo().owned(); ++i) {
    const Vec3 velocity = block.simulation.loop->state().v[i];
    slowest = std::min(slowest, block.down.dot(velocity));
    fastest = std::max(fastest, block.down.dot(velocity));
    EXPECT_NEAR(block.out.dot(velocity), 0, 1e-2 * expected);
    EXPECT_NEAR(velocity.y(), 0, 1e-2 * expected);
  }
  slowest = minimum_over_ranks(PETSC_COMM_WORLD, slowest);
  fastest = maximum_over_ranks(PETSC_COMM_WORLD, fastest);
  if (first_rank()) std::printf("normal force off by %.2g, creep at %.6e to %.6e m/s, expected %.6e m/s\n", force / weight - 1, slowest, fastest, expected);
  EXPECT_NEAR(force, weight, 1e-5 * weight);
  for (const double speed : {slowest, fastest})
    test::expect_closed_form({"friction", speed == slowest ? "block creeps on 10°: slowest vertex" : "block creeps on 10°: fastest vertex",
                              "ε (1 − √(1 − tan θ/μ))", expected, speed, 1e-3, "3 × 3 × 3 cells", "backward Euler until steady"});
}

}  // namespace
}  // namespace traction
