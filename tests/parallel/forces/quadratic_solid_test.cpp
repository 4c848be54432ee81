// Ten-node tetrahedra with curved sides: against single elements on the undistributed mesh, and their derivatives, blocks, patch tests and masses.

#include "forces/quadratic_solid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "elements/materials/solid_materials.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/solid_settings.h"
#include "support/ten_nodes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;
using test::force_of;
using test::norm;

constexpr double kDamping = 0.02;  // [s]

Vec3 bent_place(const Vec3& x) { return x + Vec3(0.1 * x.y() * x.z(), 0.05 * std::sin(3 * x.x()), 0.08 * x.x() + 0.04 * x.z() * x.z()); }
Vec3 bent_velocity(const Vec3& x) { return {0.5 + 0.3 * x.z() * x.y(), 0.3 - 0.2 * x.x(), 0.4 * x.y()}; }

// A block of ten-node tetrahedra whose elements belong to two regions in turn. Vertices in the middle of edges are moved off their middle.
Mesh block_mesh(double deviation) {
  Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3});
  for (std::size_t m = 0; m < 2; ++m) {
    Region& region = mesh.regions.emplace_back(Region{m == 0 ? "block.first" : "block.second", 3, {}});
    for (std::size_t e = m; e < mesh.tetrahedra.size(); e += 2) region.members.push_back(static_cast<int>(e));
  }
  const std::size_t corners = mesh.vertices.size();
  mesh = test::ten_nodes(std::move(mesh));
  for (std::size_t v = corners; v < mesh.vertices.size(); ++v) {
    const double phase = 7 * static_cast<double>(v);
    mesh.vertices[v] += deviation * Vec3(std::sin(phase), std::sin(2 * phase), std::cos(3 * phase));
  }
  return mesh;
}

SolidMaterial law(const std::string& name) {
  for (const auto& choice : choices_of(SolidMaterial{}))
    if (choice.word == name) return choice.value;
  throw std::runtime_error("no such law");
}

class QuadraticSolidTest : public testing::TestWithParam<std::string> {
 protected:
  static Scene scene() {
    Scene scene;
    scene.file = "test";
    scene.time.steps = {{0, 1e-3, std::nullopt}};
    scene.time.end = 1e-3;
    scene.solver.tolerance = 1e-11;
    Body body;
    body.name = "block";
    body.damping.stiffness = kDamping;
    body.solid["first"] = test::solid_settings(law(GetParam()), 1e5, 0.49, 1000);
    body.solid["second"] = test::solid_settings(law("neo_hookean"), 2e5, 0.45, 2000);
    scene.bodies = {body};
    return scene;
  }
  static Simulation block(double deviation = 0.02, MPI_Comm communicator = PETSC_COMM_WORLD) {
    return build_simulation(communicator, scene(), block_mesh(deviation));
  }
  static State state_of(const Simulation& simulation, const std::function<Vec3(const Vec3&)>& position,
                        const std::function<Vec3(const Vec3&)>& rate = bent_velocity) {
    State state(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
      state.q[i] = position(x), state.v[i] = rate(x);
    }
    return state;
  }
  static State along(const Simulation& simulation) {
    const auto wave = [](double phase) {
      return [phase](const Vec3& x) { return Vec3(std::sin(7 * x.x() + x.y() + phase), x.z() * x.x() - phase, std::cos(5 * x.y() + phase * x.z())); };
    };
    return state_of(simulation, wave(0.3), wave(1.7));
  }
  // The elastic forces, or those of viscosity.
  static std::vector<Force*> forces(const Simulation& simulation, bool elastic) {
    std::vector<Force*> found;
    for (const auto& force : simulation.system->forces())
      if (elastic ? force->energy_name() == "elastic" : dynamic_cast<QuadraticViscosity*>(force.get()) != nullptr) found.push_back(force.get());
    return found;
  }
  static Field sum_of(const std::vector<Force*>& forces, const State& state) {
    Field sum(test::local_vertices(state));
    for (Force* force : forces) sum.array() += force_of(*force, state).array();
    return sum;
  }
};

