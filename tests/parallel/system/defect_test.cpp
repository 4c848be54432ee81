// The measures by which Newton's method stops (docs/theory/newton.md, "When Newton stops", (N5)), against their definitions, on bodies of many vertices.

#include <gtest/gtest.h>
#include <petscvec.h>

#include <cmath>
#include <functional>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "system/stage_equation.h"

namespace traction {
namespace {

constexpr double kLength = 1e-3, kAbsolute = 1e-5, kRelative = 1e-3;

// A cube of 1,331 vertices at rest, and the stage of a step of backward Euler.
class CubeAtRest {
 public:
  explicit CubeAtRest(double gravity, bool has_inertia = true)
      : simulation_(build_simulation(PETSC_COMM_WORLD, scene(gravity, has_inertia), test::box_mesh("cube", Vec3::Zero(), Vec3::Ones(), {10, 10, 10}))),
        equation_(*simulation_.system, OperatorKind::assembled) {
    VecCreateMPI(PETSC_COMM_WORLD, 3 * system().halo().owned(), PETSC_DETERMINE, &velocities_);
    VecDuplicate(velocities_, &residual_);
    begin(1);
  }
  ~CubeAtRest() {
    VecDestroy(&velocities_);
    VecDestroy(&residual_);
  }
  CubeAtRest(const CubeAtRest&) = delete;
  CubeAtRest& operator=(const CubeAtRest&) = delete;

  void begin(double force_share) {
    const State& start = simulation_.loop->state();
    equation_.begin({kLength, kLength, start.q, start.v, Field(system().halo().local()), force_share});
    VecZeroEntries(velocities_);
    equation_.residual(velocities_, residual_);
  }

  const System& system() const { return *simulation_.system; }

  // Where forces change the velocity of every vertex by `change`, and that of each would change by `error` if nothing resisted [m/s].
  StageEquation::Defect defect(double change, const std::function<double(const Vec3& place)>& error) {
    PetscScalar *velocities = nullptr, *residual = nullptr;
    VecGetArray(velocities_, &velocities);
    VecGetArray(residual_, &residual);
    for (int i = 0; i < system().halo().owned(); ++i)
      for (int k = 0; k < 3; ++k) {
        velocities[3 * i + k] = k == 2 ? change : 0;
        residual[3 * i + k] = k == 0 ? system().mass()[i] * error(simulation_.mesh->vertices[i]) : 0;
      }
    VecRestoreArray(velocities_, &velocities);
    VecRestoreArray(residual_, &residual);
    return equation_.defect(velocities_, residual_, kAbsolute, kRelative);
  }

  double mass_at(const Vec3& place) const {
    double mass = 0;
    for (int i = 0; i < system().halo().owned(); ++i)
      if ((simulation_.mesh->vertices[i] - place).norm() < 1e-6) mass += system().mass()[i];
    return sum_over_ranks(PETSC_COMM_WORLD, mass);
  }

 private:
  static Scene scene(double gravity, bool has_inertia) {
    Scene scene;
    scene.gravity = Vec3(0, 0, -gravity);
    scene.time.steps = {{0, kLength, std::nullopt}};
    scene.time.end = 1;
    scene.time.inertia = has_inertia;
    if (!has_inertia) scene.gravity_over = {{0, 1}};  // no weight that the tolerance could be relative to
    Body body;
    body.name = "cube";
    body.solid["solid"] = {1e6, 0.3, 1000, {}};
    scene.bodies = {body};
    return scene;
  }

  Simulation simulation_;
  StageEquation equation_;
  Vec velocities_ = nullptr, residual_ = nullptr;
};

// The error of one vertex among so many is in their mean only sqrt(m/M) = 1/32 of itself.
TEST(Defect, AMeanOverManyVerticesHidesNone) {
  CubeAtRest cube(0);
  const Vec3 middle = Vec3::Constant(0.5);
  constexpr double kError = 2e-4;
  const StageEquation::Defect defect = cube.defect(1, [&](const Vec3& place) { return (place - middle).norm() < 1e-6 ? kError : 0; });
  const double share = std::sqrt(cube.mass_at(middle) / 1000);
  EXPECT_NEAR(share, std::sqrt(1e-3), 1e-6);
  EXPECT_NEAR(defect.velocity, share * kError, 1e-12);
  EXPECT_LT(defect.velocity, kAbsolute);  // the mean alone would end the iteration
  EXPECT_NEAR(defect.excess, kError / (10 * kAbsolute), 1e-9);
}

// The allowed error is the smaller one of the tolerance and 1e-3 of what forces, or weight alone, change in a step, but not below 1e-8 m/s.
TEST(Defect, TheAllowedErrorFollowsTheChangeOfASlowStep) {
  struct Case {
    double gravity, change, allowed;
  };
  for (const auto& [gravity, change, allowed] : {Case{0, 1, kAbsolute},
                                                 {0, 1e-3, 1e-6},
                                                 {0, 1e-6, 1e-8},
                                                 {0, 0, 1e-8},
                                                 {9.81, 0, 9.81e-6},
                                                 {9.81, 1, kAbsolute},
                                                 {0.981, 0, 0.981e-6},
                                                 {0.981, 2e-3, 2e-6}}) {
    CubeAtRest cube(gravity);
    constexpr double kError = 3e-6;
    const StageEquation::Defect defect = cube.defect(change, [](const Vec3&) { return kError; });
    EXPECT_NEAR(defect.velocity, kError, 1e-15);
    EXPECT_NEAR(defect.excess * allowed, kError, 1e-10) << "gravity " << gravity << ", change " << change;
  }
}

// Without inertia what is left of the forces is compared with the forces: of weight alone, half of which the elastic forces would balance.
TEST(Defect, WithoutInertiaTheForcesAreTheMeasure) {
  constexpr double kGravity = 10, kShare = 1e6;
  CubeAtRest cube(kGravity, false);
  cube.begin(kShare);
  const auto defect = [&](const std::function<double(const Vec3&)>& part_of_weight) {
    return cube.defect(0, [&](const Vec3& place) { return part_of_weight(place) * kLength * kShare * kGravity / 2; });
  };
  // Outwards near two faces and inwards between them, so that the body as a whole, which nothing holds, has no net force.
  const auto sign = [](const Vec3& place) { return std::abs(place.x() - 0.5) > 0.25 ? 1 : -1; };
  EXPECT_NEAR(defect([&](const Vec3& place) { return 2e-3 * sign(place); }).excess, 2, 1e-6);
  EXPECT_NEAR(defect([&](const Vec3& place) { return kRelative * sign(place); }).excess, 1, 1e-6);
  // Two vertices: their part of the sum is small, but each is compared with the largest force, too.
  const auto at = [](const Vec3& place, double x) { return (place - Vec3(x, 0.5, 0.5)).norm() < 1e-6 ? 1.0 : 0.0; };
  EXPECT_NEAR(defect([&](const Vec3& place) { return at(place, 0.4) - at(place, 0.6); }).excess, 1 / kRelative, 1e-3);
  // The net force is compared with all mass.
  EXPECT_NEAR(defect([](const Vec3&) { return 1e-12; }).excess, 1e-12 * kLength * kShare * kGravity / 2 / kAbsolute, 1e-9);
}

}  // namespace
}  // namespace traction
