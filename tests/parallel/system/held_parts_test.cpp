// Vertices that are held along some directions alone: rollers and planes of symmetry, against closed forms and against whole models.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "elements/lame_parameters.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "solver/modes.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/equilibrium.h"
#include "system/held_directions.h"

namespace traction {
namespace {

constexpr double kFreeFall = 9.81;
constexpr double kYoung = 1e6, kPoisson = 0.4, kDensity = 1000;

std::vector<Integrator> all_integrators(std::initializer_list<IntegratorFamily> families) {
  std::vector<Integrator> result;
  for (const auto& row : kStepIntegrators)
    if (std::find(families.begin(), families.end(), row.family) != families.end()) result.push_back(row.integrator);
  return result;
}

HeldPart components(std::vector<Axis> axes) {
  HeldPart part;
  part.components = std::move(axes);
  return part;
}

HeldPart along(const Vec3& normal) {
  HeldPart part;
  part.normal = normal.normalized();
  return part;
}

void hold(Scene& scene, const std::string& region, const HeldPart& part, const Motion& motion = {}) {
  scene.bodies[0].driven.push_back({part, region, motion, {}});
}

Scene block_scene() {
  Scene scene;
  Body body;
  body.name = "block";
  body.solid["solid"] = {kYoung, kPoisson, kDensity, {}};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-11;
  return scene;
}

void add_region(Mesh& mesh, const std::string& name, const std::function<bool(const Vec3&)>& contains) {
  Region region{"block." + name, 0, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (contains(mesh.vertices[v])) region.members.push_back(static_cast<int>(v));
  mesh.regions.push_back(region);
}

Mesh box(const Vec3& upper, const std::array<int, 3>& cells) {
  Mesh mesh = test::box_mesh("block", Vec3::Zero(), upper, cells);
  add_region(mesh, "front", [](const Vec3& x) { return x.y() == 0; });
  add_region(mesh, "all", [](const Vec3&) { return true; });
  return mesh;
}

// A homogeneous deformation with the stretches s along z and t across it: the stress across it, mu (t - 1/t) + lambda ln(s t^2)/t, vanishes.
struct Tension {
  double across, stress;

  explicit Tension(double along) {
    const auto [lambda, mu] = LameParameters<double>::from_engineering(kYoung, kPoisson);
    double low = 0.5, high = 1.5;
    for (int n = 0; n < 60; ++n) {
      across = (low + high) / 2;
      (mu * (across * across - 1) + lambda * std::log(along * across * across) > 0 ? high : low) = across;
    }
    stress = mu * (along - 1 / along) + lambda * std::log(along * across * across) / along;
  }
};

// An eighth of a block between three planes of symmetry, whose top is drawn out and free to contract.
TEST(HeldParts, AnEighthOfABlockIsStretchedHomogeneously) {
  constexpr double kStretch = 1.3, kTime = 1;
  const Vec3 size(0.2, 0.3, 0.4);
  Scene scene = block_scene();
  test::settle(scene, kTime / 5, 40);
  MotionSettings motion;
  motion.velocity = Vec3(0, 0, (kStretch - 1) * size.z() / kTime);
  motion.stop = kTime;
  hold(scene, "left", components({Axis::x}));
  hold(scene, "front", components({Axis::y}));
  hold(scene, "bottom", components({Axis::z}));
  hold(scene, "top", components({Axis::z}), {motion});
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, box(size, {2, 3, 4}));
  const StepRecord last = test::run(simulation);
  const Tension expected(kStretch);
  EXPECT_LT(expected.across, 0.92);
  const Vec3 stretches(expected.across, expected.across, kStretch);
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i)
    EXPECT_LT((simulation.loop->state().q[i] - stretches.cwiseProduct(simulation.mesh->vertices[i])).norm(), 1e-9);
  const double force = expected.stress * size.x() * size.y();
  const std::vector<Vec3> forces = {Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, -force), Vec3(0, 0, force)};
  ASSERT_EQ(last.solver.reactions.size(), forces.size());
  for (std::size_t g = 0; g < forces.size(); ++g) EXPECT_LT((last.solver.reactions[g].force - forces[g]).norm(), 1e-7 * force) << g;
}