TEST_P(QuadraticSolidTest, IsTheSumOfItsElements) {
  const Simulation simulation = block();
  const Mesh mesh = block_mesh(0.02);
  const State state = state_of(simulation, bent_place);
  std::vector<Vec3> elastic(mesh.vertices.size(), Vec3::Zero()), viscous = elastic;
  std::vector<double> masses(mesh.vertices.size(), 0.0);
  double energy = 0;
  for (std::size_t e = 0; e < mesh.quadratics.size(); ++e) {
    const auto& vertices = mesh.quadratics[e].vertices;
    const SolidMaterialSettings& settings = simulation.scene.bodies[0].solid.at(e % 2 == 0 ? "first" : "second");
    Corner10<double> rest, x, v;
    for (std::size_t a = 0; a < 10; ++a) rest[a] = mesh.vertices[vertices[a]], x[a] = bent_place(rest[a]), v[a] = bent_velocity(rest[a]);
    const auto element = QuadraticElementOf<double>::at_rest(rest);
    const auto volumes = lumped_volumes(rest);
    for (std::size_t a = 0; a < 10; ++a) masses[vertices[a]] += volumes[a] * settings.density;
    with_law(settings.material, [&]<template <typename> typename Material>() {
      const auto [material, form] = quadratic_material(Material<double>::from(settings));
      const auto f = elastic_forces<double>(element, material, form, x), g = viscous_forces<double>(element, material.law.linear_moduli(), x, v);
      for (std::size_t a = 0; a < 10; ++a) elastic[vertices[a]] += f[a], viscous[vertices[a]] += kDamping * g[a];
      energy += elastic_energy(element, material, form, x);
    });
  }
  double stored = 0;
  for (Force* force : forces(simulation, true)) stored += sum_over_ranks(PETSC_COMM_WORLD, force->energy(state));
  EXPECT_NEAR(stored, energy, 1e-12 * energy);
  const Halo& halo = simulation.system->halo();
  const Field sum = sum_of(forces(simulation, true), state), damping = sum_of(forces(simulation, false), state);
  const double elastic_size = norm(halo, sum), viscous_size = norm(halo, damping);
  EXPECT_GT(elastic_size, 100);
  EXPECT_GT(viscous_size, 10);
  for (int i = 0; i < halo.owned(); ++i) {
    const int vertex = simulation.mesh->vertex_ids[i];
    EXPECT_LT((sum[i] - elastic[vertex]).norm(), 1e-12 * elastic_size);
    EXPECT_LT((damping[i] - viscous[vertex]).norm(), 1e-12 * viscous_size);
    EXPECT_NEAR(simulation.system->mass()[i], masses[vertex], 1e-12 * masses[vertex]);
  }
}

TEST_P(QuadraticSolidTest, ProductsAreDerivativesAndBlocks) {
  const Simulation simulation = block();
  const Halo& halo = simulation.system->halo();
  const State state = state_of(simulation, bent_place), direction = along(simulation);
  for (const bool elastic : {true, false})
    for (Force* force : forces(simulation, elastic)) {
      EXPECT_LT(test::difference_from_central(*force, halo, state, direction, 1e-4), 1e-6);
      Field product = test::product_of(*force, state, direction);
      const double size = norm(halo, product);
      BlockMatrix blocks(simulation.system->pattern());
      for (const bool positions : {true, false}) {
        blocks.set_zero();
        force->assembly()->add_blocks({state, positions ? 1. : 0., positions ? 0. : 1.}, blocks);
        Field change(halo.local());
        for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, positions ? direction.q : direction.v, change);
        product.array() -= change.array();
      }
      EXPECT_LT(norm(halo, product), 1e-12 * size);
    }
}

// The patch test: an affine motion is in equilibrium inside where sides are straight. Curved ones leave the error of the quadrature, of second order in the
// distance of vertices from the middle of edges. Both regions have one law here.
TEST_P(QuadraticSolidTest, AffineMotionsAreInEquilibrium) {
  Scene uniform = scene();
  uniform.bodies[0].solid["second"] = uniform.bodies[0].solid["first"];
  Mat3 F;
  F << 1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.15, 0.1, 1.2;
  const auto force_inside = [&](double deviation) {  // relative to all forces
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, uniform, block_mesh(deviation));
    const Field force = sum_of(forces(simulation, true), state_of(simulation, [&](const Vec3& x) { return Vec3(F * x); }));
    const Mesh whole = block_mesh(deviation);
    std::vector<char> is_outside(whole.vertices.size(), 0);
    for (const int t : whole.find_region("block.surface")->members)
      for (const int vertex : whole.triangles[t]) is_outside[vertex] = 1;
    double inside = 0;
    for (int i = 0; i < simulation.system->halo().owned(); ++i)
      if (is_outside[simulation.mesh->vertex_ids[i]] == 0) inside += force[i].squaredNorm();
    return std::sqrt(sum_over_ranks(PETSC_COMM_WORLD, inside)) / norm(simulation.system->halo(), force);
  };
  EXPECT_LT(force_inside(0), 1e-13);
  EXPECT_LT(force_inside(0.01), 1e-3);
  EXPECT_NEAR(force_inside(0.01) / force_inside(0.005), 4, 0.2);
}

