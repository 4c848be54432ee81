#include "app/doubtful_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scene/read_scene.h"

namespace traction {
namespace {

// A cube of 0.1 m, of rubber unless `material` says otherwise. Nothing in it is doubtful.
std::string cube(const std::string& material = "{youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}", const std::string& time = "{step: 1e-3, end: 1}") {
  return "time: " + time + "\ngravity: [0, 0, -9.81]\nbodies:\n  cube: {mesh: cube.msh, solid: {all: " + material + "}}\n";
}

// `obstacle_size`: of all obstacles, 0 for those that are not meshes.
std::vector<std::string> doubts_about(const std::string& text, double obstacle_size, std::size_t quadratics, double size = 0.1) {
  const Scene scene = read_scene(text, "scene.yaml", {});
  std::vector<BodySummary> bodies(scene.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].name = scene.bodies[b].name;
    bodies[b].extent = {Vec3(0, 0, 0), Vec3(size, size, size)};
    bodies[b].quadratics = quadratics;
  }
  Eigen::AlignedBox3d box;
  if (obstacle_size > 0) box = {Vec3(0, 0, 0), Vec3(obstacle_size, 0, 0)};
  return doubts_about_settings(scene, bodies, std::vector<Eigen::AlignedBox3d>(scene.obstacles.size(), box));
}

// The only doubt, or all of them in a row.
std::string doubt_about(const std::string& text, double obstacle_size = 0, std::size_t quadratics = 0) {
  std::string all;
  for (const std::string& doubt : doubts_about(text, obstacle_size, quadratics)) all += doubt;
  return all;
}

// `text` with one part of it replaced.
std::string changed(std::string text, const std::string& old, const std::string& part) { return text.replace(text.find(old), old.size(), part); }

TEST(DoubtfulSettings, NoneAboutAUsualScene) { EXPECT_EQ(doubt_about(cube()), ""); }

// Two blocks of ten-node or four-node tetrahedra, one attached to the other.
std::string doubt_about_attachment(std::size_t quadratics_attached, std::size_t quadratics_of_carrier, const std::string& more = "") {
  const std::string solid = "mesh: cube.msh, solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}";
  const Scene scene = read_scene("time: {step: 1e-3, end: 1}\ngravity: [0, 0, -9.81]\nbodies: {upper: {" + solid + "}, lower: {" + solid +
                                     "}}\nattachments: {glue: {vertices: upper.bottom, to: lower" + more + "}}\n",
                                 "scene.yaml", {});
  std::vector<BodySummary> bodies(2);
  for (BodySummary& body : bodies) body.extent = {Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1)};
  bodies[0].quadratics = quadratics_attached;
  bodies[1].quadratics = quadratics_of_carrier;
  std::string all;
  for (const std::string& doubt : doubts_about_settings(scene, bodies, {})) all += doubt;
  return all;
}

TEST(DoubtfulSettings, NameTenNodeTetrahedraThatCarryFacesWithCornersAlone) {
  EXPECT_EQ(doubt_about_attachment(0, 0), "");
  EXPECT_EQ(doubt_about_attachment(6, 6), "");
  EXPECT_EQ(doubt_about_attachment(6, 0), "");
  EXPECT_EQ(doubt_about_attachment(0, 6, ", stiffness: 1e5"), "");
  EXPECT_NE(
      doubt_about_attachment(0, 6).find("scene.yaml:4: attachments.glue: the ten-node tetrahedra of 'lower' carry faces of 'upper' at their corners alone"),
      std::string::npos)
      << doubt_about_attachment(0, 6);
}

TEST(DoubtfulSettings, ModulusInMegapascals) {
  // The weight of 0.1 m of rubber is 1100 * 9.81 * 0.1 = 1079 Pa, half of it 540.
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 5, poisson_ratio: 0.4, density: 1100}")),
            "scene.yaml:4: bodies.cube.solid.all: Young's modulus for small strains is 5 Pa, and 1.08e+03 Pa of weight press on the lowest layer: the body "
            "would collapse under itself. Moduli are in Pa; if this one is in MPa, give 5e+06");
  EXPECT_NE(doubt_about(cube("{youngs_modulus: 2157, poisson_ratio: 0.4, density: 1100}")), "");
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 2159, poisson_ratio: 0.4, density: 1100}")), "");
  EXPECT_NE(doubt_about(cube("{youngs_modulus: 2.1e5, poisson_ratio: 0.3, density: 7850}")).find("the density of stone or metal"), std::string::npos);
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7850}")), "");
}

