// Reads any struct whose settings are declared (settings/declaration.h).
#pragma once

#include <algorithm>
#include <filesystem>

#include "errors.h"
#include "scene/setting_reader.h"
#include "scene/settings_types.h"
#include "settings/given.h"

namespace traction {

/// The settings of a struct as read by SettingReader.
class GivenSettings final : public Given {
 public:
  explicit GivenSettings(const SettingReader& at) : at_(at) {}
  bool has(std::string_view path) const override { return at_.find_path(path).exists; }
  std::string text(std::string_view path) const override { return at_.find_path(path).reader.description(); }
  bool is_override(std::string_view path) const override {
    const auto found = at_.find_path(path);
    return found.exists && found.reader.place().starts_with(kOverridePlace);
  }
  std::string source(std::string_view path) const override { return at_.find_path(path).reader.source(); }
  void fail(std::string_view path, const std::string& what) const override { at_.find_path(path).reader.fail(what); }

 private:
  const SettingReader& at_;
};

/// Relative paths of files are relative to `folder`. Throws InputError at the first mistake.
class SettingsReader {
 public:
  /// `parent`: the reader of the struct that contains this one, if any.
  SettingsReader(const SettingReader& at, const std::filesystem::path& folder, const SettingsReader* parent = nullptr)
      : at_(at), folder_(folder), parent_(parent) {}

  template <SettingsStruct T>
  void read(T& settings, std::string_view shorthand = {}) {
    const bool is_short = !shorthand.empty() && !at_.is_map();
    if (is_short) {
      visit_settings(settings, [&]<typename M>(const Declaration& d, M& member) {
        if constexpr (!is_alternatives<M>) {
          if (d.key == shorthand) read_value(at_, d, member);
        }
      });
    } else {
      keys_ = keys_of(settings);
      at_.expect_keys(keys_, {.key_of_number = required_number_of(settings), .map = example_of<T>(), .home_of = [&](std::string_view key) {
                                const std::string within = places_within<T>(key);
                                return within.empty() ? place_around(key) : within;
                              }});
      visit_settings(settings, *this);
    }
    if constexpr (requires { settings.source.text; }) settings.source.text = at_.source();
    if constexpr (requires(const Given& given) { settings.complete(given); }) settings.complete(GivenSettings(at_));
  }

  template <typename T>
  void operator()(const Declaration& d, T& member) {
    if constexpr (is_alternatives<T>) {
      read_one_of(d, member);
    } else if (const std::optional<SettingReader> found = at_.find(d.key)) {
      read_value(*found, d, member);
    } else if (!d.missing.empty()) {
      bool is_spared = false;
      for_each_word(d.unless, [&](std::string_view other) { is_spared = is_spared || at_.find(other); });
      if (!is_spared) at_.require(d.key, d.missing);
    }
  }

  template <SettingsStruct T>
  static std::vector<std::string_view> keys_of(const T& settings) {
    std::vector<std::string_view> keys;
    visit_settings(settings, [&]<typename M>(const Declaration& d, const M&) {
      if constexpr (is_alternatives<M>) add_names(keys, static_cast<M*>(nullptr));
      else keys.push_back(d.key);
    });
    return keys;
  }

  /// The key of the only setting that must be given, if that is a number, such as `dynamic` of friction; else empty.
  template <SettingsStruct T>
  static std::string_view required_number_of(const T& settings) {
    std::string_view key;
    int required = 0;
    visit_settings(settings, [&]<typename M>(const Declaration& d, const M&) {
      if (d.missing.empty()) return;
      ++required;
      key = std::is_same_v<M, double> ? d.key : std::string_view();
    });
    return required == 1 ? key : std::string_view();
  }

 private:
  template <typename... T>
  static void add_names(std::vector<std::string_view>& keys, std::variant<T...>*) {
    (keys.push_back(T::kDescription.name), ...);
  }

