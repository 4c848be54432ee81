#include "scene/read_scene.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "scene_texts.h"

namespace traction::test {
namespace {

TEST(ReadScene, ReadsEveryKeyOfTimeAndSolver) {
  const Scene scene = read(kFullScene);
  EXPECT_EQ(scene.file, "/jobs/bounce/scene.yaml");
  ASSERT_EQ(scene.time.steps.size(), 1u);
  EXPECT_EQ(scene.time.steps[0].from, 0);
  EXPECT_EQ(scene.time.steps[0].step, 1e-4);
  EXPECT_EQ(scene.time.end, 1.2);
  EXPECT_EQ(scene.time.integrator, Integrator::tr_bdf2);
  EXPECT_EQ(scene.time.maximum_halvings, 5);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.solver.method, NewtonMethod::newton);
  EXPECT_EQ(scene.solver.preconditioner, PreconditionerKind::mumps);
  EXPECT_EQ(scene.solver.tolerance, 1e-6);
  EXPECT_EQ(scene.solver.forcing, 0.1);
  EXPECT_EQ(scene.solver.maximum_iterations, 40);
  EXPECT_EQ(scene.solver.maximum_linear_iterations, 3000);
  EXPECT_EQ(scene.partition.file, "/jobs/bounce/ball.partition.h5");
  EXPECT_EQ(scene.partition.contact_weight, 25);
  EXPECT_EQ(scene.output.every, 1e-3);
  EXPECT_EQ(scene.output.fields, (std::vector{OutputField::velocity, OutputField::contact_force}));
  EXPECT_EQ(scene.output.log_every, 10);
  EXPECT_EQ(scene.petsc, (std::map<std::string, std::string>{{"ksp_monitor", ""}, {"ksp_rtol", "1e-3"}, {"log_view", "true"}}));
}

TEST(ReadScene, ReadsEveryKeyOfAShell) {
  const Scene scene = read(kFullScene);
  const Body& tire = scene.bodies.at(2);
  EXPECT_TRUE(tire.solid.empty());
  ASSERT_EQ(tire.shell.size(), 3u);
  // A bulk's numbers and a thickness t: E t, rho t and E t^3 / (12 (1 - nu^2)).
  const ShellMaterialSettings& tread = tire.shell.at("tread");
  EXPECT_DOUBLE_EQ(tread.youngs_modulus, 2e4);
  EXPECT_EQ(tread.poisson_ratio, 0.5);
  EXPECT_DOUBLE_EQ(tread.density, 11);
  EXPECT_DOUBLE_EQ(tread.bending_stiffness, 2.0 / 9);
  EXPECT_EQ(tread.thickness, 0.01);
  EXPECT_FALSE(tread.flat);
  EXPECT_EQ(tread.source.text, "/jobs/bounce/scene.yaml:" + std::to_string(line_of(kFullScene, "tread: {")) + ": bodies.tire.shell.tread");
  // With a bending stiffness the numbers are the surface's.
  const ShellMaterialSettings& side = tire.shell.at("side");
  EXPECT_EQ(side.youngs_modulus, 3e4);
  EXPECT_EQ(side.density, 12);
  EXPECT_EQ(side.bending_stiffness, 0.7);
  EXPECT_EQ(side.thickness, 4e-3);
  EXPECT_TRUE(side.flat);
  // Without a thickness the numbers are the surface's, too, and the shell does not bend.
  const ShellMaterialSettings& lining = tire.shell.at("lining");
  EXPECT_EQ(lining.youngs_modulus, 500);
  EXPECT_EQ(lining.density, 0.2);
  EXPECT_EQ(lining.bending_stiffness, 0);
  EXPECT_EQ(lining.thickness, 0);
  // A plate of the side's thickness has 0.04 N m, without Poisson's ratio.
  EXPECT_TRUE(tread.bends_as_plate());
  EXPECT_TRUE(side.bends_as_plate());
  EXPECT_FALSE(lining.bends_as_plate());
  ShellMaterialSettings cloth = side;
  cloth.bending_stiffness = 0.019;
  EXPECT_FALSE(cloth.bends_as_plate());
  cloth.bending_stiffness = 0.021;
  EXPECT_TRUE(cloth.bends_as_plate());

  ASSERT_EQ(tire.volumes.size(), 2u);
  EXPECT_EQ(tire.volumes[0].surface, "tread");
  EXPECT_TRUE(tire.volumes[0].close_rims);
  EXPECT_EQ(tire.volumes[0].excluded_volume, 0.05);
  ASSERT_EQ(tire.volumes[0].inflation.size(), 2u);
  EXPECT_EQ(tire.volumes[0].inflation[0].time, 0.5);
  EXPECT_EQ(tire.volumes[0].inflation[0].factor, 1.25);
  EXPECT_EQ(tire.volumes[0].inflation[1].time, 2);
  EXPECT_EQ(tire.volumes[0].inflation[1].factor, 3);
  EXPECT_EQ(tire.volumes[1].region, "filling");
  EXPECT_TRUE(tire.volumes[1].surface.empty());
  EXPECT_FALSE(tire.volumes[1].close_rims);
  EXPECT_TRUE(tire.volumes[1].inflation.empty());
}

TEST(ReadScene, ReadsEveryKeyOfABody) {
  const Scene scene = read(kFullScene);
  ASSERT_EQ(scene.bodies.size(), 3u);
  const Body& ball = scene.bodies[0];
  EXPECT_EQ(ball.name, "ball");
  EXPECT_EQ(ball.mesh, "/jobs/bounce/meshes/ball.geo");
  EXPECT_EQ(ball.source.text, "/jobs/bounce/scene.yaml:9: bodies.ball.mesh");
  EXPECT_EQ(ball.mesh_parameters, (std::map<std::string, double>{{"element_size", 3e-3}}));
  EXPECT_EQ(ball.scale, 0.5);
  ASSERT_EQ(ball.solid.size(), 2u);
  EXPECT_EQ(word_of(ball.solid.at("core").material), "neo_hookean");
  EXPECT_EQ(ball.solid.at("core").youngs_modulus, 6e6);
  EXPECT_EQ(ball.solid.at("core").poisson_ratio, 0.4995);
  EXPECT_EQ(ball.solid.at("core").density, 934);
  EXPECT_EQ(ball.solid.at("core").source.text, "/jobs/bounce/scene.yaml:13: bodies.ball.solid.core");
  EXPECT_EQ(ball.solid.at("felt").density, 4.69);
  EXPECT_EQ(ball.solid.at("felt").source.text, "/jobs/bounce/scene.yaml:17: bodies.ball.solid.felt");
  ASSERT_EQ(ball.volumes.size(), 1u);
  EXPECT_EQ(ball.volumes[0].surface, "cavity");
  EXPECT_EQ(ball.volumes[0].model, VolumeModel::nearly_incompressible);
  EXPECT_EQ(ball.volumes[0].gauge_pressure, 101325);
  EXPECT_EQ(ball.volumes[0].compressibility, 2e-6);
  EXPECT_TRUE(ball.volumes[0].sparse);
  EXPECT_EQ(ball.volumes[0].source.text, "/jobs/bounce/scene.yaml:18: bodies.ball.volume");
  EXPECT_EQ(ball.damping.mass, 0.25);
  EXPECT_EQ(ball.damping.stiffness, 1e-5);
  EXPECT_EQ(ball.initial.rotate.axis, Vec3(0, 0, 1));
  EXPECT_EQ(ball.initial.rotate.angle, 10);
  EXPECT_EQ(ball.initial.translate, Vec3(0, 0, 2.54));
  EXPECT_EQ(ball.initial.velocity, Vec3(1, 2, 3));
  EXPECT_EQ(ball.initial.angular_velocity, Vec3(4, 5, 6));
  EXPECT_EQ(scene.bodies[1].name, "plate");
}

TEST(ReadScene, ReadsLoads) {
  const std::vector<LoadSettings> loads = read(kFullScene).bodies[1].loads;
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(loads[0].name, "pull");
  EXPECT_EQ(loads[0].kind, LoadKind::force);
  EXPECT_EQ(loads[0].region, "tip");
  EXPECT_EQ(loads[0].vector, Vec3(0, 0, -10));
  EXPECT_FALSE(loads[0].following);
  ASSERT_EQ(loads[0].over.size(), 2u);
  EXPECT_EQ(loads[0].over[1].time, 0.5);
  EXPECT_EQ(loads[0].over[1].factor, -2);
  EXPECT_EQ(loads[0].source.text, "/jobs/bounce/scene.yaml:48: bodies.plate.loads.pull");
  EXPECT_EQ(loads[1].kind, LoadKind::traction);
  EXPECT_TRUE(loads[1].following);
  EXPECT_TRUE(loads[1].over.empty());
  EXPECT_EQ(loads[2].kind, LoadKind::body_force);
  EXPECT_TRUE(loads[2].region.empty());
  EXPECT_EQ(loads[3].kind, LoadKind::pressure);
  EXPECT_EQ(loads[3].pressure, -3);
}

TEST(ReadScene, ReadsFixedAndDrivenVertices) {
  const std::vector<DrivenSettings> driven = read(kFullScene).bodies[0].driven;
  ASSERT_EQ(driven.size(), 3u);
  EXPECT_EQ(driven[0].region, "base");
  EXPECT_TRUE(driven[0].motion.empty());
  EXPECT_EQ(driven[0].source.text, "/jobs/bounce/scene.yaml:34: bodies.ball.fixed.0");
  EXPECT_EQ(driven[1].region, "rim");
  EXPECT_TRUE(driven[1].motion.empty());
  EXPECT_EQ(driven[2].region, "top");
  EXPECT_EQ(driven[2].source.text, "/jobs/bounce/scene.yaml:36: bodies.ball.driven.0");
  ASSERT_EQ(driven[2].motion.size(), 1);
  EXPECT_EQ(driven[2].motion[0].velocity, Vec3(0, 0, -0.1));
  EXPECT_EQ(driven[2].motion[0].angular_velocity, Vec3(0, 1, 0));
  EXPECT_EQ(driven[2].motion[0].about, Vec3(7, 8, 9));
  EXPECT_EQ(driven[2].motion[0].start, 0.1);
  EXPECT_EQ(driven[2].motion[0].ramp, 0.2);
  EXPECT_EQ(driven[2].motion[0].stop, 1);
}

TEST(ReadScene, ReadsEveryShapeOfSurface) {
  const Scene scene = read(kFullScene);
  ASSERT_EQ(scene.obstacles.size(), 5u);
  EXPECT_EQ(scene.obstacles[0].name, "court");
  const auto& plane = std::get<PlaneSettings>(scene.obstacles[0].shape);
  EXPECT_EQ(plane.point, Vec3(0, 0, 0.5));
  EXPECT_TRUE(plane.normal.isApprox(Vec3(0, 0.6, 0.8), 1e-15));
  EXPECT_TRUE(scene.obstacles[0].motion.empty());
  const auto& sphere = std::get<SphereSettings>(scene.obstacles[1].shape);
  EXPECT_EQ(sphere.center, Vec3(1, 2, 3));
  EXPECT_EQ(sphere.radius, 4);
  EXPECT_TRUE(sphere.inside);
  const auto& cylinder = std::get<CylinderSettings>(scene.obstacles[2].shape);
  EXPECT_EQ(cylinder.point, Vec3(1, 0, 0));
  EXPECT_EQ(cylinder.axis, Vec3(0, 1, 0));
  EXPECT_EQ(cylinder.radius, 0.25);
  EXPECT_TRUE(cylinder.inside);
  ASSERT_EQ(scene.obstacles[2].motion.size(), 1);
  EXPECT_EQ(scene.obstacles[2].motion[0].velocity, Vec3(0, 0, 1));
  const auto& box = std::get<BoxSettings>(scene.obstacles[3].shape);
  EXPECT_EQ(box.lower, Vec3(-1, -1, -1));
  EXPECT_EQ(box.upper, Vec3(1, 2, 3));
  EXPECT_TRUE(box.inside);
  const auto& mesh = std::get<MeshObstacleSettings>(scene.obstacles[4].shape);
  EXPECT_EQ(mesh.file, "/jobs/bounce/slope.stl");
  EXPECT_EQ(mesh.scale, 0.01);
  EXPECT_EQ(mesh.radius_multiplier, 2);
  EXPECT_EQ(mesh.interpolation, 1e-4);
}

TEST(ReadScene, ReadsEveryKeyOfAContact) {
  const Scene scene = read(kFullScene);
  ASSERT_EQ(scene.contacts.size(), 4u);
  const ContactSettings& bounce = scene.contacts[0];
  EXPECT_EQ(bounce.name, "bounce");
  EXPECT_EQ(bounce.vertices.body, "ball");
  EXPECT_EQ(bounce.vertices.region, "outer");
  EXPECT_EQ(std::get<std::string>(bounce.against), "court");
  EXPECT_EQ(bounce.thickness, 5e-4);
  EXPECT_EQ(bounce.stiffness, 1e4);
  EXPECT_EQ(bounce.source.text, "/jobs/bounce/scene.yaml:" + std::to_string(line_of(kFullScene, "  bounce:")) + ": contacts.bounce");
  ASSERT_TRUE(bounce.friction);
  EXPECT_EQ(bounce.friction->dynamic, 0.6);
  EXPECT_EQ(bounce.friction->static_, 0.7);
  EXPECT_EQ(bounce.friction->tolerance, 2e-2);
  EXPECT_EQ(bounce.friction->stribeck_velocity, 0.1);
  EXPECT_EQ(bounce.friction->viscous, 0.05);
  EXPECT_FALSE(bounce.friction->sliding_basis_derivative);
  EXPECT_EQ(bounce.friction->coupling, FrictionCoupling::lagged);
  EXPECT_EQ(bounce.friction->passes, 4);
  const ContactSettings& scrape = scene.contacts[1];
  EXPECT_EQ(scrape.vertices.body, "plate");
  EXPECT_EQ(scrape.vertices.region, "");
  EXPECT_FALSE(scrape.stiffness);
  EXPECT_FALSE(scrape.friction);
  EXPECT_FALSE(scrape.both || scrape.exclusion_ring);
  const ContactSettings& press = scene.contacts[2];
  EXPECT_TRUE(press.both);
  EXPECT_EQ(press.vertices, (BodySurface{"ball", "outer"}));
  EXPECT_EQ(std::get<BodySurface>(press.against), (BodySurface{"plate", ""}));
  EXPECT_EQ(press.surface.radius_multiplier, 2);
  EXPECT_EQ(press.surface.interpolation, 1e-4);
  const ContactSettings& fold = scene.contacts[3];
  EXPECT_EQ(std::get<BodySurface>(fold.against), (BodySurface{"ball", "inner"}));
  EXPECT_EQ(fold.exclusion_ring, 3);
  EXPECT_FALSE(fold.both);
  EXPECT_EQ(fold.surface.radius_multiplier, 1.5);
}

// A surface may have the name of a body; it comes first.
TEST(ReadScene, FillsInDefaults) {
  const Scene scene = read(kSmallScene);
  EXPECT_EQ(scene.time.integrator, Integrator::tr_sdirk2);
  EXPECT_EQ(scene.time.maximum_halvings, 12);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, 0));
  const Body& ball = scene.bodies.at(0);
  EXPECT_EQ(ball.scale, 1);
  EXPECT_TRUE(ball.mesh_parameters.empty() && ball.volumes.empty() && ball.driven.empty());
  EXPECT_EQ(ball.damping.mass, 0);
  EXPECT_EQ(ball.damping.stiffness, 0);
  EXPECT_EQ(ball.initial.rotate.angle, 0);
  EXPECT_EQ(ball.initial.velocity, Vec3(0, 0, 0));
  EXPECT_TRUE(scene.obstacles.empty() && scene.contacts.empty() && scene.petsc.empty());
  EXPECT_EQ(scene.solver.method, NewtonMethod::inexact_newton);
  EXPECT_EQ(scene.solver.preconditioner, PreconditionerKind::automatic);
  EXPECT_EQ(scene.solver.tolerance, 1e-5);
  EXPECT_EQ(scene.solver.forcing, 0.01);
  EXPECT_EQ(scene.solver.maximum_iterations, 60);
  EXPECT_EQ(scene.solver.maximum_linear_iterations, 2000);
  EXPECT_FALSE(scene.partition.file);
  EXPECT_EQ(scene.partition.contact_weight, 0);
  EXPECT_FALSE(scene.output.every);
  EXPECT_EQ(scene.output.fields, (std::vector{OutputField::velocity, OutputField::contact_pressure}));
  EXPECT_EQ(scene.output.log_every, 50);
}