// A support along n carries only forces along n; the moment of the weight follows from the lever.
class OnASlope : public testing::TestWithParam<Integrator> {
 protected:
  static constexpr double kAngle = 0.5;
  Vec3 normal() const { return {std::sin(kAngle), 0, std::cos(kAngle)}; }
  Vec3 downhill() const { return {std::cos(kAngle), 0, -std::sin(kAngle)}; }
  double weight() const { return kDensity * 0.2 * 0.3 * 0.1 * kFreeFall; }

  // The block lies with its bottom on the slope.
  Simulation build(double step, int steps, double damping, MPI_Comm communicator = PETSC_COMM_WORLD) const {
    Scene scene = block_scene();
    scene.gravity = Vec3(0, 0, -kFreeFall);
    test::settle(scene, step, steps);
    scene.time.integrator = GetParam();
    scene.time.modes = 4;
    scene.solver.tolerance = 1e-10;
    scene.bodies[0].damping.stiffness = damping;
    hold(scene, "bottom", along(normal()));
    Mesh mesh = box({0.2, 0.3, 0.1}, {2, 3, 1});
    for (Vec3& x : mesh.vertices) x = Eigen::AngleAxisd(kAngle, Vec3::UnitY()) * x;
    return build_simulation(communicator, scene, mesh);
  }
  static Vec3 mean_velocity(const Simulation& simulation) {
    Vec3 momentum = Vec3::Zero();
    for (int i = 0; i < simulation.system->halo().owned(); ++i) momentum += simulation.system->mass()[i] * simulation.loop->state().v[i];
    sum_over_ranks(simulation.system->communicator(), {momentum.data(), 3});
    return momentum / simulation.system->total_mass();
  }
};

TEST_P(OnASlope, ABlockSlidesDownWithItsShareOfGravity) {
  Simulation simulation = build(2e-3, 20, 0);
  const Vec3 start = simulation.loop->state().q[0];
  test::run(simulation);
  const Vec3 velocity = mean_velocity(simulation);
  const double expected = kFreeFall * std::sin(kAngle) * 0.04;
  EXPECT_NEAR(velocity.dot(downhill()), expected, 1e-8 * expected);
  EXPECT_NEAR(velocity.y(), 0, 1e-8 * expected);
  const System& system = *simulation.system;
  double held = 0;
  for (int i = 0; i < system.halo().owned(); ++i) {
    if (system.held().free_directions(i) == 3) continue;
    ++held;
    EXPECT_NEAR(normal().dot(simulation.loop->state().q[i]), 0, 1e-14);
    EXPECT_NEAR(normal().dot(simulation.loop->state().v[i]), 0, 1e-12);
  }
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, held), 12);
  EXPECT_GT((simulation.loop->state().q[0] - start).dot(downhill()), 1e-3);
}

TEST_P(OnASlope, PartitionsMakeNoDifference) {
  Simulation together = build(2e-3, 5, 1e-3), alone = build(2e-3, 5, 1e-3, PETSC_COMM_SELF);
  const StepRecord all = test::run(together), one = test::run(alone);
  const auto gather = [](const Simulation& simulation, const Field& field) { return test::by_id(*simulation.mesh, field); };
  EXPECT_LT(test::difference(gather(together, together.loop->state().q), gather(alone, alone.loop->state().q)), 1e-9);
  EXPECT_LT(test::difference(gather(together, together.loop->state().v), gather(alone, alone.loop->state().v)), 1e-7);
  EXPECT_LT((all.solver.reactions.at(0).force - one.solver.reactions.at(0).force).norm(), 1e-6 * weight());
}

