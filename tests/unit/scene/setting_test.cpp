// YAML itself: syntax, limits and overrides.
#include "scene/setting.h"

#include <gtest/gtest.h>

#include "scene_texts.h"

namespace traction::test {
namespace {

bool begins_with(const std::string& text, const std::string& beginning) { return text.substr(0, beginning.size()) == beginning; }
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Yaml, SyntaxErrorsNameTheLine) {
  EXPECT_TRUE(begins_with(error_of("time: {step: 1\nbodies: [\n"), "scene.yaml:")) << error_of("time: {step: 1\nbodies: [\n");
  const std::string unclosed = error_of(replaced(kFullScene, "gravity: [0, 0, -9.81]", "gravity: ]"));
  EXPECT_TRUE(begins_with(unclosed, "scene.yaml:6: not valid YAML: ")) << unclosed;
  EXPECT_TRUE(begins_with(error_of("a: 1\nb: *unknown\n"), "scene.yaml:2: not valid YAML: "));
  EXPECT_TRUE(begins_with(error_of("a: \"unclosed"), "scene.yaml:1: not valid YAML: "));
  EXPECT_EQ(error_of("a: \"\\\n\"\nb: \"\\\x01\"").find('\n'), std::string::npos);
}

TEST(Yaml, TabsInTheIndentationAreNamed) {
  for (const char* text : {"time:\n  step: 1\n\tend: 2\n", "time:\n  step: 1\n  \tend: 2\n", "time: 1\nbodies:\n\tball:\n\t\tmesh: ball.msh\n"})
    EXPECT_EQ(error_of(text), "scene.yaml:3: the line is indented with a tab; YAML allows only spaces, replace it by them");
  EXPECT_TRUE(begins_with(error_of("time: 1\nbodies: [\n\t]]\n"), "scene.yaml:3: "));
  EXPECT_TRUE(begins_with(error_of("time: 1  \t# a comment\na: *b\n"), "scene.yaml:2: not valid YAML: "));
}

TEST(Yaml, TheSceneMustBeOneMap) {
  EXPECT_TRUE(begins_with(error_of(""), "scene.yaml:1: expected a map, found nothing; "));
  EXPECT_TRUE(begins_with(error_of("# nothing\n"), "scene.yaml:1: expected a map, found nothing; "));
  EXPECT_TRUE(begins_with(error_of("just words\n"), "scene.yaml:1: expected a map, found 'just words'; "));
  EXPECT_TRUE(begins_with(error_of("[1, 2]\n"), "scene.yaml:1: expected a map, found a list of 2; "));
  EXPECT_TRUE(contains(error_of("a: 1\n---\nb: 2\n"), "a second YAML document begins here"));
  EXPECT_TRUE(begins_with(error_of("time: 1\n[1, 2]: 3\n"), "scene.yaml:"));
  EXPECT_TRUE(contains(error_of("{[1, 2]: 3}\n"), "a key must be a name"));
  EXPECT_TRUE(contains(error_of("{~: 3}\n"), "a key must be a name"));
}

TEST(Yaml, DeepNestingIsRefused) {
  for (const int depth : {33, 1000, 100'000}) {
    EXPECT_TRUE(contains(error_of("a: " + repeated("[", depth) + repeated("]", depth)), "nested more than 32 levels deep")) << depth;
    EXPECT_TRUE(contains(error_of("a: " + repeated("[", depth)), "nested more than 32 levels deep")) << depth;
    EXPECT_TRUE(contains(error_of("a: " + repeated("{a: ", depth) + "1" + repeated("}", depth)), "nested more than 32")) << depth;
  }
  EXPECT_TRUE(contains(error_of(repeated("- ", 1000)), "nested more than 32"));
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string before = std::to_string(i - 1), now = std::to_string(i);
    chain += "a" + now + ": &a" + now + " [*a" + before + "]\n";
  }
  EXPECT_TRUE(begins_with(error_of(chain), "scene.yaml:32: a31.0: nested more than 32 levels deep")) << error_of(chain);
}

TEST(Yaml, AliasesCannotGrowWithoutBound) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), now = std::to_string(i);
    text += "a" + now + ": &a" + now + " [" + before + repeated(", " + before, 9) + "]\n";
  }
  EXPECT_TRUE(contains(error_of(text), "more than 1000000 values, aliases included"));
  EXPECT_TRUE(contains(error_of("a: &a [1, *a]\n"), "an alias is inside the value that it refers to"));
  EXPECT_TRUE(contains(error_of("a: [" + repeated("1, ", 2'000'000) + "1]\n"), "more than 1000000 values"));
}

