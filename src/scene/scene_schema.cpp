#include "scene/scene_schema.h"

#include <cmath>
#include <limits>

#include "scene/scene.h"
#include "scene/setting_writer.h"
#include "scene/write_settings.h"

namespace traction {

namespace {

constexpr std::string_view kText =
    R"({"description": "Text; a number or a word like true is taken as it is written.", "type": ["string", "number", "boolean"], "not": {"const": ""}})";
constexpr std::string_view kVector = R"({"description": "[x, y, z]", "type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3})";
constexpr std::string_view kDirection =
    R"({"description": "[x, y, z] of any length but 0", "type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3, "not": {"const": [0, 0, 0]}})";

// Schemas of a map's keys, in the order of Names.
constexpr std::string_view kNames[] = {R"({"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})", R"({"minLength": 1})", R"({"pattern": "^[^-\\s]\\S*$"})"};

Setting parsed(std::string_view json) {
  return parse_setting(std::string(json), [](int) { return std::string("a schema"); });
}

Setting map_of(std::string key, Setting value) {
  Setting map = empty_map();
  map.add(std::move(key), std::move(value));
  return map;
}

Setting list_of(std::vector<Setting> items) {
  Setting list = empty_list();
  list.items = std::move(items);
  return list;
}

Setting requirement(std::string_view key) { return map_of("required", list_of({written(key)})); }

std::string described(const Declaration& d) {
  std::string text(d.sentence);
  if (!d.unit.empty() && text.ends_with('.')) text = text.substr(0, text.size() - 1) + " [" + std::string(d.unit) + "].";
  return d.default_meaning.empty() ? text : text + " Default: " + std::string(d.default_meaning) + ".";
}

