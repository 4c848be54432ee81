#include "scene/scene_names.h"

#include "scene/setting.h"
#include "settings/nearest_name.h"

namespace traction {

namespace {

// Throws if `surface` is a region of a body whose name is nearly, but not quite, that of one. `names`: what may be named, and `what` that is.
void refuse_region_of_misspelt_body(const Given& given, const std::string& path, const BodySurface& surface, const Scene& scene, const char* what,
                                    const std::vector<std::string_view>& names) {
  const std::string nearest = nearest_name(surface.body, names);
  if (surface.region.empty() || has_name(scene.bodies, surface.body) || !has_name(scene.bodies, nearest) || !is_near(surface.body, nearest)) return;
  given.fail(path, "there is no " + std::string(what) + " '" + excerpt(surface.body) + "'; " + proposal(surface.body, names) + ", so write '" +
                       excerpt(nearest + "." + surface.region) + "'");
}

}  // namespace

void expect_body(const Given& given, const std::string& path, const std::string& name, const Scene& scene, std::vector<std::string_view> others) {
  if (has_name(scene.bodies, name)) return;
  std::vector<std::string_view> names;
  append_names(names, scene.bodies);
  names.insert(names.end(), others.begin(), others.end());
  if (has_name(scene.obstacles, name)) given.fail(path, "'" + excerpt(name) + "' is a surface, and a body is wanted here; choose one of: " + listing(names));
  given.fail(path, "there is no body '" + excerpt(name) + "'; " + proposal(name, names));
}

void expect_body_or_surface(const Given& given, const std::string& path, const std::string& name, const Scene& scene) {
  if (has_name(scene.bodies, name) || has_name(scene.obstacles, name)) return;
  std::vector<std::string_view> names;
  append_names(names, scene.obstacles);
  append_names(names, scene.bodies);
  BodySurface surface;
  from_text(name, surface);
  refuse_region_of_misspelt_body(given, path, surface, scene, "surface or body", names);
  const std::string remedy = scene.obstacles.empty() ? ", or describe a surface of this name under 'surfaces'" : "";
  given.fail(path, "there is no surface or body '" + excerpt(name) + "'; " + proposal(name, names) + remedy);
}

void check_body_surface(const Given& given, const std::string& path, const BodySurface& surface, const Scene& scene) {
  const std::string& name = surface.body;
  std::vector<std::string_view> names;
  append_names(names, scene.bodies);
  const bool is_alone = surface.region.empty() && !has_name(scene.obstacles, name) && !has_name(scene.bodies, name);
  if (is_alone && !is_near(name, nearest_name(name, names)))
    given.fail(path, "there is no body '" + excerpt(name) + "'; choose one of: " + listing(names) +
                         "; or write a region of a body with the body's name, as in '" + excerpt(std::string(names.front()) + "." + name) + "'");
  if (!has_name(scene.obstacles, name)) refuse_region_of_misspelt_body(given, path, surface, scene, "body", names);
  expect_body(given, path, name, scene);
  if (given.text(path).ends_with(".'")) given.fail(path, "names no region after the dot; write 'body.region', or the body alone for its whole boundary");
}

}  // namespace traction
