#include "output/frame_file.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <sstream>

#include "errors.h"
#include "output/file_seal.h"
#include "output/frame_series.h"
#include "output/undo_file.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

const std::string kRoot = "/VTKHDF/", kSteps = "/VTKHDF/Steps";
constexpr hsize_t kStepsPerChunk = 1024;

std::string damage(const std::string& path) { return path + ": is damaged, or no file of frames; restore it from a copy, or run the scene from its start"; }

// The dataset of Steps with the row where a frame begins in a dataset; empty if another one determines it.
std::string offsets_of(const std::string& path) {
  const std::string name = path.substr(kRoot.size());
  if (name == "NumberOfPoints") return kSteps + "/PartOffsets";
  if (name == "Points") return kSteps + "/PointOffsets";
  if (name == "Types") return kSteps + "/CellOffsets";
  if (name == "Connectivity") return kSteps + "/ConnectivityIdOffsets";
  for (const std::string kind : {"PointData", "CellData"})
    if (name.starts_with(kind + "/")) return fmt::format("{}/{}Offsets/{}", kSteps, kind, name.substr(kind.size() + 1));
  return {};
}

// Sets the number of frames in a file, and makes it where it is missing. Serial.
void set_number(const std::string& path, std::int64_t frames) {
  Hdf5Handle file = open_for_writing(MPI_COMM_SELF, path);
  {
    const Hdf5Handle steps(file ? H5Gopen2(file.get(), kSteps.c_str(), H5P_DEFAULT) : -1, H5Gclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const bool is_there = steps && H5Aexists(steps.get(), "NSteps") > 0;
    const Hdf5Handle number(
        is_there ? H5Aopen(steps.get(), "NSteps", H5P_DEFAULT) : H5Acreate2(steps.get(), "NSteps", H5T_STD_I64LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    require(number && H5Awrite(number.get(), H5T_NATIVE_INT64, &frames) >= 0, path + ": cannot write its number of frames");
  }
  require(file.close(), path + ": cannot write its number of frames");
}

// Sets the number of times in a file, and the last one if it is given. Serial.
void set_times(const std::string& path, hsize_t frames, const double* last) {
  Hdf5Handle file = open_for_writing(MPI_COMM_SELF, path);
  {
    const Hdf5Handle values(H5Dopen2(file.get(), (kSteps + "/Values").c_str(), H5P_DEFAULT), H5Dclose);
    const Slab slab{kSteps + "/Values", NumberType::float64, 0, 1, last};
    require(values && H5Dset_extent(values.get(), &frames) >= 0 && (last == nullptr || write_rows(values.get(), slab, frames - 1, 1)),
            path + ": cannot write its times");
  }
  require(file.close(), path + ": cannot write its times");
}

herr_t collect_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> links_in(hid_t file, const std::string& group) {
  std::vector<std::string> names;
  if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0)
    H5Literate_by_name(file, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link, &names, H5P_DEFAULT);
  return names;
}

Hdf5Handle open_frames(const std::string& path) {
  Hdf5Handle file = open_for_reading(path);
  require(file && H5Lexists(file.get(), "VTKHDF", H5P_DEFAULT) > 0 && H5Lexists(file.get(), kSteps.c_str(), H5P_DEFAULT) > 0, damage(path));
  return file;
}

std::int64_t number_of_frames(hid_t file, const std::string& path) {
  std::int64_t frames = -1;
  const Hdf5Handle number(H5Aopen_by_name(file, kSteps.c_str(), "NSteps", H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(number && H5Aread(number.get(), H5T_NATIVE_INT64, &frames) >= 0 && frames >= 0, damage(path));
  return frames;
}

// For each dataset, the row after those of the first frames. Serial.
std::map<std::string, hsize_t> ends_of_frames(const std::string& path, hsize_t frames) {
  const Hdf5Handle file = open_frames(path);
  const auto read = [&](const std::string& name, hsize_t rows) {
    std::vector<std::int64_t> values;
    require(read_first_integers(file.get(), name, rows, values) && std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value >= 0; }),
            damage(path));
    return values;
  };
  const auto part_offsets = read(kSteps + "/PartOffsets", frames), parts = read(kSteps + "/NumberOfParts", frames);
  hsize_t all_parts = 0;
  for (hsize_t k = 0; k < frames; ++k) all_parts = std::max(all_parts, static_cast<hsize_t>(part_offsets[k] + parts[k]));
  std::map<std::string, hsize_t> ends;
  const auto end = [&](const std::string& name, const std::vector<std::int64_t>& sums, const std::string& offsets) {
    const auto first = read(offsets, frames);
    for (hsize_t k = 0; k < frames; ++k) {
      const std::int64_t count = sums[part_offsets[k] + parts[k]] - sums[part_offsets[k]];
      ends[name] = std::max(ends[name], static_cast<hsize_t>(first[k] + count));
    }
  };
  const auto sums_of = [&](const std::string& name) {
    std::vector<std::int64_t> sums = read(kRoot + name, all_parts);
    sums.insert(sums.begin(), 0);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    ends[kRoot + name] = all_parts;
    return sums;
  };
  const auto points = sums_of("NumberOfPoints"), cells = sums_of("NumberOfCells"), ids = sums_of("NumberOfConnectivityIds");
  end(kRoot + "Points", points, kSteps + "/PointOffsets");
  end(kRoot + "Types", cells, kSteps + "/CellOffsets");
  end(kRoot + "Connectivity", ids, kSteps + "/ConnectivityIdOffsets");
  ends[kRoot + "Offsets"] = ends[kRoot + "Types"] + all_parts;
  for (const std::string kind : {"PointData", "CellData"})
    for (const std::string& name : links_in(file.get(), fmt::format("{}/{}Offsets", kSteps, kind)))
      end(fmt::format("{}{}/{}", kRoot, kind, name), kind == "PointData" ? points : cells, fmt::format("{}/{}Offsets/{}", kSteps, kind, name));
  return ends;
}

// A disk without room for the frames ahead may still have room for the present one.
void with_less_room_if_necessary(std::vector<GrowingDataset>& datasets, const std::function<void()>& make) {
  try {
    make();
  } catch (const FileError&) {
    for (GrowingDataset& dataset : datasets) dataset.rows_ahead = 0;
    make();
  }
}

void broadcast_ends(MPI_Comm communicator, std::map<std::string, hsize_t>& ends) {
  std::string text;
  for (const auto& [name, end] : ends) text += fmt::format("{} {}\n", end, name);
  broadcast(communicator, text);
  std::istringstream lines(text);
  std::string name;
  for (hsize_t end = 0; lines >> end && std::getline(lines >> std::ws, name);) ends[name] = end;
}

}  // namespace

std::vector<double> times_in_file(const std::string& path) {
  if (undo_change(path)) spdlog::warn("{}: a run was killed while it changed this file, which is now restored", path);
  const SilentHdf5 silent;
  const Hdf5Handle file = open_frames(path);
  std::vector<double> times;
  const hsize_t frames = std::min(static_cast<hsize_t>(number_of_frames(file.get(), path)), rows_of(file.get(), kSteps + "/Values"));
  require(read_first_numbers(file.get(), kSteps + "/Values", frames, times), damage(path));
  return times;
}

std::vector<std::string> fields_in_file(const std::string& path, bool& single_precision) {
  const SilentHdf5 silent;
  const Hdf5Handle file = open_frames(path);
  std::vector<std::string> fields;
  for (const char* group : {"/VTKHDF/PointData", "/VTKHDF/CellData"})
    for (const std::string& name : links_in(file.get(), group))
      if (name != "vertex_id" && name != "partition" && name != "region") fields.push_back(name);
  const Hdf5Handle points(H5Dopen2(file.get(), "/VTKHDF/Points", H5P_DEFAULT), H5Dclose), type(points ? H5Dget_type(points.get()) : -1, H5Tclose);
  single_precision = type && H5Tget_size(type.get()) == sizeof(float);
  return fields;
}

FrameFile::FrameFile(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept, double planned, bool single_precision)
    : communicator_(communicator), path_(directory + "/" + stem + ".hdf"), frames_(kept), planned_(planned), single_precision_(single_precision) {
  on_first_rank(communicator_, [&] {
    if (kept == 0) {
      remove_frames(directory, stem, 0);
      return;
    }
    const auto present = static_cast<int>(times_in_file(path_).size());
    if (present < kept)
      throw FileError(
          fmt::format("{}: has {} frames of the {} that the run has written; restore it from a copy, or run the scene from its start", path_, present, kept));
    const SilentHdf5 silent;
    ends_ = ends_of_frames(path_, static_cast<hsize_t>(kept));
    change_protected(path_, [&] {
      set_times(path_, static_cast<hsize_t>(kept), nullptr);
      set_number(path_, kept);
    });
  });
  broadcast_ends(communicator_, ends_);
}

// Room is made for all frames of a short run, and for a quarter more than there are of a long one.
double FrameFile::frames_ahead() const {
  constexpr double kLeast = 16, kPart = 0.25, kBeyondThePlan = 3;
  const double left = planned_ - frames_ - 1;
  return left < 0 ? kBeyondThePlan : std::min(left, std::max(kLeast, kPart * frames_));
}

std::vector<GrowingDataset> FrameFile::datasets(std::span<const Slab> slabs, bool are_shared) const {
  constexpr hsize_t kLeastBytes = 1 << 16, kMostBytes = 1 << 30;
  std::vector<GrowingDataset> found;
  for (const Slab& slab : slabs) {
    GrowingDataset dataset{.slab = slab, .rows = row_range(communicator_, slab.rows).total};
    const auto end = ends_.find(slab.path);
    dataset.first_row = end == ends_.end() ? 0 : end->second;
    const hsize_t bytes = std::max(1, slab.columns) * H5Tget_size(stored_type(slab.type));
    dataset.chunk_rows = std::clamp<hsize_t>(dataset.rows, are_shared ? 1 : kLeastBytes / bytes, kMostBytes / bytes);
    // In a file with one frame readers take the number of parts from the length of NumberOfPoints, so this must not be longer than needed.
    const bool counts = slab.path.starts_with(kRoot + "NumberOf");
    if (!are_shared && !(counts && frames_ == 0)) dataset.rows_ahead = static_cast<hsize_t>(frames_ahead()) * dataset.rows;
    found.push_back(dataset);
  }
  return found;
}

// A row of each dataset of Steps for the present frame, written by the first rank. `values` holds the numbers.
std::vector<GrowingDataset> FrameFile::steps(std::vector<std::int64_t>& values) const {
  std::vector<std::pair<std::string, std::int64_t>> numbers;
  for (const auto& [path, rows] : rows_) {
    if (const std::string offsets = offsets_of(path); !offsets.empty()) numbers.emplace_back(offsets, rows.first);
    if (path == kRoot + "NumberOfPoints") numbers.emplace_back(kSteps + "/NumberOfParts", rows.count);
  }
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  values.resize(numbers.size());
  std::vector<GrowingDataset> found;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values[i] = numbers[i].second;
    found.push_back({{numbers[i].first, NumberType::int64, 0, rank == 0 ? 1 : 0, &values[i]}, 1, static_cast<hsize_t>(frames_), kStepsPerChunk, 1});
  }
  return found;
}

