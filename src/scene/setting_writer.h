// Prints a tree of settings in two forms. Neither contains the places of the values.
#pragma once

#include <string>

#include "scene/setting.h"

namespace traction {

/// Block style, with lists of single values on one line.
std::string write_yaml(const Setting& setting);

/// Prints on one line, or with a line for each item that is not small. Plain ASCII. Scalars that are not quoted must be numbers, true or false.
enum class JsonLayout { one_line, indented };
std::string write_json(const Setting& setting, JsonLayout layout = JsonLayout::one_line);

}  // namespace traction
