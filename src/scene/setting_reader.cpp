#include "scene/setting_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "errors.h"
#include "settings/file_ending.h"

namespace traction {

namespace {

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_yaml_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN";
}

bool is_number(std::string_view text) {
  double value = 0;
  return !text.empty() && std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size();
}

std::string bound(std::string_view relation, double value, std::string_view unit) {
  return fmt::format("{} {}{}{}", relation, value, unit.empty() || value == 0 ? "" : " ", value == 0 ? "" : unit);
}

std::string bounds(const Range& range, std::string_view unit) {
  const bool has_least = std::isfinite(range.least), has_most = std::isfinite(range.most);
  if (has_least && has_most && range.with_least && range.with_most)
    return fmt::format("must be from {} to {}", range.least, bound("", range.most, unit).substr(1));
  std::string text = "must be";
  if (has_least) text += " " + bound(range.with_least ? "at least" : "above", range.least, unit);
  if (has_least && has_most) text += " and";
  if (has_most) text += " " + bound(range.with_most ? "at most" : "below", range.most, unit);
  return text;
}

}  // namespace

std::string SettingReader::source() const { return path_.empty() ? setting_->place : setting_->place + ": " + path_; }

void SettingReader::fail(const std::string& what) const { throw InputError(source() + ": " + what); }

void SettingReader::fail_type(std::string_view expected, std::string_view remedy) const {
  fail("expected " + std::string(expected) + ", found " + description() + "; " + std::string(remedy));
}

void SettingReader::fail_range(const std::string& bounds, std::string_view hint) const { fail(bounds + ", found " + description() + "; " + std::string(hint)); }

std::string SettingReader::description() const {
  switch (setting_->kind) {
    case Setting::Kind::nothing: return "nothing";
    case Setting::Kind::scalar: return quoted_excerpt(setting_->text);
    case Setting::Kind::list: return "a list of " + std::to_string(setting_->items.size());
    case Setting::Kind::map: return "a map";
  }
  return {};
}

void SettingReader::expect_map(const MapHints& hints) const {
  if (is_map()) return;
  if (!hints.key_of_number.empty() && setting_->kind == Setting::Kind::scalar && is_number(setting_->text))
    fail_type("a map", fmt::format("write {{{}: {}}}", hints.key_of_number, setting_->text));
  if (const std::string corrected = with_missing_space(setting_->text); !corrected.empty())
    fail_type("a map", "a space is missing after the colon, write " + quoted_excerpt(corrected));
  fail_type("a map", "write it as " + (hints.map.empty() ? "{key: value, ...}" : hints.map) + ", or as indented 'key: value' lines");
}

void SettingReader::expect_keys(const std::vector<std::string_view>& valid, const MapHints& hints) const {
  expect_map(hints);
  for (std::size_t i = 0; i < setting_->keys.size(); ++i) {
    const std::string& key = setting_->keys[i];
    if (std::find(valid.begin(), valid.end(), key) != valid.end()) continue;
    const auto refuse = [&](const std::string& remedy) { child(setting_->items[i], key).fail("unknown key '" + excerpt(key) + "'; " + remedy); };
    if (key.starts_with("//")) refuse("comments begin with '#' in a scene");
    if (is_number(key)) refuse("write numbers with a decimal point, because a comma begins the next key");
    if (const std::string corrected = with_missing_space(key); !corrected.empty())
      refuse("a space is missing after the colon, write " + quoted_excerpt(corrected));
    const std::string home = hints.home_of ? hints.home_of(key) : std::string();
    const std::string choices = proposal(key, valid, "the nearest valid key is", "valid here");
    if (!home.empty() && !is_near(key, nearest_name(key, valid))) refuse(home + " (valid here: " + listing(valid) + ")");
    refuse(choices);
  }
}

std::optional<SettingReader> SettingReader::find(std::string_view key) const {
  const Setting* found = setting_->find(key);
  if (!found) return std::nullopt;
  return child(*found, key);
}

SettingReader SettingReader::require(std::string_view key, std::string_view remedy) const {
  if (const std::optional<SettingReader> found = find(key)) return *found;
  SettingReader(*setting_, join_path(path_, key)).fail("is missing; " + std::string(remedy));
}

std::string SettingReader::doubt_about(const std::string& name) const {
  if (!setting_->find(name)->added) return {};
  std::vector<std::string_view> others;
  for (const std::string& key : setting_->keys)
    if (key != name) others.push_back(key);
  if (others.empty()) return {};
  return "there is no entry '" + excerpt(name) + "'; " + proposal(name, others) + ". For a new one: ";
}

