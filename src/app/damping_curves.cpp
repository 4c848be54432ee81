#include "app/damping_curves.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dynamics/time_stepper.h"
#include "errors.h"
#include "forces/point_spring.h"

namespace traction {

namespace {

// The numbers from earlier steps on which a step depends, besides the position and velocity at its start.
constexpr std::array kRemembered = {"previous_positions", "previous_velocities", "accelerations"};
constexpr int kNumbers = 5;

// One vertex of 1 kg on a spring of 1 N/m: omega is 1 /s, so that h equals omega h.
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

double numerical_damping(Integrator integrator, const SchemeSettings& settings, double omega_h) {
  Oscillator oscillator;
  SolverSettings solver;
  solver.method = NewtonMethod::newton;
  // One iteration solves a linear stage up to rounding errors. These grow with the forces, which are large after a long step with a unit acceleration.
  solver.tolerance = 1e-10 * std::pow(1 + omega_h * omega_h, 2);
  solver.relative_tolerance = std::numeric_limits<double>::max();  // so that the absolute tolerance alone decides
  TimeStepper stepper(oscillator.system(), {}, solver, settings);
  Eigen::MatrixXd step(kNumbers, kNumbers);
  for (int k = 0; k < kNumbers; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(kNumbers, k);
    Archive memory;
    memory.numbers = {{"previous_step", omega_h}, {"previous_time", 0}};
    for (int field = 0; field < 3; ++field) memory.fields[kRemembered[field]] = {unit[field], 0, 0};
    stepper.load(memory);
    State next;
    const State start = along_x(unit[3], unit[4]);
    const StepReport report = stepper.step(start, integrator, omega_h, next);
    if (!report.converged) throw SolverError(fmt::format("{} fails at omega h = {}: {}", word_of(integrator), omega_h, report.reason));
    stepper.accept(start, integrator, omega_h);
    stepper.save(memory = {});
    for (int field = 0; field < 3; ++field) step(field, k) = memory.fields.contains(kRemembered[field]) ? memory.fields[kRemembered[field]][0] : 0;
    step.col(k).tail(2) << next.q[0].x(), next.v[0].x();
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
  const auto add = [&](const std::string& name, Integrator integrator, const SchemeSettings& settings) {
    for (double omega_h : points) curves.push_back({name, omega_h, numerical_damping(integrator, settings, omega_h)});
  };
  for (const IntegratorTraits& row : kStepIntegrators) {
    if (row.contact_implicit) continue;  // without contact this variant equals another one
    const Integrator integrator = row.integrator;
    const std::string name(row.name);
    SchemeSettings settings;
    settings.exponential_tolerance = 1e-13;
    if (integrator == Integrator::generalized_alpha) {
      for (double radius : {0.0, 0.5, 0.8, 1.0}) {
        settings.spectral_radius = radius;
        add(fmt::format("{}_{}", name, radius), integrator, settings);
      }
    } else if (traits(integrator).family == IntegratorFamily::additive_stages) {
      settings.modes = 3;
      add(name + "_low_modes", integrator, settings);
      settings.modes = 0;
      add(name + "_high_modes", integrator, settings);
    } else {
      add(name, integrator, settings);
      if (integrator == Integrator::ere) continue;
      settings.semi_implicit = true;
      add("semi_implicit_" + name, integrator, settings);
    }
  }
  for (const Integrator integrator : {Integrator::bdf2ere, Integrator::sbdf2ere, Integrator::str_sbdf2ere}) {
    SchemeSettings settings;
    settings.modes = 3;
    settings.published_history = true;
    add(std::string(word_of(integrator)) + "_low_modes_published_history", integrator, settings);
  }
  return curves;
}

}  // namespace traction
