#include "output/frame_series.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/file_seal.h"
#include "output/slab_file.h"
#include "output/undo_file.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

std::string frame_name(const std::string& stem, int frame) { return fmt::format("{}_{:06d}.hdf", stem, frame); }
std::string series_path(const std::string& directory, const std::string& stem) { return directory + "/" + stem + ".hdf.series"; }

std::vector<double> read_series(const std::string& directory, const std::string& stem) {
  const std::string path = series_path(directory, stem);
  std::vector<double> times;
  try {
    const YAML::Node files = YAML::LoadFile(path)["files"];  // JSON is a part of YAML
    if (!files.IsSequence()) throw FileError(path + ": lists no frames; restore the run's own file, or move the frames away");
    for (const YAML::Node& file : files) {
      const std::string name = file["name"].as<std::string>(), expected = frame_name(stem, static_cast<int>(times.size()));
      if (name != expected) throw FileError(fmt::format("{}: lists '{}' where '{}' should be", path, name, expected));
      times.push_back(file["time"].as<double>());
    }
  } catch (const YAML::Exception& error) {
    throw FileError(
        fmt::format("{}: is damaged, and lists no series of frames any more ({}); restore it from a copy, or move it away together with the frames, {}_*.hdf: "
                    "later frames then begin a new series",
                    path, error.what(), stem));
  }
  return times;
}

// Warns of frames in a series whose files are missing or cut short. Serial.
void warn_about_damage(const std::string& directory, const std::string& stem, int frames) {
  const SilentHdf5 silence;
  std::vector<std::string> damaged;
  for (int frame = 0; frame < frames; ++frame) {
    const std::string name = frame_name(stem, frame);
    if (!Hdf5Handle(H5Fopen((directory + "/" + name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose)) damaged.push_back(name);
  }
  if (damaged.empty()) return;
  constexpr std::size_t kMostNames = 5;
  const std::size_t named = std::min(damaged.size(), kMostNames), more = damaged.size() - named;
  spdlog::warn("{}: {}{} {} missing or damaged, and a continued run does not write them again; restore them from a copy, or run the scene from its start",
               directory, fmt::join(damaged.begin(), damaged.begin() + static_cast<std::ptrdiff_t>(named), ", "),
               more > 0 ? fmt::format(" and {} more frames", more) : "", damaged.size() == 1 ? "is" : "are");
}

}  // namespace

int number_in_name(const std::string& name, const std::string& prefix, const std::string& suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) return -1;
  const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  if (digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return -1;
  return std::stoi(digits);
}

int frames_until(const std::string& directory, const std::string& stem, double time) {
  const std::string series = series_path(directory, stem);
  if (!fs::exists(series)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory))
      if (number_in_name(entry.path().filename().string(), stem + "_", ".hdf") >= 0)
        throw FileError(
            fmt::format("{}: is missing, although {} exists; restore the series, or move the frames away", series, entry.path().filename().string()));
    return 0;
  }
  const std::vector<double> times = read_series(directory, stem);
  return static_cast<int>(std::count_if(times.begin(), times.end(), [&](double frame) { return frame <= time; }));
}

void remove_frames(const std::string& directory, const std::string& stem, int first) {
  std::vector<fs::path> outdated;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (number_in_name(entry.path().filename().string(), stem + "_", ".hdf") >= first) outdated.push_back(entry.path());
  if (first == 0) outdated.insert(outdated.end(), {series_path(directory, stem), directory + "/" + stem + ".hdf", undo_path(directory + "/" + stem + ".hdf")});
  for (const fs::path& path : outdated) fs::remove(path);
}

FrameSeries::FrameSeries(MPI_Comm communicator, std::string directory, std::string stem, int kept)
    : communicator_(communicator), directory_(std::move(directory)), stem_(std::move(stem)), flushed_(kept) {
  on_first_rank(communicator_, [&] {
    if (kept > 0) times_ = read_series(directory_, stem_);
    if (frames() < kept)
      throw FileError(fmt::format("{}: lists {} frames of the {} that the run has written; restore it from a copy, or run the scene from its start",
                                  series_path(directory_, stem_), frames(), kept));
    times_.resize(static_cast<std::size_t>(kept));
    warn_about_damage(directory_, stem_, kept);
  });
  broadcast(communicator_, times_);
  if (kept > 0) write();
  on_first_rank(communicator_, [&] { remove_frames(directory_, stem_, kept); });
}

std::string FrameSeries::next_path() const { return directory_ + "/" + frame_name(stem_, frames()); }

void FrameSeries::add(double time) {
  times_.push_back(time);
  write();
}

void FrameSeries::flush() {
  on_all_ranks(communicator_, [&] {  // each rank's node may hold a part in memory
    for (; flushed_ < frames(); ++flushed_) flush_to_disk(directory_ + "/" + frame_name(stem_, flushed_));
    if (frames() > 0) flush_to_disk(series_path(directory_, stem_));
  });
}

void FrameSeries::write() const {
  on_first_rank(communicator_, [&] {
    std::string text = "{\"file-series-version\":\"1.0\",\"files\":[";
    for (std::size_t i = 0; i < times_.size(); ++i)
      text += fmt::format("{}\n{{\"name\":\"{}\",\"time\":{}}}", i == 0 ? "" : ",", frame_name(stem_, static_cast<int>(i)), times_[i]);
    replace_text_file(series_path(directory_, stem_), text + "\n]}\n");
  });
}

}  // namespace traction