// The bottom is carried along x at the block's own velocity, and all of it falls.
TEST_P(OnASlope, ABlockIsCarriedAlongAndFalls) {
  MotionSettings motion;
  motion.velocity = Vec3(0.6, 7, 7);  // only its x component counts
  Scene scene = block_scene();
  scene.gravity = Vec3(0, 0.5, -kFreeFall);
  test::settle(scene, 2e-3, 20);
  scene.time.integrator = GetParam();
  scene.time.modes = 4;
  scene.solver.tolerance = 1e-10;
  scene.bodies[0].initial.velocity = Vec3(0.6, 0, 0);
  hold(scene, "bottom", components({Axis::x}), {motion});
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, box({0.2, 0.3, 0.1}, {2, 3, 1}));
  const StepRecord last = test::run(simulation);
  const State& state = simulation.loop->state();
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) {
    EXPECT_LT((state.v[i] - Vec3(0.6, 0.02, -0.04 * kFreeFall)).norm(), 1e-7);
    EXPECT_NEAR(state.q[i].x() - simulation.mesh->vertices[i].x(), 0.6 * 0.04, 1e-9);
  }
  EXPECT_LT(last.solver.reactions.at(0).force.norm(), 1e-4 * weight());
}

INSTANTIATE_TEST_SUITE_P(Integrators, OnASlope,
                         testing::ValuesIn(all_integrators({IntegratorFamily::implicit_stages, IntegratorFamily::additive_stages,
                                                            IntegratorFamily::generalized_alpha, IntegratorFamily::exponential_euler})));

using RestingOnASlope = OnASlope;

TEST_P(RestingOnASlope, TheSlopeCarriesTheRest) {
  Simulation simulation = build(2e-2, 60, 1e-2);
  const Reaction reaction = test::run(simulation).solver.reactions.at(0);
  const double expected = weight() * std::cos(kAngle);
  EXPECT_LT((reaction.force - expected * normal()).norm(), 1e-7 * expected);
}

INSTANTIATE_TEST_SUITE_P(Integrators, RestingOnASlope, testing::Values(Integrator::backward_euler));

// All vertices are held by two planes that are not at right angles: their edge, along y, stays free, and each plane pushes along its own normal.
TEST(HeldParts, TwoPlanesShareAWeight) {
  const Vec3 first = Vec3(1, 0, 2).normalized(), second = Vec3(-1, 0, 1).normalized();
  Scene scene = block_scene();
  scene.gravity = Vec3(0, 0.7, -kFreeFall);
  test::settle(scene, 1e-2, 10);
  hold(scene, "all", along(first));
  hold(scene, "again", along(second));
  hold(scene, "once_more", along(first));  // has no effect
  Mesh mesh = box({0.2, 0.2, 0.2}, {2, 2, 2});
  add_region(mesh, "again", [](const Vec3&) { return true; });
  add_region(mesh, "once_more", [](const Vec3&) { return true; });
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  const StepRecord last = test::run(simulation);
  // a first + b second = (0, 0, W)
  const double weight = kDensity * 0.008 * kFreeFall;
  const double a = weight * std::sqrt(5.0) / 3, b = weight * std::sqrt(2.0) / 3;
  EXPECT_LT((last.solver.reactions.at(0).force - a * first).norm(), 1e-8 * weight);
  EXPECT_LT((last.solver.reactions.at(1).force - b * second).norm(), 1e-8 * weight);
  EXPECT_LT(last.solver.reactions.at(2).force.norm(), 1e-12 * weight);
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i) {
    EXPECT_EQ(simulation.system->held().free_directions(i), 1);
    EXPECT_LT((simulation.loop->state().v[i] - Vec3(0, 0.07, 0)).norm(), 1e-9);
  }
}

// A second direction counts from the same angle on as where scenes are read.
TEST(HeldParts, DirectionsThatCountAsTheSame) {
  for (const double sine : {0.8 * kLeastSine, 1.2 * kLeastSine}) {
    Scene scene = block_scene();
    hold(scene, "all", along({1, 0, 0}));
    hold(scene, "again", along({1, sine, 0}));
    Mesh mesh = box({0.2, 0.2, 0.2}, {1, 1, 1});
    add_region(mesh, "again", [](const Vec3&) { return true; });
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    for (int i = 0; i < simulation.mesh->halo->owned(); ++i) EXPECT_EQ(simulation.system->held().free_directions(i), sine < kLeastSine ? 2 : 1);
  }
}

