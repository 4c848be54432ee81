// Remedies for files that are not where they are looked for.
#pragma once

#include <string>

namespace traction {

/// The remedy for a missing file as the last part of a sentence: the nearest name in its folder, that its folder is missing, or to check the name. `base`: the
/// folder to which names are relative.
std::string remedy_for_missing_file(const std::string& path, const std::string& base = "the scene's folder");

}  // namespace traction
