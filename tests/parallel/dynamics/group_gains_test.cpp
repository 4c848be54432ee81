// Gains of groups of bodies: two small boxes, one on the other, beside a large one, all on a floor.

#include "dynamics/group_gains.h"

#include <gtest/gtest.h>

#include <cmath>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

class GroupGains : public testing::Test {
 protected:
  GroupGains() : simulation_(build_simulation(PETSC_COMM_WORLD, scene(), mesh())), balance_(*simulation_.system, {"rest"}) {
    const State& start = simulation_.loop->state();
    ContactGroup& contact = *simulation_.contacts.at(0);
    contact.begin_step(start);
    summaries_ = {contact.summarize(start)};
    balance_.begin(start, summaries_);
  }

  static Scene scene() {
    Scene scene = test::resting_box_scene(Integrator::tr_sdirk2);
    Body body = scene.bodies[0];
    body.volumes.clear();
    body.initial.velocity = Vec3(0, 0, -0.1);
    scene.bodies.clear();
    for (const char* name : {"large", "small", "upper"}) {
      body.name = name;
      scene.bodies.push_back(body);
    }
    ContactSettings& contact = scene.contacts[0];
    contact.vertices = {};
    contact.against = {};
    contact.all = true;
    contact.thickness = 5e-3;
    return scene;
  }
  // Every gap is 4 mm.
  static Mesh mesh() {
    Mesh mesh = test::box_mesh("large", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2});
    mesh = test::join(mesh, test::box_mesh("small", Vec3(0.5, 0, 4e-3), Vec3(0.54, 0.04, 0.044), {2, 2, 2}));
    mesh = test::join(mesh, test::box_mesh("upper", Vec3(0.51, 0.01, 0.048), Vec3(0.53, 0.03, 0.068), {1, 1, 1}));
    for (const std::string body : {"large", "small", "upper"}) {
      const Region surface = *mesh.find_region(body + ".surface");
      mesh.regions.push_back({body + ".<boundary>", 2, surface.members});
      mesh.regions.push_back({body + "." + outward_region("<boundary>"), 2, surface.members});
    }
    return mesh;
  }
  ContactByBody at_start() const {
    ContactByBody found{std::vector<double>(3, 0.0), {}};
    simulation_.contacts[0]->add_by_body(simulation_.loop->state(), balance_.bodies().numbers(), found);
    sum_over_ranks(PETSC_COMM_WORLD, found.energies);
    return found;
  }

  Simulation simulation_;
  EnergyBalance balance_;
  std::vector<ContactSummary> summaries_;
};

TEST_F(GroupGains, EnergiesOfContactAreSharedOutAmongBodies) {
  const ContactByBody found = at_start();
  double all = 0;
  for (const double energy : found.energies) all += energy;
  EXPECT_GT(all, 0);
  EXPECT_NEAR(all, summaries_[0].energy, 1e-12 * all);
  EXPECT_GT(found.energies[0], 0);
  EXPECT_NEAR(found.energies[0] / (found.energies[0] + found.energies[1] + found.energies[2]), 0.04 / (0.04 + 0.0016 + 0.0004), 0.05);  // areas that touch
  const double meetings = sum_over_ranks(PETSC_COMM_WORLD, static_cast<double>(found.meetings.contains({1, 2})));
  EXPECT_GT(meetings, 0);
  for (const auto& [one, other] : found.meetings) EXPECT_EQ(std::pair(one, other), std::pair(1, 2));
}

TEST_F(GroupGains, ThoseThatTouchEachOtherFormAGroup) {
  const JoinedBodies& bodies = balance_.bodies();
  EXPECT_EQ(bodies.groups({}), (std::vector{0, 1, 2}));
  EXPECT_EQ(bodies.groups(std::vector<std::pair<int, int>>{{1, 2}}), (std::vector{0, 1, 1}));
  EXPECT_EQ(bodies.groups(std::vector<std::pair<int, int>>{{1, 2}, {0, 2}}), (std::vector{0, 0, 0}));
}

// A step in which all stay where they are, and the small ones begin to move without cause, while the large one loses energy.
TEST_F(GroupGains, TheirGainIsTheEnergyThatNothingGaveThem) {
  const System& system = *simulation_.system;
  const State& start = simulation_.loop->state();
  State end = start;
  end.time += 1e-3;
  const double speed = 0.3;
  double expected = 0;
  for (std::size_t b = 1; b < 3; ++b)
    for (const int vertex : system.bodies()[b]) {
      end.v[vertex] = Vec3(0, 0, speed);
      expected += system.mass()[vertex] * (speed * speed - start.v[vertex].squaredNorm()) / 2;
    }
  double lost = 0;
  for (const int vertex : system.bodies()[0])
    lost += system.mass()[vertex] * (start.v[vertex].squaredNorm() - (end.v[vertex] = start.v[vertex] / 2).squaredNorm()) / 2;
  expected = sum_over_ranks(PETSC_COMM_WORLD, expected);
  lost = sum_over_ranks(PETSC_COMM_WORLD, lost);
  system.exchange(end.v);
  const EnergyBalance::Step account = balance_.step(start, end, summaries_);
  MovedEnergy::Moved moved{{100, 2, 1}, {8, 0.064, 0.008}, 0, 103};
  const auto gains = [&] { return gains_of_groups(system, simulation_.contacts, summaries_, balance_, account, start, end, {}, moved); };
  ASSERT_EQ(gains().size(), 2U);
  EXPECT_NEAR(gains()[0].energy, -lost, 1e-9 * expected);
  EXPECT_EQ(gains()[0].bodies, (std::vector<char>{1, 0, 0}));
  EXPECT_NEAR(gains()[1].energy, expected, 1e-9 * expected);
  EXPECT_NEAR(gains()[1].moved, 3, 1e-12);
  EXPECT_TRUE(gains()[1].stays);
  EXPECT_EQ(gains()[1].bodies, (std::vector<char>{0, 1, 1}));
  moved = {{0, 2, 1}, {8, 0.064, 0.008}, 0, 5};
  EXPECT_TRUE(gains().empty());  // a group alone is judged with the scene
  moved.energy = 100;
  EXPECT_EQ(gains().size(), 1U);  // unless others have moved more before
}

}  // namespace
}  // namespace traction
