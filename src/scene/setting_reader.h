// A checked view of one value of a scene: converts it to numbers, vectors and names, and throws InputErrors that name place and path.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/tensor.h"
#include "scene/setting.h"
#include "settings/declaration.h"
#include "settings/nearest_name.h"

namespace traction {

/// Refers to the setting, which must outlive it.
class SettingReader {
 public:
  SettingReader(const Setting& setting, std::string path) : setting_(&setting), path_(std::move(path)) {}

  bool is_map() const { return setting_->kind == Setting::Kind::map; }
  bool is_list() const { return setting_->kind == Setting::Kind::list; }

  /// Returns a text such as "scene.yaml:12".
  const std::string& place() const { return setting_->place; }
  const std::string& path() const { return path_; }  ///< "bodies.ball"; empty for the whole scene
  /// Returns a text such as "scene.yaml:12: bodies.ball".
  std::string source() const;

  /// Throws InputError with a text such as "scene.yaml:12: bodies.ball: what".
  [[noreturn]] void fail(const std::string& what) const;

  /// --- Maps

  /// The texts that messages about a map can propose.
  struct MapHints {
    std::string_view key_of_number = {};                            ///< the key that a number in the map's place is probably meant for, or empty
    std::string map = {};                                           ///< such a map as text, as in "{axis: ..., angle: ...}"
    std::function<std::string(std::string_view key)> home_of = {};  ///< where a key belongs that is not valid here, as a sentence; empty if nowhere
  };
  /// Requires a map whose keys are all among `valid`.
  void expect_keys(const std::vector<std::string_view>& valid, const MapHints& hints) const;
  std::optional<SettingReader> find(std::string_view key) const;
  /// `remedy` ends the message "is missing; ...".
  SettingReader require(std::string_view key, std::string_view remedy) const;
  /// Begins the message about an entry of this map that is refused: if an override has added it beside others, it may be a misspelling of one of them. Else
  /// empty.
  std::string doubt_about(const std::string& name) const;
  /// Throws if a map of entries has one of these `keys` of an entry, with a value that is no map, because the name of the entry is then missing. `example`: a
  /// map of entries as it should be written.
  void refuse_entry_without_name(const std::vector<std::string_view>& keys, std::string_view example) const;
  /// Requires keys that are valid for `names`.
  std::vector<std::pair<std::string, SettingReader>> entries(Names names) const;
  /// The setting at a path below this one, such as "friction.static" or "both.1"; item 0 of a value that is not a list is the value itself. If the path does
  /// not exist, the place is that of its last map that does.
  struct Found;
  Found find_path(std::string_view path) const;

  /// --- Lists

  /// `map`: an item as text, such as "{time: ..., factor: ...}", for the message where this is no list; empty if the items are no maps.
  std::vector<SettingReader> items(std::string_view map = {}) const;
  /// The items of a list, or else this value alone.
  std::vector<SettingReader> one_or_more() const;

  /// --- Single values

  double number() const;
  double number(const Range& range, std::string_view unit, std::string_view hint) const;
  int integer(const Range& range, std::string_view hint) const;
  bool boolean() const;
  std::string text() const;        ///< not empty
  std::string any_scalar() const;  ///< as written; empty without a value
  /// The path of a file, relative to `folder`; absolute if the folder is. `endings`: allowed endings, as in ".stl .obj"; empty: any.
  std::string path(const std::filesystem::path& folder, std::string_view endings) const;
  Vec3 vector() const;
  Vec3 direction() const;  ///< has unit length

  template <typename Enumeration>
  Enumeration choice() const {
    constexpr auto choices = choices_of(Enumeration());
    std::vector<std::string_view> words(choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) words[i] = choices[i].word;
    return choices[index_among(words)].value;
  }

  /// Describes the value for messages: "'0.5'", "a list of 3".
  std::string description() const;

 private:
  SettingReader child(const Setting& setting, std::string_view key) const { return {setting, join_path(path_, key)}; }
  Vec3 components() const;
  /// Refuses a value of this setting beyond kLargestNumber.
  void refuse_size(double value) const;
  [[noreturn]] void fail_type(std::string_view expected, std::string_view remedy) const;
  void expect_map(const MapHints& hints) const;
  [[noreturn]] void fail_range(const std::string& bounds, std::string_view hint) const;
  std::size_t index_among(const std::vector<std::string_view>& names) const;

  const Setting* setting_;
  std::string path_;
};

/// The reader of a value that may be missing.
struct SettingReader::Found {
  SettingReader reader;
  bool exists;
};

}  // namespace traction
