// Merges warnings that many bodies cause alike, so that the log of a scene of thousands stays readable.
#pragma once

#include <string>
#include <vector>

namespace traction {

/// Names of the first few, and how many others there are: "'a', 'b', 'c' and 7 others".
std::string name_few(const std::vector<std::string>& names);

/// Collects warnings by their kind, and gives those of one kind as one message if they are more than a few.
class RepeatedWarnings {
 public:
  /// `kind`: equal for warnings that differ only in their numbers and in what they are about. `subject`: the name of the body.
  void add(const std::string& kind, const std::string& subject, const std::string& message);

  /// The messages, kinds in the order in which they first came: all warnings of a kind if it has few, else its first one with the number and names of the
  /// others.
  std::vector<std::string> messages() const;

 private:
  struct Kind {
    std::string name;
    std::vector<std::string> subjects, messages;
  };
  std::vector<Kind> kinds_;
};

}  // namespace traction
