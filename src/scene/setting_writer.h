// Printing a tree of settings. Neither form keeps the places.
#pragma once

#include <string>

#include "scene/setting.h"

namespace traction {

// Block style, with lists of single values on one line.
std::string write_yaml(const Setting& setting);

// One line of plain ASCII. Scalars that are not quoted must be numbers, true or false.
std::string write_json(const Setting& setting);

}  // namespace traction
