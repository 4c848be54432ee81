// Stiffening of a contact whose pairs are of two kinds: the vertices of either body before the other.

#include "dynamics/contact_stiffening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "contact/contact_settings.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

class StiffeningOfBoth : public testing::TestWithParam<std::string> {};

// A vertex of one body, in the middle of where they meet, is 10 mm behind the other. Whichever body it belongs to, the contact is stiffened for its depth, and
// with it the pairs of both kinds, so that the whole energy is multiplied.
TEST_P(StiffeningOfBoth, FollowsTheDeepestVertexOfEither) {
  Scene scene = test::two_boxes_scene(true);
  scene.contacts[0].friction.reset();
  scene.contacts[0].stiffening = Stiffening::multiply;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.02));
  State state = simulation.loop->state();
  const bool is_upper = GetParam() == "upper";
  double nearest = 1;
  for (const bool search : {true, false}) {
    for (const int vertex : simulation.mesh->region(GetParam()).vertices) {
      const Vec3 x = simulation.mesh->vertices[vertex];
      const double distance = (x - Vec3(0.48, 0.52, is_upper ? 1.02 : 1)).norm();
      if (search) nearest = std::min(nearest, distance);
      else if (distance < nearest + 1e-9) state.q[vertex].z() += is_upper ? -0.03 : 0.03;
    }
    nearest = minimum_over_ranks(PETSC_COMM_WORLD, nearest);
  }
  ContactGroup& contact = *simulation.contacts.at(0);
  const ContactSummary summary = contact.summarize(state);
  EXPECT_NEAR(summary.yielding_gap, -0.01, 3e-3);
  EXPECT_EQ(summary.yielding_gap, summary.minimum_gap);
  const double energy = contact.total_energy(PETSC_COMM_WORLD, state), stiffness = contact.stiffness();
  const ContactStiffening stiffening(*simulation.system, simulation.contacts);
  const auto judgement = stiffening.judge(state, std::span(&summary, 1), state, std::span(&summary, 1), false);
  EXPECT_EQ(judgement.verdict, ContactStiffening::Verdict::repeat);
  // b'(gap) / b'(delta / 2), b' proportional to (delta - gap)^2.
  const double factor = std::pow((0.05 - summary.yielding_gap) / 0.025, 2);
  EXPECT_NEAR(contact.stiffness(), factor * stiffness, 1e-12 * factor * stiffness);
  EXPECT_NEAR(contact.total_energy(PETSC_COMM_WORLD, state), factor * energy, 1e-12 * factor * energy);
  EXPECT_NEAR(judgement.energy, (factor - 1) * energy, 1e-12 * factor * energy);
}

INSTANTIATE_TEST_SUITE_P(Bodies, StiffeningOfBoth, testing::Values("upper", "lower"), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace traction