TEST_P(QuadraticSolidTest, AgreesWithOneRank) {
  const Simulation shared = block(), alone = block(0.02, PETSC_COMM_SELF);
  const auto product = [](const Simulation& simulation) {
    Field change(simulation.system->halo().local());
    const State state = state_of(simulation, bent_place);
    simulation.system->linearize(state);
    simulation.system->product(state, along(simulation), change);
    return by_id(*simulation.mesh, change);
  };
  EXPECT_LT(difference(product(shared), product(alone)), 1e-12);
  for (const Simulation* simulation : {&shared, &alone})
    for (int step = 0; step < 3; ++step) simulation->loop->advance();
  EXPECT_LT(difference(by_id(*shared.mesh, shared.loop->state().q), by_id(*alone.mesh, alone.loop->state().q)), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Laws, QuadraticSolidTest, testing::Values("neo_hookean", "mooney_rivlin", "linear_elastic"),
                         [](const auto& info) { return info.param; });

// With a quadratic displacement linear elasticity has the body force -div sigma, which is uniform: forces inside are the integrals of shape functions with it,
// -V/20 of each tetrahedron at its corners and V/5 at the middle of its edges.
TEST(QuadraticSolidPatch, QuadraticDisplacementsAreExact) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  Body body;
  body.name = "block";
  body.solid["solid"] = test::solid_settings(law("linear_elastic"), 1e5, 0.4, 1000);
  scene.bodies = {body};
  const Mesh whole = block_mesh(0);
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, whole);
  State state(simulation.system->halo().local());
  for (int i = 0; i < simulation.system->halo().local(); ++i) {
    const Vec3 x = simulation.mesh->vertices[i];
    state.q[i] = x + 0.01 * Vec3(x.x() * x.x() + 2 * x.y() * x.z(), x.x() * x.y() - x.z() * x.z(), 3 * x.y() * x.y() + x.x() * x.z());
  }
  // u = 0.01 (x^2 + 2 y z, x y - z^2, 3 y^2 + x z): tr = 0.01 (2 x + x + x), laplacian = 0.01 (2, -2, 6).
  const auto [lambda, mu] = LameParameters<double>::from_engineering(1e5, 0.4);
  const Vec3 divergence = 0.01 * (mu * Vec3(2, -2, 6) + (lambda + mu) * Vec3(4, 0, 0));
  std::vector<double> shares(whole.vertices.size(), 0.0);
  for (const QuadraticTetrahedron& quadratic : whole.quadratics) {
    const auto& v = quadratic.vertices;
    const Vec3& a = whole.vertices[v[0]];
    const double volume = (whole.vertices[v[1]] - a).cross(whole.vertices[v[2]] - a).dot(whole.vertices[v[3]] - a) / 6;
    for (std::size_t k = 0; k < 10; ++k) shares[v[k]] += k < 4 ? -volume / 20 : volume / 5;
  }
  std::vector<char> is_outside(whole.vertices.size(), 0);
  for (const int t : whole.find_region("block.surface")->members)
    for (const int vertex : whole.triangles[t]) is_outside[vertex] = 1;
  Field force(simulation.system->halo().local());
  simulation.system->force(state, force);
  int inside = 0;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    const int vertex = simulation.mesh->vertex_ids[i];
    if (is_outside[vertex] != 0) continue;
    ++inside;
    EXPECT_LT((force[i] - shares[vertex] * divergence).norm(), 1e-11 * divergence.norm());
  }
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, inside), 5 * 5 * 5);  // 7^3 vertices in all
}

}  // namespace
}  // namespace traction
