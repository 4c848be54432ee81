#include "settings/missing_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "settings/nearest_name.h"

namespace traction {

namespace fs = std::filesystem;

std::string remedy_for_missing_file(const std::string& path, const std::string& base) {
  const std::string check = "check its name, which is relative to " + base;
  if (path.find('\\') != std::string::npos) return "separate the names of folders with '/'";
  const fs::path file(path);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code unknown;  // set for names that are too long, and folders that may not be read
  if (!fs::is_directory(folder, unknown)) {
    const bool is_missing = !unknown || unknown == std::errc::no_such_file_or_directory;
    return is_missing ? "there is no folder '" + folder.string() + "', either; names are relative to " + base : check;
  }
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end; entry.increment(unknown))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);  // the order of a folder is any
  const std::string name = file.filename().string();
  const std::string nearest = nearest_name(name, {names.begin(), names.end()});
  if (nearest.empty() || !is_near(name, nearest)) return check;
  return "the nearest name in its folder is '" + nearest + "'";
}

}  // namespace traction