void SettingReader::refuse_entry_without_name(const std::vector<std::string_view>& keys, std::string_view example) const {
  if (!is_map()) return;
  for (const std::string_view key : keys)
    if (const Setting* found = setting_->find(key); found && found->kind != Setting::Kind::map)
      fail(fmt::format("has '{}' of an entry, but the entry has no name; write it as {}", key, example));
}

std::vector<std::pair<std::string, SettingReader>> SettingReader::entries(Names names) const {
  if (is_list()) fail_type("a map", "give each entry a name, as in {first: {...}, second: {...}}");
  expect_map({});
  std::vector<std::pair<std::string, SettingReader>> entries;
  for (std::size_t i = 0; i < setting_->keys.size(); ++i) {
    const std::string& name = setting_->keys[i];
    const SettingReader& item = entries.emplace_back(name, child(setting_->items[i], name)).second;
    switch (names) {
      case Names::identifiers:  // names fit for columns of the history
        if (!is_name(name))
          item.fail(quoted_excerpt(name) + " is not a valid name; use the letters a to z and A to Z, digits and underscores, and do not begin with a digit");
        break;
      case Names::regions:
        if (name.empty()) item.fail("the region has no name; use a region of the mesh");
        break;
      case Names::options:
        if (name.empty() || name[0] == '-') item.fail("an option is named without its dash; write 'ksp_monitor', not '-ksp_monitor'");
        if (name.find_first_of(" \t\r\n") != std::string::npos) item.fail("an option's name has no blanks; put its value after the colon");
        break;
    }
  }
  return entries;
}

SettingReader::Found SettingReader::find_path(std::string_view path) const {
  if (path.empty()) return {*this, true};
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot), rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  if (const std::optional<SettingReader> found = find(key)) return found->find_path(rest);
  std::size_t index = 0;
  if (std::from_chars(key.data(), key.data() + key.size(), index).ec == std::errc() && index < std::max<std::size_t>(1, setting_->items.size()))
    return (is_list() ? items()[index] : *this).find_path(rest);
  return {SettingReader(*setting_, join_path(path_, path)), false};
}

std::vector<SettingReader> SettingReader::items(std::string_view map) const {
  if (!is_list() && !map.empty())
    fail_type("a list", fmt::format("its entries have no names: write them as [{}, ...], or each on lines of its own that begin with '- '", map));
  if (!is_list()) fail_type("a list", "write it as [first, second, ...]");
  std::vector<SettingReader> items;
  for (std::size_t i = 0; i < setting_->items.size(); ++i) items.push_back(child(setting_->items[i], std::to_string(i)));
  return items;
}

std::vector<SettingReader> SettingReader::one_or_more() const { return is_list() ? items() : std::vector<SettingReader>{*this}; }

double SettingReader::number() const {
  const auto not_a_number = [this] {
    const bool has_comma = setting_->kind == Setting::Kind::scalar && setting_->text.find(',') != std::string::npos;
    fail_type("a number", has_comma ? "write it with a decimal point and no comma, like 1.5" : "write it like 1e-4, in SI units and without the unit");
  };
  const auto not_finite = [this] { fail(quoted_excerpt(setting_->text) + " is not a finite number; give a finite value"); };
  if (setting_->kind != Setting::Kind::scalar) not_a_number();
  std::string_view digits = setting_->text;
  if (is_yaml_not_finite(digits)) not_finite();
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [parsed_to, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || parsed_to != digits.data() + digits.size()) not_a_number();
  if (error == std::errc::result_out_of_range) {
    fail(quoted_excerpt(setting_->text) + " is too large or too small for a number; check the exponent");
  }
  if (!std::isfinite(value)) not_finite();
  return value;
}

double SettingReader::number(const Range& range, std::string_view unit, std::string_view hint) const {
  const double value = number();
  if (range.contains(value)) {
    refuse_size(value);
    return value;
  }
  const bool from_zero = range.least == 0 && std::isinf(range.most);
  if (from_zero && range.with_least) fail_range("must not be negative", hint.empty() ? "give 0 or a positive number" : hint);
  if (from_zero) fail_range("must be greater than 0", hint.empty() ? "give a positive number" : hint);
  fail_range(bounds(range, unit), hint.empty() ? "give a number within these bounds" : hint);
}

int SettingReader::integer(const Range& range, std::string_view hint) const {
  const double value = number();
  if (value != std::floor(value)) fail_type("a whole number", "write it without a fraction");
  const bool two_sided = std::isfinite(range.least) && std::isfinite(range.most);
  const Range whole{std::max<double>(range.least, std::numeric_limits<int>::min()), std::min<double>(range.most, std::numeric_limits<int>::max())};
  if (value < whole.least) fail_range(bounds(two_sided ? range : Range{.least = whole.least}, {}), hint.empty() ? "give a larger whole number" : hint);
  if (value > whole.most) fail_range(bounds(two_sided ? range : Range{.most = whole.most}, {}), hint.empty() ? "give a smaller whole number" : hint);
  return static_cast<int>(value);
}

