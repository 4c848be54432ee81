#include "mesh/formats/inp_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "errors.h"
#include "mesh/formats/file_text.h"
#include "mesh/formats/mesh_formats.h"

namespace traction {

namespace {

constexpr std::size_t kDeepest = 6;  // files that are open at once: Abaqus allows five levels of includes

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquoted(std::string_view text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string without_blanks(std::string_view text) {
  std::string result = inp_capitals(text);
  std::erase_if(result, is_blank);
  return result;
}

// Calls `take` with each part of a line between commas, without the blanks around it. Commas in quotes are part of a label.
template <typename Take>
void split(std::string_view line, Take take) {
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != ',' || quoted)) continue;
    take(trimmed(line.substr(start, i - start)));
    start = i + 1;
  }
}

}  // namespace

std::string inp_capitals(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

InpFile::InpFile(const std::string& path) { open(path); }

void InpFile::open(const std::string& path) {
  Open file{read_bytes(path)};
  file.file = static_cast<int>(paths_.size());
  if (file.bytes.starts_with("\xEF\xBB\xBF")) file.position = 3;  // the byte order mark that some editors write
  paths_.push_back(path);
  open_.push_back(std::move(file));
}

// A line with the blanks around it removed, of the innermost file that is open; false at the end of the outermost.
bool InpFile::raw_line(std::string_view& line) {
  for (;;) {
    Open& file = open_.back();
    if (file.position < file.bytes.size()) {
      const std::size_t newline = std::min(file.bytes.find('\n', file.position), file.bytes.size());
      line = trimmed(std::string_view(file.bytes).substr(file.position, newline - file.position));
      file.position = newline + 1;
      ++file.line;
      return true;
    }
    if (open_.size() == 1) return false;
    open_.pop_back();
  }
}

bool InpFile::next_line(std::string_view& line) {
  while (raw_line(line)) {
    if (line.empty() || line.starts_with("**")) continue;
    if (line[0] == '*') {
      const std::string word = without_blanks(line.substr(1, line.find(',') - 1));
      if (word == "INCLUDE") {
        include(line);
        continue;
      }
    }
    return true;
  }
  return false;
}

void InpFile::include(std::string_view line) {
  place_ = read_place();
  std::string name;
  split(line, [&](std::string_view part) {
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos && without_blanks(part.substr(0, equals)) == "INPUT") name = unquoted(trimmed(part.substr(equals + 1)));
  });
  if (name.empty()) fail("*INCLUDE without INPUT=FILE. Name the file");
  namespace fs = std::filesystem;
  const std::string path = (fs::path(paths_[open_.back().file]).parent_path() / name).string();
  std::error_code unknown;  // set for names that are too long, or in folders that may not be read
  if (!fs::is_regular_file(path, unknown)) fail(fmt::format("*INCLUDE: no such file: {}. Its name is relative to the folder of this file", printable(name)));
  if (open_.size() >= kDeepest) fail("*INCLUDE in more than five files inside each other. Put them into one");
  for (const Open& file : open_)
    if (fs::equivalent(path, paths_[file.file], unknown)) fail(fmt::format("*INCLUDE of {} inside itself. Remove it", printable(name)));
  open(path);
}

bool InpFile::next_keyword() {
  std::string_view line;
  while (!is_pending_) {
    const bool found = next_line(line);
    place_ = read_place();
    if (!found) return false;
    if (line[0] == '*') {
      keyword_place_ = place_;
      pending_ = line;
      is_pending_ = true;
    } else if (keyword_.empty()) {
      fail("a keyword, such as *NODE, should come before data. Give an input file of Abaqus, CalculiX or Gmsh");
    }
  }
  is_pending_ = false;
  place_ = keyword_place_;
  std::string whole = std::move(pending_);
  while (whole.ends_with(',') && next_line(line)) {
    if (line[0] == '*') fail_at(keyword_place_, "the line ends with a comma, but the next one doesn't continue it. Remove the comma");
    whole += line;
  }
  read_keyword(whole);
  return true;
}

