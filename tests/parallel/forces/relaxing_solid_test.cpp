// Viscoelastic rubber: closed forms of relaxation, derivatives, balance, and what is remembered on any number of ranks.

#include <gtest/gtest.h>

#include <cmath>

#include "forces/elastic_solid.h"
#include "forces/relaxing_solid.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/force_checks.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kBranchRatio = 0.8, kBranchTime = 0.02;

class RelaxingSolidTest : public testing::Test {
 protected:
  static Scene scene(std::vector<PronySettings> prony) {
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
  static Simulation block(std::vector<PronySettings> prony = {{
                              kBranchRatio,
                              kBranchTime,
                          }},
                          MPI_Comm communicator = PETSC_COMM_WORLD) {
    return build_simulation(communicator, scene(std::move(prony)), test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3}));
  }
  template <typename T>
  static T& find(const Simulation& simulation) {
    for (const auto& force : simulation.system->forces())
      if (auto* found = dynamic_cast<T*>(force.get())) return *found;
    throw std::runtime_error("the scene has no such force");
  }
  static RelaxingSolid<MooneyRivlin>& relaxing(const Simulation& simulation) { return find<RelaxingSolid<MooneyRivlin>>(simulation); }

  // A state at a time [s], deformed by a factor times a field that is not homogeneous.
  static State deformed(const Simulation& simulation, double time, double factor = 1) {
    State state(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
      state.q[i] = x + factor * Vec3(0.2 * x.y() * x.z(), 0.1 * std::sin(3 * x.x()), 0.15 * x.x() - 0.1 * x.z() * x.y());
    }
    state.time = time;
    return state;
  }
  // What the branches would bear if nothing relaxed: the ratio times the elastic force at the bulk modulus 0.
  static Field unrelaxed(const Simulation& simulation, const State& state) {
    Field force(simulation.system->halo().local());
    for (const auto& t : simulation.mesh->tetrahedra) {
      const std::vector<Vec3>& rest = simulation.mesh->vertices;
      const SolidElement element(t, {rest[t[0]], rest[t[1]], rest[t[2]], rest[t[3]]});
      const auto f = elastic_forces<double>(element, MooneyRivlin<double>{2e4, 1e4, 0}, gather(element.vertices, state.q));
      for (std::size_t a = 0; a < 4; ++a) force[element.vertices[a]] += kBranchRatio * f[a];
    }
    return force;
  }
  static void expect_multiple(const Simulation& simulation, const Field& force, double factor, const Field& whole) {
    Field expected = whole;
    expected.array() *= factor;
    EXPECT_LT(difference(by_id(*simulation.mesh, force), by_id(*simulation.mesh, expected)), 1e-12) << factor;
  }
};

