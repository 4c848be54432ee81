// Declarations of settings, tested on structs defined here.
#include "settings/declaration.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "errors.h"
#include "scene/read_settings.h"
#include "scene/setting_writer.h"
#include "scene/write_settings.h"

namespace traction::test {

enum class Colour { red, green };
constexpr auto choices_of(Colour) { return std::to_array<Choice<Colour>>({{Colour::red, "red", "As blood."}, {Colour::green, "green"}}); }

struct Wheel {
  static constexpr SettingsDescription kDescription{"wheel", "A wheel."};
  SETTING(double, radius, 0, "Radius.", unit("m"), at_least(0.1), below(2), required("give it in m"));
  SETTING(int, spokes, 8, "Spokes.", at_least(3), at_most(64), hint("32 is usual"));
};

struct Engine {
  SETTING(double, power, 50, "Power.", unit("W"), positive);
};

struct Car : Engine {
  static constexpr SettingsDescription kDescription{"car", "A car."};
  using ByRegion = std::map<std::string, Wheel>;
  SETTING(Colour, colour, Colour::green, "Colour.");
  SETTINGS_OF(Engine);
  SETTING(std::vector<Wheel>, wheels, {}, "Wheels.", key("wheel"), one_or_more, shorthand("radius"));
  SETTING(ByRegion, spare, {}, "Spare wheels.", names(Names::regions));
  SETTING(std::optional<bool>, open, {}, "Without a roof.");
  SETTING(double, mass, 0, "Mass.", unit("kg"), required_unless("spare", "weigh it"));
  double weight = 0;
  void complete(const Given& given) {
    weight = 9.81 * mass;
    if (power > 1e6) given.fail("power", "is too much; take less, not " + given.text("power"));
  }
};

namespace {

Car read(const std::string& text) {
  const Setting root = parse_setting(text, [](int line) { return "car.yaml:" + std::to_string(line); });
  const std::filesystem::path folder = "/cars";
  const SettingReader at(root, "car");
  Car car;
  SettingsReader(at, folder).read(car);
  return car;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Declaration, SettingsAreVisitedInTheirOrder) {
  EXPECT_EQ(SettingsReader::keys_of(Car()), (std::vector<std::string_view>{"colour", "power", "wheel", "spare", "open", "mass"}));
}

TEST(Declaration, ReadsWhatIsGivenAndKeepsTheRest) {
  const Car car = read("{mass: 2, wheel: [{radius: 0.3, spokes: 12}, 0.4], spare: {back side: {radius: 1}}, open: false}");
  EXPECT_EQ(car.colour, Colour::green);
  EXPECT_EQ(car.power, 50);
  ASSERT_EQ(car.wheels.size(), 2u);
  EXPECT_EQ(car.wheels[0].spokes, 12);
  EXPECT_EQ(car.wheels[1].radius, 0.4);
  EXPECT_EQ(car.wheels[1].spokes, 8);
  EXPECT_EQ(car.spare.at("back side").radius, 1);
  EXPECT_EQ(car.open, false);
  EXPECT_EQ(car.weight, 19.62);
}

TEST(Declaration, WritesWhatReadsBack) {
  const auto printed = [](const std::string& text) { return write_json(SettingsWriter::write(read(text))); };
  EXPECT_EQ(printed("{mass: 2}"), "{\"colour\": \"green\", \"power\": 50, \"mass\": 2}\n");
  EXPECT_EQ(printed("{mass: 2, wheel: 0.5}"), "{\"colour\": \"green\", \"power\": 50, \"wheel\": 0.5, \"mass\": 2}\n");
  EXPECT_EQ(printed("{mass: 2, wheel: {radius: 0.5, spokes: 9}}"),
            "{\"colour\": \"green\", \"power\": 50, \"wheel\": {\"radius\": 0.5, \"spokes\": 9}, \"mass\": 2}\n");
  const std::string full = printed("{colour: red, power: 3, wheel: [0.3, 0.4], spare: {back: {radius: 1}}, open: true, mass: 2}");
  EXPECT_EQ(printed(full), full);
}

TEST(Declaration, RefusesWithPlaceAndRemedy) {
  EXPECT_EQ(error_of("mass: 1\nwheel:\n  radius: 2"),
            "car.yaml:3: car.wheel.radius: must be at least 0.1 m and below 2 m, found '2'; give a number within these bounds");
  EXPECT_EQ(error_of("{mass: 1, wheel: {spokes: 9}}"), "car.yaml:1: car.wheel.radius: is missing; give it in m");
  EXPECT_EQ(error_of("{mass: 1, wheel: {radius: 1, spokes: 65}}"), "car.yaml:1: car.wheel.spokes: must be from 3 to 64, found '65'; 32 is usual");
  EXPECT_EQ(error_of("{mass: 1, colour: gren}"), "car.yaml:1: car.colour: unknown value 'gren'; the nearest valid one is 'green' (one of: red, green)");
  EXPECT_EQ(error_of("{mass: 1, power: 0}"), "car.yaml:1: car.power: must be greater than 0, found '0'; give a positive number");
  EXPECT_EQ(error_of("{}"), "car.yaml:1: car.mass: is missing; weigh it");
  EXPECT_EQ(error_of("{spare: {back: {radius: 1}}}"), "");
  EXPECT_EQ(error_of("mass: 1\npower: 2e6"), "car.yaml:2: car.power: is too much; take less, not '2e6'");
  EXPECT_NE(error_of("{mass: 1, pwer: 1}").find("the nearest valid key is 'power' (valid here: colour, power, wheel, spare, open, mass)"), std::string::npos);
}

}  // namespace
}  // namespace traction::test
