// Viscoelastic rubber of four-node and ten-node tetrahedra: closed forms of relaxation, derivatives, balance, and what is remembered on any number of ranks.

#include "forces/relaxing_solid.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/force_checks.h"
#include "support/ten_nodes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kBranchRatio = 0.8, kBranchTime = 0.02;

Scene rubber_scene(std::vector<PronySettings> prony) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  Body body;
  body.name = "block";
  SolidMaterialSettings& rubber = body.solid["solid"];
  rubber.density = 1000;
  for (const auto& choice : choices_of(SolidMaterial{}))
    if (choice.word == "mooney_rivlin") rubber.material = choice.value;
  rubber.c10 = 2e4, rubber.c01 = 1e4, rubber.bulk_modulus = 1e6;
  rubber.prony = std::move(prony);
  scene.bodies = {body};
  return scene;
}

// Makes ten-node tetrahedra with curved sides if they are to have ten nodes.
Mesh with_nodes(int nodes, Mesh mesh) {
  if (nodes == 4) return mesh;
  const std::size_t corners = mesh.vertices.size();
  mesh = test::ten_nodes(std::move(mesh));
  for (std::size_t v = corners; v < mesh.vertices.size(); ++v) {
    const double phase = 7 * static_cast<double>(v);
    mesh.vertices[v] += 0.02 * Vec3(std::sin(phase), std::sin(2 * phase), std::cos(3 * phase));
  }
  return mesh;
}

Mesh block_mesh(const std::string& body = "block") { return test::box_mesh(body, Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3}); }

// A state at a time [s], deformed by a factor times a field that is not homogeneous.
State deformed(const Simulation& simulation, double time, double factor = 1) {
  State state(simulation.system->halo().local());
  for (int i = 0; i < simulation.system->halo().local(); ++i) {
    const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
    state.q[i] = x + factor * Vec3(0.2 * x.y() * x.z(), 0.1 * std::sin(3 * x.x()), 0.15 * x.x() - 0.1 * x.z() * x.y());
  }
  state.time = time;
  return state;
}

template <std::size_t N>
std::array<Vec3, N> at_vertices(const std::array<int, N>& vertices, const Field& field) {
  std::array<Vec3, N> values;
  for (std::size_t a = 0; a < N; ++a) values[a] = field[vertices[a]];
  return values;
}

// Calls action(element, its vertices, a tetrahedron of its material) for each element of this rank.
template <typename Action>
void visit_elements(const Simulation& simulation, Action action) {
  const DistributedMesh& mesh = *simulation.mesh;
  const std::vector<Vec3>& rest = mesh.vertices;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const std::array<int, 4>& t = mesh.tetrahedra[e];
    const SolidElement element(t, {rest[t[0]], rest[t[1]], rest[t[2]], rest[t[3]]});
    if (!mesh.is_part(static_cast<int>(e))) action(element, element.vertices, static_cast<int>(e));
  }
  for (const LocalQuadratic& quadratic : mesh.quadratics) {
    Corner10<double> places;
    for (std::size_t a = 0; a < 10; ++a) places[a] = rest[quadratic.vertices[a]];
    action(QuadraticElementOf<double>::at_rest(places), quadratic.vertices, quadratic.part);
  }
}

// The sum of the forces of stress that relaxes at a state, and their number.
std::pair<Field, int> relaxing_forces(const Simulation& simulation, const State& state) {
  Field sum(simulation.system->halo().local());
  int count = 0;
  for (const auto& force : simulation.system->forces())
    if (force->work_name() == "relaxation") sum.array() += test::force_of(*force, state).array(), ++count;
  return {sum, count};
}

// What the branches would bear if nothing relaxed: the ratio times the elastic force at the bulk modulus 0.
Field unrelaxed(const Simulation& simulation, const State& state) {
  Field force(simulation.system->halo().local());
  visit_elements(simulation, [&](const auto& element, const auto& vertices, int) {
    auto stresses = deformation_gradients(element, at_vertices(vertices, state.q));
    for (Mat3& tensor : stresses) tensor = kBranchRatio * first_piola_stress<double>(MooneyRivlin<double>{2e4, 1e4, 0}, tensor);
    const auto f = forces_of_stresses(element, stresses);
    for (std::size_t a = 0; a < f.size(); ++a) force[vertices[a]] += f[a];
  });
  return force;
}

