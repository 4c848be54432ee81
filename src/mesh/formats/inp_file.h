// The lowest level of reading an Abaqus .inp file: keywords with their parameters, and lines of data. Internal to this folder.
//
// The format is described in the Abaqus Analysis User's Guide, "Input syntax rules". Keywords, parameters and labels are equal if they differ in case alone,
// and blanks inside keywords do not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace traction {

/// A line of the file, or of one that it includes.
struct InpPlace {
  int file = 0;  ///< into the paths that InpFile has opened
  int line = 0;  ///< from 1
};

/// `text` in capital letters. Labels are compared in this form.
std::string inp_capitals(std::string_view text);

/// Reads keyword after keyword, each with its lines of data. Comments and empty lines are skipped, *INCLUDE is followed.
class InpFile {
 public:
  explicit InpFile(const std::string& path);

  /// Moves to the next keyword, past data that were not read; false at the end of the file. Throws if the file begins with data.
  bool next_keyword();
  const std::string& keyword() const { return keyword_; }  ///< in capitals, without blanks: ENDPART
  bool has(std::string_view parameter) const;
  /// The value of a parameter, without its quotes; nothing if the parameter is missing. Throws if it has no value.
  std::optional<std::string> value(std::string_view parameter) const;
  std::string required_value(std::string_view parameter) const;
  const InpPlace& keyword_place() const { return keyword_place_; }

  /// Moves to the next line of data of this keyword; false behind the last one.
  bool next_data();
  std::size_t words() const { return words_.size(); }  ///< words of the line, without the empty one behind a comma at its end
  std::string_view word(std::size_t i) const { return words_[i]; }
  bool is_number(std::size_t i) const;  ///< whether the word begins as a number does, as no label may
  /// Numbers of the line; `what` names them in messages. Labels of nodes and elements are from 1 to 2147483647.
  std::int64_t label(std::size_t i, std::string_view what) const;
  double real(std::size_t i, std::string_view what) const;
  double real_or_zero(std::size_t i, std::string_view what) const;  ///< 0 for a word that is empty or missing
  InpPlace place() const { return place_; }                         ///< place of the keyword or line of data that was read last, or of the end of the file

  /// Throws InputError with the file and line: those of the keyword or line of data that was read last, or of `place`.
  [[noreturn]] void fail(std::string_view what) const { fail_at(place(), what); }
  [[noreturn]] void fail_at(const InpPlace& place, std::string_view what) const;
  std::string text_of(const InpPlace& place) const;  ///< "line 7", or "line 7 of PATH" in a file that is included

 private:
  struct Open {
    std::string bytes;
    std::size_t position = 0;
    int file = 0, line = 0;
  };
  void open(const std::string& path);
  void include(std::string_view line);
  InpPlace read_place() const { return {open_.back().file, open_.back().line}; }
  bool raw_line(std::string_view& line);
  bool next_line(std::string_view& line);
  void read_keyword(std::string_view line);

  std::vector<std::string> paths_;
  std::vector<Open> open_;  // the file, always, and those that it includes, innermost last
  std::string pending_;     // a keyword that ended the previous data and is not yet taken
  bool is_pending_ = false;
  InpPlace keyword_place_, place_;
  std::string keyword_;
  std::vector<std::pair<std::string, std::optional<std::string>>> parameters_;
  std::vector<std::string_view> words_;
};

}  // namespace traction
