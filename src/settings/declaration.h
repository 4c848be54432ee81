// The vocabulary in which settings are declared, each in one line of the struct that holds it:
//
//   struct SolverSettings {
//     static constexpr SettingsDescription kDescription{"solver", "Newton's method and its linear systems."};
//     SETTING(double, forcing, 0.01, "Forcing term of the first iteration.", above(0), below(1), hint("a usual value is 0.01"));
//   };
//
// The line declares the member with its type and default, and what is made of it: reader, writer, schema, reference page and messages.
// docs/contributing/settings.md shows how to add a setting. Knows no input format.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace traction {

/// A settings struct: its name among the definitions of the schema, a sentence, and, for editors, rules between its settings as a list of JSON Schemas. The
/// struct's `complete` (settings/given.h) checks the rules.
struct SettingsDescription {
  std::string_view name;
  std::string_view sentence;
  std::string_view rules = "[]";
};

/// A value of an enumeration, its word in scenes, and an optional sentence. A function `constexpr auto choices_of(Enumeration)` beside the enumeration returns
/// an array of these.
template <typename Enumeration>
struct Choice {
  Enumeration value;
  std::string_view word;
  std::string_view sentence = {};
};

template <typename Enumeration>
constexpr std::string_view word_of(Enumeration value) {
  for (const auto& choice : choices_of(value)) {
    if (choice.value == value) return choice.word;
  }
  return {};
}

/// The numbers that a setting may have; unrestricted by default.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool with_least = true;
  bool with_most = true;

  constexpr bool contains(double value) const { return (with_least ? value >= least : value > least) && (with_most ? value <= most : value < most); }
};

/// The largest size of a number that is computed with, as all are but components of directions. Products of four numbers of this size are still finite.
inline constexpr double kLargestNumber = 1e75;

/// What the keys of a map name.
enum class Names { identifiers, regions, options };

/// Calls action(word) for each word of a list such as "both all".
template <typename Action>
constexpr void for_each_word(std::string_view words, Action action) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    action(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// Properties of a setting beyond its type and default.
struct Declaration {
  std::string_view key;
  std::string_view sentence;
  std::string_view unit;
  std::string_view missing;          ///< the remedy printed if the setting is missing; empty: it is optional
  std::string_view unless;           ///< with any of these keys the setting may be missing too, as in "both all"
  std::string_view hint;             ///< ends the message about a number out of its range
  std::string_view default_meaning;  ///< explains a default that depends on other settings
  std::string_view when_empty;       ///< what is wrong with an empty list or map; empty: it may be empty
  std::string_view shorthand;        ///< a value that is not a map is the value of this key
  std::string_view endings;          ///< endings that a path may have, as in ".stl .obj"
  Range range;
  Names names = Names::identifiers;
  bool path = false;           ///< path of a file, relative to the scene's folder
  bool direction = false;      ///< a vector of any length, normalized
  bool one_or_more = false;    ///< a list, or one item without a list
  bool even_if_empty = false;  ///< printed even if it is empty
  bool written = true;

  template <typename... Properties>
  constexpr Declaration(std::string_view key_, std::string_view sentence_, Properties... properties) : key(key_), sentence(sentence_) {
    (properties(*this), ...);
  }
};

/// Properties of a setting, for the end of its line.
namespace declare {

inline constexpr auto positive = [](Declaration& d) { d.range.least = 0, d.range.with_least = false; };
inline constexpr auto non_negative = [](Declaration& d) { d.range.least = 0; };
constexpr auto above(double bound) {
  return [bound](Declaration& d) { d.range.least = bound, d.range.with_least = false; };
}
constexpr auto at_least(double bound) {
  return [bound](Declaration& d) { d.range.least = bound; };
}
constexpr auto below(double bound) {
  return [bound](Declaration& d) { d.range.most = bound, d.range.with_most = false; };
}
constexpr auto at_most(double bound) {
  return [bound](Declaration& d) { d.range.most = bound; };
}
inline constexpr auto path = [](Declaration& d) { d.path = true; };
inline constexpr auto direction = [](Declaration& d) { d.direction = true; };
inline constexpr auto one_or_more = [](Declaration& d) { d.one_or_more = true; };
inline constexpr auto even_if_empty = [](Declaration& d) { d.even_if_empty = true; };

/// The key in scenes; the member's name by default.
constexpr auto key(std::string_view text) {
  return [text](Declaration& d) { d.key = text; };
}
constexpr auto unit(std::string_view text) {
  return [text](Declaration& d) { d.unit = text; };
}
constexpr auto required(std::string_view remedy) {
  return [remedy](Declaration& d) { d.missing = remedy; };
}
constexpr auto required_unless(std::string_view other, std::string_view remedy) {
  return [other, remedy](Declaration& d) { d.unless = other, d.missing = remedy; };
}
constexpr auto hint(std::string_view text) {
  return [text](Declaration& d) { d.hint = text; };
}
constexpr auto default_is(std::string_view text) {
  return [text](Declaration& d) { d.default_meaning = text; };
}
constexpr auto not_empty(std::string_view complaint) {
  return [complaint](Declaration& d) { d.when_empty = complaint; };
}
constexpr auto shorthand(std::string_view text) {
  return [text](Declaration& d) { d.shorthand = text; };
}
constexpr auto ends_with(std::string_view endings) {
  return [endings](Declaration& d) { d.endings = endings; };
}
constexpr auto names(Names names) {
  return [names](Declaration& d) { d.names = names; };
}
/// The setting is printed only under this condition; `self` is the struct: written_if(self.coupling == FrictionCoupling::lagged).
constexpr auto written_if(bool condition) {
  return [condition](Declaration& d) { d.written = condition; };
}

}  // namespace declare

/// Identifies a setting by the line of its declaration; settings are listed in the order of lines.
template <int number>
struct Line {};
constexpr int kSettingLines = 500;

/// Calls visitor(declaration, member) for each setting that `Settings`, or a base class listed by SETTINGS_OF, declares.
template <typename Settings, typename Object, typename Visitor>
void visit_declared(Object& object, Visitor& visitor) {
  const auto visit_line = [&]<int line>(Line<line> at) {
    if constexpr (requires { Settings::visit_setting(at, object, visitor); }) Settings::visit_setting(at, object, visitor);
  };
  [&]<int... line>(std::integer_sequence<int, line...>) {
    const int each[] = {(visit_line(Line<line>{}), 0)...};
    static_cast<void>(each);
  }
  (std::make_integer_sequence<int, kSettingLines>{});
}

template <typename Object, typename Visitor>
void visit_settings(Object& object, Visitor&& visitor) {
  visit_declared<std::remove_const_t<Object>>(object, visitor);
}

}  // namespace traction

/// Declares a member of a settings struct: type, name, default, a sentence, and any properties.
#define SETTING(type, member, initial, ...)                                             \
  template <typename Self, typename Visitor>                                            \
  static void visit_setting(::traction::Line<__LINE__>, Self& self, Visitor& visitor) { \
    static_assert(__LINE__ < ::traction::kSettingLines, "declare settings further up"); \
    using namespace ::traction::declare;                                                \
    visitor(::traction::Declaration(#member, __VA_ARGS__), self.member);                \
  }                                                                                     \
  type member = initial

/// Inserts the settings of a base class at this place.
#define SETTINGS_OF(base)                                                               \
  template <typename Self, typename Visitor>                                            \
  static void visit_setting(::traction::Line<__LINE__>, Self& self, Visitor& visitor) { \
    ::traction::visit_declared<base>(self, visitor);                                    \
  }                                                                                     \
  static_assert(std::is_class_v<base>)
