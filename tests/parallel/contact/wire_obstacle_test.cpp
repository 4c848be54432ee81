// An obstacle of triangles, segments and points at once, and round ones that lie between vertices: derivatives of the forces on what touches it, their sum, and
// their independence of the partition.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr double kHeightOverWires = 0.02;

// The obstacle lies below the block, which is over (0.13, 0.83) x (0.17, 0.87): a wire of three segments that bends beneath it, a straight one that starts at
// the corner of a small sheet, a rim of the sheet, and nails.
const char* const kObstacle = R"(
v -0.5 0.37 0.0
v 0.31 0.41 0.0
v 0.52 0.62 0.0
v 1.4 0.66 0.0
l 1 2 3 4
v 0.3 0.2 0.0
v 0.5 0.2 0.0
v 0.4 0.33 0.0
f 5 6 7
v 0.95 0.3 0.0
l 6 8
v 0.21 0.77 0.0
v 0.71 0.48 0.0
p 9 10
)";

enum class TouchedKind { wires, sphere, cylinder };

struct Touched {
  TouchedKind kind;
  int subdivision;
  bool turns = false;
};

class WireObstacle : public testing::TestWithParam<Touched> {
 protected:
  WireObstacle() : path_((std::filesystem::temp_directory_path() / "traction_wire_obstacle.obj").string()) {
    on_first_rank(PETSC_COMM_WORLD, [&] { std::ofstream(path_) << kObstacle; });
  }
  ~WireObstacle() override {
    on_first_rank(PETSC_COMM_WORLD, [&] { std::filesystem::remove(path_); });
  }

  Simulation build(MPI_Comm communicator, ContactPotential potential = ContactPotential::cubic_penalty) const {
    Scene scene = test::two_boxes_scene(false);
    scene.bodies = {scene.bodies[1]};
    Obstacle obstacle;
    obstacle.name = "wires";
    obstacle.shape = shape();
    if (GetParam().turns) obstacle.motion = {turning()};
    scene.obstacles = {obstacle};
    ContactSettings& contact = scene.contacts[0];
    contact.against = "wires";
    contact.geometry = ContactGeometry::edges_and_faces;
    contact.subdivision = GetParam().subdivision;
    contact.potential = potential;
    contact.friction->viscous = 3;
    Mesh mesh = test::box_mesh("upper", Vec3(0.13, 0.17, kHeightOverWires), Vec3(0.83, 0.87, 0.7), {3, 4, 3});
    test::add_outward_region(mesh, "upper");
    return build_simulation(communicator, scene, mesh);
  }
  // The round ones are below faces of the block, and their highest places are at z = 0.
  Obstacle::Shape shape() const {
    if (GetParam().kind == TouchedKind::sphere) return SphereSettings{Vec3(0.42, 0.47, -0.3), 0.3, false};
    if (GetParam().kind == TouchedKind::cylinder) return CylinderSettings{Vec3(0.42, 0.47, -0.3), Vec3(1, 0.3, 0.01), 0.3, false};
    return MeshObstacleSettings{{}, path_, 1};
  }
  // The cylinder turns about a line beside its axis.
  MotionSettings turning() const {
    MotionSettings motion;
    motion.about = Vec3(0.4, 0.45, -0.31);
    motion.angular_velocity = GetParam().kind == TouchedKind::cylinder ? Vec3(3, 0.9, 0.03) : Vec3(2, -1, 3);
    return motion;
  }
  static State moving(const Simulation& simulation) {
    State state(simulation.mesh->halo->local());
    for (int i = 0; i < simulation.mesh->halo->local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[i];
      state.q[i] = x + 0.01 * Vec3(std::sin(3 * x.y()), x.x(), std::cos(4 * x.x() + 2 * x.y()));
      state.v[i] = Vec3(0.3 + 0.1 * x.y(), -0.2, 0.1 * x.x());
    }
    return state;
  }

  std::string path_;
};

TEST_P(WireObstacle, ProductIsTheDerivativeOfTheForce) {
  for (const ContactPotential potential : {ContactPotential::cubic_penalty, ContactPotential::log_barrier}) {
    Simulation simulation = build(PETSC_COMM_WORLD, potential);
    ContactGroup& contact = *simulation.contacts[0];
    const State state = moving(simulation);
    EXPECT_GT(contact.summarize(state).active, GetParam().kind == TouchedKind::wires ? 10 : GetParam().kind == TouchedKind::cylinder ? 3 : 0);
    EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, test::direction_for(*simulation.mesh), 1e-5), 1e-6);
  }
}

