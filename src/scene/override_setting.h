// Changes single values of a parsed scene from the command line.
#pragma once

#include <string>

#include "scene/setting.h"

namespace traction {

/// Applies "path.to.key=value", where the value is YAML, to the tree: replaces the value at the path, or adds it together with missing maps along the path.
/// Items of lists are addressed by index, from 0. Throws InputError if the text or the path is invalid.
void override_setting(Setting& root, const std::string& assignment);

}  // namespace traction
