// The pairs that a contact of all surfaces is left with.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace traction {

// A body, and a body (perhaps itself) or obstacle, which a contact of all surfaces lets touch, because no contact of their own names them.
struct Pairing {
  std::string body, other;
};
std::vector<Pairing> pairs_without_contact(const Scene& scene);

}  // namespace traction