// The normal forces are minus the energy's derivative, along any direction.
TEST_P(WireObstacle, NormalForcesAreTheEnergysDerivative) {
  Simulation simulation = build(PETSC_COMM_WORLD);
  ContactGroup& contact = *simulation.contacts[0];
  const Halo& halo = *simulation.mesh->halo;
  const State state = moving(simulation), direction = test::direction_for(*simulation.mesh);
  const auto energy = [&](double step) {
    State moved = state;
    moved.q.array() += step * direction.q.array();
    contact.summarize(moved);
    for (Force* term : test::terms_of(contact)) term->prepare(moved);
    return contact.total_energy(PETSC_COMM_WORLD, moved);
  };
  constexpr double kStep = 1e-5;
  const double slope = (4 * (energy(kStep / 2) - energy(-kStep / 2)) / kStep - (energy(kStep) - energy(-kStep)) / (2 * kStep)) / 3;
  for (Force* term : test::terms_of(contact)) term->prepare(state);
  Field normal(halo.local()), total(halo.local());
  contact.for_each_term([&](const auto& term) { term->add_vertex_forces(state, normal, total); });
  const double power =
      sum_over_ranks(PETSC_COMM_WORLD, normal.array().head(3 * halo.owned()).matrix().dot(direction.q.array().head(3 * halo.owned()).matrix()));
  EXPECT_NEAR(power, -slope, 1e-6 * std::abs(slope));
}