TEST(Yaml, MessagesStayOnOneShortLine) {
  const std::string message = error_of("\"two\\nlines\": 1\n");
  EXPECT_TRUE(begins_with(message, "scene.yaml:1: two lines: unknown key 'two lines'; ")) << message;
  EXPECT_LT(error_of(std::string(100'000, 'x')).size(), 300u);
  EXPECT_LT(error_of("{" + std::string(1000, 'x') + ": 1}\n").size(), 400u);
  EXPECT_EQ(excerpt("ab\xC3\xB6", 3), "ab...");
  EXPECT_EQ(excerpt("ab\xC3\xB6", 4), "ab\xC3\xB6");
}

TEST(Yaml, AliasedValuesAreReportedWhereTheyAreUsed) {
  const std::string text = replaced(replaced(kFullScene, "end: 1.2", "end: &zero 0.0"), "density: 934", "density: *zero");
  const std::string line = std::to_string(line_of(kFullScene, "density: 934"));
  EXPECT_TRUE(begins_with(error_of(text, {"time.end=1"}), "scene.yaml:" + line + ": bodies.ball.solid.core.density: must be greater"));
}

TEST(Yaml, MergeKeysAreNamed) {
  const std::string text = "bodies:\n  a: &a {mesh: a.msh}\n  b:\n    <<: *a\n    scale: 2\n";
  EXPECT_EQ(error_of(text),
            "scene.yaml:4: bodies.b.<<: '<<' is YAML's merge key, which scenes do not take; write out here the keys that it would merge. An alias (*name) can "
            "replace a whole value");
  EXPECT_TRUE(contains(error_of("base: &base {step: 1}\ntime: {<<: *base, end: 1}\n"), "scene.yaml:2: time.<<: '<<' is YAML's merge key"));  // before 'base'
  EXPECT_TRUE(contains(error_of("time: {\"<<\": 1}\n"), "unknown key '<<'; choose one of: step, end"));  // in quotes it is a name like any other
}

TEST(Overrides, ReplaceAndAddInOrder) {
  const Scene scene = read(kFullScene, {"time.step=1e-3", "time.step=2e-3", "bodies.plate.damping.mass=3", "gravity=[1, 2, 3]", "gravity.1=5",
                                        "output={every: 0.5}", "output.log_every=7", "petsc.pc_type=lu", "petsc.ksp_view=", " solver.forcing = 0.5",
                                        "contacts.scrape.friction.dynamic=0.25", "bodies.ball.fixed.1=edge"});
  EXPECT_EQ(scene.time.steps[0].step, 2e-3);
  EXPECT_EQ(scene.bodies[1].damping.mass, 3);
  EXPECT_EQ(scene.gravity, Vec3(1, 5, 3));
  EXPECT_EQ(scene.output.every, 0.5);
  EXPECT_EQ(scene.output.log_every, 7);
  EXPECT_EQ(scene.petsc.at("pc_type"), "lu");
  EXPECT_EQ(scene.petsc.at("ksp_view"), "");
  EXPECT_EQ(scene.solver.forcing, 0.5);
  EXPECT_EQ(scene.contacts[1].friction->dynamic, 0.25);
  EXPECT_EQ(scene.bodies[0].driven[1].region, "edge");
  EXPECT_EQ(scene.bodies[0].driven[1].source.text, "--set bodies.ball.fixed.1=edge: bodies.ball.fixed.1");
}

TEST(Overrides, ReachIntoListsAndEmptySections) {
  const std::string text = replaced(kSmallScene, "step: 1e-3", "step: [{from: 0, step: 5e-3}, {from: 0.7, step: 1e-3}]") + "output:\n";
  const Scene scene = read(text, {"time.step.1.step=1e-4", "output.every=1"});
  EXPECT_EQ(scene.time.steps[0].step, 5e-3);
  EXPECT_EQ(scene.time.steps[1].step, 1e-4);
  EXPECT_EQ(scene.output.every, 1);
}

TEST(Overrides, CanWriteAWholeScene) {
  const Scene scene = read("", {"time={step: 1, end: 2}", "bodies.b.mesh=b.msh", "bodies.b.solid.all={youngs_modulus: 1, poisson_ratio: 0, density: 1}"});
  EXPECT_EQ(scene.time.end, 2);
  EXPECT_EQ(scene.bodies[0].name, "b");
}

TEST(Overrides, AreThePlaceOfTheirErrors) {
  const auto expect_error = [](const std::string& assignment, const std::string& beginning) {
    const std::string message = error_of(kFullScene, {assignment});
    EXPECT_TRUE(begins_with(message, "--set " + assignment + ": " + beginning)) << message;
  };
  expect_error("time.step=0",
               "time.step: must be greater than 0, found '0'; a zero-length or negative time step leads nowhere; give a positive number of seconds");
  expect_error("time.stp=1", "time.stp: unknown key 'stp'; the nearest valid key is 'step'");
  expect_error("tiem.step=1", "tiem: unknown key 'tiem'; the nearest valid key is 'time'");
  expect_error("gravity=[0, 0, x]", "gravity.2: expected a number, found 'x'");
  expect_error("solver={forcing: 2}", "solver.forcing: must be above 0");
  expect_error("time.end=", "time.end: expected a number, found nothing");
  const std::string line = std::to_string(line_of(kFullScene, "static: 0.7"));
  EXPECT_TRUE(begins_with(error_of(kFullScene, {"contacts.bounce.friction.dynamic=0.9"}),
                          "scene.yaml:" + line + ": contacts.bounce.friction.static: must not be below 'dynamic'"));
}

// A misspelled name would begin a new entry, of which the message could only say what it lacks.
TEST(Overrides, OfAnUnknownEntryAreRefusedByName) {
  const auto expect_error = [](const std::vector<std::string>& assignments, const std::string& expected) {
    EXPECT_EQ(error_of(kFullScene, assignments), "--set " + assignments.back() + ": " + expected);
  };
  expect_error(
      {"contacts.bouce.thickness=1e-3"},
      "contacts.bouce: there is no entry 'bouce'; the nearest is 'bounce' (one of: bounce, scrape, press, fold). For a new one: contacts.bouce.vertices: is "
      "missing; name a body, or a region of it as in 'ball.outer'");
  expect_error(
      {"bodies.bal.scale=2"},
      "bodies.bal: there is no entry 'bal'; the nearest is 'ball' (one of: ball, plate, tire). For a new one: bodies.bal.mesh: is missing; give the path of "
      "a .msh, .vtu, .vtk, .inp or .geo file");
  expect_error({"surfaces.cour.sphere.inside=true"},
               "surfaces.cour: there is no entry 'cour'; the nearest is 'court' (one of: court, globe, pipe, crate, slope). For a new one: "
               "surfaces.cour.sphere.radius: is missing; give the radius in m");
  expect_error(
      {"bodies.ball.solid.cor.density=5"},
      "bodies.ball.solid.cor: there is no entry 'cor'; the nearest is 'core' (one of: core, felt). For a new one: bodies.ball.solid.cor.youngs_modulus: is "
      "missing; give Young's modulus in Pa, or the material that has other constants");
  expect_error(
      {"springs.strut={from: ball, to: plate, stiffness: 1}", "springs.struts.stiffness=2"},
      "springs.struts: there is no entry 'struts'; the nearest is 'strut' (one of: strut). For a new one: springs.struts.from: is missing; name a body, or a "
      "region of it as in 'ball.tip'");
  expect_error(
      {"contacts.bouce={thickness: 1e-3}"},
      "contacts.bouce: there is no entry 'bouce'; the nearest is 'bounce' (one of: bounce, scrape, press, fold). For a new one: contacts.bouce.vertices: is "
      "missing; name a body, or a region of it as in 'ball.outer'");
  expect_error({"contacts.bounce.friction.dynamc=1"},
               "contacts.bounce.friction.dynamc: unknown key 'dynamc'; the nearest valid key is 'dynamic' (valid here: dynamic, "
               "static, tolerance, stribeck_velocity, viscous, decay_velocity, table, anisotropic, sliding_basis_derivative, coupling, passes)");
  EXPECT_EQ(error_of(kFullScene, {"contacts.new={vertices: ball, against: court, thickness: 1}"}), "");
  EXPECT_EQ(error_of(kFullScene, {"contacts.new.vertices=ball", "contacts.new.against=court", "contacts.new.thickness=1"}), "");
}

TEST(Yaml, AMissingSpaceAfterAColonIsNamed) {
  for (const auto& [good, bad] : {std::pair{"density: 934", "density:934"}, {"end: 1.2", "end:1.2"}, {"maximum_halvings: 5", "maximum_halvings:5"}}) {
    const std::string message = error_of(replaced(kFullScene, good, bad));
    EXPECT_EQ(message,
              "scene.yaml:" + std::to_string(line_of(kFullScene, good)) + ": not valid YAML: a space is missing after the colon; write '" + good + "'");
  }
  EXPECT_TRUE(contains(error_of("time: {step: 1\nmesh: http://a\n"), "check brackets"));
}

// The parser stops lines below some of these.
TEST(Yaml, TheProbableMistakeIsNamedAtItsLine) {
  const std::string good = "time: {step: 1, end: 2}\nbodies:\n  block:\n    mesh: block.msh\n    scale: 2  # a comment: {\n    order: 2\n";
  const auto expect_mistake = [&](const std::string& old_part, const std::string& new_part, const std::string& expected) {
    EXPECT_EQ(error_of(replaced(good, old_part, new_part)), "scene.yaml:" + expected);
  };
  expect_mistake("bodies:", "bodies", "2: not valid YAML: a colon is missing after the key; write 'bodies:'");
  expect_mistake("mesh: block.msh", "mesh block.msh", "4: not valid YAML: a colon is missing after the key; write 'mesh: block.msh'");
  expect_mistake("    scale", "  scale", "5: not valid YAML: 'scale' is indented by 2 blanks, and the lines around it by 4; indent it like them");
  expect_mistake("    scale", "     scale",
                 "5: not valid YAML: 'scale' is indented by 5 blanks, deeper than 'mesh' on the line before it, which has its value already; indent both "
                 "alike, by 4");
  expect_mistake("    order", "   order",
                 "6: not valid YAML: 'order' is indented by 3 blanks, and the blocks that it may continue by 2 or 4; indent it like one of them");
  expect_mistake("end: 2}", "end: 2", "1: not valid YAML: the '{' of this line is not closed; check brackets, and add a '}'");
  expect_mistake("step: 1, end: 2}", "step: '1}', end: [2}", "1: not valid YAML: the '[' of this line is not closed; check brackets, and add a ']'");
  for (const char* mark : {"%", "//"})
    expect_mistake("bodies:", std::string(mark) + " all bodies\nbodies:", std::string("2: comments begin with '#' in a scene, not with '") + mark + "'");
  expect_mistake("    scale", "    %scale", "5: comments begin with '#' in a scene, not with '%'");
  expect_mistake("    scale", "    //scale", "5: bodies.block.//scale: unknown key '//scale'; comments begin with '#' in a scene");
}

TEST(Scene, FilesOfOtherKindsAreNamed) {
  const auto error = [](const std::string& text, const std::string& file) {
    try {
      read_scene(text, file, {});
    } catch (const InputError& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  const std::string remedy = ", and no scene; give a scene, a text in YAML (docs/scenes.md)", meshes = ", which names its meshes under bodies.NAME.mesh";
  EXPECT_EQ(error("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "block"), "block: is a mesh of Gmsh" + remedy + meshes);
  EXPECT_EQ(error("SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n", "block.geo"), "block.geo: is a geometry of Gmsh" + remedy + meshes);
  EXPECT_EQ(error("", "block.msh"), "block.msh: is a mesh of Gmsh" + remedy + meshes);
  EXPECT_EQ(error("*NODE\n1, 0, 0, 0\n", "part.inp"), "part.inp: is a model of Abaqus" + remedy + "; postprocess/scene_from_inp makes one of a model");
  EXPECT_EQ(error("step,time\n1,2\n", "history.csv"), "history.csv: is a table" + remedy);
  EXPECT_EQ(error("\x89PNG\r\n\x1a\n", "scene.yaml"), "scene.yaml: is a picture" + remedy);
  EXPECT_EQ(error(std::string("a\0b", 3), "scene.yaml"), "scene.yaml: is a binary file" + remedy);
  EXPECT_EQ(error(kSmallScene, "scene.txt"), "");
  EXPECT_TRUE(contains(error("time: {step: 0}\n", "odd.msh"), "time.step: must be greater than 0"));  // a map is a scene, whatever its name
}

TEST(Overrides, MalformedOnesAreRefused) {
  EXPECT_EQ(error_of(kFullScene, {"time.step"}), "--set time.step: has no '='; write it as path.to.key=value");
  EXPECT_TRUE(contains(error_of(kFullScene, {"=1"}), "empty part"));
  EXPECT_TRUE(contains(error_of(kFullScene, {""}), "has no '='"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"time..step=1"}), "empty part"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"time.step.=1"}), "empty part"));
  EXPECT_TRUE(begins_with(error_of(kFullScene, {"gravity=[1, 2"}), "--set gravity=[1, 2: not valid YAML: "));
  EXPECT_TRUE(contains(error_of(kFullScene, {"output={every: 1, every: 2}"}), "the key is given twice"));
  EXPECT_TRUE(begins_with(error_of(kFullScene, {"time.end.x=1"}), "--set time.end.x=1: time.end: is the single value '1.2'"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"gravity.3=1"}), "gravity: is a list of 3 without an item '3'"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"gravity.z=1"}), "without an item 'z'"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"gravity.-1=1"}), "without an item '-1'"));
  EXPECT_TRUE(contains(error_of("[1]", {"time.step=1"}), "the scene: is a list of 1"));
  EXPECT_TRUE(contains(error_of(kFullScene, {repeated("a.", 100'000) + "a=1"}), "too many parts"));
  EXPECT_TRUE(contains(error_of(kFullScene, {"gravity=" + repeated("[", 100'000)}), "nested more than 32"));
}

}  // namespace
}  // namespace traction::test
