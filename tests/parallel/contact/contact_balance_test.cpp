// The distribution of contact's work among ranks: its cost in the partition, the counts of touching vertices, and the independence of results from both.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/saved_state.h"
#include "errors.h"
#include "parallel/collective.h"
#include "simulation/scene_partition.h"
#include "support/compare.h"
#include "support/scenes.h"
#include "support/shared_folder.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

// The sum of costs on one side of the gap between two boxes.
double cost_of(const Mesh& mesh, const std::vector<double>& costs, bool upper) {
  double sum = 0;
  for (std::size_t v = 0; v < costs.size(); ++v)
    if ((mesh.vertices[v].z() > 1.001) == upper) sum += costs[v];
  return sum;
}

TEST(ContactCosts, AreThoseOfTheVerticesThatMayTouch) {
  const Mesh mesh = test::two_boxes(0.01);  // 4 x 4 x 4 vertices below, 4 x 5 x 4 above
  Scene scene = test::two_boxes_scene(false);
  EXPECT_TRUE(contact_costs(scene, mesh).empty());
  scene.partition.contact_weight = 3;
  EXPECT_EQ(cost_of(mesh, contact_costs(scene, mesh), false), 0);
  EXPECT_EQ(cost_of(mesh, contact_costs(scene, mesh), true), 3 * (80 - 2 * 3 * 2));
  scene.contacts[0].both = true;
  EXPECT_EQ(cost_of(mesh, contact_costs(scene, mesh), false), 3 * (64 - 8));
  EXPECT_EQ(cost_of(mesh, contact_costs(scene, mesh), true), 3 * (80 - 2 * 3 * 2));
  scene.contacts.push_back(scene.contacts[0]);  // every contact costs
  EXPECT_EQ(cost_of(mesh, contact_costs(scene, mesh), false), 2 * 3 * (64 - 8));
}

TEST(ContactCosts, FollowTheContactsOfARun) {
  const Mesh mesh = test::two_boxes(0.01);
  Scene scene = test::two_boxes_scene(true);
  std::vector<double> contacts(mesh.vertices.size(), 0.0);
  contacts[5] = 0.5;
  EXPECT_TRUE(contact_costs(scene, mesh, contacts).empty());
  scene.partition.contact_weight = 3;
  const std::vector<double> costs = contact_costs(scene, mesh, contacts);
  EXPECT_EQ(costs[5], 1.5);
  EXPECT_EQ(cost_of(mesh, costs, false) + cost_of(mesh, costs, true), 1.5);
}

// Two boxes that fall into each other, their vertices against an obstacle too.
Scene falling_boxes(double contact_weight) {
  Scene scene = test::two_boxes_scene(true);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[1].initial.velocity = Vec3(0.3, 0.1, -1);
  Obstacle floor;
  floor.name = "floor";
  floor.shape = PlaneSettings{Vec3::Zero(), Vec3::UnitZ()};
  scene.obstacles = {floor};
  ContactSettings rest = scene.contacts[0];
  rest.name = "rest";
  rest.vertices = {"lower", "surface"};
  rest.against = "floor";
  rest.both = false;
  rest.thickness = 5e-3;
  scene.contacts.push_back(rest);
  scene.solver.tolerance = 1e-12;
  scene.solver.forcing = 1e-3;
  scene.time.end = 0.04;
  scene.output.every.reset();
  scene.partition.contact_weight = contact_weight;
  return scene;
}

class FallingBoxes : public testing::Test {
 protected:
  // Takes all steps; returns the number of contacts.
  static long run(Simulation& simulation) {
    long active = 0;
    while (!simulation.loop->done()) {
      for (const ContactSummary& contact : simulation.loop->advance().contacts) active += contact.active;
      simulation.contact_counts.add_step(simulation.contacts);
    }
    return active;
  }

  const Mesh mesh_ = test::two_boxes(0.06);
};

TEST_F(FallingBoxes, TrajectoryDoesNotDependOnTheContactWeight) {
  Simulation alone = build_simulation(PETSC_COMM_SELF, falling_boxes(0), mesh_);
  Simulation even = build_simulation(PETSC_COMM_WORLD, falling_boxes(0), mesh_);
  Simulation weighted = build_simulation(PETSC_COMM_WORLD, falling_boxes(40), mesh_);
  std::vector<double> contacts(mesh_.vertices.size(), 0.0);
  for (std::size_t v = 0; v < contacts.size(); ++v) contacts[v] = mesh_.vertices[v].x() < 0.5 ? 1 : 0;
  Simulation counted = build_simulation(PETSC_COMM_WORLD, falling_boxes(40), mesh_, contacts);
  if (test::size_of(MPI_COMM_WORLD) > 1) {
    const auto differently = [&](const Simulation& one, const Simulation& other) {
      return maximum_over_ranks(PETSC_COMM_WORLD, one.mesh->vertex_ids != other.mesh->vertex_ids) > 0;
    };
    EXPECT_TRUE(differently(weighted, even));
    EXPECT_TRUE(differently(counted, even));
    EXPECT_TRUE(differently(counted, weighted));
  }
  EXPECT_GT(run(alone), 0);
  const auto q = by_id(*alone.mesh, alone.loop->state().q), v = by_id(*alone.mesh, alone.loop->state().v);
  for (Simulation* simulation : {&weighted, &counted}) {
    run(*simulation);
    EXPECT_LT(difference(by_id(*simulation->mesh, simulation->loop->state().q), q), 1e-8);
    EXPECT_LT(difference(by_id(*simulation->mesh, simulation->loop->state().v), v), 1e-8);
  }
}

