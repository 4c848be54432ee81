// The YAML of a scene as a plain tree in which every value knows where it was written.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace traction {

/// Upper limits; deeper or larger settings are refused. Aliases count as often as they are used.
constexpr std::size_t kMaximumSettingDepth = 32;
constexpr std::size_t kMaximumSettingCount = 1'000'000;

constexpr std::string_view kOverridePlace = "--set ";  ///< the beginning of the places of overrides

/// A value of a scene file: a scalar, a list or a map, with its place in the file.
struct Setting {
  enum class Kind { nothing, scalar, list, map };

  Kind kind = Kind::nothing;
  std::string text;               ///< text of a scalar
  bool quoted = false;            ///< whether the value must be printed as text, whatever it looks like
  std::vector<Setting> items;     ///< items of a list or a map
  std::vector<std::string> keys;  ///< keys of a map: one per item, all different
  std::string place;              ///< "scene.yaml:12", or "--set time.step=1e-4"
  bool added = false;             ///< whether an override has added it to a map, so that its key may be a misspelling

  /// The map's item with this key, or null.
  const Setting* find(std::string_view key) const;
  Setting* find(std::string_view key);

  /// Appends to a map and returns the new item; an empty setting becomes a map.
  Setting& add(std::string key, Setting value);
};

/// Parses one YAML document. `place_of_line` names a line (counted from 1) in messages. Throws InputError on bad syntax, on a key given
/// twice in one map, and beyond the limits above.
Setting parse_setting(const std::string& text, const std::function<std::string(int line)>& place_of_line);

/// Joins "path" and "key" to "path.key"; the path of the whole scene is empty.
std::string join_path(const std::string& path, std::string_view key);

/// "density: 1200" for "density:1200", which YAML takes for one word; empty for any text that is not a name, a colon and something else.
std::string with_missing_space(std::string_view text);

/// A user's text for one line of a message: without control characters, and cut if it is long.
std::string excerpt(std::string_view text, std::size_t maximum_length = 60);

/// The excerpt between single quotes.
std::string quoted_excerpt(std::string_view text);

}  // namespace traction