TEST(ReadScene, FrictionDefaultsFollowTheOtherCoefficients) {
  const Scene scene = read(kSmallScene + R"(
surfaces: {court: {plane: {}}}
contacts:
  rub: {vertices: ball, against: court, thickness: 1e-3, friction: {dynamic: 0.4, tolerance: 3e-3}}
  slip: {vertices: ball, against: court, thickness: 2e-3, friction: {dynamic: 0}}
)");
  EXPECT_EQ(scene.contacts[0].friction->static_, 0.4);
  EXPECT_EQ(scene.contacts[0].friction->stribeck_velocity, 10 * 3e-3);
  EXPECT_TRUE(scene.contacts[0].friction->sliding_basis_derivative);
  EXPECT_EQ(scene.contacts[1].friction->tolerance, 1e-3);
  EXPECT_EQ(scene.contacts[1].friction->stribeck_velocity, 1e-2);
  EXPECT_EQ(std::get<PlaneSettings>(scene.obstacles[0].shape).normal, Vec3(0, 0, 1));
}

TEST(ReadScene, ReadsFrictionLaws) {
  const Scene scene = read(kSmallScene + R"(
surfaces: {court: {plane: {}}}
contacts:
  rub: {vertices: ball, against: court, thickness: 1e-3, friction: {dynamic: 0.4, static: 0.6, decay_velocity: 0.3}}
  slip: {vertices: ball, against: court, thickness: 2e-3, friction: {table: {speeds: [0, 1], pressures: [10, 20], coefficients: [0.9, 0.8, 0.7, 0.6]},
         anisotropic: {direction: [0, 5, 0], along: 0.5, across: 2}}}
)");
  EXPECT_EQ(scene.contacts[0].friction->decay_velocity, 0.3);
  EXPECT_FALSE(scene.contacts[0].friction->table);
  EXPECT_EQ(scene.contacts[0].friction->largest_coefficient(), 0.6);
  const FrictionSettings& slip = *scene.contacts[1].friction;
  EXPECT_EQ(slip.table->at(0.0, 20.0), 0.7);
  EXPECT_EQ(slip.largest_coefficient(), 0.9);
  EXPECT_EQ(slip.anisotropic->grain, Vec3::UnitY());
  EXPECT_EQ(slip.anisotropic->along, 0.5);
  EXPECT_EQ(slip.anisotropic->across, 2);
}

