#include "scene/yaml_mistakes.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/setting.h"

namespace traction {

namespace {

// A line of the text that holds more than a comment.
struct TextLine {
  int number = 0;
  std::size_t indentation = 0;
  std::string_view content;  // without blanks around it and its comment

  bool opens_block() const { return content.ends_with(':'); }
  bool is_entry() const { return content == "-" || content.starts_with("- "); }
};

bool is_of_a_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view name_at_start(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_a_name) - text.begin()));
}

// The text with 'q' for every character in quotes and blanks for comments, each at its place.
std::string masked(std::string_view text) {
  std::string result(text);
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i == 0 ? '\n' : text[i - 1];
    if (quote != 0) {
      if (c == quote) quote = 0;
      else if (c != '\n') result[i] = 'q';
    } else if ((c == '"' || c == '\'') && std::string_view(" \t\n,[{:").find(before) != std::string_view::npos) {
      quote = c;
    } else if (c == '#' && std::string_view(" \t\n").find(before) != std::string_view::npos) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      std::fill(result.begin() + static_cast<std::ptrdiff_t>(i), result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      i = end - 1;
    }
  }
  return result;
}

// The lines of `text` up to the number `last`. `mask`: the text's mask of quotes and comments.
std::vector<TextLine> lines_until(std::string_view text, std::string_view mask, int last) {
  std::vector<TextLine> lines;
  int number = 1;
  for (std::size_t start = 0; start < text.size() && number <= last; ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view bare = mask.substr(start, end - start);
    const std::size_t first = bare.find_first_not_of(" \t\r"), behind = bare.find_last_not_of(" \t\r");
    if (first != std::string_view::npos) lines.push_back({number, first, text.substr(start + first, behind + 1 - first)});
    start = end + 1;
  }
  return lines;
}

std::optional<YamlMistake> tab(const std::string& text, int last) {
  std::istringstream stream(text);
  std::string line;
  for (int number = 1; number <= last && std::getline(stream, line); ++number)
    if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string::npos)
      return YamlMistake{number, "the line is indented with a tab; YAML allows only spaces, replace it by them"};
  return std::nullopt;
}

std::optional<YamlMistake> foreign_comment(const std::vector<TextLine>& lines, std::string_view mark) {
  for (const TextLine& line : lines)
    if (line.content.starts_with(mark)) return YamlMistake{line.number, "comments begin with '#' in a scene, not with '" + std::string(mark) + "'"};
  return std::nullopt;
}

// Examines the line and the one before it, in which a space or a colon may be missing.
std::optional<YamlMistake> missing_space_or_colon(const std::vector<TextLine>& lines, int last) {
  const std::size_t start = lines.size() - std::min<std::size_t>(lines.size(), 2);
  for (std::size_t i = start; i < lines.size(); ++i) {
    std::string_view content = lines[i].content;
    content.remove_prefix(std::min(content.find_first_not_of("- \t"), content.size()));
    if (lines[i].number >= last - 1)
      if (const std::string corrected = with_missing_space(content); !corrected.empty())
        return YamlMistake{lines[i].number, "not valid YAML: a space is missing after the colon; write " + quoted_excerpt(corrected)};
  }
  for (std::size_t i = start; i < lines.size(); ++i) {
    const std::string_view content = lines[i].content, name = name_at_start(content);
    if (name.empty() || content.find_first_of(":{}[],\"'&*|>") != std::string_view::npos) continue;
    const std::string_view rest = content.substr(name.size());
    if (!rest.empty() && rest.front() != ' ') continue;
    return YamlMistake{lines[i].number,
                       "not valid YAML: a colon is missing after the key; write " + quoted_excerpt(std::string(name) + ":" + std::string(rest))};
  }
  return std::nullopt;
}

// The innermost bracket that is open at the beginning of line `last`, or the first bracket before its end that another kind of bracket closes.
std::optional<YamlMistake> open_bracket(std::string_view mask, int last) {
  std::vector<std::pair<char, int>> open;  // signs and lines
  int line = 1;
  const auto not_closed = [&] {
    const auto [sign, opened] = open.back();
    return YamlMistake{
        opened, std::string("not valid YAML: the '") + sign + "' of this line is not closed; check brackets, and add a " + (sign == '{' ? "'}'" : "']'")};
  };
  for (std::size_t i = 0; i < mask.size() && line <= last; ++i) {
    const char c = mask[i];
    if (c == '\n' && ++line == last && !open.empty()) return not_closed();
    if (c == '{' || c == '[') open.emplace_back(c, line);
    if ((c != '}' && c != ']') || open.empty()) continue;
    if ((c == '}') != (open.back().first == '{')) return not_closed();
    open.pop_back();
  }
  return std::nullopt;
}

std::string blanks(std::size_t count) { return std::to_string(count) + (count == 1 ? " blank" : " blanks"); }

// The last line is indented deeper than the one before it, which has a value already; or it is indented less, like no line of a block around it.
std::optional<YamlMistake> wrong_indentation(const std::vector<TextLine>& lines) {
  if (lines.size() < 2) return std::nullopt;
  const TextLine &line = lines.back(), &before = lines[lines.size() - 2];
  const auto key = [](const TextLine& of) { return quoted_excerpt(name_at_start(of.content)); };
  if (name_at_start(line.content).empty() || name_at_start(before.content).empty()) return std::nullopt;
  if (line.indentation > before.indentation && !before.opens_block()) {
    // If the lines before those two have the indentation of the last one, the line between them has too little.
    for (std::size_t i = lines.size() - 2; i-- > 0 && lines[i].indentation > before.indentation;)
      if (lines[i].indentation == line.indentation)
        return YamlMistake{before.number, "not valid YAML: " + key(before) + " is indented by " + blanks(before.indentation) + ", and the lines around it by " +
                                              std::to_string(line.indentation) + "; indent it like them"};
    return YamlMistake{line.number, "not valid YAML: " + key(line) + " is indented by " + blanks(line.indentation) + ", deeper than " + key(before) +
                                        " on the line before it, which has its value already; indent both alike, by " + std::to_string(before.indentation)};
  }
  if (line.indentation < before.indentation) {
    std::size_t least = std::numeric_limits<std::size_t>::max(), above = 0;  // indentation of the blocks that are open
    for (std::size_t i = lines.size() - 1; i-- > 0;) {
      if (lines[i].is_entry()) return std::nullopt;
      if (lines[i].indentation >= least) continue;
      least = lines[i].indentation;
      if (least == line.indentation) return std::nullopt;
      if (least > line.indentation) above = least;
      else
        return YamlMistake{line.number, "not valid YAML: " + key(line) + " is indented by " + blanks(line.indentation) +
                                            ", and the blocks that it may continue by " + std::to_string(least) + " or " + std::to_string(above) +
                                            "; indent it like one of them"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<YamlMistake> probable_mistake(const std::string& text, int line) {
  if (auto mistake = tab(text, line)) return mistake;
  const std::string mask = masked(text);
  const std::vector<TextLine> lines = lines_until(text, mask, line);
  for (const char* mark : {"%", "//"})
    if (auto mistake = foreign_comment(lines, mark)) return mistake;
  if (auto mistake = missing_space_or_colon(lines, line)) return mistake;
  if (auto mistake = open_bracket(mask, line)) return mistake;
  return wrong_indentation(lines);
}

std::optional<YamlMistake> percent_comment(const std::string& text) {
  return foreign_comment(lines_until(text, masked(text), std::numeric_limits<int>::max()), "%");
}

}  // namespace traction
