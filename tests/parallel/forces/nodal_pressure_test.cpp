// Pressure averaged over nodes: against its definition on the undistributed mesh, and its derivatives, symmetries and couplings.

#include "forces/nodal_pressure.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "forces/elastic_solid.h"
#include "forces/rayleigh_damping.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/solid_settings.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kBulkModulus = 1e6;  // [Pa]

Vec3 place(const Vec3& x) { return x + Vec3(0.1 * x.y() * x.z(), 0.05 * std::sin(3 * x.x()), 0.08 * x.x() + 0.04 * x.z() * x.z()); }

// A block whose elements belong to two regions in turn, so that every vertex has elements of both; each region has a law.
class NodalPressureTest : public testing::TestWithParam<std::string> {
 protected:
  static SolidMaterialSettings material(const std::string& law, double shear_modulus, PressureAverage pressure) {
    SolidMaterialSettings settings = test::solid_settings({}, 0, 0, 1000);
    for (const auto& choice : choices_of(SolidMaterial{}))
      if (choice.word == law) settings.material = choice.value;
    settings.poisson_ratio = (3 * kBulkModulus - 2 * shear_modulus) / (2 * (3 * kBulkModulus + shear_modulus));
    settings.youngs_modulus = 2 * shear_modulus * (1 + settings.poisson_ratio);
    settings.pressure = pressure;
    return settings;
  }
  static Mesh mesh() {
    Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3});
    for (std::size_t m = 0; m < 2; ++m) {
      Region& region = mesh.regions.emplace_back(Region{m == 0 ? "block.first" : "block.second", 3, {}});
      for (std::size_t e = m; e < mesh.tetrahedra.size(); e += 2) region.members.push_back(static_cast<int>(e));
    }
    return mesh;
  }
  Simulation block(PressureAverage pressure = PressureAverage::nodal_average, MPI_Comm communicator = PETSC_COMM_WORLD) const {
    Scene scene;
    scene.file = "test";
    scene.time.steps = {{0, 1e-3, std::nullopt}};
    scene.time.end = 1e-3;
    Body body;
    body.name = "block";
    body.solid["first"] = material(GetParam(), 3e4, pressure);
    body.solid["second"] = material("neo_hookean", 5e4, pressure);
    scene.bodies = {body};
    return build_simulation(communicator, scene, mesh());
  }
  static std::vector<NodalPressure*> pressures(const Simulation& simulation) {
    std::vector<NodalPressure*> found;
    for (const auto& force : simulation.system->forces())
      if (auto* pressure = dynamic_cast<NodalPressure*>(force.get())) found.push_back(pressure);
    return found;
  }
  template <typename Position>
  static State placed(const Simulation& simulation, Position position) {
    State state(simulation.system->halo().local());
    for (int i = 0; i < simulation.system->halo().local(); ++i) state.q[i] = position(simulation.mesh->vertices[static_cast<std::size_t>(i)]);
    return state;
  }
  static State along(const Simulation& simulation, double phase) {
    return placed(simulation,
                  [&](const Vec3& x) { return Vec3(std::sin(7 * x.x() + x.y() + phase), x.z() * x.x() - phase, std::cos(5 * x.y() + phase * x.z())); });
  }
  static double inner(const Halo& halo, const Field& a, const Field& b) {
    double sum = 0;
    for (int i = 0; i < halo.owned(); ++i) sum += a[i].dot(b[i]);
    return sum_over_ranks(halo.communicator(), sum);
  }
  static double energy_of(const Force& force, const State& state) { return sum_over_ranks(PETSC_COMM_WORLD, force.energy(state)); }
  static Field force_of_all(const Simulation& simulation, const State& state) {
    Field force(simulation.system->halo().local());
    simulation.system->force(state, force);
    return force;
  }
};

// sum V_a U(J_a) of each region by itself, in plain loops over the undistributed mesh.
TEST_P(NodalPressureTest, EnergyIsThatOfVolumesAroundVertices) {
  const Simulation simulation = block();
  const Mesh whole = mesh();
  const State state = placed(simulation, place);
  const auto found = pressures(simulation);
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t m = 0; m < 2; ++m) {
    std::map<int, std::pair<double, double>> volumes;  // at rest, present
    for (std::size_t e = m; e < whole.tetrahedra.size(); e += 2) {
      const auto volume = [&](auto position) {
        const auto& t = whole.tetrahedra[e];
        const Vec3 x = position(whole.vertices[t[0]]);
        return std::abs((position(whole.vertices[t[1]]) - x).dot((position(whole.vertices[t[2]]) - x).cross(position(whole.vertices[t[3]]) - x))) / 24;
      };
      for (const int vertex : whole.tetrahedra[e]) {
        volumes[vertex].first += volume([](const Vec3& x) { return x; });
        volumes[vertex].second += volume(place);
      }
    }
    const bool is_rubber = m == 0 && GetParam() != "neo_hookean";
    const double mu = m == 1 ? 5e4 : is_rubber ? MooneyRivlin<double>::from(simulation.scene.bodies[0].solid.at("first")).linear_moduli().mu : 3e4;
    const double K = is_rubber ? MooneyRivlin<double>::from(simulation.scene.bodies[0].solid.at("first")).bulk : kBulkModulus, averaged = K - 2 * mu / 3;
    double energy = 0;
    for (const auto& [vertex, pair] : volumes) {
      const double J = pair.second / pair.first;
      energy += pair.first * averaged * (is_rubber ? (J * J - 1 - 2 * std::log(J)) / 4 : std::log(J) * std::log(J) / 2);
    }
    EXPECT_NEAR(energy_of(*found[m], state), energy, 1e-10 * energy);
  }
}

