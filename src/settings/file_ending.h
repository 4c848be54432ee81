// The ending of a file's name, which decides how the file is read.
#pragma once

#include <filesystem>
#include <string>

namespace traction {

/// The last ending of a path with its dot and in lower case, because exporters write both: ".stl" of "part.STL"; empty without an ending.
inline std::string file_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

}  // namespace traction