// A body that is too large, or gravity in mm/s^2, would flatten any solid: the modulus is not to blame.
TEST(DoubtfulSettings, SizesInOtherUnits) {
  const std::string soft = cube("{youngs_modulus: 5e4, poisson_ratio: 0.45, density: 1000}");
  const auto large = [](const std::string& text) { return doubts_about(text, 0, 0, 120); };
  EXPECT_EQ(large(soft),
            std::vector<std::string>{"scene.yaml:4: bodies.cube.mesh: the body is 120 m long; if its mesh is in millimetres, give it scale: 1e-3"});
  EXPECT_EQ(
      large(changed(soft, "mesh: cube.msh", "mesh: cube.msh, scale: 1000")),
      std::vector<std::string>{"scene.yaml:4: bodies.cube.mesh: with scale: 1000 the body is 120 m long, and in its mesh 0.12. The scale is the length of "
                               "the mesh's unit in metres: 1e-3 for millimetres; for metres leave it out"});
  EXPECT_TRUE(large(changed(soft, "mesh: cube.msh", "mesh: cube.msh, scale: 1e-3")).front().find("would collapse") != std::string::npos);  // that size is meant
  EXPECT_EQ(large(cube("{youngs_modulus: 0.05, poisson_ratio: 0.45, density: 1000}")).size(), 2u);                                         // both
  EXPECT_EQ(doubts_about(changed(soft, "-9.81", "-9810"), 0, 0).size(), 1u);
}

TEST(DoubtfulSettings, MomentsOfInertiaInOtherUnits) {
  // The diagonal of the cube is 0.1732 m long, the root of 1.5 times 0.02 kg m^2 over 1 kg.
  const auto rigid = [](const std::string& moment) {
    return doubt_about(changed(cube(), "solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}",
                               "rigid: {mass: 1, center: [0.05, 0.05, 0.05], inertia: [" + moment + ", " + moment + ", " + moment + "]}"));
  };
  EXPECT_EQ(rigid("0.0199"), "");
  EXPECT_EQ(rigid("2e3"),
            "scene.yaml:4: bodies.cube.rigid: with these moments of inertia the mass lies 54.8 m from its center, as a root mean square, but the body is only "
            "0.173 m long; moments are in kg m^2, about axes through the center");
  EXPECT_NE(rigid("0.0201"), "");
}

TEST(DoubtfulSettings, CenterOfMassOutsideOfTheBody) {
  // The diagonal of the cube is 0.1732 m long, a hundredth of it is allowed.
  const auto doubts = [](const std::string& rigid, double outside) {
    const Scene scene =
        read_scene(changed(cube(), "solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}", "rigid: " + rigid), "scene.yaml", {});
    std::vector<BodySummary> bodies(1);
    bodies[0].extent = {Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1)};
    bodies[0].center_outside = outside;
    return doubts_about_settings(scene, bodies);
  };
  const std::string given = "{mass: 1, center: [0.05, 0.05, 5.1], inertia: [1e-3, 1e-3, 1e-3]}";
  EXPECT_EQ(
      doubts(given, 5),
      std::vector<std::string>{"scene.yaml:4: bodies.cube.rigid: the center of mass, at (0.05, 0.05, 5.1) in the mesh, lies 5 m outside of the body, which is "
                               "0.173 m long; no mass inside the mesh has its center there. Correct 'center', which is in m and where the mesh is before the "
                               "body is placed"});
  EXPECT_EQ(doubts(given, 0.00174).size(), 1u);
  EXPECT_TRUE(doubts(given, 0.00173).empty());
  EXPECT_TRUE(doubts("{density: 1000}", 5).empty());
}

TEST(DoubtfulSettings, SpeedsInMillimetres) {
  const auto moving = [](const std::string& part) { return doubt_about(changed(cube(), "mesh: cube.msh", "mesh: cube.msh, " + part)); };
  EXPECT_EQ(moving("initial: {velocity: [0, 1200, 0]}"),
            "scene.yaml:4: bodies.cube.initial: the initial velocity is 1200 m/s, faster than a bullet; if it is in mm/s, give 1.2 m/s");
  EXPECT_NE(moving("driven: [{vertices: all, motion: {velocity: [0, 1200, 0]}}]").find("the velocity of the motion is 1200 m/s"), std::string::npos);
  EXPECT_EQ(moving("initial: {velocity: [0, 900, 0]}"), "");
}