void InpFile::read_keyword(std::string_view line) {
  keyword_.clear();
  parameters_.clear();
  split(line.substr(1), [&](std::string_view part) {
    if (keyword_.empty()) {
      keyword_ = without_blanks(part);
      if (keyword_.empty()) fail_at(keyword_place_, "a star without a keyword. Remove the line, or begin a comment with two stars");
      return;
    }
    if (part.empty()) return;
    const std::size_t equals = part.find('=');
    std::string key = without_blanks(part.substr(0, equals));
    if (has(key)) fail_at(keyword_place_, fmt::format("*{} has the parameter {} twice. Remove one", printable(keyword_), printable(key)));
    std::optional<std::string> value;
    if (equals != std::string_view::npos) value = std::string(unquoted(trimmed(part.substr(equals + 1))));
    parameters_.emplace_back(std::move(key), std::move(value));
  });
}

bool InpFile::has(std::string_view parameter) const {
  return std::any_of(parameters_.begin(), parameters_.end(), [&](const auto& each) { return each.first == parameter; });
}

std::optional<std::string> InpFile::value(std::string_view parameter) const {
  for (const auto& [key, value] : parameters_) {
    if (key != parameter) continue;
    if (!value || value->empty()) fail_at(keyword_place_, fmt::format("{} of *{} has no value. Write {}=VALUE", parameter, printable(keyword_), parameter));
    return value;
  }
  return std::nullopt;
}

std::string InpFile::required_value(std::string_view parameter) const {
  const std::optional<std::string> found = value(parameter);
  if (!found) fail_at(keyword_place_, fmt::format("*{} needs {}=VALUE. Add it", printable(keyword_), parameter));
  return *found;
}

bool InpFile::next_data() {
  std::string_view line;
  if (is_pending_ || !next_line(line)) return false;
  if (line[0] == '*') {
    keyword_place_ = read_place();
    pending_ = line;
    is_pending_ = true;
    return false;
  }
  place_ = read_place();
  words_.clear();
  split(line, [&](std::string_view word) { words_.push_back(unquoted(word)); });
  if (words_.size() > 1 && words_.back().empty()) words_.pop_back();
  return true;
}

bool InpFile::is_number(std::size_t i) const {
  const std::string_view text = words_[i];
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-' || text[0] == '+' || text[0] == '.');
}

std::int64_t InpFile::label(std::size_t i, std::string_view what) const {
  if (i >= words_.size()) fail(fmt::format("the line ends where {} is expected. Complete it", what));
  const std::string_view text = words_[i];
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > std::numeric_limits<std::int32_t>::max())
    fail(fmt::format("'{}' where {}, a whole number from 1 to 2147483647, is expected. Correct it", printable(text), what));
  return value;
}

double InpFile::real(std::size_t i, std::string_view what) const {
  if (i >= words_.size()) fail(fmt::format("the line ends where {} is expected. Complete it", what));
  std::string text(words_[i]);
  // Fortran's exponents of double precision.
  for (char& c : text)
    if (c == 'd' || c == 'D') c = 'e';
  const std::string_view digits = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(text.c_str(), nullptr);  // the value is 0 if it is too small
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(fmt::format("'{}' where {}, a finite number such as 1.5E-3, is expected. Correct it", printable(words_[i]), what));
  return value;
}

double InpFile::real_or_zero(std::size_t i, std::string_view what) const { return i >= words_.size() || words_[i].empty() ? 0 : real(i, what); }

void InpFile::fail_at(const InpPlace& place, std::string_view what) const {
  const std::string line = place.line > 0 ? fmt::format(":{}", place.line) : "";  // an empty file has none
  throw InputError(fmt::format("{}{}: {}", paths_[place.file], line, what));
}

std::string InpFile::text_of(const InpPlace& place) const {
  return place.file == 0 ? fmt::format("line {}", place.line) : fmt::format("line {} of {}", place.line, paths_[place.file]);
}

}  // namespace traction
