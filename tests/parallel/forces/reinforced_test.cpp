// Fibres, sheets of rubber and cloth, cords, limits of strain, and softening in scenes: products, blocks, balance and memory on any number of ranks.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "elements/fibres.h"
#include "elements/sheets.h"
#include "elements/strain_limit.h"
#include "forces/elastic_solid.h"
#include "forces/quadratic_solid.h"
#include "forces/softening_solid.h"
#include "forces/stencil_force.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/force_checks.h"
#include "support/shell_meshes.h"
#include "support/ten_nodes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

class ReinforcedBodies : public testing::Test {
 protected:
  static Scene scene_of(Body body) {
    Scene scene;
    scene.file = "test";
    scene.time.steps = {{0, 1e-3, std::nullopt}};
    scene.time.end = 1e-3;
    scene.bodies = {std::move(body)};
    return scene;
  }
  static FibreSettings fibres_about_z(double angle, double dispersion) {
    FibreSettings family;
    family.axis = Vec3::UnitZ();
    family.through = Vec3(-1, 0.3, 0);
    family.angle = angle;
    family.stiffness = 4e4, family.exponent = 1.5, family.dispersion = dispersion;
    return family;
  }
  static Body solid(std::vector<FibreSettings> fibres) {
    Body body;
    body.name = "block";
    body.solid["solid"] = {6e4, 0.4, 1000};
    body.solid["solid"].fibres = std::move(fibres);
    return body;
  }
  static Mesh block() { return test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3}); }
  static SolidMaterialSettings softening_rubber() {
    SolidMaterialSettings rubber;
    rubber.density = 1000;
    for (const auto& choice : choices_of(SolidMaterial{}))
      if (choice.word == "yeoh") rubber.material = choice.value;
    rubber.c10 = 3e4, rubber.c20 = -1e2, rubber.c30 = 10, rubber.bulk_modulus = 1e6;
    rubber.mullins = SofteningSettings{1.5, 500, 0.2};
    return rubber;
  }
  static Body softening_block() {
    Body body;
    body.name = "block";
    body.solid["solid"] = softening_rubber();
    return body;
  }
  static Body sheet_of(ShellMaterial law) {
    Body body;
    body.name = "sheet";
    ShellMaterialSettings& skin = body.shell["skin"];
    skin = test::shell_material(900, 0.5, 1, 0, 0);
    skin.material = law;
    skin.c10 = 120, skin.c01 = 30, skin.c20 = -2, skin.c30 = 0.3, skin.shear_modulus = 80, skin.locking_stretch = 3;
    skin.shear_moduli = {300, 1, -5}, skin.exponents = {1.3, 5, -2};
    skin.poisson_ratio = law == ShellMaterial::orthotropic ? 0.3 : 0.5;
    skin.weft_modulus = 400;
    skin.warp.emplace().everywhere = Vec3(1, 0.4, 0.2).normalized();
    return body;
  }
  static CordSettings cords(double angle, bool compression) {
    CordSettings layer;
    layer.axis = Vec3(0.2, 1, 0).normalized();
    layer.through = Vec3(0, 0, -3);
    layer.angle = angle;
    layer.youngs_modulus = 1e9, layer.area = 1e-7, layer.spacing = 0.1, layer.compression = compression;
    return layer;
  }
  static Mesh sheet() { return test::shell_mesh("sheet", test::irregular_sheet(5, 0.2)); }

  // A deformation without symmetry that stretches, in space.
  static State deformed(const Simulation& simulation, double factor = 1) {
    State state(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
      state.q[i] = x + factor * Vec3(0.2 * x.x() + 0.2 * x.y() * x.z(), 0.1 * std::sin(3 * x.x()) + 0.1 * x.y(), 0.15 * x.x() - 0.1 * x.z() * x.y());
    }
    return state;
  }
  static State direction_of(const Simulation& simulation) {
    State direction(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i) {
      const Vec3 x = simulation.mesh->vertices[static_cast<std::size_t>(i)];
      direction.q[i] = Vec3(std::sin(7 * x.x() + x.y()), x.z() * x.x(), std::cos(5 * x.y()));
    }
    return direction;
  }
  template <typename Kind>
  static Kind& find(const Simulation& simulation) {
    for (const auto& force : simulation.system->forces())
      if (auto* found = dynamic_cast<Kind*>(force.get())) return *found;
    throw std::runtime_error("the scene has no such force");
  }

  // Differences, blocks, balance of forces and moments, turned bodies, and the same as on one rank.
  template <typename Kind>
  static void expect_force(const Scene& scene, const Mesh& mesh) {
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    const Halo& halo = simulation.system->halo();
    Kind& force = find<Kind>(simulation);
    const State state = deformed(simulation), direction = direction_of(simulation);
    EXPECT_LT(test::difference_from_central(force, halo, state, direction, 1e-4), 1e-6);
    EXPECT_LT(test::difference_from_blocks(force, *simulation.system, state, direction), 1e-12);

    const Field f = test::force_of(force, state);
    EXPECT_LT(test::imbalance(halo, state, f), 1e-12);  // fails where all forces are zero

    const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    State turned = state;
    Field expected(halo.local());
    for (int i = 0; i < halo.local(); ++i) turned.q[i] = R * state.q[i], expected[i] = R * f[i];
    EXPECT_LT(difference(by_id(*simulation.mesh, test::force_of(force, turned)), by_id(*simulation.mesh, expected)), 1e-11);

    const Simulation alone = build_simulation(PETSC_COMM_SELF, scene, mesh);
    const auto reference = by_id(*alone.mesh, test::force_of(find<Kind>(alone), deformed(alone)));
    double apart = 0, largest = 0;
    for (const auto& [id, value] : by_id(*simulation.mesh, f)) {
      apart = std::max(apart, (value - reference.at(id)).norm());
      largest = std::max(largest, value.norm());
    }
    EXPECT_LT(apart, 1e-12 * largest);
    EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, force.energy(state)), find<Kind>(alone).energy(deformed(alone)),
                1e-12 * std::abs(find<Kind>(alone).energy(deformed(alone))));
  }
};

