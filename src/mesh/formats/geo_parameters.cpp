#include "mesh/formats/geo_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "errors.h"

namespace traction {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (char c : text)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

// Splits a text into identifiers, numbers and single characters, without comments, strings and white space.
std::vector<std::string_view> tokens(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (text.substr(i, 2) == "/*") {
      const std::size_t close = text.find("*/", i + 2);
      i = close == std::string_view::npos ? text.size() : close + 2;
      continue;
    }
    if (text[i] == '"') {
      const std::size_t close = text.find('"', i + 1);
      i = close == std::string_view::npos ? text.size() : close + 1;
      continue;
    }
    if (is_letter(text[i]) || is_digit(text[i]))
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    if (static_cast<unsigned char>(text[i]) > ' ') result.push_back(text.substr(i, end - i));
    i = end;
  }
  return result;
}

struct Uses {
  bool named = false;
  bool settable = false;  // defined by DefineConstant, or guarded by Exists
  bool assigned = false;
};

Uses uses_of(std::string_view name, const std::vector<std::string_view>& all) {
  Uses uses;
  int depth = 0;
  bool in_define = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = [&](std::size_t k) { return k < all.size() ? all[k] : std::string_view(); };
    if (!in_define && all[i] == "DefineConstant") {
      in_define = true;
      depth = 0;
    } else if (in_define && (all[i] == "[" || all[i] == "(")) {
      ++depth;
    } else if (in_define && (all[i] == "]" || all[i] == ")")) {
      in_define = --depth > 0;
    } else if (all[i] == name) {
      uses.named = true;
      if (in_define || (i >= 2 && at(i - 1) == "(" && at(i - 2) == "Exists")) uses.settable = true;
      if (!in_define && at(i + 1) == "=" && at(i + 2) != "=") uses.assigned = true;
    }
  }
  return uses;
}

}  // namespace

void check_geo_parameters(const std::string& path, const std::string& text, const std::map<std::string, double>& parameters) {
  const std::vector<std::string_view> all = tokens(text);
  for (const auto& [name, value] : parameters) {
    if (!is_identifier(name)) throw InputError(fmt::format("{}: '{}' can't be a parameter. Use a name of letters, digits and _", path, name));
    if (!std::isfinite(value)) throw InputError(fmt::format("{}: the parameter '{}' is {}. Give a finite number", path, name, value));
    const Uses uses = uses_of(name, all);
    if (!uses.named)
      throw InputError(
          fmt::format("{}: there is no parameter '{}'. Add DefineConstant[ {} = {} ]; or take it out of mesh_parameters", path, name, name, value));
    if (uses.assigned && !uses.settable)
      throw InputError(fmt::format("{}: '{} = ...' overwrites the parameter '{}'. Write DefineConstant[ {} = ... ]; instead", path, name, name, name));
  }
}

void check_last_line(const std::string& path, const std::string& text) {
  const char* begin = text.data() + text.rfind('\n') + 1;  // the first character, in a text of one line
  int depth = 0, ended = 0;                                // statements in braces belong to the statement around them
  bool is_more = false;
  for (const std::string_view token : tokens(text)) {
    if (token == "{") ++depth;
    if (token == "}") --depth;
    if (token.data() < begin) continue;
    is_more = ended > 0;
    if (depth == 0 && token == ";") ++ended;
  }
  if (!is_more) return;
  throw InputError(
      fmt::format("{}:{}: the last line does not end with a line break, and Gmsh would read its first statement alone. Add a line break at its end", path,
                  std::count(text.begin(), text.end(), '\n') + 1));
}

}  // namespace traction
