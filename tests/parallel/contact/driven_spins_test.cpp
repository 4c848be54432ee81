// Rods whose supports turn them about themselves: forces and products of friction are those of rods that turn freely at the same speed, and derivatives hold.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "contact/contact_group.h"
#include "forces/rod_bending.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/moving_rods.h"
#include "support/shared_folder.h"
#include "system/held_spins.h"

namespace traction {
namespace {

constexpr double kTime = 0.03, kRollerRadius = 0.05;  // [s], [m]
const Vec3 kSpin = 0.3 * Vec3(0.4, 2, -0.7);          // the roller's at that time [rad/s]
const Vec3 kAlongRoller = Vec3(0.1, 1, 0.2).normalized();

// A roller, which is driven to turn about an axis that is nearly its own, rests on a base and a drum, and carries a bar.
const char* const kRollerScene = R"(
time: {step: 1e-3, end: 1}
surfaces:
  base: {plane: {point: [0, 0, -0.06], normal: [0, 0, 1]}, motion: {velocity: [0.1, 0.2, 0]}}
  drum: {cylinder: {point: [0.17, 0, -0.02], axis: [0.1, 1, 0.2], radius: 0.1}}
bodies:
  roller:
    mesh: roller.txt
    rod: {rod: {radius: 0.05, youngs_modulus: 1e5, density: 1000}}
    damping: {stiffness: 1e-2}
DRIVEN
  bar: {mesh: bar.txt, rod: {rod: {radius: 0.03, youngs_modulus: 1e5, density: 1000}}}
contacts:
  everything: {all: true, thickness: 0.03, stiffness: 100, friction: {static: 0.7, dynamic: 0.5, tolerance: 0.05, viscous: 3, coupling: COUPLING}}
)";

// Where the roller's support is at that time.
Pose pose_of_roller() {
  MotionSettings motion;
  motion.angular_velocity = kSpin / 0.3;
  motion.about = Vec3(0, 0.3, 0);
  motion.ramp = 0.1;
  return {motion, kTime};
}

// The distance of fields relative to the size of the other one, over all ranks.
double relative_distance(const std::map<int, Vec3>& field, const std::map<int, Vec3>& other) {
  std::array<double, 2> squares{};
  for (const auto& [id, value] : other) {
    squares[0] += (field.at(id) - value).squaredNorm();
    squares[1] += value.squaredNorm();
  }
  sum_over_ranks(PETSC_COMM_WORLD, squares);
  return std::sqrt(squares[0] / squares[1]);
}

class DrivenSpins : public testing::TestWithParam<const char*> {
 protected:
  DrivenSpins() {
    on_first_rank(PETSC_COMM_WORLD, [&] {
      std::ofstream roller(folder_.path("roller.txt")), bar(folder_.path("bar.txt"));
      roller.precision(17);
      for (int i = 0; i <= 8; ++i) roller << (0.08 * i * kAlongRoller).transpose() << "\n";
      for (int i = 0; i <= 5; ++i) bar << 0.06 * i - 0.25 << " " << 0.2 + 0.01 * i << " " << 0.14 << "\n";
    });
  }

