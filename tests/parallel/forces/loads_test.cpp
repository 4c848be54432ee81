// Loads against closed forms: bars and spheres in equilibrium, resultants, exact products of those that follow the surface.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "parallel/collective.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/equilibrium.h"
#include "support/force_evaluation.h"
#include "support/sheets.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using test::box_mesh;

LoadSettings load(LoadKind kind, const std::string& region, const Vec3& vector) {
  LoadSettings load;
  load.name = "load";
  load.kind = kind;
  load.region = region;
  load.vector = vector;
  return load;
}

LoadSettings pressure_on(const std::string& region, double pressure) {
  LoadSettings result = load(LoadKind::pressure, region, Vec3::Zero());
  result.pressure = pressure;
  return result;
}

Scene scene_of(const std::string& body_name, const SolidMaterialSettings& material, std::vector<LoadSettings> loads) {
  Scene scene;
  Body body;
  body.name = body_name;
  body.solid["solid"] = material;
  body.loads = std::move(loads);
  scene.bodies = {body};
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1e-3;
  scene.solver.tolerance = 1e-12;
  return scene;
}

constexpr double kModulus = 1e5, kRatio = 0.3;
const SolidMaterialSettings kRubber = {kModulus, kRatio, 1000, {}};

// A mesh whose surface can be pressed.
Mesh block() {
  Mesh mesh = box_mesh("block", Vec3(0.2, -0.1, 0), Vec3(1.2, 1, 0.9), {3, 4, 3});
  test::add_outward_region(mesh, "block");
  Region top{"block." + outward_region("top"), 2, mesh.find_region("block.top")->members};
  mesh.regions.push_back(top);
  return mesh;
}

// The block bent and in motion, as a function of the place only.
State bent(const DistributedMesh& mesh) {
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = x + Vec3(0.1 * x.y() * x.z(), 0.05 * std::sin(3 * x.x()), 0.08 * x.x() - 0.1 * x.z() * x.z());
    state.v[i] = Vec3(0.5 + 0.3 * x.z(), 0.3 - 0.2 * x.x(), 0.4 * x.y());
  }
  return state;
}

// A scene with one load on the block: its force, and the sums of the forces and of their moments about the origin.
struct Loaded {
  explicit Loaded(const LoadSettings& settings, MPI_Comm communicator = PETSC_COMM_WORLD)
      : simulation(build_simulation(communicator, scene_of("block", kRubber, {settings}), block())),
        force(const_cast<Force&>(*simulation.bodies.at(0).loads.at(0).force)),
        state(bent(*simulation.mesh)) {}

  std::array<Vec3, 2> resultants() {
    const Field f = test::force_of(force, state);
    std::array<double, 6> sums{};
    for (int i = 0; i < halo().owned(); ++i) {
      const Vec3 moment = Vec3(state.q[i]).cross(Vec3(f[i]));
      for (int k = 0; k < 3; ++k) sums[k] += f[i][k], sums[3 + k] += moment[k];
    }
    sum_over_ranks(halo().communicator(), sums);
    return {Vec3(sums[0], sums[1], sums[2]), Vec3(sums[3], sums[4], sums[5])};
  }
  const Halo& halo() const { return simulation.system->halo(); }

  Simulation simulation;
  Force& force;
  State state;
};

TEST(Loads, AForceIsSpreadWhole) {
  const Vec3 total(3, -4, 12);
  for (const std::string region : {"top", "surface", "bottom", "solid"}) {  // a part of the surface, the whole surface, vertices, tetrahedra
    Loaded loaded(load(LoadKind::force, region, total));
    EXPECT_LT((loaded.resultants()[0] - total).norm(), 1e-12) << region;
  }
}

// A force on a face acts through its centroid. With a spread by mass this would hold on this mesh only in one of its directions.
TEST(Loads, AForceOnASurfaceIsSpreadByItsArea) {
  Loaded loaded(load(LoadKind::force, "top", Vec3(0, 0, 10)));
  for (int i = 0; i < loaded.halo().local(); ++i) loaded.state.q[i] = loaded.simulation.mesh->vertices[i];
  EXPECT_LT((loaded.resultants()[1] - Vec3(0.7, 0.45, 0.9).cross(Vec3(0, 0, 10))).norm(), 1e-12);
}

TEST(Loads, ATractionCountsPerAreaAtRest) {
  const Vec3 traction(3, -4, 12);
  LoadSettings settings = load(LoadKind::traction, "top", traction);
  EXPECT_LT((Loaded(settings).resultants()[0] - 1.1 * traction).norm(), 1e-12);
}

// A body force acts on each vertex as gravity does.
TEST(Loads, ABodyForceIsGravityOfOneBody) {
  const Vec3 acceleration(0.3, -2, -9.81);
  Loaded loaded(load(LoadKind::body_force, "", acceleration));
  const Field f = test::force_of(loaded.force, loaded.state);
  for (int i = 0; i < loaded.halo().owned(); ++i) EXPECT_LE((f[i] - loaded.simulation.system->mass()[i] * acceleration).norm(), 1e-15 * f[i].norm());
  // The load's potential is that of gravity, but zero at the start.
  double work = 0;
  for (int i = 0; i < loaded.halo().owned(); ++i) work += f[i].dot(loaded.state.q[i] - loaded.simulation.mesh->vertices[i]);
  EXPECT_NEAR(loaded.force.energy(loaded.state), -work, 1e-12 * std::abs(work));
}

