// The blocks that contact between bodies adds to preconditioners, between vertices of two bodies, on whatever ranks these live.

#include "system/stage_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "solver/preconditioner.h"
#include "support/compare.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr double kStep = 5e-3;                    // [s]
constexpr double kOneState = 0.5, kAnother = -4;  // [m/s]: sizes of velocities that bring other vertices into contact

// Two boxes in contact both ways, the upper one's vertices that touch held, wholly or in part, or not.
Scene scene_of(const std::optional<HeldPart>& held) {
  Scene scene = test::two_boxes_scene(true);
  scene.contacts[0].stiffness = 5e4;
  if (held) {
    DrivenSettings touching{*held, {}, {}, {}};
    touching.region = "bottom";
    scene.bodies[1].driven = {touching};
  }
  return scene;
}

// A stage of them, linearized at velocities that are a function of the place alone.
class TouchingBoxes {
 public:
  explicit TouchingBoxes(MPI_Comm communicator, const std::optional<HeldPart>& held = {})
      : simulation_(build_simulation(communicator, scene_of(held), test::two_boxes(0.02))), equation_(*simulation_.system, OperatorKind::assembled) {
    const State& start = simulation_.loop->state();
    equation_.begin({kStep, kStep, start.q, start.v, Field(halo().local())});
    const PetscInt size = 3 * halo().owned();
    MatCreateShell(communicator, size, size, PETSC_DETERMINE, PETSC_DETERMINE, &equation_, &operator_);
    MatShellSetOperation(operator_, MATOP_MULT, reinterpret_cast<void (*)()>(&TouchingBoxes::multiply));
    MatCreateVecs(operator_, &x_, nullptr);
    VecDuplicate(x_, &y_);
  }
  ~TouchingBoxes() {
    MatDestroy(&operator_);
    for (Vec* vector : {&x_, &y_}) VecDestroy(vector);
  }
  TouchingBoxes(const TouchingBoxes&) = delete;
  TouchingBoxes& operator=(const TouchingBoxes&) = delete;

  const Simulation& simulation() const { return simulation_; }
  const Halo& halo() const { return simulation_.system->halo(); }
  StageEquation& equation() { return equation_; }
  Mat exact_product() { return operator_; }