TEST(DoubtfulSettings, StepLongerThanTheRun) {
  const std::string rubber = "{youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}";
  EXPECT_EQ(doubt_about(cube(rubber, "{step: 2, end: 1}")),
            "time.step is 2 s, and the run ends at 1 s: the run is a single step, cut to its end; give a shorter step");
  EXPECT_EQ(doubt_about(cube(rubber, "{step: 1, end: 1}")), "");
}

// E/rho = 4545 m^2/s^2, rounding 1.11e-16, reach 0.1 m, step 1e-3 s and edges of 0.02 m: 4545 * 1.11e-17 * 1e-3/4e-4 = 1.26e-13 m/s.
TEST(DoubtfulSettings, SpinsThatNoStepFollows) {
  EXPECT_EQ(doubt_about(cube().insert(cube().size() - 2, ", initial: {angular_velocity: [0, 0, 700]}")), "");
  EXPECT_EQ(doubt_about(cube().insert(cube().size() - 2, ", initial: {angular_velocity: [0, 0, 3600]}")),
            "scene.yaml:4: bodies.cube.initial: an initial angular velocity of 3600 rad/s turns the body by 3.6 rad in a step of 0.001 s, which no integrator "
            "can follow; give a "
            "time.step of 3e-05 s or less; if the angular velocity is in degrees per second, give 62.83 rad/s");
}

TEST(DoubtfulSettings, TablesAndRampsFarLongerThanTheRun) {
  const auto loaded = [](const std::string& end) {
    return cube().insert(cube().size() - 2, ", loads: {push: {region: all, force: [0, 0, 1], over: [{time: 0, factor: 0}, {time: " + end + ", factor: 1}]}}");
  };
  EXPECT_EQ(doubt_about(loaded("5")), "");
  EXPECT_NE(doubt_about(loaded("1000")).find("its table 'over' extends to 1000 s, and the run ends at 1 s: most of the table is not used"), std::string::npos);
  const auto driven = [](const std::string& ramp) {
    return cube().insert(cube().size() - 2, ", driven: [{vertices: all, motion: {velocity: [0, 0, 1], ramp: " + ramp + "}}]");
  };
  EXPECT_EQ(doubt_about(driven("2")), "");
  EXPECT_NE(doubt_about(driven("200")).find("its motion takes 200 s to get up to speed, and the run ends at 1 s: it hardly begins"), std::string::npos);
}

TEST(DoubtfulSettings, ShellsAndRodsThickerThanTheBodyIsLong) {
  const std::string shell =
      "time: {step: 1e-3, end: 1}\ngravity: [0, 0, -9.81]\nbodies:\n  sheet: {mesh: s.msh, shell: {all: {youngs_modulus: 5e9, "
      "poisson_ratio: 0.4, density: 1100, thickness: 50}}}\n";
  EXPECT_EQ(doubt_about(changed(shell, "thickness: 50", "thickness: 0.05")), "");
  EXPECT_NE(doubt_about(shell).find("a thickness of 50 m is larger than the whole body, which is 0.173 m long"), std::string::npos);
}

TEST(DoubtfulSettings, ContactsThickerThanABodyIsLong) {
  const auto with = [](const std::string& thickness) {
    return doubt_about(cube() + "surfaces: {floor: {plane: {point: [0, 0, 0]}}}\ncontacts: {landing: {vertices: cube, against: floor, thickness: " + thickness +
                       "}}\n");
  };
  EXPECT_EQ(with("0.05"), "");
  EXPECT_NE(with("0.5").find("the contact acts from a distance of 0.5 m, its 'thickness', and body 'cube' is only 0.173 m long"), std::string::npos);
}

