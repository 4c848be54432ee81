#include "simulation/contact_pairs.h"

#include <algorithm>

namespace traction {

std::vector<Pairing> pairs_without_contact(const Scene& scene) {
  const auto is_named = [&](const std::string& body, const std::string& other) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(),
                       [&](const ContactSettings& contact) {
                         if (contact.all) return false;
                         const auto* second = std::get_if<BodySurface>(&contact.against);
                         const std::string& against = second ? second->body : std::get<std::string>(contact.against);
                         return (contact.vertices.body == body && against == other) || (contact.vertices.body == other && against == body);
                       }) ||
           scene.has_pressure_contact(body, other);
  };
  std::vector<Pairing> pairs;
  for (std::size_t first = 0; first < scene.bodies.size(); ++first) {
    const std::string& body = scene.bodies[first].name;
    for (std::size_t second = first; second < scene.bodies.size(); ++second)
      if (!is_named(body, scene.bodies[second].name)) pairs.push_back({body, scene.bodies[second].name});
    for (const Obstacle& obstacle : scene.obstacles)
      if (!is_named(body, obstacle.name)) pairs.push_back({body, obstacle.name});
  }
  return pairs;
}

std::map<std::string, RodMaterialSettings> rods_of(const Body& body, const std::string& region) {
  if (region.empty()) return body.rod;
  const auto found = body.rod.find(region);
  return found == body.rod.end() ? std::map<std::string, RodMaterialSettings>{} : std::map<std::string, RodMaterialSettings>{*found};
}

}  // namespace traction
