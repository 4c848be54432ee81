// The pairs that remain for a contact of all surfaces.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace traction {

// A body, and a body (perhaps the same) or obstacle that may touch it in a contact of all surfaces, because no other contact names the two.
struct Pairing {
  std::string body, other;
};
std::vector<Pairing> pairs_without_contact(const Scene& scene);

}  // namespace traction
