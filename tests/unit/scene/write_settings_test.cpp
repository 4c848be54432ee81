#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <string_view>

#include "scene_texts.h"

namespace traction::test {
namespace {

// Accepts exactly the texts that RFC 8259 calls JSON.
class JsonChecker {
 public:
  static bool accepts(std::string_view text) {
    JsonChecker checker{text};
    return checker.value() && (checker.skip_blanks(), checker.text_.empty());
  }

 private:
  explicit JsonChecker(std::string_view text) : text_(text) {}

  void skip_blanks() {
    while (!text_.empty() && std::strchr(" \t\r\n", text_[0])) text_.remove_prefix(1);
  }
  bool take(std::string_view expected) {
    skip_blanks();
    if (text_.substr(0, expected.size()) != expected) return false;
    text_.remove_prefix(expected.size());
    return true;
  }
  bool digits() {
    std::size_t count = 0;
    while (count < text_.size() && std::isdigit(static_cast<unsigned char>(text_[count]))) ++count;
    text_.remove_prefix(count);
    return count > 0;
  }
  bool number() {
    take("-");
    const bool leading_zero = !text_.empty() && text_[0] == '0';
    const std::size_t before = text_.size();
    if (!digits() || (leading_zero && before - text_.size() > 1)) return false;
    if (text_.substr(0, 1) == "." && (text_.remove_prefix(1), !digits())) return false;
    if (text_.empty() || (text_[0] != 'e' && text_[0] != 'E')) return true;
    text_.remove_prefix(1);
    if (!text_.empty() && (text_[0] == '+' || text_[0] == '-')) text_.remove_prefix(1);
    return digits();
  }
  bool string() {
    if (!take("\"")) return false;
    for (; !text_.empty() && text_[0] != '"'; text_.remove_prefix(1)) {
      if (static_cast<unsigned char>(text_[0]) < 0x20) return false;
      if (text_[0] != '\\') continue;
      text_.remove_prefix(1);
      if (text_.empty() || !std::strchr("\"\\/bfnrtu", text_[0])) return false;
      if (text_[0] != 'u') continue;
      for (int i = 0; i < 4; ++i) {
        text_.remove_prefix(1);
        if (text_.empty() || !std::isxdigit(static_cast<unsigned char>(text_[0]))) return false;
      }
    }
    return take("\"");
  }
  template <typename Item>
  bool sequence(std::string_view close, Item item) {
    if (take(close)) return true;
    do {
      if (!item()) return false;
    } while (take(","));
    return take(close);
  }
  bool value() {
    if (take("{")) return sequence("}", [this] { return string() && take(":") && value(); });
    if (take("[")) return sequence("]", [this] { return value(); });
    if (take("true") || take("false") || take("null")) return true;
    return !text_.empty() && text_[0] == '"' ? string() : number();
  }