void FrameFile::add(double time, const SlabFile& contents, std::span<const Slab> shared) {
  const SilentHdf5 silent;
  std::vector<std::vector<float>> room;
  std::vector<Slab> slabs;
  std::copy_if(contents.slabs.begin(), contents.slabs.end(), std::back_inserter(slabs), [](const Slab& slab) { return slab.path.starts_with(kRoot); });
  if (single_precision_) slabs = in_single_precision(std::move(slabs), room);
  std::vector<GrowingDataset> all = datasets(slabs, false), of_shared = datasets(shared, true);
  all.insert(all.end(), of_shared.begin(), of_shared.end());
  const std::map<std::string, Rows> rows_before = rows_;
  for (const GrowingDataset& dataset : all) rows_[dataset.slab.path] = {dataset.first_row, dataset.rows};
  std::vector<std::int64_t> values;
  for (const GrowingDataset& dataset : steps(values)) all.push_back(dataset);
  try {
    if (frames_ == 0) {
      create(time, contents, all);
    } else {
      on_first_rank(communicator_, [&] {
        if (!has_room(path_, all)) with_less_room_if_necessary(all, [&] { make_room(path_, all); });
        require_space(path_, all);
      });
      write_into_room(communicator_, path_, all);
      on_first_rank(communicator_, [&] { commit(time); });
    }
  } catch (...) {
    rows_ = rows_before;
    throw;
  }
  for (const GrowingDataset& dataset : all)
    if (!dataset.slab.path.starts_with(kSteps)) ends_[dataset.slab.path] = dataset.first_row + dataset.rows;
  ++frames_;
  flushed_ = false;
}

