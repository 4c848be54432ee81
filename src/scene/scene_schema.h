// What a scene may hold, made from the declarations of its settings.
#pragma once

#include <string>

namespace traction {

// A JSON Schema (draft 7). Beside its keywords it has `unit`, `defaultDescription` (where a default comes from that is no fixed value) and
// `enumDescriptions`.
std::string scene_schema();

}  // namespace traction
