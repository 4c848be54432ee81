// Contact of two deforming bodies, each spread over all ranks: derivatives, balance, and independence of the partition.

#include "contact/contact_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "contact/features.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "simulation/vertex_areas.h"
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
  ContactGeometry geometry = ContactGeometry::smooth_surface;
  int subdivision = 1;
};

class TwoBoxes : public testing::TestWithParam<Sliding> {
 protected:
  static Scene scene_of(double damping) {
    Scene scene = test::two_boxes_scene(GetParam().both);
    scene.contacts[0].geometry = GetParam().geometry;
    scene.contacts[0].subdivision = GetParam().subdivision;
    scene.contacts[0].damping = damping;
    return scene;
  }
  static Simulation build(MPI_Comm communicator, double damping = 0) { return build_simulation(communicator, scene_of(damping), test::two_boxes(0.02)); }
};

TEST_P(TwoBoxes, ProductIsTheDerivativeOfTheForce) {
  for (const double damping : {0.0, 0.5}) {
    Simulation simulation = build(PETSC_COMM_WORLD, damping);
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
  // Friction between edges and faces acts at the closest points of both sides, which are a gap apart.
  const double moment = GetParam().geometry == ContactGeometry::smooth_surface ? 1e-13 : 0.5 * 0.05;
  EXPECT_LT(Vec3(sums[3], sums[4], sums[5]).norm() / sums[7], moment);
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

// Lagged friction at the present state equals implicit friction, on both bodies and in the summary.
TEST_P(TwoBoxes, LaggedFrictionOfThePresentStateIsImplicit) {
  for (const double damping : {0.0, 0.5}) {
    Field forces[2];
    ContactSummary summaries[2];
    for (const bool lagged : {false, true}) {
      Scene scene = scene_of(damping);
      if (lagged) scene.contacts[0].friction->coupling = FrictionCoupling::lagged;
      Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::two_boxes(0.02));
      ContactGroup& contact = *simulation.contacts.at(0);
      const State state = disturbed(simulation, GetParam().speed);
      contact.lag_friction(state);
      forces[lagged] = force_of(contact, state);
      summaries[lagged] = contact.summarize(state);
    }
    Field change = forces[1];
    change.array() -= forces[0].array();
    const auto largest = [](const Field& field) { return maximum_over_ranks(PETSC_COMM_WORLD, field.array().cwiseAbs().maxCoeff()); };
    EXPECT_LT(largest(change), 1e-12 * largest(forces[0]));
    EXPECT_LT((summaries[1].force - summaries[0].force).norm(), 1e-12 * summaries[0].force.norm());
    EXPECT_LT(summaries[0].friction_power, 0);
    EXPECT_NEAR(summaries[1].friction_power, summaries[0].friction_power, -1e-12 * summaries[0].friction_power);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TwoBoxes,
                         testing::Values(Sliding{false, 0.01}, Sliding{false, 1}, Sliding{true, 0.01}, Sliding{true, 1},
                                         Sliding{false, 0.01, ContactGeometry::edges_and_faces}, Sliding{false, 1, ContactGeometry::edges_and_faces},
                                         Sliding{false, 1, ContactGeometry::edges_and_faces, 3}),
                         [](const auto& info) {
                           const bool smooth = info.param.geometry == ContactGeometry::smooth_surface;
                           return std::string(info.param.subdivision > 1 ? "subdivided_"
                                              : !smooth                  ? "edges_and_faces_"
                                              : info.param.both          ? "both_"
                                                                         : "one_way_") +
                                  (info.param.speed < 0.05 ? "sticking" : "sliding");
                         });

// Inclusion and exclusion counts a surface once: the energy is that of every place's distance to the other surface, with its share of the area, whatever
// triangles, edges and vertices are near. Places are the corners of the small triangles into which faces are divided; each triangle gives a third of its area
// to each corner. At the edges of the boxes the mean over their sides counts, and at their vertices the share that vertex_areas() gives them.
class EdgesAndFaces : public testing::TestWithParam<int> {};

TEST_P(EdgesAndFaces, EnergyIsThatOfTheDistances) {
  const int n = GetParam();
  Scene scene = test::two_boxes_scene(false);
  scene.contacts[0].geometry = ContactGeometry::edges_and_faces;
  scene.contacts[0].subdivision = n;
  scene.contacts[0].friction.reset();
  scene.contacts[0].thickness = 0.3;  // so that the reach has many triangles in it
  Simulation simulation = build_simulation(PETSC_COMM_SELF, scene, test::two_boxes(0.15));
  const DistributedMesh& mesh = *simulation.mesh;
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = x + 0.02 * Vec3(std::sin(3 * x.y()), x.x() * x.z(), std::cos(5 * x.x() + 4 * x.y()));
  }
  ContactLaw law;
  law.thickness = 0.3;
  law.stiffness = *scene.contacts[0].stiffness;
  const LocalRegion* sides[] = {&mesh.region("upper.surface"), &mesh.region("lower.surface")};
  const auto area_of_corners = [](const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).norm() / 2; };
  double area = 0, vertices = 0, energy = 0;
  using InOrder = decltype([](const Vec3& a, const Vec3& b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); });
  for (int side = 0; side < 2; ++side) {
    vertices += double(sides[side]->vertices.size());
    const std::vector<double> of_vertices = vertex_areas(mesh, *sides[side]);
    area += std::reduce(of_vertices.begin(), of_vertices.end());
    std::map<Vec3, std::map<Vec3, double, InOrder>, InOrder> places;  // areas by place and the side's normal
    for (int member : sides[side]->members) {
      const auto& corners = mesh.triangles[member];
      const double rest_area = area_of_corners(mesh.vertices[corners[0]], mesh.vertices[corners[1]], mesh.vertices[corners[2]]);
      const Vec3 normal = (mesh.vertices[corners[1]] - mesh.vertices[corners[0]]).cross(mesh.vertices[corners[2]] - mesh.vertices[corners[0]]).normalized();
      const Vec3 of_side(std::round(normal.x()), std::round(normal.y()), std::round(normal.z()));
      const auto place = [&](int i, int j) { return Vec3((state.q[corners[0]] * (n - i - j) + state.q[corners[1]] * i + state.q[corners[2]] * j) / n); };
      const auto add = [&](const Vec3& x) { places[x][of_side] += rest_area / (3.0 * n * n); };
      for (int i = 0; i < n; ++i)
        for (int j = 0; i + j < n; ++j) {
          for (const Vec3& x : {place(i, j), place(i + 1, j), place(i, j + 1)}) add(x);
          if (i + j + 1 < n)
            for (const Vec3& x : {place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)}) add(x);
        }
    }
    std::map<Vec3, double, InOrder> shares;
    for (const auto& [x, areas] : places) {
      std::vector<double> of_sides;
      for (const auto& [normal, of_side] : areas) of_sides.push_back(of_side);
      shares[x] = mean_of_sides(of_sides);
    }
    for (const int vertex : sides[side]->vertices) shares[state.q[vertex]] = of_vertices[static_cast<std::size_t>(vertex)] / (n * n);
    for (const auto& [x, share] : shares) {
      double distance = HUGE_VAL;
      for (int t : sides[1 - side]->members) {
        const auto& [a, b, c] = mesh.triangles[t];
        distance = std::min(distance, closest_on_triangle(x, state.q[a], state.q[b], state.q[c]).distance);
      }
      energy += 0.5 * share * law.energy(distance);
    }
  }
  energy /= area / vertices;
  EXPECT_GT(simulation.contacts[0]->summarize(state).active, 30);
  EXPECT_NEAR(simulation.contacts[0]->total_energy(PETSC_COMM_SELF, state), energy, 1e-3 * energy);
}

