// Layers that stiffen the cubic penalty without adding energy where a step starts.

#include "contact/contact_layers.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

constexpr double kThickness = 1e-3, kStiffness = 100;

ContactLaw soft() {
  ContactLaw law;
  law.thickness = kThickness;
  law.stiffness = kStiffness;
  return law;
}

TEST(ContactLayers, StoreAndPushNothingWhereTheStepStarts) {
  for (const double start : {2e-3, 0.6e-3, 0.2e-3}) {
    const ContactLaw before = soft();
    ContactLaw law = before;
    add_layer(law, {start, -0.5e-3, 1e-4});
    ASSERT_EQ(law.layers.size(), 1u);
    EXPECT_EQ(law.layers[0].thickness, std::min(start, kThickness));
    EXPECT_EQ(law.energy(start), before.energy(start));
    EXPECT_EQ(law.normal_force(start), before.normal_force(start));
    EXPECT_GT(law.energy(start / 10), before.energy(start / 10));
  }
}

// At half the thickness: the force 3/4 kappa delta, the energy kappa delta^2 / 8.
TEST(ContactLayers, HoldTheForceAndTheEnergyOfTheStep) {
  const ContactLaw before = soft();
  const double start = 0.4e-3, half = start / 2;
  const auto added = [&](const Penetration& penetration) {
    ContactLaw law = before;
    add_layer(law, penetration);
    return law;
  };
  const ContactLaw pressed = added({start, -1e-4, 0});
  EXPECT_GE(pressed.normal_force(half) - before.normal_force(half), before.normal_force(-1e-4) * (1 - 1e-12));
  EXPECT_LT(pressed.normal_force(half) - before.normal_force(half), 5 * before.normal_force(-1e-4));  // what the energy needs
  const double energy = 0.01;
  const ContactLaw hit = added({start, -1e-4, energy});
  EXPECT_NEAR(hit.energy(half) - before.energy(half), energy + before.energy(-1e-4) - before.energy(start), 1e-12 * energy);
}

TEST(ContactLayers, ASecondAnswerToTheSameStepStiffensTheSameLayer) {
  ContactLaw law = soft();
  add_layer(law, {0.4e-3, -1e-3, 0});
  const double once = law.layers[0].stiffness;
  add_layer(law, {0.4e-3, -1e-4, 0});
  ASSERT_EQ(law.layers.size(), 1u);
  EXPECT_GT(law.layers[0].stiffness, 1.5 * once);
}

// Whatever gaps accepted steps leave, a layer is at least a tenth as thick as the one before, and its thickness never grows.
TEST(ContactLayers, AreNested) {
  ContactLaw law = soft();
  double start = 0.3e-3;
  for (int step = 0; step < 6; ++step) {
    const double before = thinnest(law);
    ASSERT_TRUE(has_room_for_layer(law, start));
    add_layer(law, {start, 0, 0});
    EXPECT_LE(thinnest(law), before);
    EXPECT_GE(thinnest(law), 0.1 * before * (1 - 1e-12));
    start = least_gap_after_step(law);
  }
  EXPECT_FALSE(has_room_for_layer(law, 0));
  EXPECT_FALSE(has_room_for_layer(law, -1e-4));
}

TEST(ContactLayers, AreRemovedWhereTheyStoreNothing) {
  ContactLaw law = soft();
  law.layers = {{0.8e-3, 1e3}, {0.3e-3, 1e4}, {0.1e-3, 1e5}};
  remove_layers(law, 0.25e-3);
  ASSERT_EQ(law.layers.size(), 2u);
  EXPECT_EQ(law.layers[1].thickness, 0.3e-3);
  remove_layers(law, 0.9e-3);
  ASSERT_EQ(law.layers.size(), 1u);
  remove_layers(law, kThickness);
  EXPECT_TRUE(law.layers.empty());
}

TEST(ContactLayers, AStepThatGoesFarThroughAThinLayerIsTooLong) {
  const ContactLaw law = soft();
  EXPECT_FALSE(is_too_thin(law, {0.5e-3, -5e-3, 0}));
  EXPECT_TRUE(is_too_thin(law, {1e-5, -1e-3, 0}));
  EXPECT_FALSE(is_too_thin(law, {1e-5, 1e-6, 0}));
}

}  // namespace
}  // namespace traction
