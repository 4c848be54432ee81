#include "app/damping_curves.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "dynamics/time_stepper.h"
#include "errors.h"
#include "forces/point_spring.h"
#include "scene/choices.h"

namespace traction {

namespace {

constexpr int kNumbers = 4;  // that a step depends on: position and velocity at the start of the step before, and at its own

// One vertex of 1 kg on a spring of 1 N/m: omega is 1 /s, h is omega h.
class Oscillator {
 public:
  Oscillator() {
    auto mesh = std::make_shared<DistributedMesh>();
    mesh->halo = std::make_shared<const Halo>(PETSC_COMM_SELF, 1, std::vector<PetscInt>{});
    mesh->vertices = {Vec3::Zero()};
    mesh->vertex_ids = {0};
    system_ = std::make_unique<System>(mesh, std::vector<double>{1.0});
    system_->add_body({0});
    system_->add(std::make_shared<PointSpring>(std::vector<double>{1.0}, std::vector<Vec3>{Vec3::Zero()}));
  }
  System& system() { return *system_; }

 private:
  std::unique_ptr<System> system_;
};

State along_x(double position, double velocity) {
  State state(1);
  state.q[0].x() = position;
  state.v[0].x() = velocity;
  return state;
}

}  // namespace

double numerical_damping(Integrator integrator, double omega_h) {
  Oscillator oscillator;
  SolverSettings solver;
  solver.method = NewtonMethod::newton;
  solver.tolerance = 1e-9;  // one iteration solves a linear stage to rounding
  TimeStepper stepper(oscillator.system(), {}, solver);
  Eigen::MatrixXd step(kNumbers, kNumbers);
  for (int k = 0; k < kNumbers; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(kNumbers, k);
    Trajectory trajectory;
    trajectory.previous = along_x(unit[0], unit[1]);
    trajectory.previous_step = omega_h;
    trajectory.current = along_x(unit[2], unit[3]);
    State next;
    const StepReport report = stepper.step(trajectory, integrator, omega_h, next);
    if (!report.converged) throw SolverError("a step of the oscillator failed: " + report.reason);
    step.col(k) << unit[2], unit[3], next.q[0].x(), next.v[0].x();
  }
  const double radius = Eigen::EigenSolver<Eigen::MatrixXd>(step, false).eigenvalues().cwiseAbs().maxCoeff();
  return -2 * std::log(radius) / omega_h;
}

std::vector<DampingPoint> damping_curves() {
  std::vector<double> points = {0.1, 0.5, 1, 2, 5, 10, 50};
  constexpr int kPerDecade = 20;
  for (int k = 0; k <= 66; ++k) points.push_back(0.05 * std::pow(10, static_cast<double>(k) / kPerDecade));  // to 99.8
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end(), [](double a, double b) { return b - a < 1e-9; }), points.end());
  std::vector<DampingPoint> curves;
  for (const auto& [name, integrator] : kIntegrators) {
    if (integrator == Integrator::trapezoidal_split) continue;  // without contact, it is the trapezoidal rule
    for (double omega_h : points) curves.push_back({std::string(name), omega_h, numerical_damping(integrator, omega_h)});
  }
  return curves;
}

}  // namespace traction
