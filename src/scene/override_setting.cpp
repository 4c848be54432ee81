#include "scene/override_setting.h"

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.h"

namespace traction {

namespace {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start != std::string_view::npos;) {
    const std::size_t dot = path.find('.', start);
    parts.emplace_back(path.substr(start, dot == std::string_view::npos ? dot : dot - start));
    start = dot == std::string_view::npos ? dot : dot + 1;
  }
  return parts;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Setting& list_item(Setting& list, const std::string& index_text, const std::string& place, const std::string& path) {
  std::size_t index = 0;
  const char* end = index_text.data() + index_text.size();
  const auto [parsed_to, error] = std::from_chars(index_text.data(), end, index);
  if (error != std::errc() || parsed_to != end || index >= list.items.size()) {
    const std::string size = std::to_string(list.items.size());
    throw InputError(place + ": " + path + ": is a list of " + size + " without an item '" + excerpt(index_text) + "'; give an index from 0 to " + size +
                     " - 1, or set the whole list");
  }
  return list.items[index];
}

Setting& descend(Setting& parent, const std::string& key, const std::string& place, const std::string& path) {
  switch (parent.kind) {
    case Setting::Kind::list: return list_item(parent, key, place, path);
    case Setting::Kind::scalar:
      throw InputError(place + ": " + path + ": is the single value '" + excerpt(parent.text) + "' and has no '" + excerpt(key) +
                       "' inside; set it as a whole");
    default: break;
  }
  if (Setting* found = parent.find(key)) return *found;
  Setting missing;
  missing.place = place;
  missing.added = true;
  return parent.add(key, std::move(missing));
}

}  // namespace

void override_setting(Setting& root, const std::string& assignment) {
  const std::string place = std::string(kOverridePlace) + excerpt(assignment, 120);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) throw InputError(place + ": has no '='; write it as path.to.key=value");

  const std::vector<std::string> parts = split_path(trimmed(std::string_view(assignment).substr(0, equals)));
  if (parts.size() >= kMaximumSettingDepth) throw InputError(place + ": the path has too many parts; no setting lies so deep");
  for (const std::string& part : parts) {
    if (part.empty()) throw InputError(place + ": the path before '=' has an empty part; write it as path.to.key=value");
  }
  Setting value = parse_setting(assignment.substr(equals + 1), [&](int) { return place; });

  Setting* target = &root;
  std::string path;
  for (const std::string& part : parts) {
    target = &descend(*target, part, place, path.empty() ? "the scene" : path);
    path = join_path(path, part);
  }
  value.added = target->added;
  *target = std::move(value);
}

}  // namespace traction
