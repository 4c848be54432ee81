#include "output/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "errors.h"

namespace traction {

namespace {

// The shortest digits that read back as the same number, at most 17.
std::string written(double value) {
  constexpr double kLargestExactInteger = 9007199254740992;
  if (std::trunc(value) == value && std::abs(value) <= kLargestExactInteger) return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
}

// Continues a hash of 64 bits by a line (Fowler, Noll and Vo's FNV-1a).
std::uint64_t hash_with(std::uint64_t hash, const std::string& line) {
  for (const char c : line + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

void write_line(std::ofstream& file, const std::string& path, const std::string& line) {
  file << line << '\n' << std::flush;
  if (!file) throw FileError(path + ": cannot write; check that the folder is writable and the disk is not full");
}

}  // namespace

HistoryWriter::HistoryWriter(const std::string& path, const std::vector<std::string>& columns)
    : path_(path), columns_(columns.size()), file_(path, std::ios::trunc) {
  const std::string line = fmt::format("{}", fmt::join(columns, ","));
  write_line(file_, path_, line);
  hash_ = hash_with(hash_, line);
  bytes_ = line.size() + 1;
}

HistoryWriter::HistoryWriter(const std::string& path, const std::vector<std::string>& columns, long last_step, std::optional<double> checksum)
    : path_(path), columns_(columns.size()) {
  constexpr const char* kRemedy = "restore the run's own file, or move this one away, so that a new one starts at the checkpoint";
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) throw InputError(fmt::format("{}: is no file; {}", path, kRemedy));
  std::ifstream input(path);
  std::string line;
  if (!std::getline(input, line)) throw FileError(path + ": cannot be read, so that the run cannot continue it; restore the file, or make it readable");
  if (line != fmt::format("{}", fmt::join(columns, ","))) throw InputError(fmt::format("{}:1: not the columns of this run; {}", path, kRemedy));
  hash_ = hash_with(hash_, line);
  std::uintmax_t kept = line.size() + 1;  // bytes
  long number = 1;                        // number of the line
  while (last_step_.value_or(0) < last_step) {
    ++number;
    long step = 0;
    const bool whole = std::getline(input, line) && !input.eof();
    if (!whole && !last_step_) break;
    if (!whole) throw InputError(fmt::format("{}:{}: ends before step {}, from which the run continues; {}", path, number, last_step, kRemedy));
    const bool read = std::from_chars(line.data(), line.data() + line.size(), step).ec == std::errc() &&
                      std::count(line.begin(), line.end(), ',') + 1 == static_cast<long>(columns_);
    if (!read || (last_step_ && step != *last_step_ + 1)) throw InputError(fmt::format("{}:{}: not the row of the next step; {}", path, number, kRemedy));
    if (step > last_step) break;  // the file began after that step
    last_step_ = step;
    kept += line.size() + 1;
    hash_ = hash_with(hash_, line);
  }
  input.close();
  if (last_step_ && checksum && *checksum != this->checksum())
    throw InputError(fmt::format("{}: was changed since the run wrote it, somewhere before the end of step {}; {}", path, last_step, kRemedy));
  std::error_code reason;
  std::filesystem::resize_file(path, kept, reason);
  file_.open(path, std::ios::app);
  if (reason || !file_) throw FileError(path + ": cannot be written, so that the run cannot continue it; make it writable");
  bytes_ = kept;
}

void HistoryWriter::append(std::span<const double> row) {
  if (row.size() != columns_) throw std::logic_error(fmt::format("{}: a row of {} values for {} columns", path_, row.size(), columns_));
  std::string line;
  for (double value : row) line += (line.empty() ? "" : ",") + written(value);
  try {
    write_line(file_, path_, line);
  } catch (const FileError&) {
    file_.close();
    file_.clear();
    std::error_code ignored;
    std::filesystem::resize_file(path_, bytes_, ignored);
    file_.open(path_, std::ios::app);
    throw;
  }
  hash_ = hash_with(hash_, line);
  bytes_ += line.size() + 1;
}

double HistoryWriter::checksum() const {
  constexpr int kExcess = 64 - std::numeric_limits<double>::digits;  // bits that a checkpoint's numbers cannot hold
  return static_cast<double>(hash_ >> kExcess);
}

}  // namespace traction
