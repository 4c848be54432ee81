// Characters and excerpts of text files. Internal to this folder.
#pragma once

#include <string>
#include <string_view>

namespace traction {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// An excerpt for messages, without bytes that a terminal should not receive.
inline std::string printable(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? result + "..." : result;
}

/// A number without its plus, which std::from_chars does not read.
inline std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

}  // namespace traction