TEST_F(ReinforcedBodies, FibresOfTwoFamilies) {
  expect_force<ElasticSolid<FibreFamily>>(scene_of(solid({fibres_about_z(35, 0.1), fibres_about_z(-35, 0)})), block());
}

TEST_F(ReinforcedBodies, FibresInTenNodeTetrahedra) {
  expect_force<QuadraticSolid<FibreFamily>>(scene_of(solid({fibres_about_z(35, 0.1), fibres_about_z(-35, 0)})), test::ten_nodes(block()));
}

TEST_F(ReinforcedBodies, SheetsAndCords) {
  const auto expect = [](ShellMaterial law, auto kind) {
    using Sheet = typename decltype(kind)::type;
    expect_force<StencilForce<MembraneElementOf<Sheet>, 3>>(scene_of(sheet_of(law)), sheet());
  };
  expect(ShellMaterial::mooney_rivlin, std::type_identity<IncompressibleSheet<MooneyRivlin>>{});
  expect(ShellMaterial::yeoh, std::type_identity<IncompressibleSheet<Yeoh>>{});
  expect(ShellMaterial::arruda_boyce, std::type_identity<IncompressibleSheet<ArrudaBoyce>>{});
  expect(ShellMaterial::ogden, std::type_identity<IncompressibleSheet<Ogden>>{});
  expect(ShellMaterial::orthotropic, std::type_identity<OrthotropicSheet>{});
  Body body = sheet_of(ShellMaterial::neo_hookean);
  body.shell["skin"].cords = {cords(20, false), cords(-20, true)};
  expect_force<StencilForce<MembraneElementOf<CordLayer>, 3>>(scene_of(body), sheet());
}

TEST_F(ReinforcedBodies, LimitsOfStrain) {
  for (const ShellMaterial law : {ShellMaterial::neo_hookean, ShellMaterial::orthotropic}) {
    Body body = sheet_of(law);
    body.shell["skin"].strain_limit.emplace();
    body.shell["skin"].strain_limit->from = 0.02;
    body.shell["skin"].strain_limit->to = 1;
    expect_force<StencilForce<MembraneElementOf<StrainLimit>, 3>>(scene_of(body), sheet());
  }
}

// The parameter is the number of nodes of the tetrahedra.
class SofteningTest : public ReinforcedBodies, public testing::WithParamInterface<int> {
 protected:
  static Softening& softening(const Simulation& simulation) { return find<Softening>(simulation); }
  static Simulation block_on(MPI_Comm communicator) {
    return build_simulation(communicator, scene_of(softening_block()), GetParam() == 4 ? block() : test::ten_nodes(block()));
  }
};

INSTANTIATE_TEST_SUITE_P(Nodes, SofteningTest, testing::Values(4, 10), [](const auto& info) { return std::to_string(info.param); });

TEST_P(SofteningTest, NothingIsLostBeforeTheFirstUnloading) {
  const Simulation simulation = block_on(PETSC_COMM_WORLD);
  EXPECT_EQ(test::norm(simulation.system->halo(), test::force_of(softening(simulation), deformed(simulation))), 0);
}

// Between commits the force derives from the energy; what it does not give back is the loss.
TEST_P(SofteningTest, ForceIsTheEnergysGradientAndProductsAreExact) {
  const Simulation simulation = block_on(PETSC_COMM_WORLD);
  const Halo& halo = simulation.system->halo();
  Softening& force = softening(simulation);
  simulation.system->commit(deformed(simulation, 1.4));
  const State state = deformed(simulation), direction = direction_of(simulation);
  EXPECT_LT(test::difference_from_central(force, halo, state, direction, 1e-4), 1e-6);
  EXPECT_LT(test::difference_from_blocks(force, *simulation.system, state, direction), 1e-12);

  const Field f = test::force_of(force, state);
  const double h = 1e-5;
  State plus = state, minus = state;
  plus.q.array() += h * direction.q.array(), minus.q.array() -= h * direction.q.array();
  double power = 0;
  for (int i = 0; i < halo.owned(); ++i) power += f[i].dot(direction.q[i]);
  power = sum_over_ranks(PETSC_COMM_WORLD, power);
  EXPECT_NEAR(-power, sum_over_ranks(PETSC_COMM_WORLD, force.energy(plus) - force.energy(minus)) / (2 * h), 1e-6 * std::abs(power));
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, force.flow_loss(state)), 0);
}

