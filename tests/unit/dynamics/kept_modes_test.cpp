// Additive exponential schemes whose modes belong to another state than the present one: a mode x and another motion y of one vertex of 1 kg, coupled by a
// stiffness c.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "dynamics/time_stepper.h"

namespace traction {
namespace {

constexpr double kMode = 1, kOther = 100, kCoupling = 2;  // omega^2, Omega^2, c [1/s^2]

// f = -K q.
class LinearForce : public Force, private ExactBlocks {
 public:
  explicit LinearForce(const Mat3& stiffness) : stiffness_(stiffness) {}
  void add_force(const State& state, Zone zone, Field& force) const override {
    if (zone == Zone::interior) force[0] -= stiffness_ * state.q[0];
  }
  void add_product(const Linearization&, const State& direction, Zone zone, Field& change) const override {
    if (zone == Zone::interior) change[0] -= stiffness_ * direction.q[0];
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override { matrix.add_diagonal(0, -at.dq * stiffness_); }

 private:
  Mat3 stiffness_;
};

std::unique_ptr<System> coupled_system() {
  auto mesh = std::make_shared<DistributedMesh>();
  mesh->halo = std::make_shared<const Halo>(PETSC_COMM_SELF, 1, std::vector<PetscInt>{});
  mesh->vertices = {Vec3::Zero()};
  mesh->vertex_ids = {0};
  auto system = std::make_unique<System>(mesh, std::vector<double>{1.0});
  system->add_body({0});
  Mat3 stiffness = Mat3::Identity();
  stiffness.topLeftCorner<2, 2>() << kMode, kCoupling, kCoupling, kOther;
  system->add(std::make_shared<LinearForce>(stiffness));
  return system;
}

// The matrix of a step, which maps (x, y, vx, vy) at the start of the previous step and at its own start.
Eigen::MatrixXd step_matrix(Integrator integrator, double h) {
  const auto system = coupled_system();
  Field shape(1);
  shape[0] = Vec3::UnitX();
  SolverSettings solver;
  solver.method = NewtonMethod::newton;
  solver.tolerance = 1e-12;
  SchemeSettings scheme;
  scheme.modes = 1;
  TimeStepper stepper(*system, {}, solver, scheme);
  const auto state = [](const Eigen::VectorXd& numbers) {
    State result(1);
    result.q[0] = Vec3(numbers[0], numbers[1], 0);
    result.v[0] = Vec3(numbers[2], numbers[3], 0);
    return result;
  };
  Eigen::MatrixXd matrix(8, 8);
  for (int k = 0; k < 8; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(8, k);
    const State previous = state(unit.head(4));
    Archive memory;
    memory.save("previous_positions", previous.q.values());
    memory.save("previous_velocities", previous.v.values());
    memory.save("mode_0001", shape.values());
    memory.save("places_of_modes", previous.q.values());
    memory.numbers = {{"previous_step", h}, {"previous_time", 0}, {"modes", 1}, {"modes asked for", 1}, {"modes age", 0}};
    stepper.load(memory);
    State next;
    EXPECT_TRUE(stepper.step(state(unit.tail(4)), integrator, h, next).converged);
    matrix.col(k) << unit.tail(4), next.q[0].x(), next.q[0].y(), next.v[0].x(), next.v[0].y();
  }
  return matrix;
}

// 1/s, of the fastest growing (or slowest decaying) motion.
double growth(Integrator integrator, double h) {
  return std::log(Eigen::EigenSolver<Eigen::MatrixXd>(step_matrix(integrator, h), false).eigenvalues().cwiseAbs().maxCoeff()) / h;
}

// P1 Eqs. 19 and 20 by hand: det(mu - A) of both schemes, with H = (h Omega)^2, theta = h omega, rho = c^2 / (omega Omega)^2.
TEST(KeptModes, OneStepSchemesHaveTheirCharacteristicPolynomials) {
  for (const double h : {0.01, 0.1, 0.5}) {
    const double H = h * h * kOther, theta = h * std::sqrt(kMode), rho = kCoupling * kCoupling / (kMode * kOther);
    for (const auto& [integrator, weight] : {std::pair(Integrator::siere, 1), std::pair(Integrator::beere, 0)}) {
      const Eigen::MatrixXd A = step_matrix(integrator, h).bottomRightCorner(4, 4);
      for (const double mu : {-1.0, -0.3, 0.0, 0.4, 0.9, 2.0}) {
        const double expected = (mu * mu - 2 * mu * std::cos(theta) + 1) * (std::pow(mu - 1, 2) + H * mu * mu) -
                                rho * H * mu * mu * ((1 - std::cos(theta)) * (mu + 1) + weight * theta * std::sin(theta) * (mu - 1));
        EXPECT_NEAR((1 + H) * (mu * Eigen::MatrixXd::Identity(4, 4) - A).determinant(), expected, 1e-9 * (1 + H))
            << "h " << h << ", weight " << weight << ", mu " << mu;
      }
    }
  }
}

// By perturbation in c: the figures of docs/scenes.md.
TEST(KeptModes, SemiImplicitSchemesGainAmplitude) {
  const double h = 1e-3, rate = h * kCoupling * kCoupling / (4 * kOther);
  EXPECT_NEAR(growth(Integrator::siere, h), rate, 0.05 * rate);
  EXPECT_NEAR(growth(Integrator::sbdf2ere, h), rate / 3, 0.05 * rate);
  EXPECT_NEAR(growth(Integrator::str_sbdf2ere, h), rate / 12, 0.05 * rate);
  EXPECT_LT(growth(Integrator::beere, h), 1e-9);
}

}  // namespace
}  // namespace traction
