// Every force's product against three independent evaluations: central differences of the force, the assembled 3x3 blocks (derived by hand) plus the rest of
// the product, and, for the volume penalty, a dual number through the whole global formula.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "contact/pair_force.h"
#include "contact/vertex_obstacle.h"
#include "elements/viscosity.h"
#include "forces/elastic_solid.h"
#include "forces/gravity.h"
#include "forces/quadratic_solid.h"
#include "forces/rayleigh_damping.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/force_evaluation.h"
#include "support/scenes.h"
#include "support/solid_settings.h"
#include "support/ten_nodes.h"

namespace traction {
namespace {

using test::difference_from_central;
using test::force_of;
using test::norm;
using test::product_of;

// A reproducible number in [-1, 1] for each vertex of the undistributed mesh and component.
double noise(int vertex, int component, int seed) {
  std::mt19937 generator(static_cast<unsigned>(7919 * vertex + 104729 * component + 15485863 * seed));
  return std::uniform_real_distribution<double>(-1, 1)(generator);
}

Field noise_field(const DistributedMesh& mesh, double scale, int seed) {
  Field field(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i)
    for (int k = 0; k < 3; ++k) field[i][k] = scale * noise(mesh.vertex_ids[i], k, seed);
  return field;
}

// Relative distance of the product from that of the assembled blocks plus the rest; `direction` has valid ghosts.
double difference_from_blocks(Force& force, const DistributedMesh& mesh, const State& state, const State& direction) {
  const Halo& halo = *mesh.halo;
  Field product = product_of(force, state, direction);
  const double scale = norm(halo, product);
  BlockMatrix blocks(std::make_shared<const BlockPattern>(mesh.halo, mesh.tetrahedra));
  for (const bool positions : {true, false}) {
    blocks.set_zero();
    force.assembly()->add_blocks({state, positions ? 1. : 0., positions ? 0. : 1.}, blocks);
    Field change(halo.local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, positions ? direction.q : direction.v, change);
    product.array() -= change.array();
  }
  Field rest(halo.local());
  for (const Zone zone : {Zone::interior, Zone::boundary}) force.assembly()->add_product_beyond_blocks(state, direction, zone, rest);
  product.array() -= rest.array();
  return norm(halo, product) / scale;
}

class ForceProduct : public testing::Test {
 protected:
  void build(const Scene& scene, double lift = 0) { build(scene, test::box_mesh("block", Vec3(0, 0, lift), Vec3(1, 1.1, 0.9 + lift), {3, 3, 3})); }
  void build(const Scene& scene, Mesh mesh) {
    simulation_ = build_simulation(PETSC_COMM_WORLD, scene, std::move(mesh));
    const int local = simulation_.system->halo().local();
    state_ = State(local);
    direction_ = State(local);
    direction_.q = noise_field(*simulation_.mesh, 1, 1);
    direction_.v = noise_field(*simulation_.mesh, 1, 2);
    for (int i = 0; i < local; ++i) {
      const Vec3 x = simulation_.mesh->vertices[i];
      state_.q[i] = place(x);
      state_.v[i] = velocity(x);
    }
  }
  // Where the vertex at x in the mesh is placed.
  static Vec3 place(const Vec3& x) { return x + Vec3(0.1 * x.y() * x.z(), 0.05 * std::sin(3 * x.x()), 0.08 * x.x()); }
  static Vec3 velocity(const Vec3& x) { return {0.5 + 0.3 * x.z(), 0.3 - 0.2 * x.x(), 0.4 * x.y()}; }
  template <typename T>
  T& find() {
    for (const auto& force : simulation_.system->forces())
      if (auto* found = dynamic_cast<T*>(force.get())) return *found;
    throw std::runtime_error("the scene has no such force");
  }
  const Halo& halo() const { return simulation_.system->halo(); }