TEST(ReadScene, ReadsAScheduleOfSteps) {
  const Scene scene = read(replaced(kSmallScene, "step: 1e-3", "step: [{from: 0, step: 5e-3}, {from: 0.70, step: 1e-4}]"));
  ASSERT_EQ(scene.time.steps.size(), 2u);
  EXPECT_EQ(scene.time.steps[0].step, 5e-3);
  EXPECT_EQ(scene.time.steps[1].from, 0.7);
  EXPECT_EQ(scene.time.steps[1].step, 1e-4);
}

TEST(ReadScene, TakesNumbersInEveryCommonForm) {
  for (const std::string form : {"1e-4", "1.0e-4", "\"1e-4\"", "0.0001", "+1e-4", ".0001", "1E-4", "'1e-04'"}) {
    EXPECT_EQ(read(replaced(kSmallScene, "step: 1e-3", "step: " + form)).time.steps[0].step, 1e-4) << form;
  }
  EXPECT_EQ(read(kSmallScene, {"solver.maximum_iterations=1.0e1"}).solver.maximum_iterations, 10);
}

TEST(ReadScene, TakesOneOrSeveralVolumesAndFixedRegions) {
  const Scene scene = read(kSmallScene + "    volume: [{surface: left}, {surface: right, gauge_pressure: -1000}]\n    fixed: base\n");
  const Body& ball = scene.bodies[0];
  ASSERT_EQ(ball.volumes.size(), 2u);
  EXPECT_EQ(ball.volumes[0].model, VolumeModel::ideal_gas);
  EXPECT_EQ(ball.volumes[0].compressibility, 1.0 / 101325.0);
  EXPECT_EQ(ball.volumes[1].surface, "right");
  EXPECT_EQ(ball.volumes[1].source.text, "/jobs/bounce/scene.yaml:6: bodies.ball.volume.1");
  ASSERT_EQ(ball.driven.size(), 1u);
  EXPECT_EQ(ball.driven[0].source.text, "/jobs/bounce/scene.yaml:7: bodies.ball.fixed");
}

