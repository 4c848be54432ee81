// The lowest level of reading a .msh file: lines, and numbers that are written as text or as bytes. Internal to this folder.
//
// Text is read record by record, a record being one line, so that a missing number is reported at its own line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace traction {

/// Reads the numbers and lines of a .msh file one after the other.
class GmshFile {
 public:
  GmshFile(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {}

  void set_binary(std::size_t size_width);  ///< the bytes of a size_t on the machine that wrote the file
  void set_swapped() { swapped_ = true; }
  bool is_binary() const { return binary_; }
  const std::string& path() const { return path_; }

  bool at_end();                             ///< whether only white space follows
  std::string_view line();                   ///< the rest of the line without the blanks around it; the next line is then current
  std::string_view next_line();              ///< the first line that isn't blank
  bool skip_section(std::string_view name);  ///< false if its $End line is missing

  /// A number in the encoding of the file; in binary files of 4 bytes, size_width bytes, and 8 bytes. `what` names it in messages.
  std::int64_t integer(std::string_view what);
  std::int64_t size(std::string_view what);
  double real(std::string_view what);
  void end_record();  ///< in text: the line must hold nothing more

  /// The same for numbers that are text even in binary files.
  std::int64_t text_integer(std::string_view what);
  void end_text_record();

  /// Throws unless `count` items of at least this many bytes each can follow and can be numbered by an int.
  void require_room(std::int64_t count, std::size_t text_bytes, std::size_t binary_bytes, std::string_view what);

  /// Throws InputError, placed at the number or line that was read last.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::string_view word(std::string_view what);
  template <typename T>
  T raw(std::string_view what);

  std::string path_, bytes_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;  ///< where the last number or line starts
  bool binary_ = false, swapped_ = false, in_record_ = false;
  std::size_t size_width_ = 8;
};

}  // namespace traction
