// Defaults of PETSc's options exist only while they are read.

#include "solver/default_options.h"

#include <gtest/gtest.h>
#include <petscsys.h>

#include <string>

#include "solver/preconditioner.h"
#include "support/box_mesh.h"
#include "support/one_stage.h"
#include "support/scenes.h"

namespace traction {
namespace {

// All of PETSc's options, as one text.
std::string all_options() {
  char* text = nullptr;
  PetscOptionsGetAll(nullptr, &text);
  const std::string result = text;
  PetscFree(text);
  return result;
}

bool is_given(const char* name) {
  PetscBool given = PETSC_FALSE;
  PetscOptionsHasName(nullptr, nullptr, name, &given);
  return given == PETSC_TRUE;
}

std::string value_of(const char* name) {
  char text[32] = "";
  PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, nullptr);
  return text;
}

TEST(DefaultOptions, AreThereForAScopeAndLeaveWhatTheUserGave) {
  PetscOptionsSetValue(nullptr, "-default_options_test_given", "7");
  const std::string before = all_options();
  DefaultOptions defaults;
  defaults.add("-default_options_test_given", "8");
  defaults.add("-default_options_test_new", "9");
  {
    const DefaultOptions::Scope scope(defaults);
    EXPECT_EQ(value_of("-default_options_test_given"), "7");
    EXPECT_EQ(value_of("-default_options_test_new"), "9");
    const DefaultOptions::Scope inner(defaults);
  }
  EXPECT_EQ(all_options(), before);
  PetscOptionsClearValue(nullptr, "-default_options_test_given");
}

class Solvers : public testing::TestWithParam<PreconditionerKind> {};

// A second solver in the process finds only the options that the user gave.
TEST_P(Solvers, LeaveNoOptionsBehind) {
  const std::string before = all_options();
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  test::OneStage stage(scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {3, 3, 3}), 5e-3);
  SolverSettings settings;
  settings.preconditioner = GetParam();
  EXPECT_TRUE(stage.solve(settings).converged);
  EXPECT_EQ(all_options(), before);
  EXPECT_FALSE(is_given("-sub_pc_type"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Solvers,
                         testing::Values(PreconditionerKind::ilu, PreconditionerKind::asm_ilu, PreconditionerKind::gamg, PreconditionerKind::ml,
                                         PreconditionerKind::hypre, PreconditionerKind::mumps),
                         [](const auto& info) { return std::string(word_of(info.param)); });

// Where applying the preconditioner is cheap, two applications per iteration cost less than orthogonal directions (docs/solver.md, "Measured: Krylov methods").
TEST(Solver, TakesBicgstabWithCheapPreconditioners) {
  using enum PreconditionerKind;
  const Scene scene = test::resting_box_scene(Integrator::backward_euler);
  for (const PreconditionerKind kind : {none, block_jacobi, ilu, asm_ilu, gamg, hypre, ml, mumps, mumps_single}) {
    const bool is_cheap = kind == none || kind == block_jacobi || kind == ilu || kind == asm_ilu;
    EXPECT_EQ(choose_krylov(KrylovMethod::automatic, kind) == KrylovMethod::bicgstab, is_cheap);
    EXPECT_EQ(choose_krylov(KrylovMethod::fgmres, kind), KrylovMethod::fgmres);
    EXPECT_EQ(choose_krylov(KrylovMethod::bicgstab, kind), KrylovMethod::bicgstab);
  }
  const auto iterations = [&](KrylovMethod krylov) {
    SolverSettings settings;
    settings.krylov = krylov;
    settings.preconditioner = block_jacobi;
    return test::OneStage(scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {5, 5, 5}), 5e-3).solve(settings).linear_iterations;
  };
  EXPECT_EQ(iterations(KrylovMethod::automatic), iterations(KrylovMethod::bicgstab));
  EXPECT_NE(iterations(KrylovMethod::automatic), iterations(KrylovMethod::fgmres));
}

// The option that the solver of the blocks reads is set when that solver is set up, and the user's option overrides it.
TEST(Solver, OfBlocksReadsTheDefaults) {
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  SolverSettings settings;
  settings.krylov = KrylovMethod::bicgstab;
  const auto iterations = [&](PreconditionerKind kind) {
    settings.preconditioner = kind;
    return test::OneStage(scene, test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {5, 5, 5}), 5e-3).solve(settings).linear_iterations;
  };
  const long factorized = iterations(PreconditionerKind::asm_ilu);
  PetscOptionsSetValue(nullptr, "-sub_pc_type", "jacobi");
  const long scaled = iterations(PreconditionerKind::asm_ilu);
  PetscOptionsClearValue(nullptr, "-sub_pc_type");
  EXPECT_LT(factorized, scaled);
}

}  // namespace
}  // namespace traction
