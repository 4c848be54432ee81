#include "scene/read_scene.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "contact/thick_middle.h"
#include "errors.h"
#include "scene/override_setting.h"
#include "scene/read_settings.h"
#include "scene/setting_writer.h"
#include "scene/write_settings.h"
#include "settings/file_ending.h"
#include "settings/file_kind.h"

namespace traction {

namespace {

// Uses the path as given if the working folder is unknown.
std::filesystem::path absolute_path(const std::string& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  return error ? std::filesystem::path(file) : absolute.lexically_normal();
}

// Throws if the text comes from a file of another kind, for which YAML would only report a fault in some line, or which it would take for one long word.
void refuse_other_file(const std::string& text, const std::string& file) {
  std::string kind = kind_of_file(text);
  const std::string ending = file_ending(file);
  if (kind.empty()) kind = kind_by_ending(ending);
  if (kind.empty()) return;
  const bool is_mesh = ending == ".msh" || ending == ".geo" || ending == ".vtu" || ending == ".vtk" || kind == "a mesh of Gmsh";
  std::string remedy = "give a scene, a text in YAML (docs/scenes.md)";
  if (is_mesh) remedy += ", which names its meshes under bodies.NAME.mesh";
  if (ending == ".inp") remedy += "; postprocess/scene_from_inp makes one of a model";
  throw InputError(file + ": is " + kind + ", and no scene; " + remedy);
}

Setting parse_scene(const std::string& text, const std::string& file) {
  try {
    Setting root = parse_setting(text, [&](int line) { return file + ":" + std::to_string(line); });
    if (root.kind != Setting::Kind::map) refuse_other_file(text, file);
    return root;
  } catch (const InputError&) {
    refuse_other_file(text, file);
    throw;
  }
}

// Whether vertices alone can touch the obstacle, as a plane.
bool leaves_no_choice(const Obstacle& obstacle) { return !has_faces(obstacle) && !touches_by_its_middle(obstacle); }

// The settings of a scene as they are printed. Contacts whose geometry is not the user's choice have none, because its word is about meshes.
Setting printed(const Scene& scene) {
  Setting settings = SettingsWriter::write(scene);
  for (const ContactSettings& contact : scene.contacts) {
    const auto* name = std::get_if<std::string>(&contact.against);
    if (contact.all || !name) continue;
    const auto touched = std::ranges::find(scene.obstacles, *name, &Obstacle::name);
    Setting& shown = *settings.find("contacts")->find(contact.name);
    const auto geometry = std::ranges::find(shown.keys, "geometry");
    if (touched == scene.obstacles.end() || !leaves_no_choice(*touched) || geometry == shown.keys.end()) continue;
    shown.items.erase(shown.items.begin() + (geometry - shown.keys.begin()));
    shown.keys.erase(geometry);
  }
  return settings;
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
  Setting root = parse_scene(text, file);
  for (const std::string& assignment : overrides) override_setting(root, assignment);
  const std::filesystem::path path = absolute_path(file);
  Scene scene;
  scene.file = path.string();
  SettingsReader(SettingReader(root, ""), path.parent_path()).read(scene);
  return scene;
}

std::string to_yaml(const Scene& scene) { return write_yaml(printed(scene)); }

std::string to_json(const Scene& scene) { return write_json(printed(scene)); }

}  // namespace traction
