// Each mistake in an otherwise complete scene, with the line, the path and the words of its message.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "scene_texts.h"
#include "system/held_directions.h"

namespace traction::test {
namespace {

struct Mistake {
  std::string old_part;  // part in the full scene
  std::string new_part;
  std::string path;
  std::string words;
  int line_offset = 0;  // from the line on which the old part begins
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.path << " <- " << mistake.new_part; }

class SceneErrors : public testing::TestWithParam<Mistake> {};

TEST_P(SceneErrors, NameLinePathAndRemedy) {
  const Mistake& mistake = GetParam();
  const std::string message = error_of(replaced(kFullScene, mistake.old_part, mistake.new_part));
  const int line = line_of(kFullScene, mistake.old_part) + mistake.line_offset;
  const std::string beginning = "scene.yaml:" + std::to_string(line) + ": " + mistake.path + ": ";
  EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
  EXPECT_NE(message.find(mistake.words), std::string::npos) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Structure, SceneErrors,
    testing::Values(Mistake{"gravity:", "gravty:", "gravty", "unknown key 'gravty'; the nearest valid key is 'gravity'"},
                    Mistake{"gravity:", "base:", "base", "unknown key 'base'; choose one of: time, gravity, "},
                    Mistake{"maximum_halvings: 5", "max_halvings: 5", "time.max_halvings", "nearest valid key is 'maximum_halvings'"},
                    Mistake{"    scale: 0.5", "    scael: 0.5", "bodies.ball.scael", "nearest valid key is 'scale'"},
                    Mistake{"        density: 934", "        densty: 934", "bodies.ball.solid.core.densty", "nearest valid key is 'density'"},
                    Mistake{"gauge_pressure:", "gage_pressure:", "bodies.ball.volume.gage_pressure", "nearest valid key is 'gauge_pressure'"},
                    Mistake{"      mass:", "      Mass:", "bodies.ball.damping.Mass", "nearest valid key is 'mass'"},
                    Mistake{"      translate:", "      translation:", "bodies.ball.initial.translation", "nearest valid key is 'translate'"},
                    Mistake{"        angle:", "        angel:", "bodies.ball.initial.rotate.angel", "nearest valid key is 'angle'"},
                    Mistake{"          ramp:", "          rampe:", "bodies.ball.driven.0.motion.rampe", "nearest valid key is 'ramp'"},
                    Mistake{"    plane:", "    plan:", "surfaces.court.plan", "nearest valid key is 'plane'"},
                    Mistake{"  globe:", "  ball:", "surfaces.ball", "has the name of a body, so that a contact that names it could mean either"},
                    Mistake{"normal:", "norm:", "surfaces.court.plane.norm", "nearest valid key is 'normal'"},
                    Mistake{"    thickness: 5e-4", "    thicknes: 5e-4", "contacts.bounce.thicknes", "nearest valid key is 'thickness'"},
                    Mistake{"      static:", "      statc:", "contacts.bounce.friction.statc", "nearest valid key is 'static'"},
                    Mistake{"  forcing:", "  forcings:", "solver.forcings", "nearest valid key is 'forcing'"},
                    Mistake{"{file:", "{fil:", "partition.fil", "nearest valid key is 'file'"},
                    Mistake{"  log_every: 10", "  log-every: 10", "output.log-every", "nearest valid key is 'log_every'"},
                    Mistake{"    scale: 0.5\n", "    scale: 0.5\n    mesh: other.msh\n", "bodies.ball.mesh",
                            "the key is given twice (first at scene.yaml:9); remove one", 1},
                    Mistake{"{ksp_monitor: \"\",", "{ksp_monitor: \"\", ksp_monitor: 1,", "petsc.ksp_monitor", "given twice"},
                    Mistake{"  ball:", "  tennis-ball:", "bodies.tennis-ball", "not a valid name"},
                    Mistake{"  court:", "  1court:", "surfaces.1court", "not a valid name"},
                    Mistake{"  bounce:", "  \"bo,unce\":", "contacts.bo,unce", "not a valid name"},
                    Mistake{"{ksp_monitor:", "{-ksp_monitor:", "petsc.-ksp_monitor", "without its dash"},
                    Mistake{"{ksp_monitor:", "{ksp monitor:", "petsc.ksp monitor", "no blanks"},
                    Mistake{"{ksp_monitor: \"\"", "{ksp_monitor: [1]", "petsc.ksp_monitor", "expected a single value, found a list of 1"},
                    Mistake{"density: 4.69}", "density:4.69}", "bodies.ball.solid.felt.density:4.69",
                            "unknown key 'density:4.69'; a space is missing after the colon, write 'density: 4.69'"},
                    Mistake{"{point: [0, 0, 0.5], normal: [0, 3, 4]}", "point:0", "surfaces.court.plane",
                            "expected a map, found 'point:0'; a space is missing after the colon"}));

INSTANTIATE_TEST_SUITE_P(
    WrongPlaces, SceneErrors,
    testing::Values(Mistake{"    damping:\n      mass", "      damping:\n        mass", "bodies.ball.volume.damping",
                            "unknown key 'damping'; it belongs directly in bodies.ball; move it there (and check the indentation)"},
                    Mistake{"gravity: [0, 0, -9.81]\nbodies:\n", "bodies:\n  gravity: [0, 0, -9.81]\n", "bodies.gravity",
                            "'gravity' is a setting of the scene, and stands in bodies; correct its indentation. Or, if it is meant as a name here: ", 1},
                    Mistake{"      core:\n        youngs_modulus: 6e6\n        poisson_ratio: 0.4995\n        density: 934",
                            "      solid:\n        youngs_modulus: 6e6\n        poisson_ratio: 0.4995\n        density: -1", "bodies.ball.solid.solid.density",
                            "must be greater than 0", 3},  // a region may have the name of a key
                    Mistake{"surfaces:\n", "  loads: {pull: {force: [0, 0, 1]}}\nsurfaces:\n", "bodies.loads",
                            "'loads' is a setting of an entry of bodies, and stands beside the entries; correct its indentation"},
                    Mistake{"        motion:\n          velocity: [0, 0, -0.1]",
                            "        velocity: [0, 0, -0.1]\n        motion:", "bodies.ball.driven.0.velocity",
                            "unknown key 'velocity'; it belongs further inside, as in motion: {velocity: ...} (valid here: vertices, motion,"},
                    Mistake{"    scale: 0.5", "    density: 3", "bodies.ball.density",
                            "it belongs further inside, as in solid: {name: {density: ...}} or shell: {name: {density: ...}} or rod: "},
                    Mistake{"    scale: 0.5", "    radius: 3", "bodies.ball.radius", "as in rod: {name: {radius: ...}}"},
                    Mistake{"      rotate:\n        axis: [0, 0, 2]\n        angle: 10", "      rotate: [0, 30, 0]", "bodies.ball.initial.rotate",
                            "expected a map, found a list of 3; write it as {axis: [x, y, z], angle: ..., about: [x, y, z]}, or as indented"},
                    Mistake{"fields: [velocity, contact_force]", "fields: {velocity: true}", "output.fields",
                            "expected a list of words, found a map; write it as in [velocity]; choose from: velocity, displacement, "}));

INSTANTIATE_TEST_SUITE_P(
    Shells, SceneErrors,
    testing::Values(Mistake{"density: 12", "densty: 12", "bodies.tire.shell.side.densty", "nearest valid key is 'density'"},
                    Mistake{"poisson_ratio: 0.25", "poisson_ratio: 0.51", "bodies.tire.shell.side.poisson_ratio", "at most 0.5, found '0.51'; rubber has 0.5"},
                    Mistake{"poisson_ratio: 0.25", "poisson_ratio: -1", "bodies.tire.shell.side.poisson_ratio", "must be above -1"},
                    Mistake{"bending_stiffness: 0.7", "bending_stiffness: -0.7", "bodies.tire.shell.side.bending_stiffness", "must not be negative"},
                    Mistake{"thickness: 4e-3", "thickness: 0", "bodies.tire.shell.side.thickness", "must be greater than 0"},
                    Mistake{"flat: true", "flat: maybe", "bodies.tire.shell.side.flat", "'maybe'"},
                    Mistake{"close_rims: true", "close_rims: 2", "bodies.tire.volume.0.close_rims", "'2'"},
                    Mistake{"excluded_volume: 0.05", "excluded_volume: -0.05", "bodies.tire.volume.0.excluded_volume", "must not be negative"},
                    Mistake{"factor: 3", "factor: 0", "bodies.tire.volume.0.inflation.1.factor", "must be greater than 0"},
                    Mistake{"{time: 2,", "{time: 0.5,", "bodies.tire.volume.0.inflation.1.time", "must be later than the time before it; sort"},
                    Mistake{"{time: 2,", "{tim: 2,", "bodies.tire.volume.0.inflation.1.tim", "nearest valid key is 'time'"},
                    Mistake{"{region: filling,", "{region: filling, surface: tread,", "bodies.tire.volume.1.surface", "remove one of the two"},
                    Mistake{"{region: filling,", "{region: filling, close_rims: false,", "bodies.tire.volume.1.close_rims", "remove one of the two"}));

INSTANTIATE_TEST_SUITE_P(
    Loads, SceneErrors,
    testing::Values(Mistake{"{region: tip, force:", "{region: tip, froce:", "bodies.plate.loads.pull.froce", "nearest valid key is 'force'"},
                    Mistake{"{region: face, pressure:", "{pressure:", "bodies.plate.loads.wind.region", "is missing; name a region of the mesh"},
                    Mistake{"following: true", "pressure: 1", "bodies.plate.loads.shear.pressure", "this one has another already"},
                    Mistake{"pressure: -3}", "following: true, pressure: -3}", "bodies.plate.loads.wind.following", "goes with a traction only"},
                    Mistake{", pressure: -3}", "}", "bodies.plate.loads.wind", "is a load without a size"},
                    Mistake{"{time: 0.5, factor: -2}", "{time: 0, factor: -2}", "bodies.plate.loads.pull.over.1.time", "must be later than the time"},
                    Mistake{"pull: {", "\"pu,ll\": {", "bodies.plate.loads.pu,ll", "not a valid name"},
                    Mistake{"    loads:\n      pull:", "    fixed: pull\n    loads:\n      pull:", "bodies.plate.loads.pull", "region that is fixed or driven",
                            2}));

INSTANTIATE_TEST_SUITE_P(
    Types, SceneErrors,
    testing::Values(
        Mistake{"step: 1e-4", "step: fast", "time.step", "expected a number, found 'fast'"},
        Mistake{"end: 1.2", "end: 1.2 s", "time.end", "expected a number, found '1.2 s'"},
        Mistake{"end: 1.2", "end: {}", "time.end", "expected a number, found a map"},
        Mistake{"end: 1.2", "end:", "time.end", "expected a number, found nothing"},
        Mistake{"end: 1.2", "end: .inf", "time.end", "'.inf' is not a finite number"},
        Mistake{"end: 1.2", "end: nan", "time.end", "'nan' is not a finite number"}, Mistake{"end: 1.2", "end: 1e999", "time.end", "'1e999' is too large"},
        Mistake{"end: 1.2", "end: 1e76", "time.end", "'1e76' is too large to be computed with: products of numbers beyond 1e+75 are infinite; check"},
        Mistake{"[0, 0, -9.81]", "[0, 0, -1e160]", "gravity.2", "'-1e160' is too large to be computed with"},
        Mistake{"maximum_halvings: 5", "maximum_halvings: 2.5", "time.maximum_halvings", "expected a whole number, found '2.5'"},
        Mistake{"maximum_halvings: 5", "maximum_halvings: 1e10", "time.maximum_halvings", "must be at most 2147483647"},
        Mistake{"[0, 0, -9.81]", "-9.81", "gravity", "expected a list of 3 numbers, found '-9.81'"},
        Mistake{"[0, 0, -9.81]", "[0, -9.81]", "gravity", "expected a list of 3 numbers, found a list of 2"},
        Mistake{"[0, 0, -9.81]", "[0, 0, -9,81]", "gravity", "found a list of 4; write it as [x, y, z], with decimal points and no decimal commas"},
        Mistake{"end: 1.2", "end: 1,2", "time.end", "expected a number, found '1,2'; write it with a decimal point and no comma"},
        Mistake{"poisson_ratio: 0.4995", "poisson_ratio: 0,4995", "bodies.ball.solid.core.poisson_ratio",
                "found '0,4995'; write it with a decimal point and no comma"},
        Mistake{"{velocity: [0, 0, 1]}", "{velocity: [0, 0, 1], start: 0,5}", "surfaces.pipe.motion.5", "unknown key '5'; write numbers with a decimal point"},
        Mistake{"[0, 0, -9.81]", "[0, 0, down]", "gravity.2", "expected a number, found 'down'"},
        Mistake{"[0, 0, -9.81]", "[0, -.NaN, 0]", "gravity.1", "not a finite number"},
        Mistake{"{element_size: 3e-3}", "fine", "bodies.ball.mesh_parameters", "expected a map, found 'fine'"},
        Mistake{"{element_size: 3e-3}", "{element_size: fine}", "bodies.ball.mesh_parameters.element_size", "expected a number"},
        Mistake{"meshes/ball.geo", "[ball.geo]", "bodies.ball.mesh", "expected text, found a list of 1"},
        Mistake{"meshes/ball.geo", "\"\"", "bodies.ball.mesh", "expected text, found ''"},
        Mistake{"sparse: true", "sparse: 1", "bodies.ball.volume.sparse", "expected true or false, found '1'"},
        Mistake{"{all: {youngs_modulus: 1e9, poisson_ratio: 0.2, density: 2000}}", "rubber", "bodies.plate.solid", "expected a map"},
        Mistake{"fixed: [base, rim]", "fixed: [base, [rim]]", "bodies.ball.fixed.1", "expected text, found a list of 1"},
        Mistake{"{velocity: [0, 0, 1]}", "[0, 0, 1]", "surfaces.pipe.motion.0", "expected a map"},
        Mistake{"[velocity, contact_force]", "[{velocity: 1}]", "output.fields.0", "expected a word, found a map"},
        Mistake{"{file: ball.partition.h5, contact_weight: 25}", "ball.h5", "partition", "expected a map, found 'ball.h5'"}));

INSTANTIATE_TEST_SUITE_P(
    Missing, SceneErrors,
    testing::Values(Mistake{"  step: 1e-4\n", "", "time.step", "is missing", -1}, Mistake{"  end: 1.2\n", "", "time.end", "is missing", -2},
                    Mistake{"    mesh: plate.msh\n", "", "bodies.plate.mesh", "is missing", -1},
                    Mistake{"    solid: {all: {youngs_modulus: 1e9, poisson_ratio: 0.2, density: 2000}}\n", "", "bodies.plate.solid", "is missing", -2},
                    Mistake{"{all: {youngs_modulus: 1e9, poisson_ratio: 0.2, density: 2000}}", "{}", "bodies.plate.solid", "names no region"},
                    Mistake{"        youngs_modulus: 6e6\n", "", "bodies.ball.solid.core.youngs_modulus", "is missing; give Young's modulus in Pa", -1},
                    Mistake{"        poisson_ratio: 0.4995\n", "", "bodies.ball.solid.core.poisson_ratio", "is missing", -2},
                    Mistake{"        density: 934\n", "", "bodies.ball.solid.core.density", "is missing; give the density in kg/m^3", -3},
                    Mistake{"      surface: cavity\n", "", "bodies.ball.volume.surface", "is missing", -1},
                    Mistake{"{center: [1, 2, 3], radius: 4, inside: true}", "{}", "surfaces.globe.sphere.radius", "is missing"},
                    Mistake{"{lower: [-1, -1, -1], upper: [1, 2, 3], inside: true}", "{upper: [0, 0, 0]}", "surfaces.crate.box.lower", "is missing"},
                    Mistake{"{vertices: plate, ", "{", "contacts.scrape.vertices", "is missing"},
                    Mistake{"      passes: 4", "      passes: 0", "contacts.bounce.friction.passes", "must be from 1 to 1000"},
                    Mistake{"      coupling: lagged\n      passes", "      passes", "contacts.bounce.friction.passes", "is for 'coupling: lagged'"},
                    Mistake{"exclusion_ring: 3, ", "geometry: smooth_surface, ", "contacts.fold.exclusion_ring", "is missing; a body's contact with itself"},
                    Mistake{"both: [ball.outer, plate]", "both: [ball.outer]", "contacts.press.both", "needs two bodies"},
                    Mistake{"both: [ball.outer, plate]", "both: [plate, plate]", "contacts.press.both", "names the same body twice"},
                    Mistake{"both: [ball.outer, plate]", "both: [ball.outer, plate], against: court", "contacts.press.against", "cannot be used with 'both'"},
                    Mistake{"both: [ball.outer, plate]", "both: [ball.outer, plaet]", "contacts.press.both.1",
                            "there is no body 'plaet'; the nearest is 'plate'"},
                    Mistake{"surface: {radius_multiplier: 2", "surface: {radius_multiplier: 1", "contacts.press.surface.radius_multiplier", "must be above 1"},
                    Mistake{"against: pipe, ", "against: pipe, exclusion_ring: 1, ", "contacts.scrape.exclusion_ring", "is for a body's contact with itself"},
                    Mistake{"against: pipe, ", "against: pipe, surface: {}, ", "contacts.scrape.surface", "is for contact with a body"},
                    Mistake{"against: pipe, ", "", "contacts.scrape.against", "is missing; name a surface, or a body"},
                    Mistake{", thickness: 1e-3}", "}", "contacts.scrape.thickness", "is missing"},
                    Mistake{"      dynamic: 0.6\n", "", "contacts.bounce.friction.dynamic", "is missing", -1},
                    Mistake{"      - vertices: top\n        motion:\n", "      - motion:\n", "bodies.ball.driven.0.vertices", "is missing"},
                    Mistake{"    plane: {point: [0, 0, 0.5], normal: [0, 3, 4]}", "    {}", "surfaces.court", "has no shape; give one of: plane, sphere", -1},
                    Mistake{"plane: {point: [0, 0, 0.5], normal: [0, 3, 4]}", "{plane: {}, box: {}}", "surfaces.court.box", "second shape"}));

INSTANTIATE_TEST_SUITE_P(
    Times, SceneErrors,
    testing::Values(Mistake{"step: 1e-4", "step: 0", "time.step", "a zero-length or negative time step leads nowhere; give a positive"},
                    Mistake{"step: 1e-4", "step: -1e-4", "time.step", "greater than 0, found '-1e-4'; a zero-length or negative time step"},
                    Mistake{"step: 1e-4", "step: []", "time.step", "the schedule is empty"},
                    Mistake{"step: 1e-4", "step: [{from: 0.1, step: 1}]", "time.step.0.from", "must begin at 0, found '0.1'"},
                    Mistake{"step: 1e-4", "step: [{from: 0, step: 1}, {from: 0, step: 2}]", "time.step.1.from", "must come after the piece before"},
                    Mistake{"step: 1e-4", "step:\n    - {from: 0, step: 1}\n    - {from: 1, step: 0}", "time.step.1.step", "zero-length or negative time step",
                            2},
                    Mistake{"step: 1e-4", "step: [{from: 0}]", "time.step.0.step", "is missing"},
                    Mistake{"end: 1.2", "end: 0", "time.end", "must be greater than 0, found '0'"},
                    Mistake{"end: 1.2", "end: 1e12", "time.end", "takes more than 1e12 steps"},
                    Mistake{"end: 1.2", "end: -1", "time.end", "must be greater than 0, found '-1'"},
                    Mistake{"maximum_halvings: 5", "maximum_halvings: -1", "time.maximum_halvings", "must be at least 0"},
                    Mistake{"tr_bdf2", "bdf1", "time.integrator",
                            "unknown value 'bdf1'; the nearest valid one is 'bdf2' (one of: backward_euler, trapezoidal, "
                            "bdf2, tr_bdf2, sdirk2, tr_sdirk2, sdirk3, trapezoidal_split, generalized_alpha, ere, siere, beere, bdf2ere, sbdf2ere, "
                            "str_sbdf2ere, asynchronous)"},
                    Mistake{"          start: 0.1", "          start: -1", "bodies.ball.driven.0.motion.start", "must not be negative"},
                    Mistake{"          ramp: 0.2", "          ramp: -1", "bodies.ball.driven.0.motion.ramp", "must not be negative"},
                    Mistake{"          stop: 1", "          stop: 0.1", "bodies.ball.driven.0.motion.stop", "must come after 'start', found '0.1'"}));

INSTANTIATE_TEST_SUITE_P(
    Bodies, SceneErrors,
    testing::Values(
        Mistake{"plate.msh", "plate.mesh", "bodies.plate.mesh", "the nearest ending is '.msh' (one of: .msh, .vtu, .vtk, .inp, .geo, .txt)"},
        Mistake{"plate.msh", "plate", "bodies.plate.mesh", "does not end as a mesh file does; choose one of: .msh, .vtu, .vtk, .inp, .geo, .txt"},
        Mistake{"plate.msh", "plate.STEP", "bodies.plate.mesh", "is a CAD file without a mesh"},
        Mistake{"plate.msh", "plate.step", "bodies.plate.mesh", "is a CAD file without a mesh; give a .geo file that merges it"},
        Mistake{"meshes/ball.geo\n", "ball.msh\n", "bodies.ball.mesh_parameters", "only a .geo mesh takes parameters", 1},
        Mistake{"scale: 0.5", "scale: 0", "bodies.ball.scale", "must be greater than 0"},
        Mistake{"youngs_modulus: 6e6", "youngs_modulus: 0", "bodies.ball.solid.core.youngs_modulus", "must be greater than 0, found '0'"},
        Mistake{"poisson_ratio: 0.4995", "poisson_ratio: 0.5", "bodies.ball.solid.core.poisson_ratio", "below 0.5, found '0.5'"},
        Mistake{"poisson_ratio: 0.4995", "poisson_ratio: -1", "bodies.ball.solid.core.poisson_ratio", "above -1"},
        Mistake{"density: 4.69", "density: 4.69, material: neohookean", "bodies.ball.solid.felt.material", "the nearest valid one is 'neo_hookean'"},
        Mistake{"density: 934", "density: -934", "bodies.ball.solid.core.density", "must be greater than 0, found '-934'"},
        Mistake{"model: nearly_incompressible", "model: ideal", "bodies.ball.volume.model",
                "the nearest valid one is 'ideal_gas' (one of: quadratic, ideal_gas, nearly_incompressible)"},
        Mistake{"gauge_pressure: 101325", "gauge_pressure: -101325", "bodies.ball.volume.gauge_pressure", "above -101325 Pa"},
        Mistake{"compressibility: 2e-6", "compressibility: 0", "bodies.ball.volume.compressibility", "for the model 'nearly_incompressible'"},
        Mistake{"model: nearly_incompressible\n      gauge_pressure: 101325\n      compressibility: 2e-6",
                "model: quadratic\n      gauge_pressure: 101325\n      compressibility: -1", "bodies.ball.volume.compressibility", "for the model 'quadratic'",
                2},
        Mistake{"model: nearly_incompressible\n      gauge_pressure: 101325\n      compressibility: 2e-6",
                "model: quadratic\n      gauge_pressure: 101325\n      compressibility: 1e-5", "bodies.ball.volume.gauge_pressure",
                "times the compressibility must be below 1", 1},
        Mistake{"mass: 0.25", "mass: -0.25", "bodies.ball.damping.mass", "must not be negative"},
        Mistake{"stiffness: 1e-5", "stiffness: -1e-5", "bodies.ball.damping.stiffness", "must not be negative"},
        Mistake{"axis: [0, 0, 2]", "axis: [0, 0, 0]", "bodies.ball.initial.rotate.axis", "is the zero vector"},
        Mistake{"[base, rim]", "[base, base]", "bodies.ball.fixed.1", "already fixed or driven"},
        Mistake{"[base, rim]", "[base, {region: base, components: x}]", "bodies.ball.fixed.1", "already fixed or driven"},
        Mistake{"[base, rim]", "[base, {region: rim}]", "bodies.ball.fixed.1.components", "so that nothing is held"},
        Mistake{"[base, rim]", "[base, {region: rim, components: []}]", "bodies.ball.fixed.1.components", "so that nothing is held"},
        Mistake{"[base, rim]", "[base, {region: rim, components: [x, w]}]", "bodies.ball.fixed.1.components.1", "unknown value 'w'"},
        Mistake{"[base, rim]", "[base, {region: rim, components: [x, x]}]", "bodies.ball.fixed.1.components.1", "'x' is listed twice"},
        Mistake{"[base, rim]", "[base, {region: rim, normal: [0, 0, 0]}]", "bodies.ball.fixed.1.normal", "is the zero vector"},
        Mistake{"[base, rim]", "[base, {region: rim, components: x, normal: [0, 0, 1]}]", "bodies.ball.fixed.1.normal", "cannot be used with 'components'"},
        Mistake{"[base, rim]", "[base, {components: x}]", "bodies.ball.fixed.1.region", "is missing"},
        Mistake{"vertices: top", "vertices: rim", "bodies.ball.driven.0.vertices", "already fixed or driven"}));

INSTANTIATE_TEST_SUITE_P(
    Contacts, SceneErrors,
    testing::Values(Mistake{"[0, 3, 4]", "[0, 0, -0.0]", "surfaces.court.plane.normal", "is the zero vector"},
                    Mistake{"[0, 5, 0]", "[0, 0, 0]", "surfaces.pipe.cylinder.axis", "is the zero vector"},
                    Mistake{"radius: 4", "radius: 0", "surfaces.globe.sphere.radius", "must be greater than 0"},
                    Mistake{"radius: 0.25", "radius: -0.25", "surfaces.pipe.cylinder.radius", "must be greater than 0"},
                    Mistake{"upper: [1, 2, 3]", "upper: [1, -1, 3]", "surfaces.crate.box.upper", "must be above 'lower'"},
                    Mistake{"ball.outer", "bal.outer", "contacts.bounce.vertices", "there is no body 'bal'; the nearest is 'ball' (one of: ball, plate, tire)"},
                    Mistake{"ball.outer", "ball.", "contacts.bounce.vertices", "names no region after the dot"},
                    Mistake{"against: court", "against: cuort", "contacts.bounce.against", "there is no surface or body 'cuort'; the nearest is 'court'"},
                    Mistake{"against: court", "against: tyre", "contacts.bounce.against", "there is no surface or body 'tyre'; the nearest is 'tire'"},
                    Mistake{"thickness: 5e-4", "thickness: 0", "contacts.bounce.thickness", "must be greater than 0"},
                    Mistake{"stiffness: 1e4", "stiffness: 0", "contacts.bounce.stiffness", "must be greater than 0"},
                    Mistake{"dynamic: 0.6", "dynamic: -0.6", "contacts.bounce.friction.dynamic", "must not be negative"},
                    Mistake{"static: 0.7", "static: -0.7", "contacts.bounce.friction.static", "must not be negative"},
                    Mistake{"static: 0.7", "static: 0.5", "contacts.bounce.friction.static", "must not be below 'dynamic', found '0.5'"},
                    Mistake{"tolerance: 2e-2", "tolerance: 0", "contacts.bounce.friction.tolerance", "must be greater than 0"},
                    Mistake{"stribeck_velocity: 0.1", "stribeck_velocity: 0.02", "contacts.bounce.friction.stribeck_velocity", "must be above 'tolerance'"},
                    Mistake{"viscous: 0.05", "viscous: -1", "contacts.bounce.friction.viscous", "must not be negative"}));

const char* const kScrape = "  scrape: {vertices: plate, against: pipe, thickness: 1e-3}";
std::string scraping(const std::string& friction) { return std::string(kScrape, std::string_view(kScrape).size() - 1) + ", friction: " + friction + "}"; }

INSTANTIATE_TEST_SUITE_P(
    FrictionLaws, SceneErrors,
    testing::Values(
        Mistake{"stribeck_velocity: 0.1", "decay_velocity: 0.02", "contacts.bounce.friction.decay_velocity", "must be above 'tolerance', found '0.02'"},
        Mistake{"stribeck_velocity: 0.1", "stribeck_velocity: 0.1\n      decay_velocity: 0.2", "contacts.bounce.friction.stribeck_velocity",
                "describes the decay of friction, and 'decay_velocity' does, too"},
        Mistake{kScrape, scraping("{dynamic: 0.3, decay_velocity: 0.2}"), "contacts.scrape.friction.decay_velocity", "nothing to act on without 'static'"},
        Mistake{kScrape, scraping("{dynamic: 0.3, static: 0.4, decay_velocity: -1}"), "contacts.scrape.friction.decay_velocity", "must be greater than 0"},
        Mistake{kScrape, scraping("{table: {coefficients: [0.3]}}"), "contacts.scrape.friction.table.speeds", "is missing; give the sliding speeds"},
        Mistake{kScrape, scraping("{table: {speeds: [0, 1]}}"), "contacts.scrape.friction.table.coefficients", "is missing; give the coefficients"},
        Mistake{kScrape, scraping("{table: {speeds: [], coefficients: [0.3]}}"), "contacts.scrape.friction.table.speeds", "is empty; give speeds"},
        Mistake{kScrape, scraping("{table: {speeds: [0, 1, 1], coefficients: [0.3, 0.2, 0.1]}}"), "contacts.scrape.friction.table.speeds.2",
                "must be above the value before it, '1'; list them in increasing order"},
        Mistake{kScrape, scraping("{table: {speeds: [0, 1], pressures: [1e4, 1e3], coefficients: [0.3, 0.2, 0.1, 0]}}"),
                "contacts.scrape.friction.table.pressures.1", "must be above the value before it, '1e4'"},
        Mistake{kScrape, scraping("{table: {speeds: [-1, 1], coefficients: [0.3, 0.2]}}"), "contacts.scrape.friction.table.speeds.0", "must not be negative"},
        Mistake{kScrape, scraping("{table: {speeds: [0, 1], coefficients: [0.3, -0.2]}}"), "contacts.scrape.friction.table.coefficients.1",
                "must not be negative"},
        Mistake{kScrape, scraping("{table: {speeds: [0, 1], pressures: [1e3], coefficients: [0.3, 0.2, 0.1]}}"), "contacts.scrape.friction.table.coefficients",
                "has 3 numbers for 2 speeds and 1 pressure; give 2: for each pressure in turn, one for each speed"},
        Mistake{kScrape, scraping("{dynamic: 0.3, table: {speeds: [0, 1], coefficients: [0.3, 0.2]}}"), "contacts.scrape.friction.dynamic",
                "cannot be used with 'table'"},
        Mistake{kScrape, scraping("{dynamic: 0.3, anisotropic: {along: 1, across: 2}}"), "contacts.scrape.friction.anisotropic.direction",
                "is missing; give the direction of the grain"},
        Mistake{kScrape, scraping("{dynamic: 0.3, anisotropic: {direction: [0, 1, 0], along: 1}}"), "contacts.scrape.friction.anisotropic.across",
                "is missing"},
        Mistake{kScrape, scraping("{dynamic: 0.3, anisotropic: {direction: [0, 1, 0], along: 0, across: 1}}"), "contacts.scrape.friction.anisotropic.along",
                "must be greater than 0"}));

INSTANTIATE_TEST_SUITE_P(
    Running, SceneErrors,
    testing::Values(
        Mistake{"method: newton", "method: newtn", "solver.method", "the nearest valid one is 'newton' (one of: inexact_newton, newton)"},
        Mistake{"mumps", "jacobi", "solver.preconditioner", "(one of: automatic, none, block_jacobi, ilu, asm_ilu, gamg, hypre, ml, mumps, mumps_single)"},
        Mistake{"tolerance: 1e-6", "tolerance: 0", "solver.tolerance", "must be greater than 0"},
        Mistake{"forcing: 0.1", "forcing: 0", "solver.forcing", "above 0 and below 1, found '0'"},
        Mistake{"forcing: 0.1", "forcing: 1", "solver.forcing", "above 0 and below 1, found '1'"},
        Mistake{"maximum_iterations: 40", "maximum_iterations: 0", "solver.maximum_iterations", "must be at least 1"},
        Mistake{"maximum_linear_iterations: 3000", "maximum_linear_iterations: 0", "solver.maximum_linear_iterations", "at least 1"},
        Mistake{"contact_weight: 25", "contact_weight: -1", "partition.contact_weight", "must not be negative, found '-1'; give 0 or a positive number"},
        Mistake{"contact_weight: 25", "contact_weight: heavy", "partition.contact_weight", "expected a number, found 'heavy'"},
        Mistake{"contact_weight: 25", "contact_weights: 25", "partition.contact_weights", "nearest valid key is 'contact_weight'"},
        Mistake{"every: 1e-3", "every: 0", "output.every", "must be greater than 0"},
        Mistake{"[velocity, contact_force]", "[velocity, contact_presure]", "output.fields.1",
                "the nearest valid one is 'contact_pressure' (one of: velocity, displacement, contact_pressure, contact_force, contact_traction, "
                "sliding_velocity, stress, von_mises_stress, strain, tension, bending_moment, axial_force, curvature, twist, fibre_stretch, "
                "softening, fibre_direction)"},
        Mistake{"[velocity, contact_force]", "[velocity, pressures]", "output.fields.1", "the nearest valid one is 'contact_pressure' (one of: velocity"},
        Mistake{"[velocity, contact_force]", "[velocity, velocity]", "output.fields.1", "listed twice"},
        Mistake{"log_every: 10", "log_every: 0", "output.log_every", "must be at least 1"}));

TEST(SceneErrors, WholeSectionsMissing) {
  EXPECT_EQ(error_of("bodies: {}\n").substr(0, 33), "scene.yaml:1: time: is missing; g");
  EXPECT_EQ(error_of("time: {step: 1, end: 1}\n").substr(0, 35), "scene.yaml:1: bodies: is missing; d");
  EXPECT_EQ(error_of("time: {step: 1, end: 1}\nbodies: {}\n"), "scene.yaml:2: bodies: there is no body; describe at least one");
  EXPECT_NE(error_of("time: {step: 1, end: 1}\nbodies:\n").find("scene.yaml:2: bodies: expected a map, found nothing"), std::string::npos);
}

TEST(SceneErrors, AListWhereEntriesHaveNames) {
  for (const std::string section : {"contacts", "surfaces", "springs"})
    EXPECT_EQ(error_of(kSmallScene + section + ": [{thickness: 1e-3}]\n"),
              "scene.yaml:6: " + section + ": expected a map, found a list of 1; give each entry a name, as in {first: {...}, second: {...}}");
}

TEST(SceneErrors, AMapWhereEntriesHaveNoNames) {
  const std::string remedy = "expected a list, found a map; its entries have no names: write them as [";
  for (const std::string& scene :
       {kSmallScene + "    driven: {top: {motion: {velocity: [0, 0, 1]}}}\n", kSmallScene + "    driven: {vertices: top, motion: {velocity: [0, 0, 1]}}\n"})
    EXPECT_EQ(error_of(scene),
              "scene.yaml:6: bodies.ball.driven: " + remedy + "{vertices: ..., motion: ...}, ...], or each on lines of its own that begin with '- '");
  EXPECT_EQ(error_of(kSmallScene + "gravity: [0, 0, 1]\ngravity_over: {0: 1, 2: 3}\n"),
            "scene.yaml:7: gravity_over: " + remedy + "{time: ..., factor: ...}, ...], or each on lines of its own that begin with '- '");
  EXPECT_NE(error_of(kSmallScene + "    loads: {pull: {force: [0, 0, 1], over: 3}}\n")
                .find("bodies.ball.loads.pull.over: expected a list, found '3'; its entries have no names: write them as [{time: ..., factor: ...}, ...]"),
            std::string::npos);
}

TEST(SceneErrors, AnEntryWithoutAName) {
  for (const auto& [section, path, words] : std::vector<std::array<std::string, 3>>{
           {"    loads: {region: top, force: [0, 0, 1]}", "bodies.ball.loads",
            "has 'region' of an entry, but the entry has no name; write it as {name: {region: ..., ...}}"},
           {"joints: {between: [ball, ground]}", "joints", "has 'between' of an entry, but the entry has no name; write it as {name: {"},
           {"springs: {from: ball, to: ball, stiffness: 3}", "springs", "has 'from' of an entry, but the entry has no name; write it as {name: {from: "},
           {"contacts: {vertices: ball, against: floor, thickness: 1}", "contacts", "write it as {name: {vertices: ..., against: ..., thickness: ...}}"},
           {"attachments: {vertices: ball, to: ball}", "attachments", "write it as {name: {vertices: ..., to: ...}}"}}) {
    const std::string message = error_of(kSmallScene + section + "\n");
    EXPECT_EQ(message.substr(0, 16 + path.size()), "scene.yaml:6: " + path + ": ") << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }
  const std::string material =
      error_of(replaced(kFullScene, "{all: {youngs_modulus: 1e9, poisson_ratio: 0.2, density: 2000}}", "{youngs_modulus: 1e9, poisson_ratio: 0.2}"));
  EXPECT_NE(material.find("bodies.plate.solid: has 'youngs_modulus' of an entry, but the entry has no name; write it as {region: {youngs_modulus: "),
            std::string::npos)
      << material;
}

TEST(SceneErrors, DrivenVerticesWithoutMotion) {
  const std::string message = error_of(kSmallScene + "    driven:\n      - vertices: top\n");
  EXPECT_EQ(message, "scene.yaml:7: bodies.ball.driven.0.motion: is missing; give one, or list the region under 'fixed' instead");
}

TEST(SceneErrors, DirectionsThatCountAsTheSame) {
  const auto held_along = [](const std::string& second) {
    return kSmallScene + "    fixed: {region: top, normal: [1, 0, 0]}\n    driven: [{vertices: top, normal: [1, " + second +
           ", 0], motion: {velocity: [0, 0, 1]}}]\n";
  };
  EXPECT_EQ(error_of(held_along(std::to_string(1.2e6 * kLeastSine) + "e-6")), "");
  EXPECT_NE(error_of(held_along(std::to_string(0.8e6 * kLeastSine) + "e-6")).find("already fixed or driven in another way along the same directions"),
            std::string::npos);
}

TEST(SceneErrors, NumberInPlaceOfAMap) {
  const std::string contact =
      kSmallScene +
      "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\ncontacts: {bounce: {vertices: ball, against: floor, thickness: 1, friction: ";
  EXPECT_NE(error_of(contact + "0.6}}\n").find("contacts.bounce.friction: expected a map, found '0.6'; write {dynamic: 0.6}"), std::string::npos);
  EXPECT_NE(error_of(contact + "high}}\n").find("expected a map, found 'high'; write it as {dynamic: ...}, or as indented"), std::string::npos);
  EXPECT_NE(error_of(kSmallScene + "    damping: 0.02\n").find("expected a map, found '0.02'; write it as {mass: ..., stiffness: ...}"), std::string::npos);
}

TEST(SceneErrors, NamesOfBodiesRegionsAndSurfaces) {
  const std::string scene = kSmallScene + "surfaces: {floor: {plane: {}}}\n";
  const auto expect_error = [&](const std::string& entry, const std::string& expected) {
    EXPECT_EQ(error_of(scene + entry + "\n"), "scene.yaml:7: " + expected);
  };
  const std::string contact = "contacts: {touch: {thickness: 1e-3, ", joint = "joints: {pin: {kind: hinge, at: [0, 0, 0], axis: [0, 0, 1], ";
  expect_error(contact + "vertices: skin, against: floor}}",
               "contacts.touch.vertices: there is no body 'skin'; choose one of: ball; or write a region of a body with the body's name, as in 'ball.skin'");
  expect_error(contact + "vertices: bal, against: floor}}", "contacts.touch.vertices: there is no body 'bal'; the nearest is 'ball' (one of: ball)");
  expect_error(contact + "vertices: bal.front, against: floor}}",
               "contacts.touch.vertices: there is no body 'bal'; the nearest is 'ball' (one of: ball), so write 'ball.front'");
  expect_error(contact + "vertices: ball, against: bal.front}}",
               "contacts.touch.against: there is no surface or body 'bal'; the nearest is 'ball' (one of: floor, ball), so write 'ball.front'");
  expect_error(contact + "vertices: ball, against: court.front}}",
               "contacts.touch.against: there is no surface or body 'court.front'; choose one of: floor, ball");
  expect_error(contact + "vertices: floor, against: ball}}",
               "contacts.touch.vertices: 'floor' is a surface, and vertices are those of a body; exchange 'vertices' and 'against'");
  expect_error(contact + "both: [ball, floor]}}", "contacts.touch.both.1: 'floor' is a surface, and a body is wanted here; choose one of: ball");
  expect_error(contact + "vertices: ball, against: court}}", "contacts.touch.against: there is no surface or body 'court'; choose one of: floor, ball");
  expect_error(joint + "between: [ball, floor]}}", "joints.pin.between: 'floor' is a surface, and a body is wanted here; choose one of: ball, ground");
  expect_error(joint + "between: [ball, court]}}", "joints.pin.between: there is no body 'court'; choose one of: ball, ground");
  expect_error(joint + "between: ball, motor: {displacement: 1}}}",
               "joints.pin.motor.displacement: goes with a slider; a hinge's motor has an 'angle', 'speed' or 'torque'");
  expect_error(joint + "between: ball, motor: {angle: 1}}}",
               "joints.pin.motor.angle: begins away from 0, where the bodies are placed, so that the motor jumps; give 'over' with a factor of 0 at the start");
}

TEST(SceneErrors, ContactWithoutAnySurface) {
  const std::string message = error_of(kSmallScene + "contacts: {bounce: {vertices: ball, against: court, thickness: 1}}\n");
  EXPECT_EQ(
      message,
      "scene.yaml:6: contacts.bounce.against: there is no surface or body 'court'; choose one of: ball, or describe a surface of this name under 'surfaces'");
}

}  // namespace
}  // namespace traction::test