  // `driven`: whether the roller is driven, or free. Held for good it would not touch the base.
  Simulation build(bool driven, double until = 1) const {
    std::string text = kRollerScene;
    const auto replace = [&](const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
    const std::string motion = "motion: {angular_velocity: [0.4, 2, -0.7], about: [0, 0.3, 0], ramp: 0.1}, until: " + std::to_string(until);
    replace("DRIVEN", driven ? "    driven: [{vertices: rod, " + motion + "}]" : "");
    replace("COUPLING", GetParam());
    const Scene scene = read_scene(text, folder_.path("scene.yaml"), {});
    return build_simulation(PETSC_COMM_WORLD, scene, load_scene_mesh(scene, folder_.path("")));
  }

  // The scene's state at that time; velocities of the roller's twists are beside the spins that its support gives them.
  static State state_of(const Simulation& simulation, ContactGroup& contact, bool spinning) {
    State state = test::moving_rods(simulation);
    state.time = kTime;
    if (spinning) {
      const Pose pose = pose_of_roller();
      for (const int r : simulation.mesh->region("roller.rod").rods)
        state.v[simulation.mesh->rods[r].vertices[2]].x() += kRollerRadius * pose.angular_velocity.dot(pose.rotation * kAlongRoller);
    }
    contact.begin_step(state);
    contact.for_each_term([&](const auto& term) { term->lag_friction(state); });
    contact.summarize(state);
    return state;
  }

  test::SharedFolder folder_{PETSC_COMM_WORLD};
};

TEST_P(DrivenSpins, CountAsVelocitiesOfFreeTwists) {
  std::map<int, Vec3> forces[3], products[3];
  double power[3]{};
  for (int k = 0; k < 3; ++k) {  // turned by their support, turning freely, and at rest
    Simulation simulation = build(k == 0);
    ContactGroup& contact = *simulation.contacts.at(0);
    const State state = state_of(simulation, contact, k == 1);
    forces[k] = test::by_id(*simulation.mesh, test::force_of(contact, state));
    products[k] = test::by_id(*simulation.mesh, test::product_of(contact, state, test::change_of_rods(simulation)));
    power[k] = contact.summarize(state).friction_power;
  }
  EXPECT_LT(relative_distance(forces[0], forces[1]), 1e-12);
  EXPECT_LT(relative_distance(products[0], products[1]), 1e-12);
  EXPECT_NEAR(power[0], power[1], 1e-12 * std::abs(power[1]));
  EXPECT_GT(relative_distance(forces[2], forces[1]), 1e-2);
  EXPECT_GT(std::abs(power[2] - power[1]), 2e-3 * std::abs(power[1]));
}

TEST_P(DrivenSpins, ProductIsTheDerivativeOfTheForce) {
  Simulation simulation = build(true);
  ContactGroup& contact = *simulation.contacts.at(0);
  const State state = state_of(simulation, contact, false);
  EXPECT_GT(contact.summarize(state).active, 20);
  EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, test::change_of_rods(simulation), 1e-6), 1e-6);
}

// Also of the rod's own bending, twist and their damping, whose frames turn with the support.
TEST_P(DrivenSpins, BendingOfDrivenFramesHasItsProduct) {
  Simulation simulation = build(true);
  State state = test::moving_rods(simulation), change = test::change_of_rods(simulation);
  state.time = change.time = kTime;
  int found = 0;
  for (const auto& force : simulation.system->forces()) {
    auto* bending = dynamic_cast<RodBending*>(force.get());
    if (!bending) continue;
    ++found;
    EXPECT_LT(test::difference_from_central(*bending, *simulation.mesh->halo, state, change, 1e-5), 1e-7);
  }
  EXPECT_EQ(found, 1);
}

// What a support has turned keeps its spin when it is released, and what has been taken back is held again.
TEST_P(DrivenSpins, StayWithWhatIsReleased) {
  Simulation simulation = build(true, kTime);
  System& system = *simulation.system;
  State state = simulation.loop->state();
  state.time = 0.5 * kTime;
  EXPECT_FALSE(release_with_spins(system, state));
  EXPECT_FALSE(has_released(system, kTime));
  state.time = kTime;
  const std::map<int, double> before = HeldSpins(system).at(state);
  const std::map<int, double> rates = HeldSpins(system).accelerations_at(state);
  const Vec3 along = pose_of_roller().rotation * kAlongRoller;
  for (const auto& [twist, spin] : before) {
    EXPECT_NEAR(spin, kRollerRadius * kSpin.dot(along), 1e-14);
    EXPECT_NEAR(rates.at(twist), kRollerRadius * kSpin.dot(along) / kTime, 1e-12);
    EXPECT_EQ(state.v[twist].x(), 0);
  }
  EXPECT_TRUE(release_with_spins(system, state));
  EXPECT_TRUE(has_released(system, kTime));
  EXPECT_TRUE(HeldSpins(system).at(state).empty());
  for (const int twist : simulation.mesh->twists)  // ghosts included
    if (std::abs(state.v[twist].x()) > 0) {
      EXPECT_NEAR(state.v[twist].x(), kRollerRadius * kSpin.dot(along), 1e-14);
    }
  for (const auto& [twist, spin] : before) EXPECT_EQ(state.v[twist].x(), spin);
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, static_cast<double>(before.size())), 8);
}

INSTANTIATE_TEST_SUITE_P(Couplings, DrivenSpins, testing::Values("implicit", "lagged"));

}  // namespace
}  // namespace traction
