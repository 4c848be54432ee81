#include "scene/strained_start.h"

#include <algorithm>

namespace traction {

bool may_start_strained(const Body& body) {
  return !body.initial.positions.empty() || std::ranges::any_of(body.shell, [](const auto& shell) { return shell.second.flat; }) ||
         std::ranges::any_of(body.rod, [](const auto& rod) { return rod.second.natural != NaturalShape::as_meshed || rod.second.natural_curvature; });
}

}  // namespace traction