// Three regions overlap: one is held until 0.5 s, one in part until 1 s, one permanently. Each vertex, ghosts included, stays held as long as any of its
// regions holds it.
TEST(HeldParts, ReleasesWhatNothingElseHolds) {
  const auto on_front = [](const Vec3& x) { return x.y() == 0; };
  const auto on_floor = [](const Vec3& x) { return x.z() == 0; };
  const auto at_left = [](const Vec3& x) { return x.x() == 0; };
  Scene scene = block_scene();
  HeldPart until_half, until_one = components({Axis::z});
  until_half.until = 0.5;
  until_one.until = 1;
  hold(scene, "front", until_half);
  hold(scene, "floor", until_one);
  hold(scene, "left", {});
  Mesh mesh = box({0.2, 0.2, 0.2}, {3, 3, 3});
  add_region(mesh, "floor", on_floor);
  add_region(mesh, "left", at_left);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  System& system = *simulation.system;
  const auto expect = [&](auto whole, auto partly) {
    for (std::size_t i = 0; i < simulation.mesh->vertices.size(); ++i) {
      const Vec3& x = simulation.mesh->vertices[i];
      const int directions = whole(x) ? 0 : partly(x) ? 2 : 3;
      EXPECT_EQ(system.held().free_directions(static_cast<int>(i)), directions) << x.transpose();
      EXPECT_EQ(system.held_for_good()[i] != 0, at_left(x)) << x.transpose();
    }
  };
  const auto none = [](const Vec3&) { return false; };
  expect([&](const Vec3& x) { return on_front(x) || at_left(x); }, on_floor);
  EXPECT_FALSE(system.release(0.49));
  EXPECT_TRUE(system.release(0.5));
  EXPECT_FALSE(system.release(0.5));
  expect(at_left, on_floor);
  EXPECT_TRUE(system.release(2));
  expect(at_left, none);
  EXPECT_EQ(system.reactions(simulation.loop->state()).size(), 3u);
}

// Held along x by a motion that speeds up, free across it: M a.
TEST(HeldParts, APushedBlockTakesItsMassTimesTheAcceleration) {
  MotionSettings motion;
  motion.velocity = Vec3(0.6, 5, 5);  // only its x component counts
  motion.ramp = 1;
  Scene scene = block_scene();
  test::settle(scene, 0.05, 10);
  hold(scene, "all", components({Axis::x}), {motion});
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, box({0.2, 0.2, 0.2}, {1, 1, 2}));
  const Vec3 force = test::run(simulation).solver.reactions.at(0).force;
  EXPECT_LT((force - Vec3(8 * 0.6, 0, 0)).norm(), 1e-9);
  for (int i = 0; i < simulation.mesh->halo->owned(); ++i)
    EXPECT_LT((simulation.loop->state().q[i] - simulation.mesh->vertices[i] - Vec3(0.6 * 0.125, 0, 0)).norm(), 1e-12);
}

// The box and its mirror image behind x = 0, as one mesh; its first vertices are those of the box.
Mesh whole_of(const Mesh& half) {
  Mesh mesh = half;
  const auto mirrored = [](const Vec3& x) { return Vec3(-x.x(), x.y(), x.z()); };
  std::vector<int> image;
  for (std::size_t v = 0; v < half.vertices.size(); ++v) {
    const bool shared = half.vertices[v].x() == 0;
    image.push_back(static_cast<int>(shared ? v : mesh.vertices.size()));
    if (!shared) mesh.vertices.push_back(mirrored(half.vertices[v]));
  }
  for (const auto& t : half.tetrahedra) mesh.tetrahedra.push_back({image[t[0]], image[t[2]], image[t[1]], image[t[3]]});
  mesh.triangles.clear();
  mesh.regions.clear();
  Region all{"block", 0, {}}, solid{"block.solid", 3, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) all.members.push_back(static_cast<int>(v));
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) solid.members.push_back(static_cast<int>(t));
  mesh.regions = {all, solid};
  add_region(mesh, "bottom", [](const Vec3& x) { return x.z() == 0; });
  return mesh;
}