TEST(DoubtfulSettings, TolerancesBelowRounding) {
  const auto doubts = [](const std::string& tolerance, double place, const std::string& extra = "") {
    const std::string text = changed(cube(), "mesh: cube.msh", "mesh: cube.msh" + extra) + "solver: {tolerance: " + tolerance + "}\n";
    const Scene scene = read_scene(text, "scene.yaml", {});
    std::vector<BodySummary> bodies(1);
    bodies[0].extent = {Vec3(place, 0, 0), Vec3(place + 0.1, 0.1, 0.1)};
    bodies[0].mean_edge = 0.02;
    return doubts_about_settings(scene, bodies);
  };
  EXPECT_TRUE(doubts("1.27e-13", 0).empty());
  EXPECT_EQ(doubts("1.25e-13", 0),
            std::vector<std::string>{"solver.tolerance is 1.25e-13 m/s, and rounding alone changes the velocities of body 'cube' by some 1e-13 m/s in a step: "
                                     "Newton's method may not get there, and steps are then halved for that reason alone. Give 1e-12 m/s or more"});
  // A thousand times farther away rounding is a thousand times as large.
  EXPECT_TRUE(doubts("1.27e-10", 99.9).empty());
  ASSERT_EQ(doubts("1.25e-10", 99.9).size(), 1u);
  EXPECT_NE(doubts("1.25e-10", 99.9).front().find("nearer to the origin: it reaches 100 m"), std::string::npos);
  // 900 m/s are rounded by 1.00e-13 m/s.
  const std::string fast = ", initial: {velocity: [0, 900, 0]}";
  EXPECT_TRUE(doubts("2.27e-13", 0, fast).empty());
  EXPECT_EQ(doubts("2.25e-13", 0, fast).size(), 1u);
}

TEST(DoubtfulSettings, NearlyIncompressibleSolids) {
  const auto rubber = [](const std::string& constants) { return cube("{density: 1100, " + constants + "}"); };
  EXPECT_EQ(doubt_about(rubber("youngs_modulus: 5e6, poisson_ratio: 0.499")),
            "scene.yaml:4: bodies.cube.solid.all: tetrahedra of four nodes lock at a Poisson's ratio of 0.499: the body bends and bulges far too little on "
            "most meshes. Give the material pressure: nodal_average, or the body order: 2");
  EXPECT_NE(doubt_about(rubber("youngs_modulus: 5e6, poisson_ratio: 0.48")), "");
  EXPECT_EQ(doubt_about(rubber("youngs_modulus: 5e6, poisson_ratio: 0.479")), "");
  EXPECT_EQ(doubt_about(rubber("youngs_modulus: 5e6, poisson_ratio: 0.499, pressure: nodal_average")), "");
  EXPECT_EQ(doubt_about(rubber("youngs_modulus: 5e6, poisson_ratio: 0.499"), 0, 100), "");
  EXPECT_EQ(doubt_about(changed(rubber("youngs_modulus: 5e6, poisson_ratio: 0.499"), "mesh: cube.msh", "mesh: cube.msh, order: 2")), "");
  const std::string yeoh = "material: yeoh, c10: 2.5e5, c20: 0, c30: 0, bulk_modulus: ";
  EXPECT_NE(doubt_about(rubber(yeoh + "1.5e9")).find("of 0.49983: the body bends"), std::string::npos);
  EXPECT_EQ(doubt_about(rubber(yeoh + "1e6")), "");
  const std::string asynchronous = doubt_about(changed(rubber(yeoh + "1.5e9"), "time: {", "time: {integrator: asynchronous, "));
  EXPECT_TRUE(asynchronous.ends_with("or the body order: 2; both need another time.integrator than asynchronous")) << asynchronous;
  // What has no average.
  const std::string linear = doubt_about(rubber("material: linear_elastic, youngs_modulus: 5e6, poisson_ratio: 0.499"));
  EXPECT_TRUE(linear.ends_with("Take material: neo_hookean with pressure: nodal_average, or with order: 2 in the body")) << linear;
}

TEST(DoubtfulSettings, GravityInMillimetres) {
  const auto with_gravity = [](const std::string& gravity) { return changed(cube(), "-9.81", gravity); };
  EXPECT_EQ(doubt_about(with_gravity("-9810")), "gravity is 9810 m/s^2, 1000 times that of the Earth; if it is in mm/s^2, give 9.81: lengths are in metres");
  EXPECT_EQ(doubt_about(with_gravity("-990")), "");
}

