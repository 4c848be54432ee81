// history.csv: one row per step, header on line 1, SI units.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace traction {

/// Serial: only rank 0 constructs and writes one. The first column is the step. Rows are flushed as they are written. Throws FileError when the file can't be
/// written.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns);
  /// Continues an existing file after the row of `last_step`, and removes later rows. A file that began after that step is left without rows. Throws InputError
  /// if it has other columns, lacks a row between its first one and that of `last_step`, or has another checksum up to that row than `checksum`.
  HistoryWriter(const std::string& path, const std::vector<std::string>& columns, long last_step, std::optional<double> checksum = {});
  bool has_earlier_rows() const { return last_step_.has_value(); }
  /// Appends as many values as columns; integers print as integers, others with 17 significant digits trimmed. A row that cannot be written leaves nothing
  /// behind, and can be appended again.
  void append(std::span<const double> row);
  double checksum() const;  ///< checksum of the whole file; an integer

 private:
  std::string path_;
  std::size_t columns_;
  std::optional<long> last_step_;  ///< the last row kept from an earlier run
  std::ofstream file_;
  std::uint64_t hash_ = 0;    ///< of all lines
  std::uintmax_t bytes_ = 0;  ///< length of all lines
};

}  // namespace traction
