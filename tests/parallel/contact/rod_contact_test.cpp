// Rods that touch each other, themselves and obstacles: derivatives of their forces and energy, the balance of forces and moments with their spin, and their
// independence of the partition.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/moving_rods.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

constexpr double kTurns = 2.2, kPitch = 0.12;  // the coil's turns are within reach of each other

// A coil about z of radius 0.3, a bar through it that lies on its turns, another that crosses the first at a small angle, a box below the coil, and a
// drum beside it.
const char* const kScene = R"(
time: {step: 1e-3, end: 1}
surfaces:
  base: {box: {lower: [-0.5, -0.5, -0.7], upper: [0.5, 0.5, -0.058]}, motion: {velocity: [0.3, 0, 0]}}
  drum: {sphere: {center: [0.555, 0, 0.07], radius: 0.2}, motion: {angular_velocity: [0, 2, 1], about: [0.5, 0, 0]}}
bodies:
  coil: {mesh: coil.txt, rod: {rod: {radius: 0.05, youngs_modulus: 1e5, density: 1000}}}
  bar: {mesh: bar.txt, rod: {rod: {radius: 0.03, youngs_modulus: 1e5, density: 1000}}}
  other: {mesh: other.txt, rod: {rod: {radius: 0.04, youngs_modulus: 1e5, density: 1000}}}
contacts:
  everything: {all: true, thickness: 0.03, potential: POTENTIAL, stiffness: 100, friction: {COEFFICIENTS, tolerance: 0.05, viscous: 3, coupling: COUPLING}}
)";

struct RodLaw {
  const char *potential, *coupling, *coefficients = "static: 0.7, dynamic: 0.5";
};

class RodContact : public testing::TestWithParam<RodLaw> {
 protected:
  RodContact() {
    const auto replace = [&](const std::string& from, const std::string& to) { text_.replace(text_.find(from), from.size(), to); };
    replace("POTENTIAL", GetParam().potential);
    replace("COUPLING", GetParam().coupling);
    replace("COEFFICIENTS", GetParam().coefficients);
    if (GetParam().potential == std::string("imc")) {  // for rods alone
      text_.erase(text_.find("surfaces:"), text_.find("bodies:") - text_.find("surfaces:"));
      replace("potential: imc", "potential: imc, imc: {sharpness: 10}");
    }
    on_first_rank(PETSC_COMM_WORLD, [&] {
      std::ofstream coil(folder_.path("coil.txt")), bar(folder_.path("bar.txt")), other(folder_.path("other.txt"));
      for (int i = 0; i <= 44; ++i) {
        const double turn = kTurns * i / 44;
        coil << 0.3 * std::cos(2 * M_PI * turn) << " " << 0.3 * std::sin(2 * M_PI * turn) << " " << 0.01 + kPitch * turn << "\n";
      }
      // The bar lies 0.1 over the coil's second turn, and the other one 0.085 over the bar.
      for (int i = 0; i <= 9; ++i) bar << 0.07 * i - 0.1 << " " << 0.03 * i << " " << 0.405 + 0.001 * i << "\n";
      for (int i = 0; i <= 8; ++i) other << 0.08 * i - 0.08 << " " << 0.04 * i - 0.02 << " " << 0.492 << "\n";
    });
  }

  Scene read() const { return read_scene(text_, folder_.path("scene.yaml"), {}); }
  Simulation build(MPI_Comm communicator) const {
    const Scene scene = read();
    return build_simulation(communicator, scene, load_scene_mesh(scene, folder_.path("")));
  }

  test::SharedFolder folder_{PETSC_COMM_WORLD};
  std::string text_ = kScene;
};

// With implicit friction: lagged friction has no couplings.
class RodCouplings : public RodContact {};

TEST_P(RodContact, ProductIsTheDerivativeOfTheForce) {
  Simulation simulation = build(PETSC_COMM_WORLD);
  ContactGroup& contact = *simulation.contacts[0];
  const State state = test::begin_with_moving_rods(simulation, contact);
  EXPECT_GT(contact.summarize(state).active, 30);
  EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, test::change_of_rods(simulation), 1e-6), 1e-6);
}

TEST_P(RodContact, ForceIsMinusTheGradientOfTheEnergy) {
  Scene scene = read();
  scene.contacts[0].friction.reset();
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, load_scene_mesh(scene, folder_.path("")));
  ContactGroup& contact = *simulation.contacts[0];
  const State state = test::begin_with_moving_rods(simulation, contact);
  EXPECT_GT(test::norm(*simulation.mesh->halo, test::force_of(contact, state)), 0);
  EXPECT_LT(test::error_of_gradient(contact, *simulation.mesh->halo, state, test::change_of_rods(simulation)), 1e-7);
}

