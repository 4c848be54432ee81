// Checks whether the parameters that a scene sets have an effect on a .geo file. Internal to this folder.
#pragma once

#include <map>
#include <string>

namespace traction {

/// Throws InputError for a parameter that `text`, the contents of the file, does not name or overwrites: Gmsh would silently ignore it.
void check_geo_parameters(const std::string& path, const std::string& text, const std::map<std::string, double>& parameters);

}  // namespace traction
