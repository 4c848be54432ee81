// history.csv: one row per step, header on line 1, SI units.
#pragma once

#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace traction {

// Serial: only rank 0 constructs and writes one. The first column is the step. Rows are flushed as they are written. Throws FileError when the file can't be written.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns);
  // Goes on after the row of `last_step` in an existing file, and drops what follows it. Throws InputError when the file has other columns, or lacks a row up to there.
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns, long last_step);
  void append(std::span<const double> row);   // as many values as columns; integers print as integers, others with 17 significant digits trimmed

 private:
  std::string path_;
  std::size_t columns_;
  std::ofstream file_;
};

}  // namespace traction
