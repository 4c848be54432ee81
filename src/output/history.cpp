#include "output/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "errors.h"

namespace traction {

namespace {

// Shortest digits that read back as the same number, 17 at most.
std::string written(double value) {
  constexpr double kLargestExactInteger = 9007199254740992;
  if (std::trunc(value) == value && std::abs(value) <= kLargestExactInteger) return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
}

void write_line(std::ofstream& file, const std::string& path, const std::string& line) {
  file << line << '\n' << std::flush;
  if (!file) throw FileError(path + ": cannot write; is the folder writable and the disk not full?");
}

}  // namespace

HistoryWriter::HistoryWriter(const std::string& path, std::vector<std::string> columns)
    : path_(path), columns_(columns.size()), file_(path, std::ios::trunc) {
  write_line(file_, path_, fmt::format("{}", fmt::join(columns, ",")));
}

HistoryWriter::HistoryWriter(const std::string& path) : path_(path), file_(path, std::ios::app) {
  std::string header;
  std::getline(std::ifstream(path), header);
  if (header.empty() || !file_) throw FileError(path + ": cannot go on with it; is it there and writable?");
  columns_ = 1 + static_cast<std::size_t>(std::count(header.begin(), header.end(), ','));
}

void HistoryWriter::append(std::span<const double> row) {
  if (row.size() != columns_) throw std::logic_error(fmt::format("{}: a row of {} values for {} columns", path_, row.size(), columns_));
  std::string line;
  for (double value : row) line += (line.empty() ? "" : ",") + written(value);
  write_line(file_, path_, line);
}

}  // namespace traction
