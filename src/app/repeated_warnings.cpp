#include "app/repeated_warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace traction {

namespace {

constexpr std::size_t kFew = 3;

}  // namespace

std::string name_few(const std::vector<std::string>& names) {
  std::string text;
  const std::size_t shown = std::min(names.size(), kFew);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    text += fmt::format("{}'{}'", i == 0 ? "" : is_last ? " and " : ", ", names[i]);
  }
  const std::size_t others = names.size() - shown;
  return others == 0 ? text : text + fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
}

void RepeatedWarnings::add(const std::string& kind, const std::string& subject, const std::string& message) {
  auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& candidate) { return candidate.name == kind; });
  if (found == kinds_.end()) found = kinds_.insert(found, {kind, {}, {}});
  found->subjects.push_back(subject);
  if (found->messages.size() < kFew) found->messages.push_back(message);
}

std::vector<std::string> RepeatedWarnings::messages() const {
  std::vector<std::string> result;
  for (const Kind& kind : kinds_) {
    if (kind.subjects.size() <= kFew) {
      result.insert(result.end(), kind.messages.begin(), kind.messages.end());
      continue;
    }
    const std::vector<std::string> others(kind.subjects.begin() + 1, kind.subjects.end());
    result.push_back(fmt::format("{} (the same holds for {} more bodies: {})", kind.messages.front(), others.size(), name_few(others)));
  }
  return result;
}

}  // namespace traction
