// The folder of a command's results.
#pragma once

#include <string>

namespace traction {

/// Makes the folder, and those around it, if it does not exist. Throws FileError.
void make_directory(const std::string& directory);

/// Runs one of postprocess/'s scripts on a folder of results; warns if that fails. Its messages go to stderr.
void draw(const std::string& script, const std::string& directory);

}  // namespace traction
