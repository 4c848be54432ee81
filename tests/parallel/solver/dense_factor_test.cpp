// Dense factors of a few rigid bodies, on any number of ranks: that they invert the matrix, and when they do not suit.

#include "solver/dense_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "parallel/collective.h"
#include "parallel/petsc_handle.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

constexpr double kStageStep = 1e-3;  // [s]

// A post that is held, and two bodies that a joint connects.
const char* const kScene = R"(
time: {step: 1e-3, end: 1}
gravity: [0, 0, -9.81]
bodies:
  post: {mesh: body.msh, KIND, fixed: all, initial: {translate: [0, 0, -1]}}
  left: {mesh: body.msh, KIND, HELD}
  right: {mesh: body.msh, KIND, HELD, initial: {translate: [0.15, 0, 0]}}
joints: {pin: {kind: ball, between: [left, right], at: [0.12, 0, 0]}}
)";

constexpr const char* kFree = "damping: {mass: 1}";

// A stage of this scene, linearized at rest.
class DenseFactorTest : public testing::Test {
 protected:
  // `held`: a setting of the bodies that are joined.
  void build(const std::string& held) { build(held, kScene, "rigid: {density: 1000}"); }
  void build(const std::string& held, std::string text, const std::string& kind) {
    for (const auto& [word, setting] : {std::pair{"HELD", held}, {"KIND", kind}})
      for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.replace(at, 4, setting);
    const Scene scene = read_scene(text, folder_.path("scene.yaml"), {});
    Mesh mesh;
    on_first_rank(PETSC_COMM_WORLD,
                  [&] {
                    std::ofstream(folder_.path("body.msh"))
                        << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n"
                           "2 0.1 0 0\n3 0 0.1 0\n4 0 0 0.1\n5 0.1 0.1 0.1\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 3 4 5\n"
                           "$EndElements\n";
                    mesh = load_scene_mesh(scene, folder_.path(""));
                  });
    matrix_.reset();
    equation_.reset();
    simulation_ = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    equation_.emplace(*simulation_.system, OperatorKind::assembled);
    matrix_.emplace(*equation_, true);
    linearize_at(0);
  }
  // All velocities have this size [m/s].
  void linearize_at(double size) {
    const State& start = simulation_.loop->state();
    equation_->begin({kStageStep, kStageStep, start.q, start.v, Field(halo().local())});
    const PetscHandle<Vec> velocities = vector();
    PetscScalar* values = nullptr;
    check_petsc(VecGetArray(velocities, &values));
    std::fill_n(values, 3 * halo().owned(), size);
    check_petsc(VecRestoreArray(velocities, &values));
    equation_->impose_driven(velocities);
    equation_->linearize(velocities);
    matrix_->assemble();
  }
  const Halo& halo() const { return simulation_.system->halo(); }
  PetscHandle<Vec> vector() const {
    PetscHandle<Vec> result;
    check_petsc(VecCreateMPI(PETSC_COMM_WORLD, 3 * halo().owned(), PETSC_DETERMINE, result.receive()));
    return result;
  }

  test::SharedFolder folder_{PETSC_COMM_WORLD};
  Simulation simulation_;
  std::optional<StageEquation> equation_;
  std::optional<StageMatrix> matrix_;
};

TEST_F(DenseFactorTest, FactorInvertsTheMatrix) {
  build(kFree);
  DenseFactor factor(*matrix_);
  ASSERT_TRUE(factor.suits());
  ASSERT_TRUE(factor.factorize());
  EXPECT_EQ(factor.unknowns(), 3 * 8);  // four particles of each body that is free
  const PetscHandle<Mat> matrix = matrix_->create_petsc();
  matrix_->preallocate(matrix);
  matrix_->for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) { set_row(matrix, row, columns, blocks); });
  check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  const PetscHandle<Vec> given = vector(), product = vector(), solution = vector();
  PetscScalar* values = nullptr;
  check_petsc(VecGetArray(given, &values));
  for (int i = 0; i < 3 * halo().owned(); ++i) values[i] = std::sin(1 + 3.0 * static_cast<double>(halo().first_owned()) + i);
  check_petsc(VecRestoreArray(given, &values));
  check_petsc(MatMult(matrix, given, product));
  factor.solve(product, solution);
  check_petsc(VecAXPY(solution, -1, given));
  double error = 0;
  check_petsc(VecNorm(solution, NORM_INFINITY, &error));
  EXPECT_LT(error, 1e-8);
}

TEST_F(DenseFactorTest, AMatrixThatIsNotFiniteCannotBeFactorised) {
  build(kFree);
  DenseFactor factor(*matrix_);
  for (const double velocity : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    linearize_at(velocity);
    ASSERT_TRUE(factor.suits());
    EXPECT_FALSE(factor.factorize()) << velocity;
  }
  linearize_at(0);
  ASSERT_TRUE(factor.suits());
  EXPECT_TRUE(factor.factorize());
}

TEST_F(DenseFactorTest, NoFactorSuitsWhereNothingIsCoupledOrRigid) {
  build("fixed: all");
  EXPECT_FALSE(DenseFactor(*matrix_).suits());
  const std::string text = kScene;
  build(kFree, text.substr(0, text.find("joints")), "solid: {all: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}");
  EXPECT_FALSE(DenseFactor(*matrix_).suits());
}

}  // namespace
}  // namespace traction
