#include "mesh/formats/check_vtk_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include "errors.h"

namespace traction {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

class LegacyWalk {
 public:
  LegacyWalk(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

  void check() {
    read_header();
    for (std::string keyword = next_keyword(); keyword != "cell_data" && keyword != "point_data" && !keyword.empty(); keyword = next_keyword()) {
      if (keyword == "dataset") read_dataset();
      else if (keyword == "points") skip_points();
      else if (keyword == "cells") version_ < 5 ? check_cells() : skip_cells();
      else if (keyword == "cell_types") check_types();
      else if (keyword == "field") skip_field();
      else if (keyword == "metadata") skip_metadata();
      else fail("a section that doesn't belong to an unstructured grid");
    }
    if (types_ != cells_ || types_ < 0) fail("the types of some cells are missing");
    if (!binary_) check_escapes();
    check_data();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const char* remedy = "Write it again as an unstructured grid";
    if (binary_) throw InputError(fmt::format("{}: at byte {}: {}. {}", path_, last_, what, remedy));
    const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(last_), '\n');
    throw InputError(fmt::format("{}:{}: {}. {}", path_, line, what, remedy));
  }

  std::string_view line() {
    last_ = position_;
    const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
    position_ = std::min(end + 1, bytes_.size());
    return std::string_view(bytes_).substr(last_, end - last_);
  }

  std::string_view word() {
    while (position_ < bytes_.size() && is_space(bytes_[position_])) ++position_;
    last_ = position_;
    while (position_ < bytes_.size() && !is_space(bytes_[position_])) ++position_;
    return std::string_view(bytes_).substr(last_, position_ - last_);
  }

  std::string next_keyword() { return lower_case(word()); }

