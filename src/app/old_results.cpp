#include "app/old_results.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "errors.h"
#include "output/frame_series.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr std::array kBeginnings = {"history.csv", "run.json",         "scene.yaml", "fields",
                                    "contacts",    "contact_surfaces", "step_"};  // the names of a run's files begin with these
constexpr std::string_view kHistoryColumns = "step,time,dt,";
constexpr const char* kFirstTopologyOfFields = "fields_mesh.h5";

bool begins_with(const std::string& path, std::string_view text) {
  std::string start(text.size(), '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == text;
}

bool is_unfinished(const std::string& name) {
  return name.ends_with(".part") && std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](const char* beginning) { return name.starts_with(beginning); });
}

bool is_frame_file(const std::string& name) {
  if (name == kFirstTopologyOfFields || number_in_name(name, "fields_mesh_", ".h5") >= 0) return true;
  return std::any_of(kFrameStems.begin(), kFrameStems.end(), [&](const std::string& stem) {
    const std::string one_file = stem + ".hdf";
    return number_in_name(name, stem + "_", ".hdf") >= 0 || name == one_file || name == one_file + ".series" || name == one_file + ".undo";
  });
}

bool is_result(const std::string& name) { return name == "history.csv" || name == "run.json" || name == "summary.csv" || is_frame_file(name); }
bool is_checkpoint(const std::string& name) { return name.starts_with("step_") && name.ends_with(".h5"); }

// The files of a folder, and of its folder `checkpoints`, whose names fulfil a condition; sorted.
template <typename Condition, typename OfCheckpoints>
std::vector<fs::path> files_where(const std::string& directory, const Condition& condition, const OfCheckpoints& of_checkpoints) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, missing))
    if (condition(entry.path().filename().string())) found.push_back(entry.path());
  for (const fs::directory_entry& entry : fs::directory_iterator(directory + "/checkpoints", missing))
    if (of_checkpoints(entry.path().filename().string())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

[[noreturn]] void refuse_foreign(const std::string& path) {
  throw InputError(path + ": was not written by a run, but this run would replace or remove it; choose another --out, such as out, or move the file away");
}

}  // namespace

void refuse_foreign_files(const std::string& directory) {
  const std::string scene = directory + "/scene.yaml";
  std::error_code unreadable;
  if (fs::is_regular_file(scene, unreadable)) {
    if (!begins_with(scene, kWrittenScene)) refuse_foreign(scene);
    return;
  }
  const bool was_started = fs::is_directory(directory + "/checkpoints", unreadable) && begins_with(directory + "/history.csv", kHistoryColumns);
  const bool has_modes = begins_with(directory + "/modes.csv", kModesColumns);
  const auto is_foreign = [&](const std::string& name) {
    if (was_started && (name == "history.csv" || name == kFirstTopologyOfFields)) return false;
    return (is_result(name) && !(has_modes && is_frame_file(name))) || is_unfinished(name);
  };
  const auto of_checkpoints = [](const std::string& name) { return is_checkpoint(name) || is_unfinished(name); };
  for (const fs::path& path : files_where(directory, is_foreign, of_checkpoints))
    if (!fs::is_directory(path, unreadable)) refuse_foreign(path.string());
}

void refuse_foreign_tables(const std::string& directory, std::initializer_list<OwnTable> tables, const char* picture) {
  const auto refuse_unless_own = [&](const std::string& name, const OwnTable& table) {
    const std::string path = directory + "/" + name;
    std::error_code unreadable;
    if (fs::exists(path, unreadable) && !begins_with(directory + "/" + table.name, table.columns))
      throw InputError(path + ": was not written by this command, but the command would replace it; choose another --out, or move the file away");
  };
  for (const OwnTable& table : tables) refuse_unless_own(table.name, table);
  refuse_unless_own(picture, *tables.begin());
}

void refuse_results_but_modes(const std::string& directory) {
  std::error_code unreadable;
  for (const char* name : {"/history.csv", "/run.json"})
    if (fs::exists(directory + name, unreadable)) throw InputError(directory + ": holds the results of a run; choose another --out");
  if (begins_with(directory + "/modes.csv", kModesColumns)) return;
  for (const fs::path& path : files_where(
           directory, [](const std::string& name) { return is_frame_file(name) || name == "modes.csv" || name == "modes.png"; },
           [](const auto&) { return false; }))
    throw InputError(path.string() +
                     ": was not written with modes of vibration, but this command would replace or remove it; choose another --out, or move the file away");
}

void remove_unfinished_files(const std::string& directory) {
  for (const fs::path& path : files_where(directory, is_unfinished, is_unfinished)) fs::remove(path);
}

void remove_old_results(const std::string& directory) {
  for (const fs::path& path : files_where(directory, is_result, is_checkpoint)) fs::remove(path);
}

}  // namespace traction
