// What a run must remember to go on: numbers and fields by name, kept in a checkpoint (output/checkpoint.h). Whoever remembers something saves it, and loads
// it, under names of its own.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "errors.h"

namespace traction {

struct Archive {
  std::map<std::string, std::vector<double>> fields;  // as many doubles per local vertex on all ranks, owned vertices first; ghosts are valid when read
  std::map<std::string, double> numbers;
  std::string source{};  // named in errors: the file it was read from

  void save(const std::string& name, std::span<const double> field) { fields[name].assign(field.begin(), field.end()); }
  // Both throw InputError when there is none of that name (or of that length). What is saved by all ranks fails on all ranks alike.
  double number(const std::string& name) const {
    const auto found = numbers.find(name);
    if (found == numbers.end()) throw InputError(source + ": holds no '" + name + "'; was the scene changed?");
    return found->second;
  }
  void load(const std::string& name, std::span<double> field) const {
    const auto found = fields.find(name);
    if (found == fields.end() || found->second.size() != field.size()) throw InputError(source + ": holds no field '" + name + "'; was the scene changed?");
    std::copy(found->second.begin(), found->second.end(), field.begin());
  }
};

}  // namespace traction