  Simulation simulation_;
  State state_, direction_;
};

// The derivative of P = mu (F - F^-T) + lambda ln J F^-T by hand: dP = mu (dF + F^-T dF^T F^-T) + lambda tr(F^-1 dF) F^-T - lambda ln J F^-T dF^T F^-T.
TEST(NeoHookeanStress, DualNumberAgreesWithTheDerivativeByHand) {
  const NeoHookean<double> material{LameParameters<double>::from_engineering(6e6, 0.4995)};
  const auto [lambda, mu] = material.moduli;
  for (int sample = 0; sample < 20; ++sample) {
    Mat3 F = Mat3::Identity(), dF;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        F(i, j) += 0.3 * noise(sample, 3 * i + j, 5);
        dF(i, j) = noise(sample, 3 * i + j, 6);
      }
    if (F.determinant() < 0.1) continue;
    Matrix3<Dual<double>> seeded;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) seeded(i, j) = make_dual(F(i, j), dF(i, j));
    const Matrix3<Dual<double>> stress = material.first_piola_stress(seeded);
    const Mat3 Fit = F.inverse().transpose(), twist = Fit * dF.transpose() * Fit;
    const double log_J = std::log(F.determinant());
    const Mat3 expected = mu * (dF + twist) + lambda * (F.inverse() * dF).trace() * Fit - lambda * log_J * twist;
    double error = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) error = std::max(error, std::abs(stress(i, j).derivative[0] - expected(i, j)));
    EXPECT_LT(error / expected.norm(), 1e-12);
  }
}

TEST_F(ForceProduct, NeoHookeanSolid) {
  build(test::resting_box_scene(Integrator::sdirk2));
  auto& force = find<ElasticSolid<NeoHookean>>();
  EXPECT_LT(difference_from_blocks(force, *simulation_.mesh, state_, direction_), 1e-12);
  EXPECT_LT(difference_from_central(force, halo(), state_, direction_, 1e-4), 1e-6);
}

// Steps without inertia are judged by foretold stresses, too. Those of a body without stress vanish where a step turns it, though it also stretches it. Once
// linearized elsewhere, products and blocks are those at the stresses that were foretold there: along a rotation they turn the forces.
class ForetoldStresses : public ForceProduct {
 protected:
  template <typename T>
  void expect_foretold(Mesh mesh) {
    Scene scene = test::resting_box_scene(Integrator::sdirk2);
    scene.time.inertia = false;
    build(scene, std::move(mesh));
    const Vec3 axis(0.3, -0.5, 0.8);
    State rest = state_, turned = state_, turn = direction_;
    for (int i = 0; i < halo().local(); ++i) {
      rest.q[i] = simulation_.mesh->vertices[i];
      turned.q[i] = rest.q[i] + 0.1 * axis.cross(Vec3(rest.q[i]));
      turn.q[i] = axis.cross(Vec3(state_.q[i]));
    }
    auto& force = find<T>();
    EXPECT_TRUE(force.foretell(false));
    force.linearize(rest);
    const auto foretold_at = [&](const State& state) {
      force.foretell(true);
      Field result = force_of(force, state);
      force.foretell(false);
      return result;
    };
    EXPECT_LT(norm(halo(), foretold_at(turned)), 1e-10 * norm(halo(), force_of(force, turned)));

    const Field forces = foretold_at(state_);
    Field expected(halo().local()), product(halo().local()), by_blocks(halo().local());
    for (int i = 0; i < halo().owned(); ++i) expected[i] = axis.cross(Vec3(forces[i]));
    force.linearize_foretold(true);
    force.linearize(state_);
    force.linearize_foretold(false);
    BlockMatrix blocks(simulation_.system->pattern());
    blocks.set_zero();
    force.assembly()->add_blocks({state_, 1, 0}, blocks);
    for (const Zone zone : {Zone::interior, Zone::boundary}) {
      force.add_product(state_, turn, zone, product);
      blocks.multiply(zone, turn.q, by_blocks);
    }
    const double size = norm(halo(), expected);
    product.array() -= expected.array();
    by_blocks.array() -= expected.array();
    EXPECT_LT(norm(halo(), product) / size, 1e-10);
    EXPECT_LT(norm(halo(), by_blocks) / size, 1e-10);
  }
};

