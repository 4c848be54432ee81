// The sections of a scene that are large enough for a file of their own. Each reads one value into its struct or throws InputError.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/setting_reader.h"

namespace traction {

// The folder is the scene's, from which relative paths count; the result is absolute if the folder is.
std::string read_path(const SettingReader& setting, const std::filesystem::path& folder);

Body read_body(const std::string& name, const SettingReader& setting, const std::filesystem::path& folder);

// A map, or a list of maps.
Motion read_motion(const SettingReader& setting);

Obstacle read_surface(const std::string& name, const SettingReader& setting, const std::filesystem::path& folder);

// The bodies and surfaces are those that the contact may refer to.
ContactSettings read_contact(const std::string& name, const SettingReader& setting, const std::vector<Body>& bodies, const std::vector<Obstacle>& surfaces);

}  // namespace traction