TEST_P(NodalPressureTest, ForcesAndProductsAreDerivatives) {
  const Simulation simulation = block();
  const Halo& halo = simulation.system->halo();
  const State state = placed(simulation, place), first = along(simulation, 0.3), second = along(simulation, 1.7);
  for (NodalPressure* force : pressures(simulation)) {
    const auto energy_at = [&](double step) {
      State moved = state;
      moved.q.array() += step * first.q.array();
      return energy_of(*force, moved);
    };
    const auto slope = [&](double h) { return (energy_at(h) - energy_at(-h)) / (2 * h); };
    const double work = inner(halo, test::force_of(*force, state), first.q);
    EXPECT_NEAR(-(4 * slope(5e-5) - slope(1e-4)) / 3, work, 1e-7 * std::abs(work));
    EXPECT_LT(test::difference_from_central(*force, halo, state, first, 1e-4), 1e-7);
    const double there = inner(halo, test::product_of(*force, state, first), second.q), back = inner(halo, test::product_of(*force, state, second), first.q);
    EXPECT_NEAR(there, back,
                1e-12 * std::sqrt(std::abs(inner(halo, test::product_of(*force, state, first), first.q) *
                                           inner(halo, test::product_of(*force, state, second), second.q))));
  }
}

// Products are blocks and a rest, and the couplings of all ranks are the whole of that rest.
TEST_P(NodalPressureTest, BlocksAndCouplingsAreTheProduct) {
  const Simulation simulation = block();
  const Halo& halo = simulation.system->halo();
  const State state = placed(simulation, place), direction = along(simulation, 0.3);
  for (NodalPressure* force : pressures(simulation)) {
    const Field product = test::product_of(*force, state, direction);
    const double size = test::norm(halo, product);
    BlockMatrix blocks(std::make_shared<const BlockPattern>(simulation.mesh->halo, simulation.mesh->tetrahedra));
    blocks.set_zero();
    force->assembly()->add_blocks({state, 1, 0}, blocks);
    Field remainder = product, rest(halo.local());
    {
      Field change(halo.local());
      for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, direction.q, change);
      remainder.array() -= change.array();
    }
    for (const Zone zone : {Zone::interior, Zone::boundary}) force->assembly()->add_product_beyond_blocks(state, direction, zone, rest);
    Field error = remainder;
    error.array() -= rest.array();
    EXPECT_LT(test::norm(halo, error) / size, 1e-12);

    std::vector<Coupling> couplings;
    force->assembly()->add_couplings({state, 1, 0}, couplings);
    couplings = sum_couplings(halo, std::move(couplings), simulation.system->held());
    const CoupledVertices vertices(halo, couplings);
    const std::vector<double> others = vertices.of_others(direction.q.values(), 3);
    for (const Coupling& coupling : couplings) {
      const int column = vertices.number(coupling.column);
      const Vec3 p = column < halo.owned() ? Vec3(direction.q[column]) : Vec3(others.data() + 3 * (column - halo.owned()));
      remainder[static_cast<int>(coupling.row - halo.first_owned())] -= coupling.block * p;
    }
    EXPECT_LT(test::norm(halo, remainder) / size, 1e-12);
  }
}

