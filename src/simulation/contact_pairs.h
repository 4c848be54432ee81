// The pairs that remain for a contact of all surfaces.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "contact/feature_search.h"
#include "scene/scene.h"

namespace traction {

/// Which two bodies (perhaps the same one), or body and obstacle, a contact of all surfaces is for, because no other contact names the two. Its size is that of
/// the scene, not the number of pairs.
class RemainingPairs {
 public:
  using Names = std::pair<std::string, std::string>;  ///< in ascending order

  explicit RemainingPairs(const Scene& scene);
  bool operator()(const std::string& body, const std::string& other) const;

  /// The pairs that contacts name, or pressure contacts.
  const std::set<Names>& named() const { return named_; }
  /// Whether a pressure contact of all fields is for each two bodies for which this is true.
  bool is_pressed(const std::string& body) const { return pressed_.contains(body); }

 private:
  std::set<Names> named_;
  std::set<std::string> pressed_, planes_;  ///< bodies and planes that a pressure contact of all fields is for
};

/// Calls action(body, obstacle) for those that a contact is between.
template <typename Action>
void for_each_obstacle_of(const Scene& scene, const ContactSettings& contact, Action action) {
  const auto* named = contact.all ? nullptr : std::get_if<std::string>(&contact.against);
  const RemainingPairs remaining(scene);
  for (const Body& body : scene.bodies)
    for (const Obstacle& obstacle : scene.obstacles)
      if (contact.all ? remaining(body.name, obstacle.name) : named && body.name == contact.vertices.body && obstacle.name == *named) action(body, obstacle);
}

/// Which surfaces touch each other in a contact of all surfaces. `names`: those of the body or obstacle of each surface.
SurfacePairs pairs_of_all(const Scene& scene, const std::vector<ContactSurface>& surfaces, const std::vector<std::string>& names);

/// Whether the side of a contact has faces, those of solids and shells, or rods. Either may be named as a whole, or by a region.
inline bool has_faces(const Body& body, const std::string& region = "") {
  return region.empty() ? body.rigid || !body.solid.empty() || !body.shell.empty() : !body.rod.contains(region);
}
inline bool has_rods(const Body& body, const std::string& region = "") { return region.empty() ? !body.rod.empty() : body.rod.contains(region); }
/// The materials of the rods on the side of a contact, by their regions.
std::map<std::string, RodMaterialSettings> rods_of(const Body& body, const std::string& region);

}  // namespace traction
