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

// Whether the side of a contact has faces, those of solids and shells, or rods. Either may be named as a whole, or by a region.
inline bool has_faces(const Body& body, const std::string& region = "") {
  return region.empty() ? body.rigid || !body.solid.empty() || !body.shell.empty() : !body.rod.contains(region);
}
inline bool has_rods(const Body& body, const std::string& region = "") { return region.empty() ? !body.rod.empty() : body.rod.contains(region); }
// The materials of the rods on the side of a contact, by their regions.
std::map<std::string, RodMaterialSettings> rods_of(const Body& body, const std::string& region);

}  // namespace traction