TEST_F(ForetoldStresses, OfFourNodes) { expect_foretold<ElasticSolid<NeoHookean>>(test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3})); }
TEST_F(ForetoldStresses, OfTenNodes) {
  expect_foretold<QuadraticSolid<NeoHookean>>(test::ten_nodes(test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {2, 2, 2})));
}

TEST_F(ForceProduct, RayleighDamping) {
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.bodies[0].damping = {0.7, 0.02};
  build(scene);
  auto& force = find<RayleighDamping>();
  EXPECT_LT(difference_from_central(force, halo(), state_, direction_, 1e-4), 1e-6);
  EXPECT_LT(difference_from_blocks(force, *simulation_.mesh, state_, direction_), 1e-12);
}

// A body whose elements have each material in turn, with different moduli.
class MixedBody : public ForceProduct {
 protected:
  static constexpr int kMaterials = static_cast<int>(SolidMaterials::names.size());
  const double beta_ = 0.02;  // [s]
  Scene scene_ = test::resting_box_scene(Integrator::sdirk2);
  Mesh mesh_ = test::box_mesh("block", Vec3::Zero(), Vec3(1, 1.1, 0.9), {3, 3, 3});

  void SetUp() override {
    Body& body = scene_.bodies[0];
    body.solid.clear();
    body.damping = {0, beta_};
    for (int m = 0; m < kMaterials; ++m) {
      const std::string_view name = SolidMaterials::names[m];
      body.solid[std::string(name)] = test::solid_settings(SolidMaterial{m}, 1e5 * (1 + m), 0.4 - 0.1 * m, 1000);
      Region& region = mesh_.regions.emplace_back(Region{"block." + std::string(name), 3, {}});
      for (std::size_t e = m; e < mesh_.tetrahedra.size(); e += kMaterials) region.members.push_back(static_cast<int>(e));
    }
  }
};

// Forces and energies are those of single elements summed over the undistributed mesh.
TEST_F(MixedBody, IsTheSumOfItsElements) {
  std::vector<Vec3> elastic(mesh_.vertices.size(), Vec3::Zero()), viscous = elastic;
  double energy = 0;
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    const SolidMaterialSettings& settings = scene_.bodies[0].solid.at(std::string(Material<double>::name));
    const auto material = Material<double>::from(settings);
    for (const Region& region : mesh_.regions) {
      if (region.name != "block." + std::string(word_of(settings.material))) continue;
      for (int e : region.members) {
        const std::array<int, 4>& t = mesh_.tetrahedra[e];
        const SolidElement element(t, {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]], mesh_.vertices[t[3]]});
        std::array<Vec3, 4> x, v;
        for (int a = 0; a < 4; ++a) x[a] = place(mesh_.vertices[element.vertices[a]]), v[a] = velocity(mesh_.vertices[element.vertices[a]]);
        const auto f = elastic_forces<double>(element, material, x), g = viscous_forces<double>(element, material.linear_moduli(), x, v);
        for (int a = 0; a < 4; ++a) elastic[element.vertices[a]] += f[a], viscous[element.vertices[a]] += beta_ * g[a];
        energy += element.volume * material.energy_density(deformation_gradient(element, x));
      }
    }
  });
  build(scene_, mesh_);
  int solids = 0;
  double energies = 0;
  Field sum(halo().local());
  for (const auto& force : simulation_.system->forces()) {
    if (force->energy_name() != "elastic") continue;
    ++solids;
    energies += sum_over_ranks(PETSC_COMM_WORLD, force->energy(state_));
    sum.array() += force_of(*force, state_).array();
  }
  const Field damping = force_of(find<RayleighDamping>(), state_);
  const double elastic_size = norm(halo(), sum), viscous_size = norm(halo(), damping);
  EXPECT_EQ(solids, kMaterials);
  EXPECT_NEAR(energies, energy, 1e-12 * energy);
  for (int i = 0; i < halo().owned(); ++i) {
    const int vertex = simulation_.mesh->vertex_ids[i];
    EXPECT_LT((sum[i] - elastic[vertex]).norm(), 1e-12 * elastic_size);
    EXPECT_LT((damping[i] - viscous[vertex]).norm(), 1e-12 * viscous_size);
  }
}

