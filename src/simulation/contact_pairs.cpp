#include "simulation/contact_pairs.h"

#include <algorithm>
#include <variant>

namespace traction {

RemainingPairs::RemainingPairs(const Scene& scene) {
  for (const ContactSettings& contact : scene.contacts) {
    if (contact.all) continue;
    const auto* second = std::get_if<BodySurface>(&contact.against);
    named_.insert(std::minmax(contact.vertices.body, second ? second->body : std::get<std::string>(contact.against)));
  }
  bool all_fields = false;
  for (const PressureContactSettings& contact : scene.pressure_contacts) {
    if (contact.all) all_fields = true;
    else named_.insert(std::minmax(contact.between[0], contact.between[1]));
  }
  if (!all_fields) return;
  for (const Obstacle& obstacle : scene.obstacles)
    if (std::holds_alternative<PlaneSettings>(obstacle.shape)) planes_.insert(obstacle.name);
  for (const PressureFieldSettings& field : scene.pressure_fields)
    if (!planes_.contains(field.name)) pressed_.insert(field.name);
}

bool RemainingPairs::operator()(const std::string& body, const std::string& other) const {
  if (named_.contains(std::minmax(body, other))) return false;
  return !is_pressed(body) || (!planes_.contains(other) && (body == other || !is_pressed(other)));
}

SurfacePairs pairs_of_all(const Scene& scene, const std::vector<ContactSurface>& surfaces, const std::vector<std::string>& names) {
  constexpr int kObstacles = 0, kPressed = 1, kFirstRigid = 2;
  const RemainingPairs remaining(scene);
  std::set<std::string> rigid;
  for (const Body& body : scene.bodies)
    if (body.rigid) rigid.insert(body.name);
  SurfacePairs pairs;
  std::multimap<std::string, int> by_name;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const auto number = static_cast<int>(s);
    by_name.emplace(names[s], number);
    pairs.sides.push_back(surfaces[s].is_obstacle ? 1 : 0);
    if (surfaces[s].is_obstacle) pairs.families.push_back(kObstacles);
    else if (remaining.is_pressed(names[s])) pairs.families.push_back(kPressed);
    else pairs.families.push_back(rigid.contains(names[s]) ? kFirstRigid + number : -1);  // parts of a rigid body cannot approach each other
  }
  for (const auto& [one, other] : remaining.named()) {
    const auto ones = by_name.equal_range(one), others = by_name.equal_range(other);
    for (auto first = ones.first; first != ones.second; ++first)
      for (auto second = others.first; second != others.second; ++second) pairs.apart.insert(std::minmax(first->second, second->second));
  }
  return pairs;
}

std::map<std::string, RodMaterialSettings> rods_of(const Body& body, const std::string& region) {
  if (region.empty()) return body.rod;
  const auto found = body.rod.find(region);
  return found == body.rod.end() ? std::map<std::string, RodMaterialSettings>{} : std::map<std::string, RodMaterialSettings>{*found};
}

}  // namespace traction
