#include "mesh/geo_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "mesh/formats/mesh_formats.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongLine = 4000;    // characters in a line; Gmsh reads longer lines in pieces of about 8,000
constexpr std::size_t kLongString = 1000;  // characters in a string; after 1,023 Gmsh takes the rest for commands

// Words of Gmsh's language (its Gmsh.y), and the harm that they can do.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kWords{{{"System", "run programs"},
                                                                                {"SystemCall", "run programs"},
                                                                                {"NonBlockingSystemCall", "run programs"},
                                                                                {"OnelabRun", "run programs"},
                                                                                {"ExternalProcess", "run programs"},
                                                                                {"SendToServer", "send data"},
                                                                                {"Save", "write files"},
                                                                                {"Print", "write files"},
                                                                                {"CreateDir", "write files"},
                                                                                {"Plugin", "write files"},
                                                                                {"StringToName", "put together names of commands"},
                                                                                {"S2N", "put together names of commands"}}};
// Options of Gmsh that affect only its messages.
constexpr std::array<std::string_view, 5> kHarmlessOptions{"Terminal", "Verbosity", "NumThreads", "AbortOnError", "ExpertMode"};
// Merged files that Gmsh takes for CAD, whatever they contain.
constexpr std::array<std::string_view, 5> kCadEndings{".step", ".stp", ".iges", ".igs", ".brep"};

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// The rest of a line behind a word. Everything that must follow a word has to be in the same line, because Gmsh's jumps lead to the beginnings of lines.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  // The next character that is not blank; 0 at the end of the line.
  char next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void skip() { ++at_; }
  // The string that begins here, in quotes; nothing if no string begins here, or it does not end, or is too long.
  std::optional<std::string_view> string() {
    const char quote = next();
    if (quote != '"' && quote != '\'') return std::nullopt;
    const std::size_t close = text_.find(quote, at_ + 1);
    if (close == std::string_view::npos || close - at_ > kLongString) return std::nullopt;
    const std::string_view content = text_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return content;
  }
  std::string_view word() {
    next();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Whether `(...);` follows, so that the text is printed and not written to a file.
bool prints_to_screen(Rest rest) {
  int depth = 0;
  do {
    const char c = rest.next();
    if (c == '"' || c == '\'') {
      if (!rest.string()) return false;
      continue;
    }
    if (c == '\0' || c == '/') return false;  // a division, or a comment that would hide the rest: the search is cautious
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && c != ')' && c != ']') return false;
    rest.skip();
  } while (depth > 0);
  return rest.next() == ';';
}

class Search {
 public:
  std::optional<GeoCommand> file(const std::string& path, bool has_options) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && fs::is_other(path, ignored)) return GeoCommand{path, 1, "it is not a plain file and can hide commands"};
    if (fs::is_regular_file(path, ignored) && seen_.insert(fs::weakly_canonical(path, ignored).string()).second) {
      const std::string text = read_bytes(path);
      int line = 1;
      for (std::size_t begin = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (auto found = in_line(path, line, std::string_view(text).substr(begin, end - begin))) return found;
        begin = end + 1;
      }
    }
    return has_options ? file(path + ".opt", false) : std::nullopt;
  }

 private:
  std::optional<GeoCommand> in_line(const std::string& path, int number, std::string_view line) {
    const auto found = [&](std::string what) { return GeoCommand{path, number, std::move(what)}; };
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kLongLine) return found(fmt::format("a line of {} characters can hide commands", line.size()));
    for (const char c : line)
      if (static_cast<unsigned char>(c) < ' ' && !is_blank(c)) return found("a character that is not text can hide commands");
    for (std::size_t end = 1; end <= line.size(); ++end) {
      if (!is_word_character(line[end - 1]) || (end < line.size() && is_word_character(line[end]))) continue;
      const std::string_view before = line.substr(0, end);  // the piece ends with a word, of which Gmsh may read the last part alone
      for (const auto& [word, what] : kWords)
        if (before.ends_with(word)) return found(fmt::format("'{}' can {}", word, what));
      const Rest rest(line.substr(end));
      if ((before.ends_with("General") || before.ends_with("Solver")) && !is_harmless_option(rest))
        return found("options 'General.' and 'Solver.' can run programs and write files");
      if (before.ends_with("Printf") && !prints_to_screen(rest)) return found("'Printf' can write files unless it is written Printf(...); in one line");
      const bool merges = before.ends_with("Merge") || before.ends_with("MergeWithBoundingBox");
      if (!merges && !before.ends_with("Include")) continue;
      Rest name = rest;
      const std::optional<std::string_view> other = name.string();
      if (!other || other->find_first_of("\\:") != std::string_view::npos || name.next() != ';')
        return found(fmt::format("'{}' can read other scripts unless it is followed by \"FILE\";", merges ? "Merge" : "Include"));
      const fs::path file_name(*other);
      const std::string ending = file_name.extension().string();
      const bool is_cad = merges && std::find(kCadEndings.begin(), kCadEndings.end(), ending) != kCadEndings.end();
      if (merges && !is_cad && ending != ".geo")
        return found(fmt::format("'Merge' can read other scripts, unless they are .geo files or CAD ({})", fmt::join(kCadEndings, ", ")));
      const std::string full = (fs::path(path).parent_path() / file_name).string();
      if (auto inner = is_cad ? file(full + ".opt", false) : file(full, merges)) return inner;
    }
    return std::nullopt;
  }

  static bool is_harmless_option(Rest rest) {
    if (rest.next() != '.') return rest.next() != '\0' && rest.next() != '/';
    rest.skip();
    return std::find(kHarmlessOptions.begin(), kHarmlessOptions.end(), rest.word()) != kHarmlessOptions.end();
  }

  std::set<std::string> seen_;
};

}  // namespace

std::optional<GeoCommand> find_geo_command(const std::string& path) { return Search().file(path, true); }

}  // namespace traction