// The half has the region "left" on its plane of symmetry.
Simulation part_or_whole(bool whole, bool clamped, Integrator integrator, MPI_Comm communicator) {
  Scene scene = block_scene();
  scene.gravity = Vec3(0, 20, -10 * kFreeFall);
  test::settle(scene, 4e-3, 25);
  scene.time.integrator = integrator;
  scene.solver.tolerance = 1e-10;
  const Mesh half = box({0.1, 0.15, 0.2}, {2, 3, 4});
  if (!whole) hold(scene, "left", components({Axis::x}));
  if (clamped) hold(scene, "bottom", {});
  return build_simulation(communicator, scene, whole ? whole_of(half) : half);
}

class HalfModel : public testing::TestWithParam<Integrator> {};

// Clamped at its bottom, the body sags and vibrates. The clamp holds all vertices that lie on both planes.
TEST_P(HalfModel, VibratesAsHalfOfTheWholeDoes) {
  Simulation half = part_or_whole(false, true, GetParam(), PETSC_COMM_WORLD), whole = part_or_whole(true, true, GetParam(), PETSC_COMM_SELF);
  test::run(half);
  test::run(whole);
  const auto reference = test::by_id(*whole.mesh, whole.loop->state().q), velocities = test::by_id(*whole.mesh, whole.loop->state().v);
  double fastest = 0;
  for (const auto& [id, x] : test::by_id(*half.mesh, half.loop->state().q)) EXPECT_LT((x - reference.at(id)).norm(), 1e-8) << id;
  for (const auto& [id, v] : test::by_id(*half.mesh, half.loop->state().v)) {
    EXPECT_LT((v - velocities.at(id)).norm(), 1e-6) << id;
    fastest = std::max(fastest, v.norm());
  }
  EXPECT_GT(maximum_over_ranks(PETSC_COMM_WORLD, fastest), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Integrators, HalfModel,
                         testing::ValuesIn(all_integrators({IntegratorFamily::implicit_stages, IntegratorFamily::generalized_alpha,
                                                            IntegratorFamily::exponential_euler})));

// A body on a plane of symmetry has three rigid motions, and all of its modes are modes of the whole body.
TEST(HeldParts, AHalfHasTheSymmetricModesOfTheWhole) {
  const Simulation half = part_or_whole(false, false, Integrator::backward_euler, PETSC_COMM_WORLD),
                   whole = part_or_whole(true, false, Integrator::backward_euler, PETSC_COMM_WORLD);
  const Modes of_half = lowest_modes(*half.system, half.loop->state(), 8), of_whole = lowest_modes(*whole.system, whole.loop->state(), 24);
  for (int k = 0; k < 3; ++k) EXPECT_LT(std::abs(of_half.eigenvalues[k]), 1e-8 * of_half.eigenvalues[3]) << k;
  EXPECT_GT(of_half.eigenvalues[3], 1e2);
  for (int k = 3; k < 8; ++k) {
    double nearest = 1;
    for (double value : of_whole.eigenvalues) nearest = std::min(nearest, std::abs(value / of_half.eigenvalues[k] - 1));
    EXPECT_LT(nearest, 1e-8) << k;
    for (int i = 0; i < half.mesh->halo->owned(); ++i) EXPECT_NEAR(half.mesh->vertices[i].x() == 0 ? of_half.basis->shape(k)[i].x() : 0, 0, 1e-14);
  }
  const Simulation alone = part_or_whole(false, false, Integrator::backward_euler, PETSC_COMM_SELF);
  const Modes reference = lowest_modes(*alone.system, alone.loop->state(), 8);
  for (int k = 3; k < 8; ++k) EXPECT_NEAR(of_half.eigenvalues[k], reference.eigenvalues[k], 1e-9 * reference.eigenvalues[k]);
}

}  // namespace
}  // namespace traction
