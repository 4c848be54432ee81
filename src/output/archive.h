// The data that a run needs to continue: numbers and fields by name, kept in a checkpoint (output/checkpoint.h). Each part of the program saves and
// loads its data under names of its own.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "errors.h"

namespace traction {

/// Numbers and fields by name, which a checkpoint keeps.
struct Archive {
  std::map<std::string, std::vector<double>>
      fields;  ///< the same number of doubles per local vertex on all ranks, owned vertices first; ghosts are valid when read
  std::map<std::string, double> numbers;
  std::string source{};  ///< the file it was read from, for messages

  void save(const std::string& name, std::span<const double> field) { fields[name].assign(field.begin(), field.end()); }
  /// Both throw InputError if no entry has this name (or this length). Data that all ranks saved fails on all ranks alike.
  double number(const std::string& name) const {
    const auto found = numbers.find(name);
    if (found == numbers.end())
      throw InputError(source + ": holds no '" + name + "', because another scene wrote it; continue with the scene that wrote it, or start a new run");
    return found->second;
  }
  void load(const std::string& name, std::span<double> field) const {
    const auto found = fields.find(name);
    if (found == fields.end() || found->second.size() != field.size())
      throw InputError(source + ": holds no field '" + name +
                       "' of this scene, because another scene wrote it; continue with the scene that wrote it, or start a new run");
    std::copy(found->second.begin(), found->second.end(), field.begin());
  }
};

}  // namespace traction
