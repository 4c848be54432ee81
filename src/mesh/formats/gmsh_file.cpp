#include "mesh/formats/gmsh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "errors.h"
#include "mesh/formats/file_text.h"

namespace traction {

namespace {

bool is_blank_or_newline(char c) { return is_blank(c) || c == '\n'; }

}  // namespace

void GmshFile::set_binary(std::size_t size_width) {
  binary_ = true;
  size_width_ = size_width;
}

bool GmshFile::at_end() {
  while (position_ < bytes_.size() && is_blank_or_newline(bytes_[position_])) ++position_;
  return position_ == bytes_.size();
}

std::string_view GmshFile::line() {
  while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
  last_ = position_;
  const std::size_t newline = std::min(bytes_.find('\n', position_), bytes_.size());
  std::size_t end = newline;
  while (end > position_ && is_blank(bytes_[end - 1])) --end;
  const std::string_view result = std::string_view(bytes_).substr(position_, end - position_);
  position_ = std::min(newline + 1, bytes_.size());
  in_record_ = false;
  return result;
}

std::string_view GmshFile::next_line() {
  at_end();
  return line();
}

bool GmshFile::skip_section(std::string_view name) {
  const std::string end = fmt::format("\n$End{}", name);
  // The newline before an empty section's end is the one that ended its first line.
  std::size_t found = position_ == 0 ? 0 : position_ - 1;
  for (;;) {
    found = bytes_.find(end, found);
    if (found == std::string::npos) return false;
    const std::size_t after = found + end.size();
    if (after == bytes_.size() || is_blank_or_newline(bytes_[after])) break;
    found = after;
  }
  position_ = found + 1;
  line();
  return true;
}

std::string_view GmshFile::word(std::string_view what) {
  if (!in_record_) at_end();
  in_record_ = true;
  while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
  last_ = position_;
  if (position_ == bytes_.size()) fail(fmt::format("the file ends where {} is expected. It's cut short: write it again", what));
  if (bytes_[position_] == '\n') fail(fmt::format("the line ends where {} is expected. Write the mesh again with Gmsh", what));
  while (position_ < bytes_.size() && !is_blank_or_newline(bytes_[position_])) ++position_;
  return std::string_view(bytes_).substr(last_, position_ - last_);
}

template <typename T>
T GmshFile::raw(std::string_view what) {
  last_ = position_;
  if (bytes_.size() - position_ < sizeof(T)) fail(fmt::format("the file ends where {} is expected. It's cut short: write it again", what));
  char buffer[sizeof(T)];
  std::memcpy(buffer, bytes_.data() + position_, sizeof(T));
  if (swapped_) std::reverse(buffer, buffer + sizeof(T));
  position_ += sizeof(T);
  T value;
  std::memcpy(&value, buffer, sizeof(T));
  return value;
}

std::int64_t GmshFile::text_integer(std::string_view what) {
  const std::string_view text = word(what), digits = without_plus(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(fmt::format("'{}' where {}, a whole number, is expected. Write the mesh again with Gmsh", printable(text), what));
  return value;
}

std::int64_t GmshFile::integer(std::string_view what) {
  if (binary_) return raw<std::int32_t>(what);
  const std::int64_t value = text_integer(what);
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
    fail(fmt::format("{} is {}, too large to be right. Write the mesh again with Gmsh", what, value));
  return value;
}

std::int64_t GmshFile::size(std::string_view what) {
  std::int64_t value = 0;
  if (!binary_) value = text_integer(what);
  else if (size_width_ == 4) value = raw<std::uint32_t>(what);
  else value = raw<std::int64_t>(what);
  if (value < 0) fail(fmt::format("{} is negative or too large to be right. Write the mesh again with Gmsh", what));
  return value;
}

double GmshFile::real(std::string_view what) {
  if (binary_) return raw<double>(what);
  const std::string_view text = word(what), digits = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    fail(fmt::format("'{}' where {}, a number, is expected. Write the mesh again with Gmsh", printable(text), what));
  // A number that is too small becomes zero; one that is too large becomes infinite and is rejected with other non-finite numbers.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(digits).c_str(), nullptr);
  return value;
}

void GmshFile::end_text_record() {
  while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
  last_ = position_;
  if (position_ < bytes_.size() && bytes_[position_] != '\n') {
    const std::string_view rest = line();
    fail(fmt::format("'{}' follows where the line should end. Write the mesh again with Gmsh", printable(rest)));
  }
  position_ = std::min(position_ + 1, bytes_.size());
  in_record_ = false;
}

void GmshFile::end_record() {
  if (!binary_) end_text_record();
}

void GmshFile::require_room(std::int64_t count, std::size_t text_bytes, std::size_t binary_bytes, std::string_view what) {
  // The last line of a text may lack its newline.
  const std::size_t left = bytes_.size() - position_ + (binary_ ? 0 : 1);
  if (count < 0) fail(fmt::format("{} {} are announced, but a count is never negative. Write the mesh again", count, what));
  if (static_cast<std::uint64_t>(count) > left / (binary_ ? binary_bytes : text_bytes))
    fail(fmt::format("{} {} are announced, more than the rest of the file can hold. It's cut short or damaged: write it again", count, what));
  if (count > std::numeric_limits<int>::max()) fail(fmt::format("{} {} are more than can be numbered. Use a coarser mesh", count, what));
}

void GmshFile::fail(std::string_view what) const {
  if (binary_) throw InputError(fmt::format("{}: at byte {}: {}", path_, last_, what));
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(last_), '\n');
  throw InputError(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace traction
