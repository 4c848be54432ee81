// Writes any struct whose settings are declared (settings/declaration.h) as a tree that SettingsReader reads back.
#pragma once

#include "math/tensor.h"
#include "scene/setting.h"
#include "scene/settings_types.h"

namespace traction {

Setting written(bool value);
Setting written(int value);
Setting written(double value);  ///< the shortest digits that read back as the same number
Setting written(std::string_view text);
Setting written(const char* text);  ///< otherwise the text would be converted to bool
Setting written(const Vec3& vector);
Setting empty_map();
Setting empty_list();
bool same_when_printed(const Setting& a, const Setting& b);

/// Makes a tree of the settings of a struct, defaults included.
class SettingsWriter {
 public:
  template <SettingsStruct T>
  static Setting write(const T& settings) {
    SettingsWriter writer;
    if constexpr (requires { settings.as_written(); }) visit_settings(std::as_const(static_cast<const T&>(settings.as_written())), writer);
    else visit_settings(settings, writer);
    return std::move(writer.map_);
  }

  template <typename T>
  void operator()(const Declaration& d, const T& member) {
    if (!d.written) return;
    if constexpr (is_alternatives<T>) {
      std::visit([&]<typename One>(const One& one) { map_.add(std::string(One::kDescription.name), write(one)); }, member);
    } else if (std::optional<Setting> setting = value(d, member)) {
      map_.add(std::string(d.key), std::move(*setting));
    }
  }

  /// Empty for a value that a scene expresses by leaving the setting out.
  template <typename T>
  static std::optional<Setting> value(const Declaration& d, const T& member) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
      if (!d.range.contains(member)) return std::nullopt;
      return written(member);
    } else if constexpr (std::is_enum_v<T>) {
      return written(word_of(member));
    } else if constexpr (is_optional<T>) {
      return member ? value(d, *member) : std::nullopt;
    } else if constexpr (TextValue<T>) {
      return value(d, to_text(member));
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (member.empty()) return std::nullopt;
      return written(std::string_view(member));
    } else if constexpr (is_map<T>) {
      if (member.empty() && !d.even_if_empty) return std::nullopt;
      Setting map = empty_map();
      for (const auto& [name, item] : member) map.add(name, item_of(d, item));
      return map;
    } else if constexpr (is_list<T>) {
      if (member.empty() && !d.even_if_empty) return std::nullopt;
      return list(d, member);
    } else if constexpr (SettingsStruct<T>) {
      return write(member);
    } else {
      return written(member);
    }
  }

 private:
  template <typename T>
  static Setting item_of(const Declaration& d, const T& item) {
    if constexpr (std::is_same_v<T, std::string>) return written(std::string_view(item));
    else return value(d, item).value();
  }

  template <typename T>
  static Setting list(const Declaration& d, const std::vector<T>& items) {
    if constexpr (NamedSettings<T>) {
      Setting map = empty_map();
      for (const T& item : items) map.add(item.name, write(item));
      return map;
    } else {
      // A single struct stays alone, so that overrides of the printed scene have the paths of the original.
      if constexpr (SettingsStruct<T>) {
        if (d.one_or_more && items.size() == 1) return shortened(d, items[0]);
      }
      Setting list = empty_list();
      for (const T& item : items) {
        Setting full = item_of(d, item);
        const Setting* only = full.keys.size() == 1 ? full.find(d.shorthand) : nullptr;
        list.items.push_back(only ? Setting(*only) : std::move(full));
      }
      return list;
    }
  }

  template <SettingsStruct T>
  static Setting shortened(const Declaration& d, const T& item) {
    Setting full = write(item);
    const Setting usual = write(T{});
    for (std::size_t i = 0; i < full.keys.size(); ++i) {
      const Setting* other = usual.find(full.keys[i]);
      if (full.keys[i] != d.shorthand && !(other && same_when_printed(*other, full.items[i]))) return full;
    }
    const Setting* only = full.find(d.shorthand);
    return only ? *only : full;
  }

  Setting map_ = empty_map();
};

}  // namespace traction
