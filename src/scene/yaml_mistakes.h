// Finds what is probably wrong with a text that is not valid YAML: the parser reports where it stops, which is often lines below the mistake.
#pragma once

#include <optional>
#include <string>

namespace traction {

/// A mistake with its remedy.
struct YamlMistake {
  int line = 0;  ///< counted from 1
  std::string what;
};

/// The probable cause where the parser stops at `line`: a tab, a foreign comment, a missing space or colon, wrong indentation, an open bracket.
std::optional<YamlMistake> probable_mistake(const std::string& text, int line);

/// The first line that begins with '%', which YAML takes for a directive.
std::optional<YamlMistake> percent_comment(const std::string& text);

}  // namespace traction