  template <typename T>
  T number() {
    const std::string_view text = word();
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty()) fail("the file ends where a number is expected");
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) fail("a number is expected here");
    return value;
  }

  // Reads a count of items that take at least one byte each.
  std::int64_t count() {
    const auto value = number<std::int64_t>();
    if (value < 0) fail(fmt::format("{} are announced, but a count is never negative", value));
    if (static_cast<std::uint64_t>(value) > bytes_.size() - position_ || value > std::numeric_limits<int>::max())
      fail(fmt::format("{} are announced, more than the rest of the file can hold", value));
    return value;
  }

  std::int64_t bytes_of(const std::string& type) const {
    if (type == "char" || type == "unsigned_char" || type == "signed_char" || type == "vtktypeint8" || type == "vtktypeuint8") return 1;
    if (type == "short" || type == "unsigned_short" || type == "vtktypeint16" || type == "vtktypeuint16") return 2;
    if (type == "int" || type == "unsigned_int" || type == "float" || type == "vtkidtype" || type == "vtktypeint32" || type == "vtktypeuint32") return 4;
    if (type == "long" || type == "unsigned_long" || type == "double" || type == "vtktypeint64" || type == "vtktypeuint64") return 8;
    fail("arrays of this type aren't supported ahead of the cells");
  }

  void skip_bytes(std::int64_t size) {
    line();
    last_ = position_;
    if (size < 0 || static_cast<std::uint64_t>(size) > bytes_.size() - position_) fail("the file ends before its array does");
    position_ += static_cast<std::size_t>(size);
  }

  void skip_values(std::int64_t values, const std::string& type) {
    const std::int64_t width = bytes_of(type);
    if (binary_) skip_bytes(values * width);
    else
      for (std::int64_t i = 0; i < values; ++i) number<double>();
  }

  void read_header() {
    constexpr std::string_view kStart = "# vtk DataFile Version ";
    const std::string_view first = line();
    if (!first.starts_with(kStart)) fail("a legacy VTK file starts with '# vtk DataFile Version'");
    // VTK reads a number that it does not understand as version 0.
    const char *end = first.data() + first.size(), *start = first.data() + kStart.size();
    const auto [dot, error] = std::from_chars(start, end, version_);
    int minor = 0;
    if (error != std::errc() || version_ < 0 || dot == end || *dot != '.' || std::from_chars(dot + 1, end, minor).ec != std::errc() || minor < 0)
      fail("the version of the format should be two numbers, such as 4.2");
    line();
    const std::string encoding = next_keyword();
    if (encoding != "ascii" && encoding != "binary") fail("ASCII or BINARY is expected here");
    binary_ = encoding == "binary";
  }

  void read_dataset() {
    const std::string type = next_keyword();
    if (type != "unstructured_grid") fail("the file doesn't hold an unstructured grid");
  }

  void skip_points() {
    const std::int64_t points = count();
    skip_values(3 * points, next_keyword());
  }

  // Before version 5: each cell is the number of its vertices, then the vertices.
  void check_cells() {
    cells_ = count();
    const std::int64_t size = count();
    std::size_t start = 0;
    if (binary_) {
      skip_bytes(4 * size);
      start = last_;
    }
    std::int64_t left = size;
    const auto next = [&] {
      if (--left < 0) fail("the cells need more numbers than announced");
      if (!binary_) return number<std::int32_t>();
      unsigned char raw[4];
      last_ = start;
      std::memcpy(raw, bytes_.data() + start, 4);
      start += 4;
      return static_cast<std::int32_t>(std::uint32_t{raw[0]} << 24 | std::uint32_t{raw[1]} << 16 | std::uint32_t{raw[2]} << 8 | raw[3]);
    };
    for (std::int64_t cell = 0; cell < cells_; ++cell) {
      const std::int32_t vertices = next();
      if (vertices < 0) fail(fmt::format("the cell {} has {} vertices, but a count is never negative", cell + 1, vertices));
      if (vertices > left) fail(fmt::format("the cell {} has {} vertices, more than the list of cells can hold", cell + 1, vertices));
      for (std::int32_t i = 0; i < vertices; ++i) next();
    }
    if (left != 0) fail(fmt::format("the cells need {} numbers fewer than announced", left));
  }

  // From version 5 on: offsets and connectivity, whose contents VTK itself can check.
  void skip_cells() {
    const std::int64_t offsets = count(), connectivity = count();
    if (offsets < 1) fail("there are no cells");
    cells_ = offsets - 1;
    if (next_keyword() != "offsets") fail("OFFSETS is expected here");
    skip_values(offsets, next_keyword());
    if (next_keyword() != "connectivity") fail("CONNECTIVITY is expected here");
    skip_values(connectivity, next_keyword());
  }

  void check_types() {
    types_ = count();
    if (types_ != cells_) fail(fmt::format("there are {} types for {} cells", types_, std::max<std::int64_t>(cells_, 0)));
    constexpr std::int64_t kPolyhedron = 42;
    const auto check_type = [&](std::int64_t type) {  // without faces, which only some files have, VTK would read past its end
      if (type == kPolyhedron) fail("a polyhedron: only tetrahedra and triangles are supported");
    };
    if (!binary_) {
      for (std::int64_t i = 0; i < types_; ++i) check_type(number<std::int64_t>());
      return;
    }
    skip_bytes(4 * types_);
    for (std::size_t at = last_; at < position_; at += 4)
      check_type(std::int64_t{static_cast<unsigned char>(bytes_[at])} << 24 | std::int64_t{static_cast<unsigned char>(bytes_[at + 1])} << 16 |
                 std::int64_t{static_cast<unsigned char>(bytes_[at + 2])} << 8 | static_cast<unsigned char>(bytes_[at + 3]));
  }

  void skip_field() {
    word();
    const std::int64_t arrays = count();
    for (std::int64_t i = 0; i < arrays; ++i) {
      word();
      const std::int64_t components = count(), tuples = count();
      if (components > 0 && tuples > std::numeric_limits<int>::max() / components) fail("the array is too large");
      skip_values(components * tuples, next_keyword());
    }
  }

  // Ends with an empty line.
  void skip_metadata() {
    line();
    while (position_ < bytes_.size()) {
      const std::string_view text = line();
      if (std::all_of(text.begin(), text.end(), is_space)) return;
    }
  }

  // Signs in names and strings may be written as % and two hexadecimal digits. VTK writes past the end of a string that ends within such a code.
  void check_escapes() {
    const auto is_digit = [&](std::size_t at) { return at < bytes_.size() && std::isxdigit(static_cast<unsigned char>(bytes_[at])); };
    for (std::size_t at = bytes_.find('%', position_); at != std::string::npos; at = bytes_.find('%', at + 1)) {
      last_ = at;
      if (!is_digit(at + 1) || !is_digit(at + 2)) fail("a % should be followed by two hexadecimal digits");
    }
  }

  // Checks arrays in the data that follow the cells, because VTK allocates memory before it reads them: "NAME COMPONENTS TUPLES TYPE" on a line, then at least
  // one byte for each value. In a binary file strings begin with their length, whose first two bits give the number of bytes of the length.
  void check_data() {
    static constexpr std::string_view kTypes[] = {"bit",   "char",   "signed_char", "unsigned_", "short",  "int",         "long",
                                                  "float", "double", "vtkidtype",   "vtktype",   "string", "utf8_string", "variant"};
    const auto is_number = [](std::string_view text, std::int64_t& value) {
      return !text.empty() && std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size();
    };
    std::string_view first, second;  // the two words before
    for (std::string_view type = word(); !type.empty(); first = std::exchange(second, type), type = word()) {
      std::int64_t rows = 0, columns = 0;
      const std::string lower = lower_case(type);
      const bool is_type = std::any_of(std::begin(kTypes), std::end(kTypes), [&](std::string_view start) { return lower.starts_with(start); });
      if (!is_type || !is_number(first, columns) || !is_number(second, rows)) continue;  // not the head of an array
      const auto left = static_cast<std::int64_t>(bytes_.size() - position_);
      if (rows < 0 || columns < 0) fail(fmt::format("an array of {} times {} values is announced, but a count is never negative", rows, columns));
      if (columns > 0 && rows > left / columns) fail("an array is announced to be longer than the rest of the file");
      if (!binary_ || !lower.starts_with("string")) continue;
      std::size_t start = position_ + 1;
      for (std::int64_t i = 0; i < rows * columns; ++i) start = end_of_string(start);
      position_ = start;
    }
  }

  std::size_t end_of_string(std::size_t start) {
    last_ = std::min(start, bytes_.size());
    const std::size_t left = bytes_.size() - last_;
    const unsigned first = left > 0 ? static_cast<unsigned char>(bytes_[start]) : 0;
    const std::size_t width = std::size_t{8} >> (first >> 6);  // 3: a byte, 2: two, 1: four, 0: eight
    std::uint64_t length = first & 0x3F;
    for (std::size_t i = 1; i < width && i < left; ++i) length = length << 8 | static_cast<unsigned char>(bytes_[start + i]);
    if (left < width || length > left - width) fail("a string is longer than the rest of the file");
    return start + width + static_cast<std::size_t>(length);
  }

  const std::string& path_;
  const std::string& bytes_;
  std::size_t position_ = 0, last_ = 0;
  bool binary_ = false;
  int version_ = 0;
  std::int64_t cells_ = -1, types_ = -1;
};

}  // namespace