TEST(DoubtfulSettings, GravityAwayFromAllPlanes) {
  const auto with = [](const std::string& gravity, const std::string& obstacles, const std::string& body = "") {
    return doubt_about(changed(changed(cube(), "[0, 0, -9.81]", gravity), "mesh: cube.msh", "mesh: cube.msh" + body) + "surfaces: {" + obstacles +
                       "}\ncontacts: {all: {all: true, thickness: 1e-3}}\n");
  };
  const std::string floor = "floor: {plane: {point: [0, 0, 0]}}";
  EXPECT_EQ(with("[0, 0, -9.81]", floor), "");
  EXPECT_EQ(with("[0, 0, 0]", floor), "");
  EXPECT_EQ(with("[0, 9.81, 0]", floor), "");
  EXPECT_NE(with("[0, 0, 9.81]", floor).find("pulls the bodies away from 'floor'"), std::string::npos);
  EXPECT_EQ(with("[0, 0, 9.81]", floor + ", lid: {plane: {point: [0, 0, 1], normal: [0, 0, -1]}}"), "");
  EXPECT_EQ(with("[0, 0, 9.81]", "floor: {plane: {point: [0, 0, 0]}, motion: {velocity: [0, 0, 1]}}"), "");
  EXPECT_EQ(with("[0, 0, 9.81]", floor, ", fixed: [top]"), "");
}

TEST(DoubtfulSettings, AnglesInDegrees) {
  const auto with = [](const std::string& hinge) {
    return doubt_about(cube() + "joints: {pin: {kind: hinge, between: cube, at: [0, 0, 0], axis: [0, 0, 1], " + hinge + "}}\n");
  };
  EXPECT_NE(with("motor: {angle: 90, over: [{time: 0, factor: 0}, {time: 1, factor: 1}]}").find("is 90 rad, 14.3 turns; if it is in degrees, give 1.5708"),
            std::string::npos);
  EXPECT_EQ(with("motor: {angle: 6.2832, over: [{time: 0, factor: 0}, {time: 1, factor: 1}]}"), "");
  EXPECT_EQ(with("motor: {angle: 94.25, over: [{time: 0, factor: 0}, {time: 1, factor: 1}]}"), "");
  EXPECT_EQ(with("motor: {speed: 90}"), "");
}

TEST(DoubtfulSettings, RigidBodiesLighterThanFoam) {
  const auto with = [](const std::string& density) {
    return doubt_about("time: {step: 1e-3, end: 1}\ngravity: [0, 0, -9.81]\nbodies: {cube: {mesh: cube.msh, rigid: {density: " + density + "}}}\n");
  };
  EXPECT_EQ(with("7800"), "");
  EXPECT_NE(with("7.8").find("a density of 7.8 kg/m^3 is less than that of any foam; water has 1000 kg/m^3; if this one is in g/cm^3, give 7800"),
            std::string::npos);
}

TEST(DoubtfulSettings, DensitiesInOtherUnits) {
  const auto with_density = [](const std::string& density) { return cube("{youngs_modulus: 5e6, poisson_ratio: 0.4, density: " + density + "}"); };
  EXPECT_TRUE(doubt_about(with_density("1.14")).ends_with("water has 1000 kg/m^3; if this one is in g/cm^3, give 1140"));
  EXPECT_TRUE(doubt_about(with_density("1.14e-9")).ends_with("water has 1000 kg/m^3; if this one is in t/mm^3, give 1140"));
  EXPECT_TRUE(doubt_about(with_density("0.1")).ends_with("water has 1000 kg/m^3"));
  const std::string steel = doubt_about(cube("{youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7.8}"));
  EXPECT_NE(steel.find("sound would travel at 1.64e+05 m/s, faster than in any material; densities are in kg/m^3; if this one is in g/cm^3, give 7800"),
            std::string::npos);
  EXPECT_EQ(doubt_about(cube("{youngs_modulus: 1.1e12, poisson_ratio: 0.2, density: 3515}")), "");  // diamond
  const auto sheet = [](const std::string& material) { return changed(cube("{" + material + "}"), "solid", "shell"); };
  EXPECT_NE(doubt_about(sheet("youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1, thickness: 1e-3"))
                .find("1 kg/m^3 is less than that of any foam; if it is "
                      "in kg/m^2, give 1000"),
            std::string::npos);
  EXPECT_EQ(doubt_about(sheet("youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1000, thickness: 1e-3")), "");
  EXPECT_EQ(doubt_about(sheet("youngs_modulus: 5e3, poisson_ratio: 0.4, density: 1")), "");                                               // mass per area
  EXPECT_EQ(doubt_about(sheet("youngs_modulus: 5e3, poisson_ratio: 0.4, density: 1e-2, thickness: 2e-3, bending_stiffness: 1e-6")), "");  // thick for contact
  const auto rope = [](const std::string& density) { return changed(cube("{radius: 0.01, youngs_modulus: 5e6, density: " + density + "}"), "solid", "rod"); };
  EXPECT_NE(doubt_about(rope("0.31416")).find("a mass per length is to be divided by the section's area, 0.000314 m^2"), std::string::npos);
  EXPECT_EQ(doubt_about(rope("1000")), "");
}

