// The memory of integrators from step to step, on one vertex of 1 kg on a spring of 1 N/m.
#include "dynamics/time_stepper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "errors.h"
#include "forces/point_spring.h"

namespace traction {
namespace {

constexpr double kStep = 0.1;

class Memory : public testing::Test {
 protected:
  Memory() {
    auto mesh = std::make_shared<DistributedMesh>();
    mesh->halo = std::make_shared<const Halo>(PETSC_COMM_SELF, 1, std::vector<PetscInt>{});
    mesh->vertices = {Vec3::Zero()};
    mesh->vertex_ids = {0};
    system_ = std::make_unique<System>(mesh, std::vector<double>{1.0});
    system_->add_body({0});
    system_->add(std::make_shared<PointSpring>(std::vector<double>{1.0}, std::vector<Vec3>{Vec3::Zero()}));
    state_.q[0] = Vec3(1, 0, 0);
  }

  std::unique_ptr<TimeStepper> stepper() const {
    SolverSettings solver;
    solver.method = NewtonMethod::newton;
    solver.tolerance = 1e-13;
    SchemeSettings scheme;
    scheme.modes = 1;
    scheme.refresh_modes = 3;
    return std::make_unique<TimeStepper>(*system_, std::vector<std::shared_ptr<ContactGroup>>{}, solver, scheme);
  }
  static void take(TimeStepper& stepper, Integrator integrator, State& state) {
    State next;
    ASSERT_TRUE(stepper.step(state, integrator, kStep, next).converged);
    stepper.accept(std::move(state), integrator, kStep);
    state = std::move(next);
  }
  static Archive saved(const TimeStepper& stepper) {
    Archive archive;
    stepper.save(archive);
    return archive;
  }

  std::unique_ptr<System> system_;
  State state_{1};
};

// Every integrator after every other one: steppers that pass on their memory continue like one that never stopped, to the last bit.
TEST_F(Memory, CarriesARunOnThroughAnArchive) {
  for (const IntegratorTraits& first : kStepIntegrators)
    for (const IntegratorTraits& second : kStepIntegrators) {
      State whole = state_, parts = state_;
      const auto one = stepper();
      auto other = stepper();
      for (const Integrator integrator : {first.integrator, first.integrator, second.integrator, first.integrator, second.integrator}) {
        take(*one, integrator, whole);
        take(*other, integrator, parts);
        const Archive memory = saved(*other);
        other = stepper();
        other->load(memory);
        EXPECT_EQ(saved(*other).numbers, memory.numbers);
        EXPECT_EQ(saved(*other).fields, memory.fields);
      }
      EXPECT_EQ(whole.q[0].x(), parts.q[0].x()) << first.name << " " << second.name;
      EXPECT_EQ(whole.v[0].x(), parts.v[0].x()) << first.name << " " << second.name;
    }
}

TEST_F(Memory, IsTheLastStepsStart) {
  const auto stepper = this->stepper();
  EXPECT_TRUE(saved(*stepper).fields.empty());
  for (int step = 0; step < 2; ++step) {
    const State start = state_;
    take(*stepper, Integrator::sdirk2, state_);
    const Archive memory = saved(*stepper);
    EXPECT_EQ(memory.fields.at("previous_positions")[0], start.q[0].x());
    EXPECT_EQ(memory.fields.at("previous_velocities")[0], start.v[0].x());
    EXPECT_EQ(memory.number("previous_step"), kStep);
    EXPECT_EQ(memory.fields.size(), 2u);
  }
}

// A step that is solved and discarded leaves no trace.
TEST_F(Memory, IsThatOfAcceptedSteps) {
  const auto stepper = this->stepper();
  take(*stepper, Integrator::generalized_alpha, state_);
  const Archive memory = saved(*stepper);
  State next;
  EXPECT_TRUE(stepper->step(state_, Integrator::generalized_alpha, 2 * kStep, next).converged);
  EXPECT_EQ(saved(*stepper).fields, memory.fields);
}

// A step of another family ends with another acceleration, so that the remembered one is dropped.
TEST_F(Memory, OfTheAccelerationEndsWithItsFamilysSteps) {
  const auto stepper = this->stepper();
  take(*stepper, Integrator::generalized_alpha, state_);
  EXPECT_TRUE(saved(*stepper).fields.contains("accelerations"));
  take(*stepper, Integrator::sdirk2, state_);
  EXPECT_FALSE(saved(*stepper).fields.contains("accelerations"));
}

TEST_F(Memory, OfModesAgesWithEveryStep) {
  const auto stepper = this->stepper();
  std::vector<double> ages;
  for (const Integrator integrator : {Integrator::siere, Integrator::beere, Integrator::sdirk2, Integrator::siere, Integrator::siere}) {
    take(*stepper, integrator, state_);
    ages.push_back(saved(*stepper).number("modes age"));
  }
  EXPECT_EQ(ages, (std::vector<double>{1, 2, 3, 1, 2}));  // computed anew when three steps old
}

TEST_F(Memory, RefusesAnArchiveThatLacksAPart) {
  const auto stepper = this->stepper();
  take(*stepper, Integrator::siere, state_);
  Archive memory = saved(*stepper);
  memory.source = "step_1.h5";
  memory.fields.erase("mode_0001");
  try {
    stepper->load(memory);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("step_1.h5: holds no field 'mode_0001'"), std::string::npos) << error.what();
  }
}

// Two bodies of a vertex each on such springs, the first of which moves: in the limit of small steps the estimated error is that of its position, sin h.
TEST(ErrorEstimate, IsTheErrorOfTheWorstBody) {
  auto mesh = std::make_shared<DistributedMesh>();
  mesh->halo = std::make_shared<const Halo>(PETSC_COMM_SELF, 2, std::vector<PetscInt>{});
  mesh->vertices = {Vec3::Zero(), Vec3::Zero()};
  mesh->vertex_ids = {0, 1};
  System system(mesh, {1.0, 1.0});
  system.add_body({0});
  system.add_body({1});
  system.add(std::make_shared<PointSpring>(std::vector<double>{1.0, 1.0}, std::vector<Vec3>(2, Vec3::Zero())));
  SolverSettings solver;
  solver.method = NewtonMethod::newton;
  solver.tolerance = 1e-13;
  for (const Integrator integrator : {Integrator::tr_bdf2, Integrator::sdirk2, Integrator::tr_sdirk2}) {
    TimeStepper stepper(system, {}, solver, {});
    State start(2), end;
    start.v[0] = Vec3(1, 0, 0);
    const double h = 0.01;
    const StepReport report = stepper.step(start, integrator, h, end);
    const double error = std::abs(end.q[0].x() - std::sin(h));
    EXPECT_GT(error, 1e-9);
    EXPECT_NEAR(report.error, error, 0.02 * error) << traits(integrator).name;
  }
}

}  // namespace
}  // namespace traction