TEST_F(MixedBody, ProductsOfEveryMaterialAndOfDamping) {
  build(scene_, mesh_);
  for (const auto& force : simulation_.system->forces()) {
    if (force->energy_name() != "elastic" && !dynamic_cast<RayleighDamping*>(force.get())) continue;
    EXPECT_LT(difference_from_blocks(*force, *simulation_.mesh, state_, direction_), 1e-12);
    EXPECT_LT(difference_from_central(*force, halo(), state_, direction_, 1e-4), 1e-6);
  }
}

// Landing on the plane, on all ranks and on one alone.
TEST_F(MixedBody, MovesAsOnOneRank) {
  scene_.solver.tolerance = 1e-11;
  scene_.bodies[0].initial.velocity = Vec3(0.2, 0.1, -0.5);
  build(scene_, mesh_);
  Simulation alone = build_simulation(PETSC_COMM_SELF, scene_, mesh_);
  for (int step = 0; step < 4; ++step) simulation_.loop->advance(), alone.loop->advance();
  const State &state = simulation_.loop->state(), &expected = alone.loop->state();
  std::vector<int> found(mesh_.vertices.size());
  for (std::size_t i = 0; i < found.size(); ++i) found[alone.mesh->vertex_ids[i]] = static_cast<int>(i);
  for (int i = 0; i < halo().owned(); ++i) {
    const int same = found[simulation_.mesh->vertex_ids[i]];
    EXPECT_LT((state.q[i] - expected.q[same]).norm(), 1e-9);
    EXPECT_LT((state.v[i] - expected.v[same]).norm(), 1e-7);
    EXPECT_GT((state.q[i] - simulation_.mesh->vertices[i]).norm(), 1e-3);
  }
}

TEST_F(ForceProduct, GravityIsConstant) {
  build(test::resting_box_scene(Integrator::sdirk2));
  EXPECT_EQ(norm(halo(), product_of(find<Gravity>(), state_, direction_)), 0);
}

class VolumeProduct : public ForceProduct, public testing::WithParamInterface<VolumeModel> {};

