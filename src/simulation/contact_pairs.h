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

// Whether a body has something that contact can act on: solids or shells. Rods alone are passed by.
inline bool has_surface(const Body& body) { return !body.solid.empty() || !body.shell.empty(); }

}  // namespace traction