  void linearize_at(double scale) {
    fill(scale);
    equation_.impose_driven(x_);
    linearize_at(x_);
  }
  void linearize_at(Vec velocities) {
    equation_.linearize(velocities);
    MatAssemblyBegin(operator_, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(operator_, MAT_FINAL_ASSEMBLY);
  }
  Vec velocities() { return x_; }  // velocities at the last linearize, until an input exists
  // A rough vector, zero on vertices whose `is_driven` differs, if one is given.
  Vec input(std::optional<bool> driven = std::nullopt) {
    fill(1, driven);
    return x_;
  }
  Vec output() { return y_; }
  Field field(Vec vector) const {
    Field result(halo().local());
    const PetscScalar* values = nullptr;
    VecGetArrayRead(vector, &values);
    std::copy_n(values, 3 * halo().owned(), result.values().begin());
    VecRestoreArrayRead(vector, &values);
    return result;
  }

 private:
  static PetscErrorCode multiply(Mat matrix, Vec direction, Vec product) {
    StageEquation* equation = nullptr;
    PetscCall(MatShellGetContext(matrix, &equation));
    equation->product(direction, product);
    return 0;
  }
  void fill(double scale, std::optional<bool> driven = std::nullopt) {
    PetscScalar* values = nullptr;
    VecGetArray(x_, &values);
    for (int i = 0; i < halo().owned(); ++i) {
      const Vec3 p = simulation_.mesh->vertices[i];
      const bool left_out = driven && *driven != (simulation_.system->is_driven()[i] != 0);
      for (int k = 0; k < 3; ++k) values[3 * i + k] = left_out ? 0 : scale * std::sin(30 * p[k] + 50 * p[(k + 1) % 3] + 70 * p[(k + 2) % 3]);
    }
    VecRestoreArray(x_, &values);
  }

  Simulation simulation_;
  StageEquation equation_;
  Mat operator_ = nullptr;
  Vec x_ = nullptr, y_ = nullptr;
};

// GMRES to 1e-8 with the scene's preconditioner.
class Solver {
 public:
  Solver(TouchingBoxes& boxes, PreconditionerKind kind) : boxes_(boxes), preconditioner_(boxes.equation(), kind) {
    PetscOptionsCreate(&options_);  // only the preconditioner has these defaults
    PetscOptionsPush(options_);
    KSPCreate(boxes.halo().communicator(), &ksp_);
    KSPSetType(ksp_, KSPGMRES);
    KSPSetPCSide(ksp_, PC_RIGHT);
    KSPGMRESSetRestart(ksp_, 1000);
    KSPSetTolerances(ksp_, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000);
    PC pc = nullptr;
    KSPGetPC(ksp_, &pc);
    preconditioner_.configure(pc);
    KSPSetFromOptions(ksp_);
    matrix_ = preconditioner_.attach(ksp_, boxes.exact_product());
  }
  ~Solver() {
    KSPDestroy(&ksp_);
    PetscOptionsPop();
    PetscOptionsDestroy(&options_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // The matrix from which the preconditioner is built.
  Mat matrix() { return matrix_; }
  // Builds it where the boxes are linearized.
  void build() {
    ASSERT_TRUE(preconditioner_.update(true));
    KSPSetOperators(ksp_, boxes_.exact_product(), matrix_);
  }
  int iterations() {
    KSPSolve(ksp_, boxes_.input(), boxes_.output());
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    KSPGetConvergedReason(ksp_, &reason);
    EXPECT_GT(reason, 0);
    PetscInt count = 0;
    KSPGetIterationNumber(ksp_, &count);
    return static_cast<int>(count);
  }

 private:
  TouchingBoxes& boxes_;
  Preconditioner preconditioner_;
  PetscOptions options_ = nullptr;
  Mat matrix_ = nullptr;
  KSP ksp_ = nullptr;
};

struct Row {
  PetscInt row;
  std::vector<PetscInt> columns;
  std::vector<Mat3> blocks;
  bool operator==(const Row&) const = default;
};

std::vector<Row> rows_of(const StageMatrix& matrix) {
  std::vector<Row> rows;
  matrix.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) { rows.push_back({row, columns, blocks}); });
  return rows;
}

// As PETSc has it: first with the pattern of one state, then with another's, then with that of the first again.
TEST(StageMatrix, DoesNotDependOnThePartition) {
  TouchingBoxes alone(PETSC_COMM_SELF), together(PETSC_COMM_WORLD);
  Solver of_one(alone, PreconditionerKind::mumps), of_all(together, PreconditionerKind::mumps);
  const auto product = [](TouchingBoxes& boxes, Solver& solver, double scale) {
    boxes.linearize_at(scale);
    solver.build();
    MatMult(solver.matrix(), boxes.input(), boxes.output());
    return test::by_id(*boxes.simulation().mesh, boxes.field(boxes.output()));
  };
  for (const double scale : {kOneState, kAnother, kOneState})
    EXPECT_LT(test::difference(product(together, of_all, scale), product(alone, of_one, scale)), 1e-12);
}

// Matrices must agree to the last bit, so that a resumed run may equal an uninterrupted one: the matrix on all ranks, and factors on one.
TEST(StageMatrix, DoesNotDependOnWhatItWasBefore) {
  TouchingBoxes boxes(PETSC_COMM_WORLD), alone(PETSC_COMM_SELF);
  StageMatrix old_one(boxes.equation(), true), new_one(boxes.equation(), true), old_alone(alone.equation(), true), new_alone(alone.equation(), true);
  SparseFactor<float> old_factor(old_alone), new_factor(new_alone);
  boxes.linearize_at(kAnother);
  EXPECT_TRUE(old_one.assemble());
  EXPECT_FALSE(old_one.assemble());
  alone.linearize_at(kAnother);
  old_factor.factorize(old_alone.assemble());

  boxes.linearize_at(kOneState);
  EXPECT_TRUE(old_one.assemble());
  new_one.assemble();
  EXPECT_TRUE(rows_of(old_one) == rows_of(new_one));
  alone.linearize_at(kOneState);
  old_factor.factorize(old_alone.assemble());
  new_factor.factorize(new_alone.assemble());
  old_factor.solve(alone.input(), alone.output());
  const Field with_history = alone.field(alone.output());
  new_factor.solve(alone.input(), alone.output());
  EXPECT_TRUE(with_history.array() == alone.field(alone.output()).array());
}

// 9 and 11 iterations to 1e-8; 27 and 19 when couplings between the bodies are left out.
TEST(StageMatrix, CouplingsLeaveLittleToTheKrylovMethod) {
  for (const PreconditionerKind kind : {PreconditionerKind::mumps, PreconditionerKind::mumps_single}) {
    TouchingBoxes alone(PETSC_COMM_SELF), together(PETSC_COMM_WORLD);
    Solver of_one(alone, kind), of_all(together, kind);
    for (const double scale : {kOneState, kAnother}) {
      alone.linearize_at(scale);
      of_one.build();
      together.linearize_at(scale);
      of_all.build();
      const int one_rank = of_one.iterations(), all_ranks = of_all.iterations();
      EXPECT_LE(one_rank, 13);
      EXPECT_NEAR(all_ranks, one_rank, 1);
    }
  }
}

TEST(StageMatrix, EveryPreconditionerTakesNewPatterns) {
  TouchingBoxes boxes(PETSC_COMM_WORLD);
  for (const PreconditionerKind kind : {PreconditionerKind::block_jacobi, PreconditionerKind::ilu, PreconditionerKind::asm_ilu, PreconditionerKind::gamg,
                                        PreconditionerKind::hypre, PreconditionerKind::ml, PreconditionerKind::mumps, PreconditionerKind::mumps_single}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Solver solver(boxes, kind);
    std::vector<int> counts;
    for (const double scale : {kOneState, kAnother, kOneState}) {
      boxes.linearize_at(scale);
      solver.build();
      counts.push_back(solver.iterations());
    }
    EXPECT_NEAR(counts[2], counts[0], 1);  // exactly as the first time, except for the order of sums over ranks
  }
}

TEST(StageMatrix, RowsAndColumnsOfDrivenVerticesHoldTheirMassAlone) {
  TouchingBoxes boxes(PETSC_COMM_WORLD, HeldPart{});
  Solver solver(boxes, PreconditionerKind::mumps);
  boxes.linearize_at(kOneState);
  solver.build();
  const System& system = *boxes.simulation().system;
  const auto product = [&](bool driven) {
    MatMult(solver.matrix(), boxes.input(driven), boxes.output());
    return boxes.field(boxes.output());
  };
  const Field rows = product(false), columns = product(true), input = boxes.field(boxes.input(true));
  double held = 0;
  for (int i = 0; i < boxes.halo().owned(); ++i) {
    EXPECT_LE((columns[i] - system.mass()[i] * input[i]).norm(), 1e-15 * system.mass()[i]);
    if (!system.is_driven()[i]) continue;
    EXPECT_EQ(rows[i].norm(), 0);
    ++held;
  }
  EXPECT_GT(sum_over_ranks(PETSC_COMM_WORLD, held), 10);
}

// The diagonal block of an owned vertex.
Mat3 diagonal_block(Mat matrix, PetscInt vertex) {
  const PetscInt indices[] = {3 * vertex, 3 * vertex + 1, 3 * vertex + 2};
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> block;
  MatGetValues(matrix, 3, indices, 3, indices, block.data());
  return block;
}

// With J the Jacobian of boxes that are not held, the exact product is (1 - H) J (1 - H) + M H, and the matrix, with its couplings between bodies,
// (1 - H) J (1 - H) + d H, where d is the largest number that the vertex's own block would have with M in place of d.
TEST(StageMatrix, IsThatOfFreeDirectionsBesideHeldOnesOfTheirSize) {
  HeldPart slope;
  slope.normal = Vec3(1, -2, 2) / 3;
  TouchingBoxes held(PETSC_COMM_WORLD, slope), free(PETSC_COMM_WORLD);
  Solver of_held(held, PreconditionerKind::mumps), of_free(free, PreconditionerKind::mumps);
  held.linearize_at(kOneState);
  free.linearize_at(held.velocities());
  of_held.build();
  of_free.build();
  const HeldVertices& vertices = held.simulation().system->held();
  const std::vector<double>& mass = held.simulation().system->mass();
  const Field input = held.field(held.input());
  const auto projected = [&](const Field& field, int i) { return vertices.free_part(i, field[i]); };
  double count = 0;
  for (const bool exact : {true, false}) {
    MatMult(exact ? held.exact_product() : of_held.matrix(), held.input(), held.output());
    PetscScalar* values = nullptr;
    const Vec free_input = free.input();
    VecGetArray(free_input, &values);
    for (int i = 0; i < free.halo().owned(); ++i) Eigen::Map<Vec3>(values + 3 * i) = projected(input, i);
    VecRestoreArray(free_input, &values);
    MatMult(exact ? free.exact_product() : of_free.matrix(), free_input, free.output());
    const Field found = held.field(held.output()), product = free.field(free.output());
    for (int i = 0; i < held.halo().owned(); ++i) {
      double size = mass[i];
      if (!exact && vertices.partial(i)) {
        const Mat3 block = vertices.free_part(i, i, diagonal_block(of_held.matrix(), held.halo().to_global(i)));
        size = (block + mass[i] * vertices.projector(i)).cwiseAbs().maxCoeff();
        EXPECT_GT(size, mass[i]);
      }
      const Vec3 expected = projected(product, i) + size * vertices.held_part(i, input[i]);
      EXPECT_LT((found[i] - expected).norm(), 1e-12 * (product[i].norm() + size));
      if (vertices.free_directions(i) == 2) ++count;
    }
  }
  EXPECT_GT(sum_over_ranks(PETSC_COMM_WORLD, count), 20);
}

}  // namespace
}  // namespace traction