TEST_F(FallingBoxes, TouchingVerticesAreThoseWithAContactPoint) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, falling_boxes(0), mesh_);
  const auto work_on = [&](std::size_t contact) { return sum_over_ranks(PETSC_COMM_WORLD, simulation.contacts[contact]->work_seconds()); };
  const std::vector<double> before = {work_on(0), work_on(1)};
  std::vector<double> touched(simulation.contacts.size(), 0.0);
  while (!simulation.loop->done()) {
    const StepRecord step = simulation.loop->advance();
    for (std::size_t i = 0; i < simulation.contacts.size(); ++i) {
      ContactGroup& contact = *simulation.contacts[i];
      std::vector<int> vertices;
      for (const ContactPoint& point : contact.points(simulation.loop->state())) vertices.push_back(point.vertex);
      EXPECT_EQ(contact.touching(), vertices);
      EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, double(vertices.size())), double(step.contacts[i].active));
      touched[i] += double(step.contacts[i].active);
    }
  }
  EXPECT_GT(touched[0], 0);
  EXPECT_GT(touched[1], 0);
  for (const std::size_t i : {0, 1}) EXPECT_GT(work_on(i), before[i]);
  EXPECT_NEAR(contact_work(simulation).mean * test::size_of(PETSC_COMM_WORLD), work_on(0) + work_on(1), 1e-9);
}

TEST_F(FallingBoxes, CheckpointsKeepTheCounts) {
  const test::SharedFolder folder(PETSC_COMM_WORLD);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, falling_boxes(0), mesh_);
  const double active = double(run(simulation)), steps = simulation.contact_counts.steps();
  EXPECT_EQ(steps, double(simulation.loop->steps()));
  RunCosts costs;
  costs.contact_work = {1.5, 2.5, 4.5};
  const std::string path = save_state(simulation, folder.path(""), {costs});

  std::vector<double> contacts;
  on_first_rank(PETSC_COMM_WORLD, [&] { contacts = contacts_in_checkpoint(path, mesh_.vertices.size()); });
  broadcast(PETSC_COMM_WORLD, contacts);
  ASSERT_EQ(contacts.size(), mesh_.vertices.size());
  double sum = 0;
  for (double each : contacts) sum += each;
  EXPECT_GT(sum, 0);
  EXPECT_NEAR(sum * steps, active, 1e-9 * active);
  const auto expect_counts = [&](const Simulation& counted, double counted_steps) {
    for (int i = 0; i < counted.system->halo().owned(); ++i)
      EXPECT_EQ(contacts[counted.mesh->vertex_ids[i]], counted.contact_counts.counts()[i] / counted_steps);
  };
  expect_counts(simulation, steps);

  Simulation resumed = build_simulation(PETSC_COMM_WORLD, falling_boxes(40), mesh_, contacts);
  const RunCosts read = restore_state(resumed, path).costs;
  EXPECT_EQ(read.contact_work.minimum, 1.5);
  EXPECT_EQ(read.contact_work.mean, 2.5);
  EXPECT_EQ(read.contact_work.maximum, 4.5);
  EXPECT_EQ(resumed.contact_counts.steps(), steps);
  expect_counts(resumed, steps);
  resumed.contact_counts.fade();
  EXPECT_EQ(resumed.contact_counts.steps(), steps / 2);
  expect_counts(resumed, steps / 2);

  on_first_rank(PETSC_COMM_WORLD, [&] { EXPECT_THROW(contacts_in_checkpoint(path, mesh_.vertices.size() + 1), InputError); });
}

// A run without steps has no contact counts, nor have checkpoints of older versions.
TEST_F(FallingBoxes, ACheckpointMayHoldNoCounts) {
  const test::SharedFolder folder(PETSC_COMM_WORLD);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, falling_boxes(0), mesh_);
  const std::string path = save_state(simulation, folder.path(""), {});
  on_first_rank(PETSC_COMM_WORLD, [&] { EXPECT_TRUE(contacts_in_checkpoint(path, mesh_.vertices.size()).empty()); });
  std::map<std::string, double> numbers = RunCosts{}.numbers();
  std::erase_if(numbers, [](const auto& number) { return number.first.starts_with("costs contact work"); });
  EXPECT_EQ(RunCosts::from_numbers(numbers).contact_work.maximum, 0);
}

}  // namespace
}  // namespace traction