TEST_P(WireObstacle, ForceAndProductDoNotDependOnThePartition) {
  Simulation alone = build(PETSC_COMM_SELF), together = build(PETSC_COMM_WORLD);
  std::map<int, Vec3> forces[2], products[2];
  for (Simulation* simulation : {&alone, &together}) {
    const State state = moving(*simulation);
    ContactGroup& contact = *simulation->contacts.at(0);
    forces[simulation == &together] = test::by_id(*simulation->mesh, test::force_of(contact, state));
    products[simulation == &together] = test::by_id(*simulation->mesh, test::product_of(contact, state, test::direction_for(*simulation->mesh)));
  }
  EXPECT_LT(test::difference(forces[1], forces[0]), 1e-12);
  EXPECT_LT(test::difference(products[1], products[0]), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Shapes, WireObstacle,
                         testing::Values(Touched{TouchedKind::wires, 1}, Touched{TouchedKind::wires, 3}, Touched{TouchedKind::sphere, 1},
                                         Touched{TouchedKind::sphere, 3}, Touched{TouchedKind::cylinder, 1}, Touched{TouchedKind::sphere, 1, true},
                                         Touched{TouchedKind::sphere, 3, true}, Touched{TouchedKind::cylinder, 1, true}));

// A block of one cell rests on a sphere under the middle of its face, far from its vertices: the energy is the penalty of the distance between them, and the
// force acts along the line from the sphere's center.
TEST(RoundObstacle, TouchesAFaceAtItsTrueDistance) {
  constexpr double kRadius = 0.2, kGap = 0.013;
  Scene scene = test::two_boxes_scene(false);
  scene.bodies = {scene.bodies[1]};
  Obstacle sphere;
  sphere.name = "sphere";
  sphere.shape = SphereSettings{Vec3(0.45, 0.4, -kRadius - kGap), kRadius, false};
  scene.obstacles = {sphere};
  ContactSettings& contact = scene.contacts[0];
  contact.against = "sphere";
  contact.geometry = ContactGeometry::automatic;
  contact.friction.reset();
  Mesh mesh = test::box_mesh("upper", Vec3::Zero(), Vec3(1, 0.9, 0.5), {1, 1, 1});
  test::add_outward_region(mesh, "upper");
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  ContactGroup& group = *simulation.contacts[0];
  const Halo& halo = *simulation.mesh->halo;
  State state(halo.local());
  for (int i = 0; i < halo.local(); ++i) state.q[i] = simulation.mesh->vertices[i];
  const ContactSummary summary = group.summarize(state);
  EXPECT_EQ(summary.active, 1);
  EXPECT_NEAR(summary.minimum_gap, kGap, 1e-12);
  for (Force* term : test::terms_of(group)) term->prepare(state);
  const double thickness = contact.thickness, energy = group.base_stiffness() / thickness * std::pow(thickness - kGap, 3);
  EXPECT_NEAR(group.total_energy(PETSC_COMM_WORLD, state), energy, 1e-9 * energy);
  const Field force = test::force_of(group, state);
  std::array<double, 6> sums{};  // force, and its moment about the sphere's center
  for (int i = 0; i < halo.owned(); ++i) {
    Eigen::Map<Vec3>(&sums[0]) += force[i];
    Eigen::Map<Vec3>(&sums[3]) += (Vec3(state.q[i]) - Vec3(0.45, 0.4, 0)).cross(Vec3(force[i]));
  }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  const double expected = 3 * group.base_stiffness() / thickness * std::pow(thickness - kGap, 2);
  EXPECT_NEAR(sums[2], expected, 1e-9 * expected);
  for (const int component : {0, 1, 3, 4, 5}) EXPECT_NEAR(sums[static_cast<std::size_t>(component)], 0, 1e-9 * expected);
}

// A block of one cell over a round obstacle that turns feels the same friction as one that slides with the opposite velocity over one that does not turn, and
// none where it moves with the surface. The obstacle does its work at its surface: the power of its force, and of the moment about its middle.
class TurningRound : public testing::TestWithParam<bool> {
 protected:
  static constexpr double kRadius = 0.2, kGap = 0.013;

  Simulation build(const Vec3& angular_velocity) const {
    Scene scene = test::two_boxes_scene(false);
    scene.bodies = {scene.bodies[1]};
    Obstacle round;
    round.name = "round";
    const Vec3 middle(0.45, 0.4, -kRadius - kGap);
    if (GetParam()) round.shape = CylinderSettings{middle, Vec3::UnitY(), kRadius, false};
    else round.shape = SphereSettings{middle, kRadius, false};
    if (!angular_velocity.isZero(0)) {
      MotionSettings motion;
      motion.angular_velocity = angular_velocity;
      motion.about = middle;
      round.motion = {motion};
    }
    scene.obstacles = {round};
    ContactSettings& contact = scene.contacts[0];
    contact.against = "round";
    contact.geometry = ContactGeometry::automatic;
    Mesh mesh = test::box_mesh("upper", Vec3::Zero(), Vec3(1, 0.9, 0.5), {1, 1, 1});
    test::add_outward_region(mesh, "upper");
    return build_simulation(PETSC_COMM_WORLD, scene, mesh);
  }
  static State at_velocity(const Simulation& simulation, const Vec3& velocity) {
    State state(simulation.mesh->halo->local());
    for (int i = 0; i < simulation.mesh->halo->local(); ++i) {
      state.q[i] = simulation.mesh->vertices[i];
      state.v[i] = velocity;
    }
    return state;
  }
  static ContactSummary summary_of(Simulation& simulation, const Vec3& velocity) {
    return simulation.contacts[0]->summarize(at_velocity(simulation, velocity));
  }
};

TEST_P(TurningRound, IsFeltAsSlidingAtTheSpeedOfItsSurface) {
  const Vec3 spin(0, 3, 0), surface = spin.cross(kRadius * Vec3::UnitZ());
  Simulation turning = build(spin), still = build(Vec3::Zero());
  const ContactSummary carried = summary_of(turning, Vec3::Zero()), sliding = summary_of(still, -surface), along = summary_of(turning, surface);
  EXPECT_GT(carried.force.x(), 0.1 * carried.force.z());
  EXPECT_LT((carried.force - sliding.force).norm(), 1e-12 * sliding.force.norm());
  EXPECT_NEAR(carried.friction_power, sliding.friction_power, -1e-12 * sliding.friction_power);
  EXPECT_NEAR(along.force.x(), 0, 1e-12 * along.force.z());
  ASSERT_EQ(carried.obstacles.size(), 1u);
  const Pose start(*carried.obstacles[0].motion, 0), end(*carried.obstacles[0].motion, 1e-6);
  EXPECT_NEAR(carried.obstacles[0].work(start, end), 1e-6 * carried.force.dot(surface), 1e-5 * 1e-6 * carried.force.dot(surface));
}

INSTANTIATE_TEST_SUITE_P(Shapes, TurningRound, testing::Bool());

}  // namespace
}  // namespace traction