// Foretold stresses leave of a step what is of second order in the stresses alone: where no stress acts at first, forces differ from those of the linear
// equation by a quarter for half of the step. Once linearized there, the product is the derivative at these stresses.
TEST_P(NodalPressureTest, ForetellsStresses) {
  const Simulation simulation = block();
  const Halo& halo = simulation.system->halo();
  const State rest = placed(simulation, [](const Vec3&x) { return x; }), direction = along(simulation, 0.3);
  for (NodalPressure* force : pressures(simulation)) {
    EXPECT_TRUE(force->foretell(false));
    const Field product = test::product_of(*force, rest, direction);
    const auto rotated = [&](double step) {  // largest difference from the linear force, in parts of the step
      State moved = rest;
      moved.q.array() += step * direction.q.array();
      force->foretell(true);
      Field f = test::force_of(*force, moved);
      force->foretell(false);
      f.array() = f.array() / step - product.array();
      return test::norm(halo, f);
    };
    EXPECT_NEAR(rotated(1e-3) / rotated(5e-4), 2, 0.02);

    State moved = rest;
    moved.q.array() += 1e-2 * direction.q.array();
    force->foretell(true);
    const Field foretold = test::force_of(*force, moved);
    force->foretell(false);
    force->linearize_foretold(true);
    force->linearize(moved);  // now at the foretold stresses
    force->linearize_foretold(false);
    // Along a rotation of the body these stresses give the turned forces.
    const Vec3 axis(0.3, -0.5, 0.8);
    State turn(halo.local());
    for (int i = 0; i < halo.local(); ++i) turn.q[i] = axis.cross(Vec3(moved.q[i]));
    Field change(halo.local()), expected(halo.local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) force->add_product(moved, turn, zone, change);
    for (int i = 0; i < halo.owned(); ++i) expected[i] = axis.cross(Vec3(foretold[i]));
    const double size = test::norm(halo, expected);
    expected.array() -= change.array();
    EXPECT_LT(test::norm(halo, expected), 1e-10 * size);
  }
}

// Where the deformation is the same everywhere, all energies and forces are those of elements by themselves.
TEST_P(NodalPressureTest, EqualsElementsInUniformDeformation) {
  Mat3 F;
  F << 1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.15, 0.1, 1.2;
  const auto uniform = [&](const Vec3& x) { return Vec3(F * x); };
  const Simulation averaged = block(), single = block(PressureAverage::element);
  const State state = placed(averaged, uniform), same = placed(single, uniform);
  EXPECT_LT(difference(by_id(*averaged.mesh, force_of_all(averaged, state)), by_id(*single.mesh, force_of_all(single, same))), 1e-12);
  double energy = 0, expected = 0;
  for (const auto& force : averaged.system->forces()) energy += energy_of(*force, state);
  for (const auto& force : single.system->forces()) expected += energy_of(*force, same);
  EXPECT_NEAR(energy, expected, 1e-12 * expected);
}

TEST_P(NodalPressureTest, RigidMotionsDoNothingAndForcesTurnWithTheBody) {
  const Simulation simulation = block();
  const Halo& halo = simulation.system->halo();
  const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vec3 shift(3, -1, 2);
  const State state = placed(simulation, place);
  const Field force = force_of_all(simulation, state);
  const Field at_rest = force_of_all(simulation, placed(simulation, [&](const Vec3& x) { return Vec3(turn * x + shift); }));
  const Field turned = force_of_all(simulation, placed(simulation, [&](const Vec3& x) { return Vec3(turn * place(x) + shift); }));
  EXPECT_LT(test::norm(halo, at_rest), 1e-12 * test::norm(halo, force));
  Field expected(halo.local());
  std::array<double, 7> sums{};
  for (int i = 0; i < halo.owned(); ++i) {
    expected[i] = turn * force[i];
    const Vec3 moment = Vec3(state.q[i]).cross(Vec3(force[i]));
    for (int k = 0; k < 3; ++k) sums[k] += force[i][k], sums[3 + k] += moment[k];
    sums[6] += force[i].norm();
  }
  expected.array() -= turned.array();
  EXPECT_LT(test::norm(halo, expected), 1e-12 * test::norm(halo, force));
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(sums[k]), 1e-12 * sums[6]);
}

TEST_P(NodalPressureTest, AgreesWithOneRank) {
  const Simulation shared = block(), alone = block(PressureAverage::nodal_average, PETSC_COMM_SELF);
  const State state = placed(shared, place), same = placed(alone, place);
  EXPECT_LT(difference(by_id(*shared.mesh, force_of_all(shared, state)), by_id(*alone.mesh, force_of_all(alone, same))), 1e-12);
  const auto product = [](const Simulation& simulation, const State& at) {
    Field change(simulation.system->halo().local());
    simulation.system->linearize(at);
    simulation.system->product(at, along(simulation, 0.3), change);
    return by_id(*simulation.mesh, change);
  };
  EXPECT_LT(difference(product(shared, state), product(alone, same)), 1e-12);
  for (int step = 0; step < 3; ++step) shared.loop->advance(), alone.loop->advance();
  EXPECT_LT(difference(by_id(*shared.mesh, shared.loop->state().q), by_id(*alone.mesh, alone.loop->state().q)), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Laws, NodalPressureTest, testing::Values("neo_hookean", "mooney_rivlin"), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace traction