// Deformed at once and held: e^(-t/tau) of the stress is left, whatever the steps.
TEST_F(RelaxingSolidTest, HeldAfterASuddenDeformation) {
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
TEST_F(RelaxingSolidTest, OneStepOfAnEvenChange) {
  const Simulation simulation = block();
  for (const double time : {1e-7, 1e-4, 5e-3, 1.0}) {
    const State state = deformed(simulation, time);
    expect_multiple(simulation, test::force_of(relaxing(simulation), state), -std::expm1(-time / kBranchTime) * kBranchTime / time,
                    unrelaxed(simulation, state));
  }
}

TEST_F(RelaxingSolidTest, NothingIsLeftWhereAStateHasLasted) {
  const Simulation simulation = block();
  const State state = deformed(simulation, 0);
  simulation.system->commit(state);
  const double before = test::norm(simulation.system->halo(), test::force_of(relaxing(simulation), state));
  simulation.system->relax(state);
  EXPECT_LT(test::norm(simulation.system->halo(), test::force_of(relaxing(simulation), state)), 1e-14 * before);
}

// A series of branches is the sum of its branches.
TEST_F(RelaxingSolidTest, BranchesAddUp) {
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

TEST_F(RelaxingSolidTest, ProductsAndBlocksAreDerivativesAndForcesBalance) {
  const Simulation simulation = block({{0.8, 0.02}, {0.3, 1e-3}});
  const Halo& halo = simulation.system->halo();
  simulation.system->commit(deformed(simulation, 0.01, -0.5));
  const State state = deformed(simulation, 0.013);
  State direction(halo.local());
  for (int i = 0; i < halo.local(); ++i) {
    const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
    direction.q[i] = Vec3(std::sin(7 * x.x() + x.y()), x.z() * x.x(), std::cos(5 * x.y()));
  }
  RelaxingSolid<MooneyRivlin>& force = relaxing(simulation);
  EXPECT_LT(test::difference_from_central(force, halo, state, direction, 1e-4), 1e-7);
  EXPECT_LT(test::difference_from_blocks(force, *simulation.system, state, direction), 1e-12);
  EXPECT_LT(test::imbalance(halo, state, test::force_of(force, state)), 1e-13);
}

// What several ranks remember is what one does, and another simulation continues with it.
TEST_F(RelaxingSolidTest, IsRememberedByElement) {
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

// Two laws with different numbers of branches beside a region that does not relax: each is what it is in a body by itself, and is remembered.
TEST_F(RelaxingSolidTest, RegionsOfSeveralLawsShareTheField) {
  const auto mixed = [](MPI_Comm communicator) {
    Scene scene = RelaxingSolidTest::scene({{kBranchRatio, kBranchTime}});
    Body& body = scene.bodies[0];
    const SolidMaterialSettings rubber = body.solid.at("solid");
    SolidMaterialSettings other = rubber, still = rubber;
    for (const auto& choice : choices_of(SolidMaterial{}))
      if (choice.word == "yeoh") other.material = choice.value;
    other.c20 = -1e2, other.c30 = 10, other.prony = {{0.2, 1e-3}, {0.4, 0.1}, {0.1, 5}};
    still.prony.clear();
    body.solid = {{"rubber", rubber}, {"other", other}, {"still", still}};
    Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3});
    int number = 0;
    for (const char* name : {"rubber", "other", "still"}) {
      Region& region = mesh.regions.emplace_back(Region{std::string("block.") + name, 3, {}});
      for (std::size_t e = static_cast<std::size_t>(number); e < mesh.tetrahedra.size(); e += 3) region.members.push_back(static_cast<int>(e));
      ++number;
    }
    return build_simulation(communicator, scene, std::move(mesh));
  };
  const auto forces = [](const Simulation& simulation) {
    const State state = deformed(simulation, 0.015);
    Field sum(simulation.system->halo().local());
    int count = 0;
    for (const auto& force : simulation.system->forces())
      if (force->work_name() == "relaxation") sum.array() += test::force_of(*force, state).array(), ++count;
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
  std::vector<Vec3> expected(shared.mesh->vertices.size(), Vec3::Zero());
  for (const auto& [name, law] : shared.scene.bodies[0].solid)
    for (const int e : shared.mesh->region("block." + name).members) {
      const std::array<int, 4>& t = shared.mesh->tetrahedra[static_cast<std::size_t>(e)];
      const std::vector<Vec3>& rest = shared.mesh->vertices;
      const SolidElement element(t, {rest[t[0]], rest[t[1]], rest[t[2]], rest[t[3]]});
      const auto F_at = [&](double time, double factor) { return deformation_gradient(element, gather(element.vertices, deformed(shared, time, factor).q)); };
      const auto S_at = [&, &soft = law, is_other = name == "other"](double time, double factor) -> Mat3 {
        const Mat3 F = F_at(time, factor);
        return is_other ? second_piola_stress<double>(Yeoh<double>{*soft.c10, *soft.c20, *soft.c30, 0}, F)
                        : second_piola_stress<double>(MooneyRivlin<double>{*soft.c10, *soft.c01, 0}, F);
      };
      const std::array<std::pair<double, Mat3>, 4> path = {{{0, Mat3::Zero()}, {0.004, S_at(0.004, 0.3)}, {0.01, S_at(0.01, -0.2)}, {0.015, S_at(0.015, 1)}}};
      Mat3 stress = Mat3::Zero();
      for (const PronySettings& branch : law.prony) {
        Mat3 Q = Mat3::Zero();
        for (std::size_t k = 1; k < path.size(); ++k) {
          const double ratio = (path[k].first - path[k - 1].first) / branch.time;
          Q = std::exp(-ratio) * Q + branch.ratio * -std::expm1(-ratio) / ratio * (path[k].second - path[k - 1].second);
        }
        stress += Q;
      }
      const auto f = forces_of_stress(element, Mat3(F_at(0.015, 1) * stress));
      for (std::size_t a = 0; a < 4; ++a) expected[static_cast<std::size_t>(element.vertices[a])] += f[a];
    }
  Field sum(shared.system->halo().local());
  for (int i = 0; i < shared.system->halo().local(); ++i) sum[i] = expected[static_cast<std::size_t>(i)];
  EXPECT_LT(difference(forces(shared), by_id(*shared.mesh, sum)), 1e-12);
}

}  // namespace
}  // namespace traction
