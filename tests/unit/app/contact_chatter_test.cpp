// Which forces of contact are reported as chatter.

#include "app/contact_chatter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace traction {
namespace {

constexpr double kWeight = 40, kStep = 1e-3, kCreep = 1e-3, kCoefficient = 0.5;

// The warnings after a run of 1 s in which the contact has this force, and slides at this speed; it is open where the force is 0.
std::vector<std::string> warnings_of(const std::function<double(double time)>& force, double speed = 1e-2, double least = 0.2 * kWeight,
                                     double largest = 1.5 * kWeight) {
  ContactChatter chatter({{"rest", least, largest, kCreep}});
  for (int i = 1; i <= 1000; ++i) {
    StepRecord record;
    record.time = i * kStep;
    record.dt = kStep;
    ContactSummary& contact = record.contacts.emplace_back();
    contact.force = Vec3(0, 0, force(record.time));
    contact.friction_power = -kCoefficient * contact.force.norm() * speed;
    contact.active = contact.force.z() > 0 ? 25 : 0;
    chatter.look(record);
  }
  return chatter.warnings();
}

double wave(double time, double frequency) { return std::sin(2 * EIGEN_PI * frequency * time); }

TEST(ContactChatter, WarnsOfAForceThatSwingsAboutTheWeight) {
  const auto warnings = warnings_of([](double time) { return kWeight * (1 - 0.8 * wave(time, 20)); });
  ASSERT_EQ(warnings.size(), 1u);
  for (const char* part : {"contact 'rest' chatters", "N in the mean", "risen 20 times from less than 70 % of this to more than 130 %",
                           "initial: {equilibrium: true}", "`damping`"})
    EXPECT_NE(warnings[0].find(part), std::string::npos) << part << " in: " << warnings[0];
}

TEST(ContactChatter, LeavesOutRestBouncesLandingsAndPressing) {
  EXPECT_TRUE(warnings_of([](double time) { return kWeight * (1 - 0.8 * wave(time, 20)); }, kCreep).empty());           // friction holds it
  EXPECT_TRUE(warnings_of([](double time) { return kWeight * (1 - 0.2 * wave(time, 20)); }).empty());                   // nearly at rest
  EXPECT_TRUE(warnings_of([](double time) { return std::max(0.0, 3 * kWeight * wave(time, 20)); }).empty());            // opens between bounces
  EXPECT_TRUE(warnings_of([](double time) { return kWeight * (1 - std::exp(-10 * time) * wave(time, 20)); }).empty());  // comes to rest
  EXPECT_TRUE(warnings_of([](double time) { return 10 * kWeight * (1 - 0.8 * wave(time, 20)); }).empty());              // pressed by other forces
  EXPECT_TRUE(warnings_of([](double time) { return 0.1 * kWeight * (1 - 0.8 * wave(time, 20)); }).empty());             // hardly touches
  EXPECT_TRUE(warnings_of([](double time) { return kWeight * (1 - 0.8 * wave(time, 20)); }, 1e-2, 0, 0).empty());       // is not watched
}

}  // namespace
}  // namespace traction
