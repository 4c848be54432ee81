// What numerical errors add in contacts: losses make up for gains within an episode only.

#include "dynamics/contact_gains.h"

#include <gtest/gtest.h>

#include <vector>

namespace traction {
namespace {

// A step of two contacts, of which the first or the second has the error; both have moved 10 J.
ContactGains::Step step(std::vector<char> acts, std::size_t cause, double change, double noise = 0) {
  return {std::move(acts), cause, change, {10, 10}, 0, noise};
}

TEST(ContactGains, AnEpisodeRegainsWhatItHasLost) {
  ContactGains gains(2);
  gains.add(step({1, 0}, 0, -2));
  gains.add(step({1, 0}, 0, 1.9));
  EXPECT_FALSE(gains.beyond(0.01));
  EXPECT_EQ(gains.of_all_episodes(0), 0);
  gains.add(step({1, 0}, 0, 0.3));  // more than there was where the contact began, even of what the loss is taken for by then
  ASSERT_TRUE(gains.beyond(0.01));
  EXPECT_EQ(gains.beyond(0.01)->contact, 0u);
  EXPECT_NEAR(gains.beyond(0.01)->energy, (-2 * 63. / 64 + 1.9) * (-2 * 63. / 64 + 1.9 < 0 ? 63. / 64 : 1) + 0.3, 1e-12);
  EXPECT_EQ(gains.beyond(0.01)->moved, 10);
}

TEST(ContactGains, NoLossMakesUpForTheGainOfAnotherEpisodeOrContact) {
  ContactGains gains(2);
  gains.add(step({1, 0}, 0, -5));
  gains.add(step({0, 0}, 2, 0));
  gains.add(step({1, 1}, 1, -5));
  gains.add(step({1, 1}, 0, 0.2));
  ASSERT_TRUE(gains.beyond(0.01));
  EXPECT_NEAR(gains.beyond(0.01)->energy, 0.2, 1e-15);
  EXPECT_FALSE(gains.beyond(0.03));
  gains.add(step({0, 1}, 1, 0));
  EXPECT_FALSE(gains.beyond(0.01));
  EXPECT_NEAR(gains.of_all_episodes(0), 0.2, 1e-15);
  EXPECT_EQ(gains.of_all_episodes(1), 0);
}

TEST(ContactGains, AKnownGainDoesNotHideThatOfAnotherContact) {
  ContactGains gains(2);
  gains.add(step({1, 0}, 0, 5));
  for (const double change : {0.0, 0.2}) gains.add(step({1, 1}, 1, change));
  EXPECT_EQ(gains.beyond(0.01)->contact, 0u);
  EXPECT_EQ(gains.beyond(0.01, std::vector{4.9, 0.0})->contact, 0u);
  EXPECT_EQ(gains.beyond(0.01, std::vector{5.0, 0.0})->contact, 1u);
  EXPECT_FALSE(gains.beyond(0.01, std::vector{5.0, 0.2}));
}

TEST(ContactGains, NoiseIsNoGain) {
  ContactGains gains(1);
  for (int k = 0; k < 100; ++k) gains.add(step({1}, 0, 0.002, 0.01));
  EXPECT_NEAR(gains.noise(0), 0.3, 1e-12);
  EXPECT_NEAR(gains.of_episode(0), 0.2, 1e-12);
  EXPECT_FALSE(gains.beyond(0.01));  // twice that share, but within the noise
}

TEST(ContactGains, AnImpactIsJudgedWhenItHasMovedItsEnergyOrEnds) {
  ContactGains gains(1);
  double moved = 1e-9;  // the impact moves 0.5 J in the end; it gains half of what its first step moves
  gains.add({{1}, 0, moved / 2, {moved}, 0, 0});
  EXPECT_FALSE(gains.beyond(0.01));
  for (moved *= 2; moved < 0.5; moved *= 2) {
    gains.add({{1}, 0, 0, {moved}, 0, 0});
    EXPECT_FALSE(gains.beyond(0.01)) << moved;
  }
  gains.add({{1}, 0, 0.02, {moved}, 0, 0});
  gains.add({{1}, 0, 0, {1.01 * moved}, 0, 0});
  ASSERT_TRUE(gains.beyond(0.01));
  EXPECT_NEAR(gains.beyond(0.01)->energy, 0.02, 1e-9);
  // One that begins and ends within two steps.
  gains.add({{0}, 1, 0, {0}, 0, 0});
  EXPECT_FALSE(gains.beyond(0.01));
  gains.add({{1}, 0, 0.1, {1}, 0, 0});
  EXPECT_FALSE(gains.beyond(0.01));
  gains.add({{0}, 1, 0, {0}, 0, 0});
  ASSERT_TRUE(gains.beyond(0.01));
  EXPECT_EQ(gains.beyond(0.01)->energy, 0.1);
  EXPECT_EQ(gains.beyond(0.01)->moved, 1);
  gains.add({{0}, 1, 0, {0}, 0, 0});
  EXPECT_FALSE(gains.beyond(0.01));
}

TEST(ContactGains, AreSaved) {
  ContactGains gains(1), loaded(1);
  gains.add(step({1}, 0, 0.2, 0.01));
  gains.add(step({0}, 1, 0));
  gains.add(step({1}, 0, 0.3, 0.02));
  gains.add(step({1}, 0, 0));
  Archive archive;
  const std::vector<std::string> names = {"floor"};
  gains.save(archive, names);
  loaded.load(archive, names);
  EXPECT_EQ(loaded.of_episode(0), 0.3);
  EXPECT_EQ(loaded.of_all_episodes(0), 0.5);
  EXPECT_EQ(loaded.noise(0), gains.noise(0));
  EXPECT_EQ(loaded.beyond(0.01)->moved, 10);
}

}  // namespace
}  // namespace traction
