// history.csv: one row per step, header on line 1, SI units.
#pragma once

#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace traction {

// Serial: only rank 0 constructs and writes one. The first column is the step. Rows are flushed as they are written. Throws FileError when the file can't be
// written.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns);
  // Goes on after the row of `last_step` in an existing file, and drops what follows it. The file may have begun late, even after that step: then it is left
  // without rows. Throws InputError when it has other columns, or lacks a row between its first and that of `last_step`.
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns, long last_step);
  bool has_earlier_rows() const { return last_step_.has_value(); }
  void append(std::span<const double> row);  // as many values as columns; integers print as integers, others with 17 significant digits trimmed

 private:
  std::string path_;
  std::size_t columns_;
  std::optional<long> last_step_;  // of the rows it went on after
  std::ofstream file_;
};

}  // namespace traction