// The energy's gradient by a dual number through V(q) itself must be minus the force, and a dual of duals through the energy its product: evaluated along two
// directions.
TEST_P(VolumeProduct, AgreesWithTheGlobalFormula) {
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.bodies[0].volumes[0].model = GetParam();
  scene.bodies[0].volumes[0].gauge_pressure = 20000;
  scene.bodies[0].volumes[0].compressibility = 2e-6;
  build(scene);
  auto& force = find<VolumePenalty>();
  EXPECT_LT(difference_from_central(force, halo(), state_, direction_, 1e-4), 1e-6);
  EXPECT_LT(difference_from_blocks(force, *simulation_.mesh, state_, direction_), 1e-12);

  const VolumeLaw law = force.law_at(0);
  auto enclosed = [&](const Field& q, const Field& p, double e) {  // V(q + e p), by summing the determinants of the owned triangles
    double sum = 0;
    for (int t : simulation_.mesh->region("block.surface").members) {
      const auto& triangle = simulation_.mesh->triangles[t];
      if (!simulation_.mesh->owns(triangle)) continue;
      Mat3 corners;
      for (int a = 0; a < 3; ++a) corners.col(a) = q[triangle[a]] + e * p[triangle[a]];
      sum += corners.determinant() / 6;
    }
    return sum_over_ranks(PETSC_COMM_WORLD, sum);
  };
  EXPECT_NEAR(enclosed(state_.q, direction_.q, 0), force.volume(state_.q), 1e-13);
  // V is a cubic along any line: its coefficients follow exactly from four values.
  const double v0 = enclosed(state_.q, direction_.q, 0), v1 = enclosed(state_.q, direction_.q, 1), v2 = enclosed(state_.q, direction_.q, -1),
               v3 = enclosed(state_.q, direction_.q, 2);
  const double second = (v1 + v2) / 2 - v0, odd = (v1 - v2) / 2, third = (v3 - v0 - 4 * second - 2 * odd) / 6, first = odd - third;
  const Field f = force_of(force, state_), product = product_of(force, state_, direction_);
  double work = 0, change = 0;
  for (int i = 0; i < halo().owned(); ++i) {
    work += f[i].dot(direction_.q[i]);
    change += product[i].dot(direction_.q[i]);
  }
  work = sum_over_ranks(PETSC_COMM_WORLD, work);
  change = sum_over_ranks(PETSC_COMM_WORLD, change);
  EXPECT_NEAR(work, law.pressure(v0) * first, 1e-11 * std::abs(work));
  EXPECT_NEAR(change, law.pressure_slope(v0) * first * first + law.pressure(v0) * 2 * second, 1e-11 * std::abs(change));
}

INSTANTIATE_TEST_SUITE_P(Models, VolumeProduct, testing::Values(VolumeModel::quadratic, VolumeModel::ideal_gas, VolumeModel::nearly_incompressible));

struct ContactCase {
  const char* name;
  std::function<void(Obstacle&)> shape;
  double speed;  // scale of the velocities [m/s], against a tolerance of 0.01 and a Stribeck velocity of 0.1
  double lift;   // height of the block above its place on the surface [m]
  bool moving = false;
  double damping = 0;  // damping of the normal force [s/m]
  std::function<void(FrictionSettings&)> friction = nullptr;
};

class ContactProduct : public ForceProduct, public testing::WithParamInterface<ContactCase> {};

TEST_P(ContactProduct, AgreesWithBlocksAndDifferences) {
  const ContactCase& parameters = GetParam();
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  parameters.shape(scene.obstacles[0]);
  scene.contacts[0].thickness = 0.3;
  scene.contacts[0].stiffness = 1000;
  scene.contacts[0].damping = parameters.damping;
  scene.contacts[0].friction->static_ = 0.6;
  scene.contacts[0].friction->viscous = 2;
  if (parameters.friction) parameters.friction(*scene.contacts[0].friction);
  if (parameters.moving) {
    MotionSettings motion;
    motion.velocity = Vec3(0.02, 0.01, -0.03);
    motion.angular_velocity = Vec3(0.1, 0.2, -0.3);
    motion.about = Vec3(0.2, 0.1, 0);
    motion.ramp = 0.2;
    scene.obstacles[0].motion = {motion};
  }
  build(scene, parameters.lift);
  state_.time = 0.15;
  state_.v.array() *= parameters.speed;
  auto& force = find<PairForce<VertexObstacle>>();
  const ContactSummary summary = force.summarize(state_);
  if (parameters.lift > 1) {
    EXPECT_EQ(summary.active, 0);
    EXPECT_EQ(norm(halo(), product_of(force, state_, direction_)), 0);
    return;
  }
  EXPECT_GT(summary.active, 4);
  EXPECT_LT(difference_from_blocks(force, *simulation_.mesh, state_, direction_), 1e-12);
  direction_.q.array() *= 0.1;  // the curves bend on the scale of the tolerance
  direction_.v.array() *= 0.01 * parameters.speed;
  EXPECT_LT(difference_from_central(force, halo(), state_, direction_, 2e-5), 1e-6);

  // Primal-dual products, after a linearization elsewhere, are no longer the derivative, but assembled and matrix-free ones agree; they are exact again when
  // switched off.
  State elsewhere = state_;
  for (int i = 0; i < halo().local(); ++i) elsewhere.v[i] += 0.5 * parameters.speed * Vec3(0.4, -0.7, 0.2);
  force.set_primal_dual(true);
  force.linearize(elsewhere);
  EXPECT_LT(difference_from_blocks(force, *simulation_.mesh, state_, direction_), 1e-12);
  force.set_primal_dual(false);
  EXPECT_LT(difference_from_central(force, halo(), state_, direction_, 2e-5), 1e-6);
}

