// The JSON Schema of scenes, made from the declarations of their settings.
#pragma once

#include <string>

namespace traction {

/// A JSON Schema (draft 7). Besides its keywords it has `unit`, `defaultDescription` (explains a default that is not a fixed value) and `enumDescriptions`.
std::string scene_schema();

}  // namespace traction
