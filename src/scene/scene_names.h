// The names of bodies and surfaces that entries of a scene mention.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace traction {

/// Whether one of the items has this name.
template <typename Item>
bool has_name(const std::vector<Item>& items, std::string_view name) {
  return std::any_of(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
}

/// Appends the items' names, each once.
template <typename Item>
void append_names(std::vector<std::string_view>& names, const std::vector<Item>& items) {
  for (const Item& item : items)
    if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
}

/// Throws unless a body has this name. `others`: names that are valid there, too.
void expect_body(const Given& given, const std::string& path, const std::string& name, const Scene& scene, std::vector<std::string_view> others = {});

/// Throws unless a body or surface has this name.
void expect_body_or_surface(const Given& given, const std::string& path, const std::string& name, const Scene& scene);

/// Throws unless `surface` names a body or a region of a body.
void check_body_surface(const Given& given, const std::string& path, const BodySurface& surface, const Scene& scene);

}  // namespace traction