// Stored energy does not jump when a state is committed, and what it lacks then is what was dissipated.
TEST_P(SofteningTest, CommitsKeepTheEnergyAndDissipateTheRest) {
  const Simulation simulation = block_on(PETSC_COMM_WORLD);
  Softening& force = softening(simulation);
  const State state = deformed(simulation);
  const double loss = sum_over_ranks(PETSC_COMM_WORLD, force.flow_loss(state)), before = sum_over_ranks(PETSC_COMM_WORLD, force.energy(state));
  EXPECT_GT(loss, 0);
  EXPECT_NEAR(before, -loss, 1e-12 * loss);
  simulation.system->commit(state);
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, force.energy(state)), before, 1e-12 * loss);
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, force.flow_loss(state)), 0);
  State rest = deformed(simulation, 0);
  EXPECT_LT(std::abs(sum_over_ranks(PETSC_COMM_WORLD, force.energy(rest))), 1e-12 * loss);
}

// A state that was borne softens a body that has turned since then as much.
TEST_P(SofteningTest, TurnsWithTheBody) {
  const Simulation simulation = block_on(PETSC_COMM_WORLD);
  simulation.system->commit(deformed(simulation, 1.3));
  const State state = deformed(simulation);
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Field force = test::force_of(softening(simulation), state);
  State turned = state;
  Field expected(simulation.system->halo().local());
  for (int i = 0; i < simulation.system->halo().local(); ++i) turned.q[i] = R * state.q[i], expected[i] = R * force[i];
  EXPECT_GT(test::norm(simulation.system->halo(), force), 0);
  EXPECT_LT(difference(by_id(*simulation.mesh, test::force_of(softening(simulation), turned)), by_id(*simulation.mesh, expected)), 1e-11);
}

// In a homogeneous deformation all points have borne the same, so that the energies are those of the law of one element, and so is the lost part.
TEST_P(SofteningTest, HomogeneousDeformations) {
  const Simulation simulation = block_on(PETSC_COMM_WORLD);
  Mat3 F;
  F << 1.3, 0.2, -0.1, 0.05, 0.9, 0.3, -0.15, 0.1, 1.2;
  const auto stretched = [&](double factor) {
    State state(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i)
      state.q[i] = (Mat3::Identity() + factor * (F - Mat3::Identity())) * simulation.mesh->vertices[static_cast<std::size_t>(i)];
    return state;
  };
  const auto density = [&](double factor) -> double {
    return Yeoh<double>{3e4, -1e2, 10, 0}.energy_density<double>(Mat3(Mat3::Identity() + factor * (F - Mat3::Identity())));
  };
  const double volume = 1 * 1.1 * 0.9;
  const SofteningEnergy law{1.5, 500, 0.2};
  Softening& force = softening(simulation);
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, force.flow_loss(stretched(1))), volume * law.dissipated(density(1)), 1e-12 * volume * density(1));
  simulation.system->commit(stretched(1));
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, force.energy(stretched(0.5))), volume * law.stored(density(0.5), density(1)), 1e-12 * volume * density(1));
  for (const double lost : force.lost_parts(stretched(0.5))) EXPECT_NEAR(lost, law.lost_part(density(0.5), density(1)), 1e-12);
}

TEST_P(SofteningTest, IsRememberedByElement) {
  const Simulation shared = block_on(PETSC_COMM_WORLD), alone = block_on(PETSC_COMM_SELF), other = block_on(PETSC_COMM_WORLD);
  for (const Simulation* simulation : {&shared, &alone}) {
    simulation->system->commit(deformed(*simulation, 1.3));
    simulation->system->commit(deformed(*simulation, 0.4));
  }
  const auto expected = by_id(*alone.mesh, test::force_of(softening(alone), deformed(alone)));
  const auto force = by_id(*shared.mesh, test::force_of(softening(shared), deformed(shared)));
  double apart = 0, size = 0;
  for (const auto& [id, value] : force) {
    apart = std::max(apart, (value - expected.at(id)).norm());
    size = std::max(size, value.norm());
  }
  EXPECT_GT(size, 0);
  EXPECT_LT(apart, 1e-12 * size);
  other.system->recall(shared.system->remembered());
  EXPECT_LT(difference(by_id(*other.mesh, test::force_of(softening(other), deformed(other))), force), 1e-14);
}

}  // namespace
}  // namespace traction