TEST(ReadScene, ReadsRegionsThatAreHeldInPart) {
  const Scene scene = read(kSmallScene +
                           "    fixed: [base, {region: side, components: [z, x]}, {region: slope, normal: [3, 0, 4]}, {region: rim, components: [x, y, z]}]\n"
                           "    driven: [{vertices: top, components: y, motion: {velocity: [0, 1, 0]}}]\n");
  const std::vector<DrivenSettings>& driven = scene.bodies[0].driven;
  ASSERT_EQ(driven.size(), 5u);
  EXPECT_TRUE(driven[0].directions().empty());
  EXPECT_EQ(driven[1].directions(), (std::vector<Vec3>{Vec3::UnitZ(), Vec3::UnitX()}));
  EXPECT_EQ(driven[1].source.text, "/jobs/bounce/scene.yaml:6: bodies.ball.fixed.1");
  ASSERT_EQ(driven[2].directions().size(), 1u);
  EXPECT_LT((driven[2].directions()[0] - Vec3(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_TRUE(driven[3].directions().empty());  // empty means the whole motion
  EXPECT_EQ(driven[4].directions(), (std::vector<Vec3>{Vec3::UnitY()}));
}

TEST(ReadScene, NamesEachChoice) {
  const auto integrator = [](const std::string& name) { return read(kSmallScene, {"time.integrator=" + name}).time.integrator; };
  EXPECT_EQ(integrator("backward_euler"), Integrator::backward_euler);
  EXPECT_EQ(integrator("trapezoidal"), Integrator::trapezoidal);
  EXPECT_EQ(integrator("bdf2"), Integrator::bdf2);
  EXPECT_EQ(integrator("sdirk2"), Integrator::sdirk2);
  EXPECT_EQ(integrator("tr_sdirk2"), Integrator::tr_sdirk2);
  const auto preconditioner = [](const std::string& name) { return read(kSmallScene, {"solver.preconditioner=" + name}).solver.preconditioner; };
  EXPECT_EQ(preconditioner("automatic"), PreconditionerKind::automatic);
  EXPECT_EQ(preconditioner("none"), PreconditionerKind::none);
  EXPECT_EQ(preconditioner("block_jacobi"), PreconditionerKind::block_jacobi);
  EXPECT_EQ(preconditioner("ilu"), PreconditionerKind::ilu);
  EXPECT_EQ(preconditioner("asm_ilu"), PreconditionerKind::asm_ilu);
  EXPECT_EQ(preconditioner("gamg"), PreconditionerKind::gamg);
  EXPECT_EQ(preconditioner("hypre"), PreconditionerKind::hypre);
}

TEST(ReadScene, NormalisesDirectionsOfAnySize) {
  const auto normal = [](const std::string& text) {
    return std::get<PlaneSettings>(read(kSmallScene + "surfaces: {court: {plane: {normal: " + text + "}}}\n").obstacles[0].shape).normal;
  };
  EXPECT_EQ(normal("[0, 0, -1e300]"), Vec3(0, 0, -1));
  EXPECT_EQ(normal("[1e-300, 0, 0]"), Vec3(1, 0, 0));
  EXPECT_NEAR(normal("[1, 2, 3]").norm(), 1, 1e-15);
}

TEST(ReadScene, ResolvesPathsAgainstTheFolderOfTheScene) {
  EXPECT_EQ(read(kSmallScene, {"bodies.ball.mesh=../shared/ball.vtu"}).bodies[0].mesh, "/jobs/shared/ball.vtu");
  EXPECT_EQ(read(kSmallScene, {"bodies.ball.mesh=/data/ball.vtk"}).bodies[0].mesh, "/data/ball.vtk");
  EXPECT_EQ(read(kSmallScene, {"partition.file=/data/ball.h5"}).partition.file, "/data/ball.h5");
  const Scene relative = read_scene(kSmallScene, "jobs/scene.yaml", {});
  EXPECT_EQ(relative.file, (std::filesystem::current_path() / "jobs/scene.yaml").string());
  EXPECT_EQ(relative.bodies[0].mesh, (std::filesystem::current_path() / "jobs/ball.msh").string());
}

TEST(ReadScene, FollowsAliases) {
  const Scene scene = read(R"(time: {step: 1e-3, end: 1}
bodies:
  ball:
    mesh: ball.msh
    solid: {core: &rubber {youngs_modulus: 6e6, poisson_ratio: 0.3, density: 934}, felt: *rubber}
)",
                           {"bodies.ball.solid.felt.density=5"});
  EXPECT_EQ(scene.bodies[0].solid.at("core").density, 934);
  EXPECT_EQ(scene.bodies[0].solid.at("felt").density, 5);
  EXPECT_EQ(scene.bodies[0].solid.at("felt").youngs_modulus, 6e6);
}

}  // namespace
}  // namespace traction::test
