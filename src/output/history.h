// history.csv: one row per step, header on line 1, SI units.
#pragma once

#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace traction {

// Serial: only rank 0 constructs and writes one. Rows are flushed as they are written. Throws FileError when the file can't be written.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, std::vector<std::string> columns);
  // Goes on with an existing file.
  explicit HistoryWriter(const std::string& path);
  void append(std::span<const double> row);   // as many values as columns; integers print as integers, others with 17 significant digits trimmed

 private:
  std::string path_;
  std::size_t columns_;
  std::ofstream file_;
};

}  // namespace traction