void FrameFile::create(double time, const SlabFile& contents, const std::vector<GrowingDataset>& datasets) {
  const std::string temporary = path_ + ".part";
  std::vector<SlabGroup> groups = contents.groups;
  for (SlabGroup& group : groups)
    if (!group.vtk_type.empty()) group.vtk_version = {2, 0};
  for (const char* group : {"", "/PointDataOffsets", "/CellDataOffsets"}) groups.push_back({.path = kSteps + group});
  std::vector<Slab> fixed;
  std::copy_if(contents.slabs.begin(), contents.slabs.end(), std::back_inserter(fixed), [](const Slab& slab) { return !slab.path.starts_with(kRoot); });
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  std::vector<GrowingDataset> all = datasets;
  all.push_back({{kSteps + "/Values", NumberType::float64, 0, rank == 0 ? 1 : 0, &time}, 1, 0, kStepsPerChunk, 0});
  try {
    on_first_rank(communicator_, [&] {
      with_less_room_if_necessary(all, [&] { make_growing_file(temporary, groups, fixed, all); });
      set_number(temporary, 1);
    });
    write_into_room(communicator_, temporary, all);
    on_first_rank(communicator_, [&] {
      std::error_code reason;
      fs::rename(temporary, path_, reason);
      require(!reason, path_ + ": cannot rename the finished file: " + reason.message());
    });
  } catch (...) {
    std::error_code ignored;
    if (rank == 0) fs::remove(temporary, ignored);
    throw;
  }
}

// The number of frames is changed before their times: VTK's reader takes all times that it finds, and has room for no more than the number.
void FrameFile::commit(double time) const {
  const auto change = [&] {
    set_number(path_, frames_ + 1);
    set_times(path_, static_cast<hsize_t>(frames_) + 1, &time);
  };
  const bool needs_chunk = static_cast<hsize_t>(frames_) % kStepsPerChunk == 0;
  if (needs_chunk) change_protected(path_, change);
  else change();
}

void FrameFile::flush() {
  if (flushed_) return;
  on_all_ranks(communicator_, [&] { flush_to_disk(path_); });  // each rank's node may hold a part in memory
  flushed_ = true;
}

}  // namespace traction
