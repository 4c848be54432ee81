// Concepts that distinguish the types of settings for the code that reads, writes and describes them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "settings/declaration.h"

namespace traction {

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename T>
inline constexpr bool is_list = false;
template <typename T>
inline constexpr bool is_list<std::vector<T>> = true;

template <typename T>
inline constexpr bool is_map = false;
template <typename T>
inline constexpr bool is_map<std::map<std::string, T>> = true;

/// A struct whose settings are declared.
template <typename T>
concept SettingsStruct = requires {
  T::kDescription.name;
};

/// One of several settings structs, each under the name of its description.
template <typename T>
inline constexpr bool is_alternatives = false;
template <SettingsStruct... T>
inline constexpr bool is_alternatives<std::variant<T...>> = true;

/// A map of items by name, in the order of the scene.
template <typename T>
concept NamedSettings = SettingsStruct<T> && requires(T item) {
  item.name.empty();
};

/// A type that scenes give as text: `void from_text(std::string, T&)` and `std::string to_text(const T&)` are declared beside it.
template <typename T>
concept TextValue = requires(T& value, const T& given) {
  from_text(std::string(), value);
  to_text(given);
};

}  // namespace traction