// Preconditioners know how friction turns rods: without that each Newton step of a tight knot takes many linear iterations.
TEST_P(RodCouplings, AreTheWholeDerivative) {
  Simulation simulation = build(PETSC_COMM_SELF);
  ContactGroup& contact = *simulation.contacts[0];
  const State state = test::begin_with_moving_rods(simulation, contact), change = test::change_of_rods(simulation);
  const double dq = 0.3;
  State in_time = change;  // velocities change in proportion to positions, as in a stage
  in_time.v = change.q;
  in_time.q.array() *= dq;
  const Field expected = test::product_of(contact, state, in_time);
  std::vector<Coupling> couplings;
  contact.for_each_term([&](const auto& term) { term->assembly()->add_couplings({state, dq, 1}, couplings); });
  Field sum(test::local_vertices(state));
  for (const Coupling& coupling : couplings) sum[static_cast<int>(coupling.row)] += coupling.block * change.q[static_cast<int>(coupling.column)];
  sum.array() -= expected.array();
  EXPECT_GT(couplings.size(), 100U);
  EXPECT_LT(test::norm(*simulation.mesh->halo, sum), 1e-12 * test::norm(*simulation.mesh->halo, expected));
}

// Without the obstacle forces on points add up to nothing, and so do their moments with those on twists.
TEST_P(RodContact, ForcesAndMomentsBalance) {
  Scene scene = read();
  scene.obstacles.clear();
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, load_scene_mesh(scene, folder_.path("")));
  const DistributedMesh& mesh = *simulation.mesh;
  ContactGroup& contact = *simulation.contacts[0];
  const State state = test::begin_with_moving_rods(simulation, contact);
  contact.summarize(state);
  const Field forces = test::force_of(contact, state);
  std::vector<char> is_twist(mesh.vertices.size(), 0);
  std::array<double, 8> sums{};
  const std::map<std::string, double> radii{{"coil", 0.05}, {"bar", 0.03}, {"other", 0.04}};
  double spin = 0;
  for (const Rod& rod : mesh.rods) is_twist[rod.vertices[2]] = 1;
  for (const auto& [name, radius] : radii)
    for (const int r : mesh.region(name + ".rod").rods) {
      const auto& [a, b, twist] = mesh.rods[r].vertices;
      if (twist >= mesh.halo->owned()) continue;
      const Vec3 moment = radius * forces[twist].x() * (state.q[b] - state.q[a]).normalized();
      for (int i = 0; i < 3; ++i) sums[3 + i] += moment[i];
      spin += moment.norm();
      EXPECT_EQ(forces[twist].y(), 0);
      EXPECT_EQ(forces[twist].z(), 0);
    }
  for (int i = 0; i < mesh.halo->owned(); ++i) {
    if (is_twist[i]) continue;
    const Vec3 moment = state.q[i].cross(Vec3(forces[i]));
    for (int axis = 0; axis < 3; ++axis) {
      sums[axis] += forces[i][axis];
      sums[3 + axis] += moment[axis];
    }
    sums[6] += forces[i].norm();
    sums[7] += moment.norm();
  }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  EXPECT_GT(sum_over_ranks(PETSC_COMM_WORLD, spin), 1e-3 * sums[7]);
  EXPECT_LT(Vec3(sums[0], sums[1], sums[2]).norm(), 1e-12 * sums[6]);
  EXPECT_LT(Vec3(sums[3], sums[4], sums[5]).norm(), 1e-12 * sums[7]);
}

TEST_P(RodContact, ForceAndProductDoNotDependOnThePartition) {
  Simulation alone = build(PETSC_COMM_SELF), together = build(PETSC_COMM_WORLD);
  std::map<int, Vec3> forces[2], products[2];
  for (Simulation* simulation : {&alone, &together}) {
    ContactGroup& contact = *simulation->contacts.at(0);
    const State state = test::begin_with_moving_rods(*simulation, contact);
    contact.summarize(state);
    forces[simulation == &together] = test::by_id(*simulation->mesh, test::force_of(contact, state));
    products[simulation == &together] = test::by_id(*simulation->mesh, test::product_of(contact, state, test::change_of_rods(*simulation)));
  }
  EXPECT_LT(test::difference(forces[1], forces[0]), 1e-12);
  EXPECT_LT(test::difference(products[1], products[0]), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, RodContact,
    testing::Values(RodLaw{"cubic_penalty", "implicit"}, RodLaw{"log_barrier", "implicit"}, RodLaw{"imc", "implicit"}, RodLaw{"cubic_penalty", "lagged"},
                    RodLaw{"cubic_penalty", "implicit", "table: {speeds: [0, 1], pressures: [0, 1e4], coefficients: [0.9, 0.4, 0.4, 0.1]}"}));
INSTANTIATE_TEST_SUITE_P(Laws, RodCouplings,
                         testing::Values(RodLaw{"cubic_penalty", "implicit"}, RodLaw{"log_barrier", "implicit"}, RodLaw{"imc", "implicit"}));

}  // namespace
}  // namespace traction
