// Newton's method on one stage of a soft block that lies on the floor, filled with gas, and slides.

#include "solver/newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "support/box_mesh.h"
#include "support/one_stage.h"
#include "support/scenes.h"

namespace traction {
namespace {

Scene sliding_block() {
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.1, -0.3);
  return scene;
}

Mesh block_mesh() { return test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {3, 3, 3}); }

class OneStage : public test::OneStage {
 public:
  explicit OneStage(const Scene& scene, double step = 5e-3) : test::OneStage(scene, block_mesh(), step) {}
};

// The largest difference of two fields over all owned vertices.
double difference(const Halo& halo, const Field& a, const Field& b) {
  double largest = 0;
  for (int i = 0; i < halo.owned(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return maximum_over_ranks(PETSC_COMM_WORLD, largest);
}

SolverSettings settings_for(NewtonMethod method, double tolerance) {
  SolverSettings settings;
  settings.method = method;
  settings.tolerance = tolerance;
  return settings;
}

// r_k after k iterations: near the root r_{k+1} <= C r_k^2, down to rounding. A derivative that is wrong in any term makes the decrease linear. C is the
// ratio of curvature to slope, inverse speeds at which friction and penalty bend: 1/tolerance = 100 s/m at most.
TEST(Newton, ConvergesQuadratically) {
  OneStage stage(sliding_block());
  const std::vector<double> residuals = stage.defects_of_iterates(settings_for(NewtonMethod::newton, 0), 1e-13, 10);
  const std::string text = test::listing(residuals);
  ASSERT_LT(residuals.back(), 1e-13) << text;
  constexpr double kConstant = 30, kRounding = 1e-13;
  int seen = 0;
  for (std::size_t k = 0; k + 1 < residuals.size(); ++k) {
    if (kConstant * residuals[k] > 0.1 || residuals[k] < 1e-9) continue;  // not near yet, or at rounding
    ++seen;
    EXPECT_LT(residuals[k + 1], std::max(kConstant * residuals[k] * residuals[k], kRounding)) << text;
  }
  EXPECT_GE(seen, 2) << text;
}

// In short steps the blocks of vertices are chosen, in long ones of a stiff block they fail and the factor takes over; the solution is the same.
TEST(Newton, TheChoiceOfPreconditionerLeadsToTheSameSolution) {
  Scene scene = sliding_block();
  for (const bool is_short : {true, false}) {
    const double step = is_short ? 1e-4 : 0.1;
    test::OneStage stage(scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {12, 12, 12}), step);
    SolverSettings settings = settings_for(NewtonMethod::inexact_newton, 1e-10);
    settings.preconditioner = PreconditionerKind::mumps_single;
    const NewtonReport strong = stage.solve(settings);
    const State reference = stage.state();
    settings.preconditioner = PreconditionerKind::automatic;
    const NewtonReport chosen = stage.solve(settings);
    EXPECT_TRUE(strong.converged && chosen.converged) << strong.reason << chosen.reason;
    EXPECT_LT(difference(stage.halo(), stage.state().v, reference.v), 1e-8) << step;
    EXPECT_GT(chosen.linear_iterations, strong.linear_iterations) << step;
    // Solves that are given up cost no more than a factor, 186 iterations here, and some of its solves.
    if (!is_short) {
      EXPECT_LT(chosen.linear_iterations, 1000);
    }
  }
}

// The forcing terms of P0 Algorithm 2 shrink with the residual: it falls faster than by the constant factor 0.01 that linear solves to sigma = 0.01 would give,
// and with order phi near the root. Block Jacobi reduces the linear residual only as far as it must.
TEST(Newton, ForcingTermsMakeItSuperlinear) {
  OneStage stage(sliding_block());
  SolverSettings settings = settings_for(NewtonMethod::inexact_newton, 1e-14);
  settings.preconditioner = PreconditionerKind::block_jacobi;
  settings.contact_first = false;  // decreases are to be those of Newton's steps alone
  const std::vector<double> residuals = stage.defects_of_iterates(settings, 1e-13, 10);
  const std::string text = test::listing(residuals);
  ASSERT_LT(residuals.back(), 1e-13) << text;
  int seen = 0;
  for (std::size_t k = 1; k + 1 < residuals.size(); ++k) {
    if (residuals[k] > 1e-3 || residuals[k + 1] < 1e-12) continue;
    ++seen;
    EXPECT_LT(residuals[k + 1] / residuals[k], 3 * std::pow(residuals[k] / residuals[k - 1], 1.618)) << text;
  }
  EXPECT_GE(seen, 1) << text;
}

TEST(Newton, ReportsTheResidualOfItsSolution) {
  OneStage stage(sliding_block());
  for (const NewtonMethod method : {NewtonMethod::newton, NewtonMethod::inexact_newton}) {
    const NewtonReport report = stage.solve(settings_for(method, 1e-8));
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LT(report.residual, 1e-8);
    EXPECT_NEAR(stage.defect(), report.residual, 1e-12);
    EXPECT_GT(report.newton_iterations, 1);
    EXPECT_GE(report.linear_iterations, report.newton_iterations);
  }
}

TEST(Newton, BothMethodsFindTheSameSolution) {
  OneStage stage(sliding_block());
  EXPECT_TRUE(stage.solve(settings_for(NewtonMethod::newton, 1e-12)).converged);
  const State direct = stage.state();
  EXPECT_TRUE(stage.solve(settings_for(NewtonMethod::inexact_newton, 1e-12)).converged);
  const State inexact = stage.state();
  EXPECT_LT(difference(stage.halo(), direct.v, inexact.v), 1e-9);
  EXPECT_LT(difference(stage.halo(), direct.q, inexact.q), 1e-9);
  // The block touches the floor, so that the solved problem includes a contact.
  const ContactSummary contact = stage.simulation().contacts.at(0)->summarize(direct);
  EXPECT_EQ(contact.active, 16);
  EXPECT_LT(contact.force.x(), 0);
}

TEST(Newton, EveryPreconditionerLeadsToTheSameSolution) {
  OneStage stage(sliding_block());
  stage.solve(settings_for(NewtonMethod::newton, 1e-12));
  const State reference = stage.state();
  for (const PreconditionerKind kind :
       {PreconditionerKind::none, PreconditionerKind::block_jacobi, PreconditionerKind::ilu, PreconditionerKind::asm_ilu, PreconditionerKind::gamg,
        PreconditionerKind::hypre, PreconditionerKind::ml, PreconditionerKind::mumps, PreconditionerKind::mumps_single}) {
    SolverSettings settings = settings_for(NewtonMethod::inexact_newton, 1e-12);
    settings.preconditioner = kind;
    const NewtonReport report = stage.solve(settings);
    EXPECT_TRUE(report.converged) << static_cast<int>(kind) << ": " << report.reason;
    EXPECT_LT(difference(stage.halo(), stage.state().v, reference.v), 1e-9) << static_cast<int>(kind);
  }
}

// All combinations, including the paper's recipe: BiCGSTAB on products of dual numbers, without a preconditioner.
TEST(Newton, EveryOperatorAndKrylovMethodLeadsToTheSameSolution) {
  Scene scene = sliding_block();
  std::optional<State> reference;
  for (const OperatorKind kind : {OperatorKind::assembled, OperatorKind::matrix_free})
    for (const KrylovMethod krylov : {KrylovMethod::fgmres, KrylovMethod::bicgstab}) {
      scene.solver.linear_operator = kind;
      OneStage stage(scene);
      SolverSettings settings = settings_for(NewtonMethod::inexact_newton, 1e-12);
      settings.krylov = krylov;
      settings.preconditioner = PreconditionerKind::none;
      const NewtonReport report = stage.solve(settings);
      EXPECT_TRUE(report.converged) << report.reason;
      if (!reference) reference = stage.state();
      EXPECT_LT(difference(stage.halo(), stage.state().v, reference->v), 1e-9);
    }
}

// At 30 m/s against a friction tolerance of 1 mm/s the sliding direction reverses within the step, and exact products make Newton's method oscillate: without
// primal-dual products it needs more than the 60 iterations allowed.
TEST(Newton, FastImpactWithFrictionConverges) {
  Scene scene = sliding_block();
  scene.bodies[0].initial.velocity = Vec3(0.3, -0.2, -30);
  scene.bodies[0].solid.begin()->second = {1e6, 0.4, 1000, {}};
  scene.contacts[0].friction->tolerance = 1e-3;
  scene.contacts[0].friction->stribeck_velocity = 1e-2;
  OneStage stage(scene);
  SolverSettings settings = settings_for(NewtonMethod::inexact_newton, 1e-8);
  settings.contact_first = false;
  const NewtonReport first = stage.solve(settings), second = stage.solve(settings);
  EXPECT_TRUE(first.converged) << first.reason;
  EXPECT_LE(first.newton_iterations, 28);
  EXPECT_EQ(first.newton_iterations, second.newton_iterations);  // the first solve leaves no trace
}

TEST(Newton, GivesUpAfterTheLastIterationAllowed) {
  OneStage stage(sliding_block());
  SolverSettings settings = settings_for(NewtonMethod::newton, 1e-12);
  settings.maximum_iterations = 1;
  const NewtonReport report = stage.solve(settings);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.newton_iterations, 1);
  EXPECT_FALSE(report.reason.empty());
}

