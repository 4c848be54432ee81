// The preconditioner with the volume penalty's rank-one terms against the exact product: on exact factors of the blocks it is the inverse.

#include "solver/rank_one_correction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulation/simulation.h"
#include "solver/preconditioner.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

// Two boxes on the floor, one practically full of water, the other with three times the gas of its meshed volume; the bottom of the first one is held. They do
// not touch, because contact between bodies is not in the blocks.
Scene filled_boxes() {
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[0].name = "lower";
  scene.bodies[1].name = "upper";
  VolumePenaltySettings& water = scene.bodies[0].volumes[0];
  water.model = VolumeModel::nearly_incompressible;
  water.compressibility = 1e-7;
  scene.bodies[1].volumes[0].inflation = {{0, 3}};
  DrivenSettings held;
  held.region = "bottom";
  scene.bodies[0].driven = {held};
  scene.contacts[0].vertices.body = "lower";
  return scene;
}

class RankOneCorrectionTest : public testing::Test {
 protected:
  RankOneCorrectionTest()
      : simulation_(build_simulation(PETSC_COMM_WORLD, filled_boxes(), test::two_boxes(0.1))), equation_(*simulation_.system, OperatorKind::assembled) {
    const Halo& halo = simulation_.system->halo();
    begin(kStep);
    const PetscInt size = 3 * halo.owned();
    MatCreateShell(PETSC_COMM_WORLD, size, size, PETSC_DETERMINE, PETSC_DETERMINE, &equation_, &operator_);
    MatShellSetOperation(operator_, MATOP_MULT, reinterpret_cast<void (*)()>(&RankOneCorrectionTest::multiply));
    MatCreateVecs(operator_, &x_, nullptr);
    VecDuplicate(x_, &product_);
    VecDuplicate(x_, &back_);
    KSPCreate(PETSC_COMM_WORLD, &ksp_);
    KSPSetType(ksp_, KSPGMRES);
    KSPSetPCSide(ksp_, PC_RIGHT);
  }
  ~RankOneCorrectionTest() override {
    KSPDestroy(&ksp_);
    MatDestroy(&operator_);
    for (Vec* vector : {&x_, &product_, &back_}) VecDestroy(vector);
  }