void check_legacy_vtk(const std::string& path, const std::string& bytes) { LegacyWalk(path, bytes).check(); }

namespace {

// The value of an attribute in the start tag of an element; empty if it has no such attribute.
std::string_view attribute(std::string_view element, std::string_view name) {
  for (std::size_t at = element.find(name); at != std::string_view::npos; at = element.find(name, at + 1)) {
    const std::size_t equals = at + name.size();
    if (at == 0 || !is_space(element[at - 1]) || equals + 1 >= element.size() || element[equals] != '=') continue;
    const char quote = element[equals + 1];
    const std::size_t close = element.find(quote, equals + 2);
    if ((quote == '"' || quote == '\'') && close != std::string_view::npos) return element.substr(equals + 2, close - equals - 2);
  }
  return {};
}

// The number in the text, or 0 if it is not a number.
std::int64_t count_of(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::max<std::int64_t>(value, 0);
}

// VTK puts as many strings into an array as it finds, even if the array is shorter. In text files they are the codes of their letters, each string ended by a
// zero; elsewhere they cannot be counted before VTK reads them.
void check_xml_strings(const std::string& path, std::string_view text) {
  std::int64_t points = 0, cells = 0, room = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::size_t end = std::min(text.find('>', at), text.size());
    const std::string_view element = text.substr(at, end - at);
    if (element.starts_with("<Piece")) points = count_of(attribute(element, "NumberOfPoints")), cells = count_of(attribute(element, "NumberOfCells"));
    if (element.starts_with("<PointData")) room = points;
    if (element.starts_with("<CellData")) room = cells;
    if (element.starts_with("<FieldData")) room = 0;  // these arrays contain their own lengths
    if (lower_case(attribute(element, "type")) != "string" && !element.starts_with("<Array")) continue;
    const auto fail = [&](const char* what) {
      throw InputError(fmt::format("{}:{}: {}", path, 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'), what));
    };
    if (attribute(element, "format") != "ascii") fail("strings that aren't written as text can't be read. Write the file as ASCII, or the regions as integers");
    const std::int64_t expected = room > 0 ? room : count_of(attribute(element, "NumberOfTuples"));
    std::istringstream codes{std::string(text.substr(std::min(end + 1, text.size()), text.find('<', end) - end - 1))};
    std::int64_t strings = 0;
    for (long code = 0; codes >> code;) strings += code % 256 == 0;
    if (strings > expected) fail("the array holds more strings than there are places for. Write it again as an unstructured grid");
  }
}

}  // namespace

void check_xml_vtk(const std::string& path, const std::string& bytes) {
  // Only the part before appended data is text.
  const std::string_view text = std::string_view(bytes).substr(0, bytes.find("<AppendedData"));
  constexpr std::string_view kCount = "NumberOf";
  for (std::size_t at = text.find(kCount); at != std::string_view::npos; at = text.find(kCount, at + 1)) {
    const std::size_t equals = text.find('=', at), open = text.find_first_of("\"'", at);
    if (equals == std::string_view::npos || open == std::string_view::npos || open < equals) continue;
    const std::size_t close = text.find(text[open], open + 1);
    if (close == std::string_view::npos) continue;
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data() + open + 1, text.data() + close, value);
    // Compressed data may expand to more numbers than the file has bytes, but only up to a limit.
    const bool plausible = value <= std::numeric_limits<int>::max() && static_cast<std::uint64_t>(value) / 4096 <= bytes.size();
    if (error != std::errc() || end != text.data() + close || value < 0 || !plausible)
      throw InputError(fmt::format("{}:{}: {} can't be right. Write it again as an unstructured grid", path,
                                   1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
                                   text.substr(at, std::min<std::size_t>(equals - at, 40))));
  }
  check_xml_strings(path, text);
}

}  // namespace traction