// The implicit step conserves momentum: its change is the impulse of gravity, contact and mass damping.
TEST(Newton, MomentumChangesByTheImpulse) {
  Scene scene = sliding_block();
  scene.bodies[0].damping = {};
  OneStage stage(scene);
  ASSERT_TRUE(stage.solve(settings_for(NewtonMethod::newton, 1e-13)).converged);
  const State end = stage.state();
  const System& system = *stage.simulation().system;
  const ContactSummary contact = stage.simulation().contacts.at(0)->summarize(end);
  const Vec3 impulse = 5e-3 * (contact.force + system.total_mass() * Vec3(0, 0, -9.81));
  EXPECT_NEAR(system.total_mass(), 1000, 1e-9);  // 1 m^3
  for (int k = 0; k < 3; ++k) {
    double change = 0;
    for (int i = 0; i < stage.halo().owned(); ++i) change += system.mass()[i] * (end.v[i][k] - stage.start().v[i][k]);
    EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, change), impulse[k], 1e-9 * system.total_mass());
  }
}

TEST(Newton, DrivenVerticesEndWhereTheyMust) {
  Scene scene = sliding_block();
  MotionSettings turn;
  turn.velocity = Vec3(0.2, -0.1, 0.4);
  turn.angular_velocity = Vec3(0.5, 2, -1);
  turn.about = Vec3(0, 0.5, 0.5);
  turn.ramp = 0.02;
  DrivenSettings driven;
  driven.region = "left";
  driven.motion = {turn};
  scene.bodies[0].driven = {driven};
  for (const NewtonMethod method : {NewtonMethod::newton, NewtonMethod::inexact_newton}) {
    OneStage stage(scene);
    // The prescribed positions hold even with a loose tolerance, whatever the residual of the other vertices.
    ASSERT_TRUE(stage.solve(settings_for(method, 1e-3)).converged);
    const State end = stage.state();
    const Pose pose(turn, 5e-3);
    double count = 0;
    for (const DrivenGroup& group : stage.simulation().system->driven())
      for (std::size_t k = 0; k < group.vertices.size(); ++k, ++count)
        EXPECT_LT((end.q[group.vertices[k]] - pose.to_world<double>(group.starts[k])).norm(), 1e-15);
    EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, count), 16);
  }
}

// Velocities that carry every vertex through the origin turn all elements inside out.
TEST(Newton, AnInvertedStartIsReported) {
  const double step = 5e-3;
  OneStage stage(sliding_block(), step);
  Field inverting(stage.halo().local());
  inverting.array() = (-2 / step) * stage.start().q.array();
  const NewtonReport report = stage.solve(settings_for(NewtonMethod::inexact_newton, 1e-8), {&inverting});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.newton_iterations, 0);
  EXPECT_NE(report.reason.find("inverted"), std::string::npos) << report.reason;
  // With a second guess that can be used there is no difficulty.
  EXPECT_TRUE(stage.solve(settings_for(NewtonMethod::inexact_newton, 1e-8), {&inverting, &stage.start().v}).converged);
}

}  // namespace
}  // namespace traction