TEST(Loads, FollowATableOverTime) {
  for (LoadSettings settings : {load(LoadKind::force, "top", Vec3(0, 2, 0)), pressure_on("top", 5)}) {
    Loaded constant(settings);
    settings.over = {{1, 2}, {3, -4}};
    Loaded loaded(settings);
    const Vec3 whole = constant.resultants()[0];
    for (const auto& [time, factor] : {std::pair(0.0, 2.0), {1.5, 0.5}, {3.0, -4.0}, {7.0, -4.0}}) {
      loaded.state.time = time;
      EXPECT_LT((loaded.resultants()[0] - factor * whole).norm(), 1e-12 * whole.norm()) << time;
    }
  }
}

TEST(Loads, PressureOnAClosedSurfaceHasNoResultant) {
  Loaded loaded(pressure_on("surface", 1000));
  const auto [force, moment] = loaded.resultants();
  EXPECT_LT(force.norm(), 1e-12 * 1000);
  EXPECT_LT(moment.norm(), 1e-12 * 1000);
}

class FollowingLoad : public testing::TestWithParam<bool> {
 protected:
  static LoadSettings settings(const std::string& region) {
    LoadSettings result = GetParam() ? pressure_on(region, 1000) : load(LoadKind::traction, region, Vec3(300, -500, 800));
    result.following = !GetParam();
    result.over = {{0, 0.5}, {1, 1.5}};
    return result;
  }
};

// The product is compared with central differences, and with the assembled blocks, which use another kind of dual numbers.
TEST_P(FollowingLoad, HasAnExactProduct) {
  for (const std::string region : {"top", "surface"}) {
    Loaded loaded(settings(region));
    loaded.state.time = 0.75;
    const DistributedMesh& mesh = *loaded.simulation.mesh;
    const State direction = test::direction_for(mesh);
    EXPECT_LT(test::difference_from_central(loaded.force, loaded.halo(), loaded.state, direction, 1e-3), 1e-8) << region;
    Field product = test::product_of(loaded.force, loaded.state, direction);
    const double scale = test::norm(loaded.halo(), product);
    BlockMatrix blocks(loaded.simulation.system->pattern());
    loaded.force.assembly()->add_blocks({loaded.state, 1, 0}, blocks);
    EXPECT_TRUE(blocks.is_general());
    Field change(loaded.halo().local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, direction.q, change);
    product.array() -= change.array();
    EXPECT_LT(test::norm(loaded.halo(), product), 1e-12 * scale) << region;
  }
}

TEST_P(FollowingLoad, DoesNotDependOnThePartition) {
  Loaded together(settings("top")), alone(settings("top"), PETSC_COMM_SELF);
  const auto expected = test::by_id(*alone.simulation.mesh, test::force_of(alone.force, alone.state));
  EXPECT_LT(test::difference(test::by_id(*together.simulation.mesh, test::force_of(together.force, together.state)), expected), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FollowingLoad, testing::Bool(), [](const auto& info) { return info.param ? "Pressure" : "Traction"; });

// A free bar, pulled at both ends by t per area at rest, stretches uniformly by s along and r across: with P = mu (F - F^-T) + lambda ln J F^-T
//   mu (r - 1/r) + lambda ln(s r^2) / r = 0,   mu (s - 1/s) + lambda ln(s r^2) / s = t.
class PulledBar : public testing::TestWithParam<double> {
 protected:
  static std::array<double, 2> stretches(double traction) {
    const double mu = kModulus / (2 * (1 + kRatio)), lambda = kModulus * kRatio / ((1 + kRatio) * (1 - 2 * kRatio));
    const auto root = [](double low, double high, auto increasing) {
      while (high - low > 1e-15 * high) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (increasing(middle) < 0 ? low : high) = middle;
      }
      return (low + high) / 2;
    };
    const auto across = [&](double s) { return root(0.2, 3, [&](double r) { return mu * (r - 1 / r) + lambda * std::log(s * r * r) / r; }); };
    const double s = root(0.3, 4, [&](double s) { return mu * (s - 1 / s) + lambda * std::log(s * across(s) * across(s)) / s - traction; });
    return {s, across(s)};
  }
};

