// Reading and printing scenes.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace traction {

/// Parses and validates the scene held in `text`. `file` is the path it came from (for messages, and to resolve relative paths of meshes
/// and partitions against its folder). `overrides` are "path.to.key=value" strings (the command line's --set), applied in order before
/// validation; the value is YAML; missing intermediate maps are created; list items are addressed by index ("time.step.1.step=1e-4").
/// Throws InputError naming file, line, key and the nearest valid key. Touches no file system and is deterministic, so that every rank
/// may call it on the same text with the same outcome.
Scene read_scene(const std::string& text, const std::string& file, const std::vector<std::string>& overrides);

/// The scene with every default filled in, as YAML that read_scene accepts (paths absolute).
std::string to_yaml(const Scene& scene);

/// The scene as one JSON object.
std::string to_json(const Scene& scene);

}  // namespace traction