void expect_multiple(const Simulation& simulation, const Field& force, double factor, const Field& whole) {
  Field expected = whole;
  expected.array() *= factor;
  const double rounding = 2e-16 / factor;  // rounding errors belong to the whole stress, of which a part is left
  EXPECT_LT(difference(by_id(*simulation.mesh, force), by_id(*simulation.mesh, expected)), 1e-12 + rounding) << factor;
}

// The parameter is the number of nodes of the tetrahedra.
class RelaxingSolidTest : public testing::TestWithParam<int> {
 protected:
  static Simulation block(std::vector<PronySettings> prony = {{
                              kBranchRatio,
                              kBranchTime,
                          }},
                          MPI_Comm communicator = PETSC_COMM_WORLD) {
    return build_simulation(communicator, rubber_scene(std::move(prony)), with_nodes(GetParam(), block_mesh()));
  }
  static Force& relaxing(const Simulation& simulation) {
    for (const auto& force : simulation.system->forces())
      if (force->work_name() == "relaxation") return *force;
    throw std::runtime_error("nothing relaxes in the scene");
  }
};

INSTANTIATE_TEST_SUITE_P(Nodes, RelaxingSolidTest, testing::Values(4, 10), [](const auto& info) { return std::to_string(info.param); });

// Deformed at once and held: e^(-t/tau) of the stress is left, whatever the steps.
TEST_P(RelaxingSolidTest, HeldAfterASuddenDeformation) {
  const Simulation simulation = block();
  State state = deformed(simulation, 0);
  const Field whole = unrelaxed(simulation, state);
  expect_multiple(simulation, test::force_of(relaxing(simulation), state), 1, whole);
  for (const double time : {0.0, 1e-6, 0.003, 0.01, 0.05, 0.2}) {
    state.time = time;
    expect_multiple(simulation, test::force_of(relaxing(simulation), state), std::exp(-time / kBranchTime), whole);
    simulation.system->commit(state);
  }
}

// Where stress comes evenly, (1 - e^(-t/tau)) tau / t of it is left, exactly.
TEST_P(RelaxingSolidTest, OneStepOfAnEvenChange) {
  const Simulation simulation = block();
  for (const double time : {1e-7, 1e-4, 5e-3, 1.0}) {
    const State state = deformed(simulation, time);
    expect_multiple(simulation, test::force_of(relaxing(simulation), state), -std::expm1(-time / kBranchTime) * kBranchTime / time,
                    unrelaxed(simulation, state));
  }
}

TEST_P(RelaxingSolidTest, NothingIsLeftWhereAStateHasLasted) {
  const Simulation simulation = block();
  const State state = deformed(simulation, 0);
  simulation.system->commit(state);
  const double before = test::norm(simulation.system->halo(), test::force_of(relaxing(simulation), state));
  simulation.system->relax(state);
  EXPECT_LT(test::norm(simulation.system->halo(), test::force_of(relaxing(simulation), state)), 1e-14 * before);
}

// A series of branches is the sum of its branches.
TEST_P(RelaxingSolidTest, BranchesAddUp) {
  const std::vector<PronySettings> series = {{0.8, 0.02}, {0.3, 1e-3}, {0.1, 5}};
  const auto force_after = [](std::vector<PronySettings> prony) {
    const Simulation simulation = block(std::move(prony));
    simulation.system->commit(deformed(simulation, 0.004, 0.3));
    simulation.system->commit(deformed(simulation, 0.01, -0.2));
    return by_id(*simulation.mesh, test::force_of(relaxing(simulation), deformed(simulation, 0.012)));
  };
  auto sum = force_after({series[0]});
  for (const auto& branch : {series[1], series[2]})
    for (auto& [id, force] : force_after({branch})) sum[id] += force;
  EXPECT_LT(difference(force_after(series), sum), 1e-12);
}

TEST_P(RelaxingSolidTest, ProductsAndBlocksAreDerivativesAndForcesBalance) {
  const Simulation simulation = block({{0.8, 0.02}, {0.3, 1e-3}});
  const Halo& halo = simulation.system->halo();
  simulation.system->commit(deformed(simulation, 0.01, -0.5));
  const State state = deformed(simulation, 0.013);
  State direction(halo.local());
  for (int i = 0; i < halo.local(); ++i) {
    const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
    direction.q[i] = Vec3(std::sin(7 * x.x() + x.y()), x.z() * x.x(), std::cos(5 * x.y()));
  }
  Force& force = relaxing(simulation);
  EXPECT_LT(test::difference_from_central(force, halo, state, direction, 1e-4), 1e-7);
  EXPECT_LT(test::difference_from_blocks(force, *simulation.system, state, direction), 1e-12);
  EXPECT_LT(test::imbalance(halo, state, test::force_of(force, state)), 1e-13);
}