class SchemaBuilder {
 public:
  Setting build() {
    Setting schema = parsed(R"({"$schema": "http://json-schema.org/draft-07/schema#", "title": "A scene of Traction"})");
    Setting scene = object<Scene>();
    for (std::size_t i = 0; i < scene.keys.size(); ++i) schema.add(scene.keys[i], std::move(scene.items[i]));
    schema.add("$defs", std::move(definitions_));
    return schema;
  }

 private:
  template <SettingsStruct T>
  Setting object() {
    Setting properties = empty_map(), required = empty_list(), rules = parsed(T::kDescription.rules);
    const T usual{};
    visit_settings(usual, [&]<typename M>(const Declaration& d, const M& member) {
      if constexpr (is_alternatives<M>) {
        rules.items.push_back(one_of(properties, member));
      } else {
        if (!d.unless.empty()) {
          Setting ways = list_of({requirement(d.key)});
          for_each_word(d.unless, [&](std::string_view other) { ways.items.push_back(requirement(other)); });
          rules.items.push_back(map_of("anyOf", std::move(ways)));
        } else if (!d.missing.empty()) required.items.push_back(written(d.key));
        properties.add(std::string(d.key), property(d, member));
      }
    });
    Setting node = map_of("description", written(T::kDescription.sentence));
    node.add("type", written("object"));
    node.add("additionalProperties", written(false));
    if (!required.items.empty()) node.add("required", std::move(required));
    node.add("properties", std::move(properties));
    if (!rules.items.empty()) node.add("allOf", std::move(rules));
    return node;
  }

  template <typename... T>
  Setting one_of(Setting& properties, const std::variant<T...>&) {
    Setting choices = empty_list();
    ((properties.add(std::string(T::kDescription.name), reference<T>()), choices.items.push_back(requirement(T::kDescription.name))), ...);
    return map_of("oneOf", std::move(choices));
  }

  template <typename T>
  Setting property(const Declaration& d, const T& usual) {
    Setting node = empty_map();
    if (!d.sentence.empty()) node.add("description", written(described(d)));
    if (!d.unit.empty()) node.add("unit", written(d.unit));
    if (!d.default_meaning.empty()) node.add("defaultDescription", written(d.default_meaning));
    Setting type = value<T>(d);
    for (std::size_t i = 0; i < type.keys.size(); ++i) node.add(type.keys[i], std::move(type.items[i]));
    if constexpr (!SettingsStruct<T>) {
      const bool shows_default = d.missing.empty() && d.default_meaning.empty();
      std::optional<Setting> printed = SettingsWriter::value(d, usual);
      if (shows_default && printed && printed->kind != Setting::Kind::map) node.add("default", std::move(*printed));
    }
    return node;
  }

  template <typename T>
  Setting value(const Declaration& d) {
    if constexpr (std::is_same_v<T, bool>) return parsed(R"({"type": "boolean"})");
    else if constexpr (std::is_same_v<T, int>) return number(d.range, true);
    else if constexpr (std::is_same_v<T, double>) return number(d.range, false);
    else if constexpr (std::is_same_v<T, Vec3>) return d.direction ? defined("direction", kDirection) : defined("vector", kVector);
    else if constexpr (std::is_same_v<T, std::string> || TextValue<T>) return text(d.endings);
    else if constexpr (std::is_enum_v<T>) return choice<T>();
    else if constexpr (is_optional<T>) return value<typename T::value_type>(d);
    else if constexpr (is_map<T>) return map<typename T::mapped_type>(d);
    else if constexpr (is_list<T>) return list<typename T::value_type>(d);
    else return structure<T>(d.shorthand);
  }

  static Setting number(const Range& range, bool whole) {
    constexpr double kLargest = std::numeric_limits<int>::max();
    Setting node = map_of("type", written(whole ? "integer" : "number"));
    if (std::isfinite(range.least)) node.add(range.with_least ? "minimum" : "exclusiveMinimum", written(range.least));
    if (std::isfinite(range.most)) node.add(range.with_most ? "maximum" : "exclusiveMaximum", written(range.most));
    else if (whole) node.add("maximum", written(static_cast<int>(kLargest)));
    return node;
  }

  Setting text(std::string_view endings) {
    if (endings.empty()) return defined("name", kText);
    std::string pattern = "\\.(" + std::string(endings.substr(1)) + ")$";
    for (std::size_t at; (at = pattern.find(" .")) != std::string::npos;) pattern.replace(at, 2, "|");
    Setting node = map_of("type", written("string"));
    node.add("pattern", written(pattern));
    return node;
  }

  template <typename T>
  static Setting choice() {
    Setting words = empty_list(), sentences = empty_list();
    for (const auto& one : choices_of(T())) {
      words.items.push_back(written(one.word));
      sentences.items.push_back(written(one.sentence));
    }
    Setting node = map_of("enum", std::move(words));
    node.add("enumDescriptions", std::move(sentences));
    return node;
  }

  template <typename T>
  Setting map(const Declaration& d) {
    Setting node = map_of("type", written("object"));
    node.add("propertyNames", parsed(kNames[static_cast<int>(d.names)]));
    if constexpr (std::is_same_v<T, std::string>) node.add("additionalProperties", parsed(R"({"type": ["string", "number", "boolean", "null"]})"));
    else node.add("additionalProperties", value<T>(d));
    if (!d.when_empty.empty()) node.add("minProperties", written(1));
    return node;
  }

  template <typename T>
  Setting list(const Declaration& d) {
    if constexpr (NamedSettings<T>) return map<T>(d);
    Setting items = map_of("items", value<T>(d));
    if (!d.when_empty.empty()) items.add("minItems", written(1));
    Setting node = d.one_or_more ? map_of("if", parsed(R"({"type": "array"})")) : map_of("type", written("array"));
    if (d.one_or_more) {
      node.add("then", std::move(items));
      node.add("else", value<T>(d));
    } else {
      for (std::size_t i = 0; i < items.keys.size(); ++i) node.add(items.keys[i], std::move(items.items[i]));
    }
    return node;
  }

  // The schema of a map, or of a value that may replace it as a shorthand for one of its settings.
  template <SettingsStruct T>
  Setting structure(std::string_view shorthand) {
    if (shorthand.empty()) return reference<T>();
    Setting node = map_of("if", parsed(R"({"type": "object"})"));
    node.add("then", reference<T>());
    const T usual{};
    visit_settings(usual, [&]<typename M>(const Declaration& d, const M&) {
      if constexpr (!is_alternatives<M>) {
        if (d.key == shorthand) node.add("else", value<M>(d));
      }
    });
    return node;
  }

  template <SettingsStruct T>
  Setting reference() {
    if (!definitions_.find(T::kDescription.name)) {
      Setting node = object<T>();  // also adds the definitions that it refers to
      definitions_.add(std::string(T::kDescription.name), std::move(node));
    }
    return map_of("$ref", written("#/$defs/" + std::string(T::kDescription.name)));
  }

  Setting defined(const std::string& name, std::string_view json) {
    if (!definitions_.find(name)) definitions_.add(name, parsed(json));
    return map_of("$ref", written("#/$defs/" + name));
  }

  Setting definitions_ = empty_map();
};

}  // namespace

std::string scene_schema() { return write_json(SchemaBuilder().build(), JsonLayout::indented); }

}  // namespace traction
