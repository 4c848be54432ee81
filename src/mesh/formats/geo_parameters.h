// Finds parameters and statements of a .geo file that Gmsh would silently overlook. Internal to this folder.
#pragma once

#include <map>
#include <string>

namespace traction {

/// Throws InputError for a parameter that `text`, the contents of the file, does not name or overwrites: Gmsh would silently ignore it.
void check_geo_parameters(const std::string& path, const std::string& text, const std::map<std::string, double>& parameters);

/// Throws InputError if statements would be overlooked at the end of `text`: Gmsh 4.8 reads only the first statement of a last line without a line break.
void check_last_line(const std::string& path, const std::string& text);

}  // namespace traction