  template <typename T>
  void read_value(const SettingReader& at, const Declaration& d, T& value) {
    if constexpr (std::is_same_v<T, bool>) value = at.boolean();
    else if constexpr (std::is_same_v<T, int>) value = at.integer(d.range, d.hint);
    else if constexpr (std::is_same_v<T, double>) value = at.number(d.range, d.unit, d.hint);
    else if constexpr (std::is_same_v<T, Vec3>) value = d.direction ? at.direction() : at.vector();
    else if constexpr (std::is_same_v<T, std::string>) value = d.path ? at.path(folder_, d.endings) : at.text();
    else if constexpr (std::is_enum_v<T>) value = at.choice<T>();
    else if constexpr (is_optional<T>) read_value(at, d, value.emplace());
    else if constexpr (TextValue<T>) from_text(at.text(), value);
    else if constexpr (is_map<T>) read_map(at, d, value);
    else if constexpr (is_list<T>) read_list(at, d, value);
    else SettingsReader(at, folder_, this).read(value, d.shorthand);
  }

  /// An entry of a map by name. The message names a misspelled name in an override before it lists what the new entry lacks. It does the same with a name that
  /// is a key of a place nearby.
  template <typename T>
  void read_entry(const SettingReader& map, const std::string& name, const SettingReader& item, const Declaration& d, T& value) {
    std::string doubt = map.doubt_about(name);
    const bool is_misplaced = doubt.empty();
    if (is_misplaced) doubt = doubt_about_place<T>(map, name, item);
    if (doubt.empty()) return read_value(item, d, value);
    try {
      read_value(item, d, value);
    } catch (const InputError& error) {
      const std::string_view message = error.what(), place = item.place();
      const std::string_view what = message.starts_with(place) ? message.substr(std::min(place.size() + 2, message.size())) : message;
      item.fail(doubt + std::string(is_misplaced ? what.substr(0, what.find("; ")) : what));
    }
  }

  template <typename T>
  void read_map(const SettingReader& at, const Declaration& d, std::map<std::string, T>& map) {
    if constexpr (SettingsStruct<T>) refuse_entry_without_name<T>(at, d);
    for (const auto& [name, item] : at.entries(d.names)) {
      if constexpr (std::is_same_v<T, std::string>) map[name] = item.any_scalar();
      else read_entry(at, name, item, d, map[name]);
    }
    refuse_empty(at, d, map.empty());
  }

  template <typename T>
  void read_list(const SettingReader& at, const Declaration& d, std::vector<T>& list) {
    list.clear();
    if constexpr (NamedSettings<T>) {
      refuse_entry_without_name<T>(at, d);
      for (const auto& [name, item] : at.entries(d.names)) {
        list.emplace_back().name = name;
        read_entry(at, name, item, d, list.back());
      }
    } else {
      std::string example;
      if constexpr (SettingsStruct<T>) example = example_of<T>();
      if constexpr (std::is_enum_v<T>)
        if (at.is_map()) at.fail("expected a list of words, found a map; write it as in [" + std::string(word_of(T{})) + "]; " + words_of<T>());
      for (const SettingReader& item : d.one_or_more ? at.one_or_more() : at.items(example)) {
        T value{};
        read_value(item, d, value);
        if constexpr (std::is_enum_v<T>) {
          if (std::find(list.begin(), list.end(), value) != list.end()) item.fail("'" + std::string(word_of(value)) + "' is listed twice; remove one");
        }
        list.push_back(std::move(value));
      }
    }
    refuse_empty(at, d, list.empty());
  }

  /// A map with the settings that must be given, as in "{time: ..., factor: ...}", or else with all if they are few, or with the first.
  template <SettingsStruct T>
  static std::string example_of() {
    constexpr std::size_t kFew = 3;
    std::vector<std::string> required, all;
    const T settings{};
    visit_settings(settings, [&]<typename M>(const Declaration& d, const M&) {
      if constexpr (!is_alternatives<M>) {
        constexpr bool is_vector = std::is_same_v<M, Vec3> || std::is_same_v<M, std::optional<Vec3>>;
        all.push_back(std::string(d.key) + (is_vector ? ": [x, y, z]" : ": ..."));
        if (!d.missing.empty()) required.push_back(all.back());
      }
    });
    const bool shows_all = required.empty() && all.size() <= kFew;
    std::vector<std::string> shown = !required.empty() || shows_all ? (shows_all ? all : required) : std::vector<std::string>{all.front()};
    std::string text;
    for (const std::string& each : shown) text += (text.empty() ? "{" : ", ") + each;
    return text + (required.empty() && !shows_all ? ", ...}" : "}");
  }

  template <typename T>
  static std::string words_of() {
    std::string text;
    for (const auto& choice : choices_of(T{})) text += (text.empty() ? "choose from: " : ", ") + std::string(choice.word);
    return text;
  }