// What several ranks remember is what one does, and another simulation continues with it.
TEST_P(RelaxingSolidTest, IsRememberedByElement) {
  const Simulation shared = block(), alone = block({{kBranchRatio, kBranchTime}}, PETSC_COMM_SELF), other = block();
  for (const Simulation* simulation : {&shared, &alone}) {
    simulation->system->commit(deformed(*simulation, 0.004, 0.3));
    simulation->system->commit(deformed(*simulation, 0.01, -0.2));
  }
  const State later = deformed(shared, 0.015);
  const auto expected = by_id(*alone.mesh, test::force_of(relaxing(alone), deformed(alone, 0.015)));
  const auto force = by_id(*shared.mesh, test::force_of(relaxing(shared), later));
  double apart = 0, size = 0;
  for (const auto& [id, value] : force) {
    apart = std::max(apart, (value - expected.at(id)).norm());
    size = std::max(size, value.norm());
  }
  EXPECT_LT(apart, 1e-12 * size);
  other.system->recall(shared.system->remembered());
  EXPECT_LT(difference(by_id(*other.mesh, test::force_of(relaxing(other), later)), force), 1e-14);
}

// A rotation after what was committed turns the forces with it: stresses in branches turn with the body.
TEST_P(RelaxingSolidTest, TurnsWithTheBody) {
  const Simulation simulation = block({{0.8, 0.02}, {0.3, 1e-3}});
  simulation.system->commit(deformed(simulation, 0.004, 0.3));
  simulation.system->commit(deformed(simulation, 0.01, -0.2));
  const State state = deformed(simulation, 0.015);
  const Mat3 rotation = Eigen::AngleAxisd(2.2, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  State turned = state;
  Field expected = test::force_of(relaxing(simulation), state);
  for (int i = 0; i < simulation.system->halo().local(); ++i) {
    turned.q[i] = rotation * Vec3(state.q[i]) + Vec3(0.3, 2, -1);
    expected[i] = rotation * Vec3(expected[i]);
  }
  EXPECT_LT(difference(by_id(*simulation.mesh, test::force_of(relaxing(simulation), turned)), by_id(*simulation.mesh, expected)), 1e-12);
}

// Two laws with different numbers of branches beside a region that does not relax: each is what it is in a body by itself, and is remembered.
TEST_P(RelaxingSolidTest, RegionsOfSeveralLawsShareTheField) {
  const auto mixed = [](MPI_Comm communicator) {
    Scene scene = rubber_scene({{kBranchRatio, kBranchTime}});
    Body& body = scene.bodies[0];
    const SolidMaterialSettings rubber = body.solid.at("solid");
    SolidMaterialSettings other = rubber, still = rubber;
    for (const auto& choice : choices_of(SolidMaterial{}))
      if (choice.word == "yeoh") other.material = choice.value;
    other.c20 = -1e2, other.c30 = 10, other.prony = {{0.2, 1e-3}, {0.4, 0.1}, {0.1, 5}};
    still.prony.clear();
    body.solid = {{"rubber", rubber}, {"other", other}, {"still", still}};
    Mesh mesh = block_mesh();
    int number = 0;
    for (const char* name : {"rubber", "other", "still"}) {
      Region& region = mesh.regions.emplace_back(Region{std::string("block.") + name, 3, {}});
      for (std::size_t e = static_cast<std::size_t>(number); e < mesh.tetrahedra.size(); e += 3) region.members.push_back(static_cast<int>(e));
      ++number;
    }
    return build_simulation(communicator, scene, with_nodes(GetParam(), std::move(mesh)));
  };
  const auto forces = [](const Simulation& simulation) {
    const auto [sum, count] = relaxing_forces(simulation, deformed(simulation, 0.015));
    EXPECT_EQ(count, 2);
    return by_id(*simulation.mesh, sum);
  };
  const Simulation shared = mixed(PETSC_COMM_WORLD), alone = mixed(PETSC_COMM_SELF), other = mixed(PETSC_COMM_WORLD);
  for (const Simulation* simulation : {&shared, &alone}) {
    simulation->system->commit(deformed(*simulation, 0.004, 0.3));
    simulation->system->commit(deformed(*simulation, 0.01, -0.2));
  }
  EXPECT_LT(difference(forces(shared), forces(alone)), 1e-12);
  other.system->recall(shared.system->remembered());
  EXPECT_LT(difference(forces(other), forces(shared)), 1e-14);
  // The same by single elements and a branch at a time.
  std::map<int, std::string> region_of;  // the names of the tetrahedra's regions
  for (const auto& [name, law] : shared.scene.bodies[0].solid)
    for (const int e : shared.mesh->region("block." + name).members) region_of[e] = name;
  Field sum(shared.system->halo().local());
  visit_elements(shared, [&](const auto& element, const auto& vertices, int tetrahedron) {
    const std::string& name = region_of.at(tetrahedron);
    const SolidMaterialSettings& law = shared.scene.bodies[0].solid.at(name);
    const auto F_at = [&](double factor, std::size_t q) -> Mat3 {
      return deformation_gradients(element, at_vertices(vertices, deformed(shared, 0, factor).q))[q];
    };
    const auto S_at = [&](double factor, std::size_t q) -> Mat3 {
      return name == "other" ? second_piola_stress<double>(Yeoh<double>{*law.c10, *law.c20, *law.c30, 0}, F_at(factor, q))
                             : second_piola_stress<double>(MooneyRivlin<double>{*law.c10, *law.c01, 0}, F_at(factor, q));
    };
    auto stresses = deformation_gradients(element, at_vertices(vertices, deformed(shared, 0).q));
    for (std::size_t q = 0; q < stresses.size(); ++q) {
      const std::array<std::pair<double, Mat3>, 4> path = {{{0, Mat3::Zero()}, {0.004, S_at(0.3, q)}, {0.01, S_at(-0.2, q)}, {0.015, S_at(1, q)}}};
      Mat3 stress = Mat3::Zero();
      for (const PronySettings& branch : law.prony) {
        Mat3 Q = Mat3::Zero();
        for (std::size_t k = 1; k < path.size(); ++k) {
          const double ratio = (path[k].first - path[k - 1].first) / branch.time;
          Q = std::exp(-ratio) * Q + branch.ratio * -std::expm1(-ratio) / ratio * (path[k].second - path[k - 1].second);
        }
        stress += Q;
      }
      stresses[q] = stresses[q] * stress;
    }
    const auto f = forces_of_stresses(element, stresses);
    for (std::size_t a = 0; a < f.size(); ++a) sum[vertices[a]] += f[a];
  });
  EXPECT_LT(difference(forces(shared), by_id(*shared.mesh, sum)), 1e-12);
}

// A body of four-node tetrahedra and one of ten-node ones relax side by side, and both are remembered.
TEST(RelaxingSolids, OfBothKindsInOneScene) {
  const auto build = [](MPI_Comm communicator) {
    Scene scene = rubber_scene({{kBranchRatio, kBranchTime}});
    Body& other = scene.bodies.emplace_back(scene.bodies[0]);
    other.name = "other";
    other.solid.at("solid").prony = {{0.2, 1e-3}, {0.4, 0.1}};
    const std::array<Mesh, 2> meshes = {with_nodes(4, block_mesh()), with_nodes(10, block_mesh("other"))};
    return build_simulation(communicator, scene, test::join(meshes[0], meshes[1]));
  };
  const Simulation shared = build(PETSC_COMM_WORLD), alone = build(PETSC_COMM_SELF), other = build(PETSC_COMM_WORLD);
  for (const Simulation* simulation : {&shared, &alone}) {
    simulation->system->commit(deformed(*simulation, 0.004, 0.3));
    simulation->system->commit(deformed(*simulation, 0.01, -0.2));
  }
  const auto forces = [](const Simulation& simulation) {
    const auto [sum, count] = relaxing_forces(simulation, deformed(simulation, 0.015));
    EXPECT_EQ(count, 2);
    return by_id(*simulation.mesh, sum);
  };
  EXPECT_LT(difference(forces(shared), forces(alone)), 1e-12);
  other.system->recall(shared.system->remembered());
  EXPECT_LT(difference(forces(other), forces(shared)), 1e-14);
}

}  // namespace
}  // namespace traction
