#include "scene/setting_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "errors.h"
#include "scene/nearest_name.h"

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

std::string description(const Setting& setting) {
  switch (setting.kind) {
    case Setting::Kind::nothing: return "nothing";
    case Setting::Kind::scalar: return quoted_excerpt(setting.text);
    case Setting::Kind::list: return "a list of " + std::to_string(setting.items.size());
    case Setting::Kind::map: return "a map";
  }
  return {};
}

}  // namespace

std::string SettingReader::source() const { return path_.empty() ? setting_->place : setting_->place + ": " + path_; }

void SettingReader::fail(const std::string& what) const { throw InputError(source() + ": " + what); }

void SettingReader::fail_type(std::string_view expected, std::string_view remedy) const {
  fail("expected " + std::string(expected) + ", found " + description(*setting_) + "; " + std::string(remedy));
}

void SettingReader::expect_map() const {
  if (!is_map()) fail_type("a map", "write it as {key: value, ...}, or as indented 'key: value' lines");
}

void SettingReader::expect_keys(std::initializer_list<std::string_view> valid) const {
  expect_map();
  for (std::size_t i = 0; i < setting_->keys.size(); ++i) {
    const std::string& key = setting_->keys[i];
    if (std::find(valid.begin(), valid.end(), key) != valid.end()) continue;
    const std::vector<std::string_view> names(valid);
    const std::string suggestion = "the nearest valid key is '" + nearest_name(key, names) + "' (valid here: " + listing(names) + ")";
    child(setting_->items[i], key).fail("unknown key '" + excerpt(key) + "'; " + suggestion);
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

std::vector<std::pair<std::string, SettingReader>> SettingReader::entries() const {
  expect_map();
  std::vector<std::pair<std::string, SettingReader>> entries;
  for (std::size_t i = 0; i < setting_->keys.size(); ++i) {
    entries.emplace_back(setting_->keys[i], child(setting_->items[i], setting_->keys[i]));
  }
  return entries;
}

std::vector<std::pair<std::string, SettingReader>> SettingReader::named_entries() const {
  std::vector<std::pair<std::string, SettingReader>> named = entries();
  for (const auto& [name, item] : named) {
    if (!is_name(name)) {
      item.fail(quoted_excerpt(name) + " is not a valid name; use letters, digits and underscores, and do not begin with a digit");
    }
  }
  return named;
}

std::vector<SettingReader> SettingReader::items() const {
  if (!is_list()) fail_type("a list", "write it as [first, second, ...]");
  std::vector<SettingReader> items;
  for (std::size_t i = 0; i < setting_->items.size(); ++i) items.push_back(child(setting_->items[i], std::to_string(i)));
  return items;
}

std::vector<SettingReader> SettingReader::one_or_more() const { return is_list() ? items() : std::vector<SettingReader>{*this}; }

double SettingReader::number() const {
  const auto not_a_number = [this] { fail_type("a number", "write it like 1e-4, in SI units and without the unit"); };
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

double SettingReader::positive() const {
  const double value = number();
  if (value <= 0) fail("must be greater than 0, found " + description(*setting_) + "; give a positive number");
  return value;
}

double SettingReader::non_negative() const {
  const double value = number();
  if (value < 0) fail("must not be negative, found " + description(*setting_) + "; give 0 or a positive number");
  return value;
}

int SettingReader::integer_from(int least) const {
  const double value = number();
  if (value != std::floor(value)) fail_type("a whole number", "write it without a fraction");
  const std::string found = "found " + description(*setting_);
  constexpr int kMost = std::numeric_limits<int>::max();
  if (value < least) fail("must be at least " + std::to_string(least) + ", " + found + "; give a larger whole number");
  if (value > kMost) fail("must be at most " + std::to_string(kMost) + ", " + found + "; give a smaller whole number");
  return static_cast<int>(value);
}

int SettingReader::positive_integer() const { return integer_from(1); }

int SettingReader::non_negative_integer() const { return integer_from(0); }

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

Vec3 SettingReader::vector() const {
  if (!is_list() || setting_->items.size() != 3) fail_type("a list of 3 numbers", "write it as [x, y, z]");
  Vec3 vector;
  int component = 0;
  for (const SettingReader& item : items()) vector[component++] = item.number();
  return vector;
}

Vec3 SettingReader::direction() const {
  const Vec3 given = vector();
  const double largest = given.cwiseAbs().maxCoeff();
  if (largest == 0) fail("is the zero vector, which has no direction; give at least one component that is not 0");
  // What has unit length already is kept bit by bit, so that a printed scene reads back as itself.
  if (std::abs(given.squaredNorm() - 1) <= 8 * std::numeric_limits<double>::epsilon()) return given;
  // The components are scaled first because their squares may overflow or vanish.
  const Vec3 scaled = given / largest;
  return scaled / scaled.norm();
}

std::size_t SettingReader::index_among(const std::vector<std::string_view>& names) const {
  if (setting_->kind != Setting::Kind::scalar) fail_type("a word", "choose one of: " + listing(names));
  const auto found = std::find(names.begin(), names.end(), setting_->text);
  if (found == names.end()) {
    fail("unknown value '" + excerpt(setting_->text) + "'; the nearest valid one is '" + nearest_name(setting_->text, names) + "' (one of: " + listing(names) +
         ")");
  }
  return found - names.begin();
}

}  // namespace traction