bool SettingReader::boolean() const {
  const bool is_true = setting_->text == "true", is_false = setting_->text == "false";
  if (setting_->kind != Setting::Kind::scalar || !(is_true || is_false)) fail_type("true or false", "write one of these two words");
  return is_true;
}

std::string SettingReader::text() const {
  if (setting_->kind != Setting::Kind::scalar || setting_->text.empty()) fail_type("text", "give a name or a path");
  if (setting_->text.find('\0') != std::string::npos) fail("contains a zero byte; give a name or a path");
  return setting_->text;
}

std::string SettingReader::any_scalar() const {
  if (is_map() || is_list()) fail_type("a single value", "write a number, a word or \"\"");
  return setting_->text;
}

std::string SettingReader::path(const std::filesystem::path& folder, std::string_view endings) const {
  const std::filesystem::path path = (folder / text()).lexically_normal();
  std::vector<std::string_view> valid;
  for (std::size_t start = 0; start < endings.size(); start = std::min(endings.find(' ', start), endings.size() - 1) + 1)
    valid.push_back(endings.substr(start, endings.find(' ', start) - start));
  const std::string ending = file_ending(path);
  if (!valid.empty() && std::find(valid.begin(), valid.end(), ending) == valid.end()) {
    if (ending == ".step" || ending == ".stp" || ending == ".iges" || ending == ".igs" || ending == ".brep")
      fail(quoted_excerpt(text()) + " is a CAD file without a mesh; give a .geo file that merges it and names its regions (docs/tutorials/own_part.md)");
    const bool is_mesh_of_body = std::find(valid.begin(), valid.end(), ".geo") != valid.end();
    if (is_mesh_of_body && (ending == ".stl" || ending == ".obj"))
      fail(quoted_excerpt(text()) + " has triangles alone, and a body needs tetrahedra: mesh its inside with Gmsh, by a .geo file of the lines Merge \"" +
           path.filename().string() +
           "\"; Surface Loop(1) = {Surface{:}}; Volume(1) = {1}; Physical Volume(\"solid\") = {1}; "
           "and give that file here. Gmsh reads .stl; convert an .obj to it first");
    fail(quoted_excerpt(text()) + " does not end as a mesh file does; " + proposal(ending, valid, "the nearest ending is"));
  }
  return path.string();
}

void SettingReader::refuse_size(double value) const {
  if (std::abs(value) > kLargestNumber)
    fail(fmt::format("{} is too large to be computed with: products of numbers beyond {:g} are infinite; check the exponent, and give the value in SI units",
                     quoted_excerpt(setting_->text), kLargestNumber));
}

Vec3 SettingReader::vector() const {
  const Vec3 vector = components();
  for (const SettingReader& item : items()) item.refuse_size(item.number());
  return vector;
}

Vec3 SettingReader::components() const {
  if (!is_list() || setting_->items.size() != 3) {
    const bool too_long = is_list() && setting_->items.size() > 3;
    fail_type("a list of 3 numbers", too_long ? "write it as [x, y, z], with decimal points and no decimal commas" : "write it as [x, y, z]");
  }
  Vec3 vector;
  int component = 0;
  for (const SettingReader& item : items()) vector[component++] = item.number();
  return vector;
}

Vec3 SettingReader::direction() const {
  const Vec3 given = components();
  const double largest = given.cwiseAbs().maxCoeff();
  if (largest == 0) fail("is the zero vector, which has no direction; give at least one component that is not 0");
  // A vector that has unit length already is kept bit by bit, so that a printed scene reads back unchanged.
  if (std::abs(given.squaredNorm() - 1) <= 8 * std::numeric_limits<double>::epsilon()) return given;
  // The components are scaled first because their squares may overflow or vanish.
  const Vec3 scaled = given / largest;
  return scaled / scaled.norm();
}

std::size_t SettingReader::index_among(const std::vector<std::string_view>& names) const {
  if (setting_->kind != Setting::Kind::scalar) fail_type("a word", "write one word of: " + listing(names));
  const auto found = std::find(names.begin(), names.end(), setting_->text);
  if (found == names.end()) fail("unknown value '" + excerpt(setting_->text) + "'; " + proposal(setting_->text, names, "the nearest valid one is"));
  return found - names.begin();
}

}  // namespace traction
