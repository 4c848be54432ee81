#include "scene/read_scene.h"

#include <filesystem>
#include <system_error>

#include "scene/override_setting.h"
#include "scene/read_settings.h"
#include "scene/setting_writer.h"
#include "scene/write_settings.h"

namespace traction {

namespace {

// Uses the path as given if the working folder is unknown.
std::filesystem::path absolute_path(const std::string& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  return error ? std::filesystem::path(file) : absolute.lexically_normal();
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
  Setting root = parse_setting(text, [&](int line) { return file + ":" + std::to_string(line); });
  for (const std::string& assignment : overrides) override_setting(root, assignment);
  const std::filesystem::path path = absolute_path(file);
  Scene scene;
  scene.file = path.string();
  SettingsReader(SettingReader(root, ""), path.parent_path()).read(scene);
  return scene;
}

std::string to_yaml(const Scene& scene) { return write_yaml(SettingsWriter::write(scene)); }

std::string to_json(const Scene& scene) { return write_json(SettingsWriter::write(scene)); }

}  // namespace traction