TEST(DoubtfulSettings, ModuliOfShellsAndRodsInMegapascals) {
  const auto sheet = [](const std::string& modulus, const std::string& density) {
    return changed(cube("{youngs_modulus: " + modulus + ", poisson_ratio: 0.3, density: " + density + ", thickness: 1e-3}"), "solid", "shell");
  };
  const auto wire = [](const std::string& modulus, const std::string& density) {
    return changed(cube("{radius: 1e-3, youngs_modulus: " + modulus + ", density: " + density + "}"), "solid", "rod");
  };
  EXPECT_EQ(doubt_about(sheet("2.1e5", "7850")),
            "scene.yaml:4: bodies.cube.shell.all: Young's modulus is 2.1e+05 Pa, that of a soft rubber, with the density of stone or metal. Moduli are in Pa; "
            "if this one is in MPa, give 2.1e+11");
  EXPECT_NE(doubt_about(wire("2.1e5", "7850")).find("bodies.cube.rod.all: Young's modulus is 2.1e+05 Pa, that of a soft rubber"), std::string::npos);
  // 1150 kg/m^3 of nylon hang down by 0.1 m: a weight of 1128 Pa stretches a modulus of 2000 Pa by more than half.
  EXPECT_EQ(doubt_about(wire("2e3", "1150")),
            "scene.yaml:4: bodies.cube.rod.all: Young's modulus is 2000 Pa, and the body's weight would stretch it to 1.56 times its length if it hung. Moduli "
            "are in Pa; if this one is in MPa, give 2e+09");
  EXPECT_EQ(doubt_about(wire("2.3e3", "1150")), "");
  EXPECT_EQ(doubt_about(wire("2.1e11", "7850")), "");
  EXPECT_EQ(doubt_about(sheet("2.1e11", "7850")), "");
}

TEST(DoubtfulSettings, FrictionThatNeverDevelops) {
  const auto sliding = [](const std::string& tolerance) {
    return cube() +
           "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\ncontacts: {landing: {vertices: cube, against: floor, thickness: 1e-3, friction: "
           "{dynamic: 0.5, tolerance: " +
           tolerance + "}}}\n";
  };
  EXPECT_NE(
      doubt_about(sliding("10")).find("contacts.landing: friction is fully developed above its tolerance of 10 m/s, and nothing slides faster than 9.81 m/s"),
      std::string::npos);
  EXPECT_EQ(doubt_about(sliding("1")), "");
  for (const auto& [factor, speed] : {std::pair{"0.5", "4.91"}, {"-2", "19.6"}})
    EXPECT_NE(doubt_about(sliding("30") + "gravity_over: [{time: 0, factor: 0}, {time: 1, factor: " + factor + "}]\n")
                  .find(std::string("nothing slides faster than ") + speed + " m/s"),
              std::string::npos)
        << factor;
  const std::string pulled = changed(sliding("40"), "mesh: cube.msh", "mesh: cube.msh, loads: {pull: {region: all, force: [1, 0, 0]}}");
  EXPECT_NE(doubt_about(pulled).find("start, are moved and fall, unless loads or stored energy drive them faster: friction"), std::string::npos);
  for (const char* part : {"initial: {velocity: [1, 0, 0]}", "loads: {pull: {region: all, force: [1, 0, 0]}}"})  // twice 1 m/s, and what is not known
    EXPECT_EQ(doubt_about(changed(sliding("10"), "mesh: cube.msh", std::string("mesh: cube.msh, ") + part)), "") << part;
}