  std::string_view text_;
};

const std::string kStrangeTexts = kSmallScene + R"(
    fixed: ["a \"b\" \\ c", "tab\tbell\a", "größe", "true", "12", "a: b", "~", "#", "[x", "*y", "-"]
petsc: {one: "null", two: "", three: "1e-3", "odd:name": "a, b", four: "\x1b[0m", five: "𝛽"}
)";

void expect_round_trip(const std::string& text) {
  const std::string first = to_yaml(read(text));
  const std::string second = to_yaml(read_scene(first, "/elsewhere/resolved.yaml", {}));
  EXPECT_EQ(first, second);
}

TEST(WriteScene, YamlReadsBackAsTheSameScene) {
  expect_round_trip(kSmallScene);
  expect_round_trip(kFullScene);
  expect_round_trip(kStrangeTexts);
  expect_round_trip(replaced(kSmallScene, "step: 1e-3", "step: [{from: 0, step: 0.1}, {from: 0.3333333333333333, step: 1e-12}]"));
  expect_round_trip(kSmallScene + "    volume: [{surface: left}, {surface: right}]\n");
  expect_round_trip(kSmallScene + "    fixed: [base, {region: side, components: [x, y]}, {region: slope, normal: [1, 2, 3]}]\n");
  expect_round_trip(kSmallScene + "    fixed: {region: side, components: y}\n");
  for (const char* friction : {"{dynamic: 0.3, static: 0.5, decay_velocity: 0.2, anisotropic: {direction: [1, 2, 0], along: 0.5, across: 1.5}}",
                               "{table: {speeds: [0, 0.1, 1], coefficients: [0.9, 0.7, 0.5]}}", "{table: {pressures: [1e3, 1e4], coefficients: [0.9, 0.5]}}",
                               "{table: {speeds: [0, 0.1], pressures: [1e3, 1e4], coefficients: [0.9, 0.7, 0.5, 0.3]}, viscous: 2}"})
    expect_round_trip(kSmallScene + "surfaces: {court: {plane: {}}}\ncontacts: {rub: {vertices: ball, against: court, thickness: 1e-3, friction: " + friction +
                      "}}\n");
}

// Bulk numbers are read back as the equivalent numbers of the surface.
TEST(WriteScene, ShellsReadBackAsTheyAre) {
  const Body before = read(kFullScene).bodies.at(2);
  const Body after = read_scene(to_yaml(read(kFullScene)), "/elsewhere/resolved.yaml", {}).bodies.at(2);
  ASSERT_EQ(after.shell.size(), before.shell.size());
  for (const auto& [name, material] : before.shell) EXPECT_EQ(after.shell.at(name), material) << name;
  ASSERT_EQ(after.volumes.size(), 2u);
  EXPECT_TRUE(after.volumes[0].close_rims);
  EXPECT_EQ(after.volumes[0].excluded_volume, 0.05);
  ASSERT_EQ(after.volumes[0].inflation.size(), 2u);
  EXPECT_EQ(after.volumes[0].inflation[1].time, 2);
  EXPECT_EQ(after.volumes[0].inflation[1].factor, 3);
  EXPECT_EQ(after.volumes[1].region, "filling");
}

TEST(WriteScene, DirectionsReadBackBitByBit) {
  for (int i = 1; i < 200; ++i) {
    const std::string x = std::to_string(i), y = std::to_string((i * 37) % 101), z = std::to_string(-(i * 61) % 89);
    expect_round_trip(kSmallScene + "surfaces: {court: {plane: {normal: [" + x + ", " + y + ", " + z + "]}}}\n");
  }
}

TEST(WriteScene, YamlShowsDefaultsAndAbsolutePaths) {
  const std::string yaml = to_yaml(read(kSmallScene));
  for (const std::string line :
       {"  integrator: tr_sdirk2\n", "  maximum_halvings: 12\n", "gravity: [0, 0, 0]\n", "    mesh: /jobs/bounce/ball.msh\n", "  preconditioner: automatic\n",
        "  tolerance: 1.0e-05\n", "  contact_weight: 0\n", "  fields: [velocity, contact_pressure]\n"}) {
    EXPECT_NE(yaml.find(line), std::string::npos) << line << "in\n" << yaml;
  }
}

// Vertices alone touch planes, and spheres and boxes from inside. A sphere from outside may be touched in two ways.
TEST(WriteScene, HasNoGeometryWhereThereIsNothingToChoose) {
  const auto printed = [](const std::string& surface, const std::string& contact) {
    const std::string text =
        kSmallScene + "surfaces: {court: " + surface + "}\ncontacts: {bounce: {vertices: ball, against: court, thickness: 1e-3" + contact + "}}\n";
    expect_round_trip(text);
    return to_yaml(read(text));
  };
  const std::string plane = "{plane: {}}", inside = "{sphere: {center: [0, 0, 0], radius: 1, inside: true}}",
                    outside = "{sphere: {center: [0, 0, 9], radius: 1}}";
  for (const std::string& surface : {plane, inside})
    for (const std::string contact : {"", ", geometry: automatic", ", geometry: smooth_surface"})
      EXPECT_EQ(printed(surface, contact).find("geometry"), std::string::npos) << surface << contact;
  EXPECT_NE(printed(outside, "").find("    geometry: automatic\n"), std::string::npos);
  EXPECT_NE(printed(outside, ", geometry: smooth_surface").find("    geometry: smooth_surface\n"), std::string::npos);
  EXPECT_NE(printed("{box: {lower: [0, 0, -1], upper: [1, 1, 0]}}", "").find("    geometry: edges_and_faces\n"), std::string::npos);
}

TEST(WriteScene, OverridesOfThePrintedSceneHaveTheSamePaths) {
  const std::string yaml = to_yaml(read(kFullScene));
  const Scene scene = read(yaml, {"bodies.ball.volume.gauge_pressure=5", "time.step=0.5", "bodies.ball.driven.0.motion.ramp=0.75"});
  EXPECT_EQ(scene.bodies[0].volumes[0].gauge_pressure, 5);
  EXPECT_EQ(scene.time.steps[0].step, 0.5);
  EXPECT_EQ(scene.bodies[0].driven[2].motion.at(0).ramp, 0.75);
}

TEST(WriteScene, KeepsStrangeTexts) {
  const Scene scene = read_scene(to_yaml(read(kStrangeTexts)), "/elsewhere/resolved.yaml", {});
  const std::vector<DrivenSettings>& fixed = scene.bodies[0].driven;
  ASSERT_EQ(fixed.size(), 11u);
  EXPECT_EQ(fixed[0].region, "a \"b\" \\ c");
  EXPECT_EQ(fixed[1].region, "tab\tbell\a");
  EXPECT_EQ(fixed[2].region, "größe");
  EXPECT_EQ(fixed[3].region, "true");
  EXPECT_EQ(fixed[6].region, "~");
  EXPECT_EQ(scene.petsc.at("one"), "null");
  EXPECT_EQ(scene.petsc.at("odd:name"), "a, b");
  EXPECT_EQ(scene.petsc.at("four"), "\x1b[0m");
  EXPECT_EQ(scene.petsc.at("five"), "𝛽");
}

TEST(WriteScene, JsonIsValid) {
  for (const std::string& text : {kSmallScene, kFullScene, kStrangeTexts}) {
    const std::string json = to_json(read(text));
    EXPECT_TRUE(JsonChecker::accepts(json)) << json;
  }
  EXPECT_FALSE(JsonChecker::accepts("{a: 1}"));
  EXPECT_FALSE(JsonChecker::accepts("{\"a\": \"\\x1b\"}"));
  EXPECT_FALSE(JsonChecker::accepts("{\"a\": 1} {"));
}

TEST(WriteScene, JsonHoldsTypedValues) {
  const std::string json = to_json(read(kFullScene));
  for (const std::string part : {"\"integrator\": \"tr_bdf2\"", "\"maximum_halvings\": 5", "\"sparse\": true", "\"end\": 1.2", "\"gravity\": [0, 0, -9.81]",
                                 "\"ksp_rtol\": \"1e-3\"", "\"step\": 1.0e-04"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
  }
}

}  // namespace
}  // namespace traction::test
