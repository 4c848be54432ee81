// Contact of two deforming bodies, each spread over all ranks: derivatives, balance, and independence of the partition.

#include "contact/contact_group.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;
using test::force_of;
using test::product_of;

// Both boxes deformed, the upper one pushed into the contact layer and moving sideways at `speed`.
State disturbed(const Simulation& simulation, double speed) {
  const DistributedMesh& mesh = *simulation.mesh;
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    const bool upper = x.z() > 1.001;
    state.q[i] = x + 0.02 * Vec3(std::sin(3 * x.y()), x.x() * x.z(), 0.5 * std::cos(2 * x.x() + x.y()));
    state.v[i] = 0.05 * speed * Vec3(x.z(), -x.x(), x.y() * x.x());
    if (upper) state.v[i] += speed * Vec3(0.8, 0.6, 0.1);
  }
  return state;
}

struct Sliding {
  bool both;
  double speed;  // against the friction tolerance of 0.05 m/s
};

class TwoBoxes : public testing::TestWithParam<Sliding> {
 protected:
  static Simulation build(MPI_Comm communicator) { return build_simulation(communicator, test::two_boxes_scene(GetParam().both), test::two_boxes(0.02)); }
};

TEST_P(TwoBoxes, ProductIsTheDerivativeOfTheForce) {
  for (const double damping : {0.0, 0.5}) {
    Scene scene = test::two_boxes_scene(GetParam().both);
    scene.contacts[0].damping = damping;
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.02));
    ContactGroup& contact = *simulation.contacts.at(0);
    const State state = disturbed(simulation, GetParam().speed), direction = test::direction_for(*simulation.mesh);
    EXPECT_GT(contact.summarize(state).active, 10);
    EXPECT_LT(test::difference_from_central(contact, simulation.system->halo(), state, direction, 2e-5), 1e-6);
  }
}

// Newton's third law, and the law of moments, for the pair alone.
TEST_P(TwoBoxes, ForcesBalance) {
  Simulation simulation = build(PETSC_COMM_WORLD);
  ContactGroup& contact = *simulation.contacts.at(0);
  const Halo& halo = simulation.system->halo();
  const State state = disturbed(simulation, GetParam().speed);
  const Field force = force_of(contact, state);
  std::array<double, 8> sums{};  // force, moment, sizes of both
  for (int i = 0; i < halo.owned(); ++i) {
    const Vec3 f = force[i], moment = Vec3(state.q[i]).cross(f);
    for (int k = 0; k < 3; ++k) sums[k] += f[k], sums[3 + k] += moment[k];
    sums[6] += f.norm();
    sums[7] += moment.norm();
  }
  sum_over_ranks(halo.communicator(), sums);
  EXPECT_GT(sums[6], 1);
  EXPECT_LT(Vec3(sums[0], sums[1], sums[2]).norm() / sums[6], 1e-13);
  EXPECT_LT(Vec3(sums[3], sums[4], sums[5]).norm() / sums[7], 1e-13);
}

// The summary's force is the sum of the forces on the first body's vertices.
TEST_P(TwoBoxes, SummaryIsTheForceOnTheFirstBody) {
  Simulation simulation = build(PETSC_COMM_WORLD);
  ContactGroup& contact = *simulation.contacts.at(0);
  const State state = disturbed(simulation, GetParam().speed);
  const Field force = force_of(contact, state);
  std::array<double, 3> sum{};
  for (int vertex : simulation.mesh->region("upper").vertices)
    if (vertex < simulation.system->halo().owned())
      for (int k = 0; k < 3; ++k) sum[k] += force[vertex][k];
  sum_over_ranks(PETSC_COMM_WORLD, sum);
  const Vec3 total(sum[0], sum[1], sum[2]);
  EXPECT_LT((contact.summarize(state).force - total).norm(), 1e-12 * total.norm());
}

TEST_P(TwoBoxes, ForceAndProductDoNotDependOnThePartition) {
  Simulation alone = build(PETSC_COMM_SELF), together = build(PETSC_COMM_WORLD);
  std::map<int, Vec3> forces[2], products[2];
  for (Simulation* simulation : {&alone, &together}) {
    const State state = disturbed(*simulation, GetParam().speed);
    ContactGroup& contact = *simulation->contacts.at(0);
    forces[simulation == &together] = by_id(*simulation->mesh, force_of(contact, state));
    products[simulation == &together] = by_id(*simulation->mesh, product_of(contact, state, test::direction_for(*simulation->mesh)));
  }
  EXPECT_LT(difference(forces[1], forces[0]), 1e-12);
  EXPECT_LT(difference(products[1], products[0]), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Cases, TwoBoxes, testing::Values(Sliding{false, 0.01}, Sliding{false, 1}, Sliding{true, 0.01}, Sliding{true, 1}),
                         [](const auto& info) {
                           return std::string(info.param.both ? "both_" : "one_way_") + (info.param.speed < 0.05 ? "sticking" : "sliding");
                         });

// A box that slides along another, from rank to rank, on a soft landing.
TEST(MeshContactTrajectory, DoesNotDependOnThePartition) {
  Scene scene = test::two_boxes_scene(true);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[1].initial.velocity = Vec3(2, 1, -0.5);
  DrivenSettings held;
  held.region = "bottom";
  scene.bodies[0].driven = {held};
  scene.solver.tolerance = 1e-11;
  scene.time.end = 0.06;
  Simulation alone = build_simulation(PETSC_COMM_SELF, scene, test::two_boxes(0.03)),
             together = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.03));
  long touched = 0;
  for (Simulation* simulation : {&alone, &together})
    while (!simulation->loop->done())
      for (const ContactSummary& contact : simulation->loop->advance().contacts) touched += contact.active;
  EXPECT_GT(touched, 0);
  EXPECT_LT(difference(by_id(*together.mesh, together.loop->state().q), by_id(*alone.mesh, alone.loop->state().q)), 1e-8);
  EXPECT_LT(difference(by_id(*together.mesh, together.loop->state().v), by_id(*alone.mesh, alone.loop->state().v)), 1e-8);
}

}  // namespace
}  // namespace traction