const std::vector<ContactCase> kContactCases = {
    {"plane_sticking",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3(0.1, 0, 1).normalized()};
     },
     0.005, 0},
    {"plane_stribeck",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3(0.1, 0, 1).normalized()};
     },
     0.15, 0},
    {"plane_sliding",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3(0.1, 0, 1).normalized()};
     },
     3, 0},
    {"plane_away",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3::UnitZ()};
     },
     3, 5},
    {"plane_moving",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3::UnitZ()};
     },
     0.15, 0, true},
    {"sphere_outside",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.5, -1.8), 1.8, false};
     },
     0.15, 0},
    {"sphere_sticking",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.5, -1.8), 1.8, false};
     },
     0.003, 0},
    {"sphere_inside",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.55, 0.45), 0.9, true};
     },
     0.15, 0},
    {"cylinder_outside",
     [](Obstacle& s) {
       s.shape = CylinderSettings{Vec3(0, 0.5, -0.8), Vec3(1, 0.2, 0).normalized(), 0.8, false};
     },
     0.15, 0},
    {"cylinder_inside",
     [](Obstacle& s) {
       s.shape = CylinderSettings{Vec3(0, 0.55, 0.45), Vec3(1, 0.1, 0).normalized(), 0.8, true};
     },
     3, 0, true},
    {"box_outside",
     [](Obstacle& s) {
       s.shape = BoxSettings{Vec3(0.2, 0.3, -1), Vec3(3, 3, -0.05), false};
     },
     0.15, 0},
    {"box_inside",
     [](Obstacle& s) {
       s.shape = BoxSettings{Vec3(-0.1, -0.1, -0.1), Vec3(1.2, 1.2, 1.1), true};
     },
     0.15, 0},
    {"plane_damped",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3(0.1, 0, 1).normalized()};
     },
     0.15, 0, false, 3},
    {"sphere_moving_damped",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.5, -1.8), 1.8, false};
     },
     0.15, 0, true, 1},
    {"exponential_decay",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.5, -1.8), 1.8, false};
     },
     0.15, 0, true, 1, [](FrictionSettings& friction) { friction.decay_velocity = 0.05; }},
    {"table_over_speed_and_pressure",
     [](Obstacle& s) {
       s.shape = PlaneSettings{Vec3(0, 0, -0.05), Vec3(0.1, 0, 1).normalized()};
     },
     0.15, 0, true, 1,
     [](FrictionSettings& friction) {
       friction.table = FrictionTable{{0, 0.3, 1}, {0, 3e3, 3e4, 3e5}, {0.9, 0.8, 0.7, 0.8, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1}};
     }},
    {"grain",
     [](Obstacle& s) {
       s.shape = SphereSettings{Vec3(0.5, 0.5, -1.8), 1.8, false};
     },
     0.05, 0, false, 1,
     [](FrictionSettings& friction) {
       friction.anisotropic = AnisotropySettings();
       friction.anisotropic->grain = Vec3(1, 2, 0.1).normalized();
       friction.anisotropic->along = 0.4;
       friction.anisotropic->across = 1.5;
     }},
};

INSTANTIATE_TEST_SUITE_P(Surfaces, ContactProduct, testing::ValuesIn(kContactCases),
                         [](const testing::TestParamInfo<ContactCase>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace traction
