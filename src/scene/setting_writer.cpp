#include "scene/setting_writer.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace traction {

namespace {

enum class Style { yaml, json };

// Whether YAML readers of every version interpret the unquoted text as text.
bool is_plain_text(const std::string& text) {
  constexpr std::array<std::string_view, 9> kWordsWithMeaning = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(kWordsWithMeaning.begin(), kWordsWithMeaning.end(), lower) != kWordsWithMeaning.end()) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_safe = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '-'; };
  return !lower.empty() && (is_letter(lower[0]) || lower[0] == '/') && std::all_of(lower.begin(), lower.end(), is_safe);
}

void emit_text(YAML::Emitter& emitter, const std::string& text, Style style) {
  if (style == Style::json || !is_plain_text(text)) emitter << YAML::DoubleQuoted;
  emitter << text;
}

void emit(YAML::Emitter& emitter, const Setting& setting, Style style) {
  const auto is_single = [](const Setting& item) { return item.items.empty(); };
  switch (setting.kind) {
    case Setting::Kind::nothing: emitter << YAML::LowerNull << YAML::Null; break;
    case Setting::Kind::scalar:
      if (setting.quoted) {
        emit_text(emitter, setting.text, style);
      } else {
        emitter << setting.text;
      }
      break;
    case Setting::Kind::list:
      if (style == Style::json || std::all_of(setting.items.begin(), setting.items.end(), is_single)) emitter << YAML::Flow;
      emitter << YAML::BeginSeq;
      for (const Setting& item : setting.items) emit(emitter, item, style);
      emitter << YAML::EndSeq;
      break;
    case Setting::Kind::map:
      if (style == Style::json) emitter << YAML::Flow;
      emitter << YAML::BeginMap;
      for (std::size_t i = 0; i < setting.items.size(); ++i) {
        emitter << YAML::Key;
        emit_text(emitter, setting.keys[i], style);
        emitter << YAML::Value;
        emit(emitter, setting.items[i], style);
      }
      emitter << YAML::EndMap;
      break;
  }
}

constexpr std::size_t kSmallJson = 120;  // number of characters that fit on a line

std::string json_line(const Setting& setting) {
  YAML::Emitter emitter;
  emitter.SetOutputCharset(YAML::EscapeAsJson);
  emit(emitter, setting, Style::json);
  return emitter.c_str();
}

std::string json_block(const Setting& setting, const std::string& indent) {
  const std::string line = json_line(setting);
  if (setting.items.empty() || line.size() + indent.size() < kSmallJson) return line;
  const bool is_map = setting.kind == Setting::Kind::map;
  std::string block;
  for (std::size_t i = 0; i < setting.items.size(); ++i) {
    Setting key;
    key.kind = Setting::Kind::scalar;
    key.quoted = true;
    if (is_map) key.text = setting.keys[i];
    block += (i == 0 ? "\n" : ",\n") + indent + "  " + (is_map ? json_line(key) + ": " : "") + json_block(setting.items[i], indent + "  ");
  }
  return (is_map ? "{" : "[") + block + "\n" + indent + (is_map ? "}" : "]");
}

}  // namespace

std::string write_yaml(const Setting& setting) {
  YAML::Emitter emitter;
  emit(emitter, setting, Style::yaml);
  return std::string(emitter.c_str()) + "\n";
}

std::string write_json(const Setting& setting, JsonLayout layout) {
  return (layout == JsonLayout::one_line ? json_line(setting) : json_block(setting, "")) + "\n";
}

}  // namespace traction