  void begin(double step) {
    const State& start = simulation_.loop->state();
    equation_.begin({step, step, start.q, start.v, Field(simulation_.system->halo().local())});
  }
  // Velocities that deform both boxes, as a function of the place alone.
  void linearize(double scale) {
    fill(x_, scale, 0);
    equation_.impose_driven(x_);
    equation_.linearize(x_);
  }
  void fill(Vec vector, double scale, double phase) {
    PetscScalar* values = nullptr;
    VecGetArray(vector, &values);
    for (int i = 0; i < simulation_.system->halo().owned(); ++i) {
      const Vec3 p = simulation_.mesh->vertices[i];
      for (int k = 0; k < 3; ++k) values[3 * i + k] = scale * (p[k] + std::sin(3 * p[(k + 1) % 3] + 5 * p[(k + 2) % 3] + phase));
    }
    VecRestoreArray(vector, &values);
  }
  // |M^-1 J x - x| / |x| for a rough x.
  double error() {
    fill(x_, 1, 1);
    equation_.product(x_, product_);
    PC pc = nullptr;
    KSPGetPC(ksp_, &pc);
    PCApply(pc, product_, back_);
    PetscReal difference = 0, norm = 0;
    VecNorm(x_, NORM_2, &norm);
    VecAXPY(back_, -1, x_);
    VecNorm(back_, NORM_2, &difference);
    return difference / norm;
  }
  static PetscErrorCode multiply(Mat matrix, Vec direction, Vec product) {
    StageEquation* equation = nullptr;
    PetscCall(MatShellGetContext(matrix, &equation));
    equation->product(direction, product);
    return 0;
  }
  void attach(Preconditioner& preconditioner) {
    PC pc = nullptr;
    KSPGetPC(ksp_, &pc);
    preconditioner.configure(pc);
    KSPSetOperators(ksp_, operator_, preconditioner.attach(ksp_, operator_));
  }
  void rebuild(Preconditioner& preconditioner) {
    ASSERT_TRUE(preconditioner.update(true));
    MatAssemblyBegin(operator_, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(operator_, MAT_FINAL_ASSEMBLY);
    KSPSetUp(ksp_);
  }

  static constexpr double kStep = 5e-3;  // [s]
  Simulation simulation_;
  StageEquation equation_;
  Mat operator_ = nullptr;
  Vec x_ = nullptr, product_ = nullptr, back_ = nullptr;
  KSP ksp_ = nullptr;
};

TEST_F(RankOneCorrectionTest, MakesExactFactorsOfTheBlocksTheInverse) {
  Preconditioner preconditioner(equation_, PreconditionerKind::mumps);
  attach(preconditioner);
  for (const double scale : {0.5, -2.0}) {  // [m/s]: the second time M, the terms and their number of vertices in contact are others
    linearize(scale);
    rebuild(preconditioner);
    EXPECT_LT(error(), 1e-10);
  }
}

// The preconditioner works in the same way with factors in single precision, which no PETSc matrix contains.
TEST_F(RankOneCorrectionTest, GoesAroundFactorsInSinglePrecision) {
  Preconditioner preconditioner(equation_, PreconditionerKind::mumps_single);
  attach(preconditioner);
  linearize(0.5);
  rebuild(preconditioner);
  EXPECT_LT(error(), 1e-3);
}

// Without the correction the two tests above would fail.
TEST_F(RankOneCorrectionTest, MattersHere) {
  PetscOptionsSetValue(nullptr, "-pc_rank_one", "false");
  {
    Preconditioner preconditioner(equation_, PreconditionerKind::mumps);
    attach(preconditioner);
    linearize(0.5);
    rebuild(preconditioner);
    EXPECT_GT(error(), 0.1);
  }
  PetscOptionsClearValue(nullptr, "-pc_rank_one");
}

// c |g|^2 / m falls with the square of the step: 54 vertices of some 8 kg, areas of 0.1 m^2 and 1 / (1e-7 Pa 1 m^3) give less than 0.01 at 0.1 ms, too little
// to affect a Krylov method.
TEST_F(RankOneCorrectionTest, LeavesWeakTermsOut) {
  begin(1e-4);
  Preconditioner preconditioner(equation_, PreconditionerKind::mumps);
  attach(preconditioner);
  linearize(0.5);
  rebuild(preconditioner);
  EXPECT_GT(error(), 1e-10);
  EXPECT_LT(error(), 0.01);
}

// The derivative of the volumes along the step comes from differences.
TEST_F(RankOneCorrectionTest, MovesTrialsToTheForetoldVolumes) {
  Preconditioner preconditioner(equation_, PreconditionerKind::mumps);
  attach(preconditioner);
  linearize(0.5);
  rebuild(preconditioner);
  Vec v = back_, trial = product_;
  VecCopy(x_, v);
  fill(x_, 4, 1);
  equation_.impose_driven(x_);
  VecAXPY(x_, -1, v);  // the step, zero where vertices are held
  const auto volumes = [&](double along) {
    VecWAXPY(trial, along, x_, v);
    return equation_.rank_one_quantities(trial);
  };
  constexpr double kDifference = 1e-4;
  const std::vector<double> at_v = volumes(0), ahead = volumes(kDifference), behind = volumes(-kDifference), missed = volumes(1);
  ASSERT_EQ(at_v.size(), 2u);
  ASSERT_TRUE(preconditioner.correct_quantities(v, trial));
  const std::vector<double> corrected = equation_.rank_one_quantities(trial);
  for (std::size_t k = 0; k < 2; ++k) {
    const double foretold = at_v[k] + (ahead[k] - behind[k]) / (2 * kDifference);
    EXPECT_GT(std::abs(missed[k] - foretold), 1e-5 * at_v[k]) << k;
    EXPECT_LT(std::abs(corrected[k] - foretold), 1e-4 * std::abs(missed[k] - foretold)) << k;
  }
}

}  // namespace
}  // namespace traction