TEST_P(PulledBar, StretchesByTheClosedForm) {
  const double traction = GetParam() * kModulus;
  LoadSettings up = load(LoadKind::traction, "top", Vec3(0, 0, traction)), down = load(LoadKind::traction, "base", Vec3(0, 0, -traction));
  down.name = "down";
  Mesh mesh = box_mesh("bar", Vec3(-0.1, -0.1, -0.15), Vec3(0.1, 0.1, 0.15), {2, 2, 3});
  Region base{"bar.base", 2, {}};
  for (int t : mesh.find_region("bar.surface")->members)
    if (std::all_of(mesh.triangles[t].begin(), mesh.triangles[t].end(), [&](int vertex) { return mesh.vertices[vertex].z() == -0.15; }))
      base.members.push_back(t);
  mesh.regions.push_back(base);
  Scene scene = scene_of("bar", kRubber, {up, down});
  test::settle(scene, 0.2, 30);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  test::run(simulation);
  const auto [s, r] = stretches(traction);
  if (std::abs(GetParam()) < 1e-4) {  // Hooke: t / E and -nu t / E
    EXPECT_NEAR((s - 1) / GetParam(), 1, 1e-4);
    EXPECT_NEAR((r - 1) / GetParam(), -kRatio, 1e-4);
  }
  const State& end = simulation.loop->state();
  double worst = 0;  // relative error of an edge's length
  for (const auto& t : simulation.mesh->tetrahedra)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        const Vec3 rest = simulation.mesh->vertices[t[a]] - simulation.mesh->vertices[t[b]], expected(r * rest.x(), r * rest.y(), s * rest.z());
        worst = std::max(worst, std::abs((end.q[t[a]] - end.q[t[b]]).norm() - expected.norm()) / rest.norm());
      }
  EXPECT_LT(maximum_over_ranks(PETSC_COMM_WORLD, worst), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Tractions, PulledBar, testing::Values(1e-5, 0.6, -0.3), [](const auto& info) {
  return std::string(info.param > 0.1 ? "Long" : info.param < 0 ? "Short" : "Linear");
});

// A hollow sphere: each triangle of an icosphere as a pile of prisms, three tetrahedra each.
Mesh hollow_sphere(int splits, int layers, double inner, double outer) {
  const test::Sheet sheet = test::sphere(splits);
  const int count = static_cast<int>(sheet.vertices.size());
  Mesh mesh;
  mesh.source = "sphere";
  for (int layer = 0; layer <= layers; ++layer)
    for (const Vec3& x : sheet.vertices) mesh.vertices.push_back((inner + (outer - inner) * layer / layers) * x);
  Region all{"sphere", 0, {}}, solid{"sphere.solid", 3, {}}, cavity{"sphere." + outward_region("cavity"), 2, {}};
  for (int layer = 0; layer < layers; ++layer)
    for (std::array<int, 3> t : sheet.triangles) {
      std::sort(t.begin(), t.end());  // so that neighbours halve their common side alike
      std::array<int, 6> p;
      for (int a = 0; a < 3; ++a) p[a] = t[a] + layer * count, p[3 + a] = p[a] + count;
      for (std::array<int, 4> e : {std::array{p[0], p[1], p[2], p[5]}, {p[0], p[1], p[5], p[4]}, {p[0], p[4], p[5], p[3]}}) {
        const Vec3 x = mesh.vertices[e[0]];
        if ((mesh.vertices[e[1]] - x).cross(mesh.vertices[e[2]] - x).dot(mesh.vertices[e[3]] - x) < 0) std::swap(e[2], e[3]);
        solid.members.push_back(static_cast<int>(mesh.tetrahedra.size()));
        mesh.tetrahedra.push_back(e);
      }
    }
  for (const auto& [a, b, c] : sheet.triangles) {  // out of the solid is into the cavity
    cavity.members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back({a, c, b});
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) all.members.push_back(static_cast<int>(v));
  mesh.regions = {all, solid, cavity, {"sphere.cavity", 2, cavity.members}};
  return mesh;
}

// Lamé: u(r) = p a^3 / (E (b^3 - a^3)) ((1 - 2 nu) r + (1 + nu) b^3 / (2 r^2)) for a pressure p in the cavity of radius a, b that of the outside. Relative
// error of the mean of u over the cavity's wall.
double error_of_expansion(int splits, int layers) {
  constexpr double kInner = 0.5, kOuter = 0.75, kPressure = 1e-6 * kModulus;
  Scene scene = scene_of("sphere", kRubber, {pressure_on("cavity", kPressure)});
  test::settle(scene, 10, 2);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, hollow_sphere(splits, layers, kInner, kOuter));
  test::run(simulation);
  const double a3 = std::pow(kInner, 3), b3 = std::pow(kOuter, 3);
  const double expected = kPressure * a3 / (kModulus * (b3 - a3)) * ((1 - 2 * kRatio) * kInner + (1 + kRatio) * b3 / (2 * kInner * kInner));
  std::array<double, 2> sums{};
  for (int vertex : simulation.mesh->region("sphere.cavity").vertices)
    if (vertex < simulation.system->halo().owned()) {
      const Vec3& rest = simulation.mesh->vertices[vertex];
      sums[0] += (simulation.loop->state().q[vertex] - rest).dot(rest.normalized());
      sums[1] += 1;
    }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  return sums[0] / sums[1] / expected - 1;
}

TEST(PressedSphere, ExpandsByLamesFormula) {
  const double coarse = error_of_expansion(1, 2), fine = error_of_expansion(2, 4);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::printf("expansion off by %.4g and %.4g: ratio %.3f\n", coarse, fine, coarse / fine);
  EXPECT_LT(std::abs(fine), 0.035);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

}  // namespace
}  // namespace traction