INSTANTIATE_TEST_SUITE_P(Subdivisions, EdgesAndFaces, testing::Values(1, 2, 4));

// Contact both ways is the sum of each body's vertices touching the other, each as stiff as its own material and areas require.
TEST(BothWays, AreTheSumOfEachWay) {
  Scene both = test::two_boxes_scene(true);
  both.bodies[0].solid["solid"].youngs_modulus = 4e5;
  both.contacts[0].stiffness.reset();
  Scene upper = both, lower = both;
  upper.contacts[0].both = lower.contacts[0].both = false;
  lower.contacts[0].vertices = {"lower", "surface"};
  lower.contacts[0].against = BodySurface{"upper", "surface"};
  std::vector<Field> forces;
  for (const Scene* scene : {&both, &upper, &lower}) {
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, *scene, test::two_boxes(0.02));
    forces.push_back(force_of(*simulation.contacts.at(0), disturbed(simulation, 1)));
  }
  Field rest = forces[0];
  rest.array() -= forces[1].array() + forces[2].array();
  const auto largest = [](const Field& field) { return maximum_over_ranks(PETSC_COMM_WORLD, field.array().cwiseAbs().maxCoeff()); };
  for (const Field& force : forces) EXPECT_GT(largest(force), 1);
  EXPECT_LT(largest(rest), 1e-12 * largest(forces[0]));
}

// The search is repeated before two bodies that approach, each by half of the distance, can meet unnoticed: forces equal those of a fresh search.
TEST(SearchForContact, FollowsTwoThatApproach) {
  for (const double way : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}) {
    Simulation near = build_simulation(PETSC_COMM_WORLD, test::two_boxes_scene(false), test::two_boxes(0.02));
    Simulation far = build_simulation(PETSC_COMM_WORLD, test::two_boxes_scene(false), test::two_boxes(0.02 + way));
    State met = far.loop->state();
    for (int i = 0; i < far.system->halo().local(); ++i) met.q[i].z() += (met.q[i].z() > 1 + 1e-9 ? -0.5 : 0.5) * way;
    ContactGroup& contact = *far.contacts.at(0);
    EXPECT_EQ(contact.summarize(far.loop->state()).active, 0);
    contact.begin_step(met);
    const auto expected = by_id(*near.mesh, force_of(*near.contacts.at(0), near.loop->state()));
    EXPECT_LT(difference(by_id(*far.mesh, force_of(contact, met)), expected), 1e-9) << way;
  }
}

// Two plates, each shared by several ranks: features near a rank's vertices may belong to any rank, beyond the end of its own.
TEST(Plates, ForcesDoNotDependOnThePartition) {
  Mesh plates = test::join(test::box_mesh("lower", Vec3::Zero(), Vec3(4, 1, 0.3), {12, 3, 1}),
                           test::box_mesh("upper", Vec3(0.1, 0.07, 0.32), Vec3(3.9, 0.93, 0.6), {13, 3, 1}));
  for (const char* body : {"lower", "upper"}) test::add_outward_region(plates, body);
  Simulation alone = build_simulation(PETSC_COMM_SELF, test::two_boxes_scene(true), plates);
  Simulation together = build_simulation(PETSC_COMM_WORLD, test::two_boxes_scene(true), plates);
  EXPECT_GT(together.contacts.at(0)->summarize(together.loop->state()).active, 50);
  const auto expected = by_id(*alone.mesh, force_of(*alone.contacts.at(0), alone.loop->state()));
  EXPECT_LT(difference(by_id(*together.mesh, force_of(*together.contacts.at(0), together.loop->state())), expected), 1e-12);
}

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
