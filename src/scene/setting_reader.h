// A checked view of one value of a scene: turns it into numbers, vectors and names, and complaints into InputErrors that name place
// and path.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/tensor.h"
#include "scene/choices.h"
#include "scene/setting.h"

namespace traction {

// Refers to the setting, which must outlive it.
class SettingReader {
 public:
  SettingReader(const Setting& setting, std::string path) : setting_(&setting), path_(std::move(path)) {}

  bool is_map() const { return setting_->kind == Setting::Kind::map; }
  bool is_list() const { return setting_->kind == Setting::Kind::list; }
  const std::string& path() const { return path_; }

  // "scene.yaml:12: bodies.ball"
  std::string source() const;

  // Throws InputError "scene.yaml:12: bodies.ball: what".
  [[noreturn]] void fail(const std::string& what) const;

  // --- Maps

  // Insists on a map, all of whose keys are among `valid`.
  void expect_keys(std::initializer_list<std::string_view> valid) const;
  std::optional<SettingReader> find(std::string_view key) const;
  // `remedy` ends the message "is missing; ...".
  SettingReader require(std::string_view key, std::string_view remedy) const;
  std::vector<std::pair<std::string, SettingReader>> entries() const;
  // Entries whose keys are names made of letters, digits and underscores, so that they can head a column of the history.
  std::vector<std::pair<std::string, SettingReader>> named_entries() const;

  // Sets `target` if the key is there: map.read("mass", damping.mass, &SettingReader::non_negative).
  template <typename Target, typename Value>
  void read(std::string_view key, Target& target, Value (SettingReader::*convert)() const) const {
    if (const std::optional<SettingReader> item = find(key)) target = ((*item).*convert)();
  }
  template <typename Value, std::size_t count>
  void read(std::string_view key, Value& target, const Choices<Value, count>& choices) const {
    if (const std::optional<SettingReader> item = find(key)) target = item->choice(choices);
  }

  // --- Lists

  std::vector<SettingReader> items() const;
  // The items of a list, or else this value alone.
  std::vector<SettingReader> one_or_more() const;

  // --- Single values

  double number() const;
  double positive() const;
  double non_negative() const;
  int positive_integer() const;
  int non_negative_integer() const;
  bool boolean() const;
  std::string text() const;        // not empty
  std::string any_scalar() const;  // as written; empty if there is nothing
  Vec3 vector() const;
  Vec3 direction() const;  // of unit length

  template <typename Value, std::size_t count>
  Value choice(const Choices<Value, count>& choices) const {
    std::vector<std::string_view> names;
    for (const Choice<Value>& choice : choices) names.push_back(choice.name);
    return choices[index_among(names)].value;
  }

 private:
  SettingReader child(const Setting& setting, std::string_view key) const { return {setting, join_path(path_, key)}; }
  [[noreturn]] void fail_type(std::string_view expected, std::string_view remedy) const;
  void expect_map() const;
  int integer_from(int least) const;
  std::size_t index_among(const std::vector<std::string_view>& names) const;

  const Setting* setting_;
  std::string path_;
};

}  // namespace traction