TEST(DoubtfulSettings, FrictionOfWhatMovesSlowly) {
  const auto on_belt = [](const std::string& tolerance, const std::string& motion) {
    return cube() + "surfaces: {belt: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, motion: {" + motion +
           "}}}\ncontacts: {ride: {vertices: cube, against: belt, thickness: 1e-3, friction: {dynamic: 0.5, tolerance: " + tolerance + "}}}\n";
  };
  EXPECT_EQ(doubt_about(on_belt("1e-3", "velocity: [1e-4, 0, 0]")),
            "scene.yaml:6: contacts.ride: 'belt' moves at no more than 0.0001 m/s, and friction is fully developed above its tolerance of 0.001 m/s: where "
            "nothing else slides, only 19 % of the friction acts. Give a tolerance of 1e-05 m/s or less");
  EXPECT_EQ(doubt_about(on_belt("9e-5", "velocity: [1e-4, 0, 0]")), "");
  EXPECT_EQ(doubt_about(on_belt("1e-3", "velocity: [0, 0, 0]")), "");
  EXPECT_NE(doubt_about(on_belt("1e-3", "angular_velocity: [0, 0, 1e-4]")).find("'belt' moves at no more than"), std::string::npos);
  const std::string driven =
      changed(on_belt("1e-3", "velocity: [0, 0, 0]"), "mesh: cube.msh", "mesh: cube.msh, driven: [{vertices: all, motion: {velocity: [1e-4, 0, 0]}}]");
  EXPECT_NE(doubt_about(driven).find("'cube' moves at no more than 0.0001 m/s"), std::string::npos);
}

TEST(DoubtfulSettings, DampingThatLetsNothingMove) {
  const auto damped = [](const std::string& damping) { return changed(cube(), "mesh: cube.msh", "mesh: cube.msh, damping: {" + damping + "}"); };
  EXPECT_NE(doubt_about(damped("mass: 1000")).find("bodies.cube.damping: with mass: 1000 per second the body falls no faster than 0.00981 m/s"),
            std::string::npos);
  EXPECT_NE(doubt_about(damped("stiffness: 10")).find("the body takes some 10 s to yield to a load, and the run ends at 1 s"), std::string::npos);
  EXPECT_EQ(doubt_about(damped("mass: 50, stiffness: 0.1")), "");
  EXPECT_EQ(doubt_about(changed(damped("mass: 1000"), "mesh: cube.msh", "mesh: cube.msh, fixed: [all]")), "");  // to find its rest
}

TEST(DoubtfulSettings, ObstaclesInMillimetres) {
  const std::string scene = cube() + "surfaces: {ramp: {mesh: {file: ramp.stl}}}\ncontacts: {landing: {vertices: cube, against: ramp, thickness: 1e-3}}\n";
  EXPECT_NE(doubt_about(scene, 400).find("the surface is 400 m long, and the largest body 0.1 m; if its mesh is in millimetres, give it scale: 1e-3"),
            std::string::npos);
  EXPECT_EQ(doubt_about(scene, 90), "");
  EXPECT_EQ(doubt_about(changed(scene, "file: ramp.stl", "file: ramp.stl, scale: 2"), 400), "");
}

TEST(DoubtfulSettings, BodiesWithoutContacts) {
  const std::string second = "  other: {mesh: cube.msh, solid: {all: {youngs_modulus: 5e6, poisson_ratio: 0.4, density: 1100}}}\n";
  EXPECT_NE(doubt_about(cube() + second).find("the scene has no contacts: its bodies pass through each other"), std::string::npos);
  EXPECT_EQ(doubt_about(cube() + second + "contacts: {everything: {all: true, thickness: 1e-3}}\n"), "");
  EXPECT_EQ(doubt_about(cube() + second + "joints: {pin: {kind: ball, between: [cube, other], at: [0.1, 0, 0]}}\n"), "");
  EXPECT_EQ(doubt_about(cube() + second + "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n" +
                        "contacts: {landing: {vertices: cube, against: floor, thickness: 1e-3}}\n"),
            "body 'other' is in no contact: it passes through everything");
}

}  // namespace
}  // namespace traction
