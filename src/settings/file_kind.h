// The kind of a file that a user has given in place of another one.
#pragma once

#include <string>
#include <string_view>

namespace traction {

/// Names the kind of a file that its first bytes show: "a mesh of Gmsh", "a picture"; empty for others, such as YAML and any plain text.
std::string kind_of_file(std::string_view bytes);

/// Names the kind of a file by the ending of its name, ".geo" or ".csv"; empty for endings that files of any kind have.
std::string kind_by_ending(std::string_view ending);

}  // namespace traction