  /// The struct whose settings a member has, in an optional or a list: `motion`; void for others.
  template <typename M>
  static auto struct_within(const M*) {
    if constexpr (SettingsStruct<M>) return static_cast<M*>(nullptr);
    else if constexpr (is_map<M>) return struct_within(static_cast<const typename M::mapped_type*>(nullptr));
    else if constexpr (is_optional<M> || is_list<M>) return struct_within(static_cast<const typename M::value_type*>(nullptr));
    else return static_cast<void*>(nullptr);
  }

  template <SettingsStruct T>
  static bool has_key(std::string_view key) {
    const std::vector<std::string_view> keys = keys_of(T{});
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  /// Shows in which settings of T a key belongs that is not a key of T itself; empty if in none.
  template <SettingsStruct T>
  static std::string places_within(std::string_view key) {
    std::string text;
    const T settings{};
    visit_settings(settings, [&]<typename M>(const Declaration& d, const M& member) {
      using Inner = std::remove_pointer_t<decltype(struct_within(&member))>;
      if constexpr (SettingsStruct<Inner>) {
        const bool has_entries = is_map<M> || NamedSettings<Inner>;
        const std::string map = "{" + std::string(key) + ": ...}";
        if (has_key<Inner>(key))
          text += (text.empty() ? "it belongs further inside, as in " : " or ") + std::string(d.key) + ": " + (has_entries ? "{name: " + map + "}" : map);
      }
    });
    return text;
  }

  /// Says to which map around this one a key belongs; empty if to none.
  std::string place_around(std::string_view key) const {
    for (const SettingsReader* around = parent_; around; around = around->parent_)
      if (std::find(around->keys_.begin(), around->keys_.end(), key) != around->keys_.end())
        return "it belongs " + (around->at_.path().empty() ? "to the scene itself" : "directly in " + around->at_.path()) +
               "; move it there (and check the indentation)";
    return {};
  }

  /// Begins the message about an entry that is refused: its name is a key of the entries, or of the map that contains them, and it has no key of an entry.
  template <typename T>
  std::string doubt_about_place(const SettingReader& map, const std::string& name, const SettingReader& item) const {
    if constexpr (SettingsStruct<T>) {
      const std::vector<std::string_view> keys = keys_of(T{});
      if (item.is_map() && std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return item.find(key).has_value(); })) return {};
    }
    if (std::find(keys_.begin(), keys_.end(), name) != keys_.end())
      return quoted_excerpt(name) + " is a setting of " + (at_.path().empty() ? "the scene" : at_.path()) + ", and stands in " + map.path() +
             "; correct its indentation. Or, if it is meant as a name here: ";
    if constexpr (SettingsStruct<T>)
      if (has_key<T>(name))
        return quoted_excerpt(name) + " is a setting of an entry of " + map.path() +
               ", and stands beside the entries; correct its indentation. Or, if it is meant as a name here: ";
    return {};
  }

  template <SettingsStruct T>
  static void refuse_entry_without_name(const SettingReader& at, const Declaration& d) {
    at.refuse_entry_without_name(keys_of(T{}), (d.names == Names::regions ? "{region: " : "{name: ") + example_of<T>() + "}");
  }

  static void refuse_empty(const SettingReader& at, const Declaration& d, bool empty) {
    if (empty && !d.when_empty.empty()) at.fail(std::string(d.when_empty));
  }

  template <typename... T>
  void read_one_of(const Declaration& d, std::variant<T...>& value) {
    std::vector<std::string_view> names;
    add_names(names, &value);
    bool found = false;
    const auto read_if_given = [&]<typename One>(const One*) {
      const std::optional<SettingReader> at = at_.find(One::kDescription.name);
      if (!at) return;
      if (found) at->fail("is a second " + std::string(d.key) + "; keep one of the two");
      found = true;
      SettingsReader(*at, folder_).read(value.template emplace<One>());
    };
    (read_if_given(static_cast<const T*>(nullptr)), ...);
    if (!found) at_.fail("has no " + std::string(d.key) + "; give one of: " + listing(names));
  }

  const SettingReader& at_;
  const std::filesystem::path& folder_;
  const SettingsReader* parent_;
  std::vector<std::string_view> keys_;  ///< of the struct that is read
};

}  // namespace traction
