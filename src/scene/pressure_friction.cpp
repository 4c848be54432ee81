#include "scene/pressure_friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace traction {

namespace {

const PressureFieldSettings* field_of_side(const std::string& side, const Scene& scene) {
  const auto found = std::ranges::find(scene.pressure_fields, side, &PressureFieldSettings::name);
  return found == scene.pressure_fields.end() ? nullptr : &*found;
}

// The bodies and planes that a contact is for.
std::vector<std::string> sides_of(const PressureContactSettings& contact, const Scene& scene) {
  if (!contact.all) return contact.between;
  std::vector<std::string> sides;
  for (const Body& body : scene.bodies)
    if (field_of_side(body.name, scene)) sides.push_back(body.name);
  for (const Obstacle& obstacle : scene.obstacles)
    if (std::holds_alternative<PlaneSettings>(obstacle.shape)) sides.push_back(obstacle.name);
  return sides;
}

bool has_own_friction(const std::string& side, const Scene& scene) {
  const PressureFieldSettings* field = field_of_side(side, scene);
  return field && field->friction;
}

}  // namespace

bool combines_friction(const PressureContactSettings& contact, const Scene& scene) {
  if (!contact.all && contact.friction && contact.friction->has_coefficient) return false;
  return std::ranges::any_of(sides_of(contact, scene), [&](const std::string& side) { return has_own_friction(side, scene); });
}

std::optional<double> friction_of_side(const PressureContactSettings& contact, const std::string& side, const Scene& scene) {
  if (has_own_friction(side, scene)) return field_of_side(side, scene)->friction;
  if (contact.friction && contact.friction->has_coefficient) return contact.friction->dynamic;
  return {};
}

bool uses_friction_of(const std::string& side, const Scene& scene) {
  if (!has_own_friction(side, scene)) return false;
  return std::ranges::any_of(scene.pressure_contacts,
                             [&](const PressureContactSettings& contact) { return (contact.all || contact.names(side)) && combines_friction(contact, scene); });
}

void check_pressure_friction(const Given& given, const Scene& scene) {
  for (const PressureContactSettings& contact : scene.pressure_contacts) {
    const std::string path = "pressure_contacts." + contact.name;
    const auto& friction = contact.friction;
    if (!combines_friction(contact, scene)) {
      if (friction && !friction->has_coefficient)
        given.fail(path + ".friction.dynamic",
                   "is missing; give the coefficient of sliding friction, or a table of it, or give both sides a 'friction' under 'pressure_fields'");
      continue;
    }
    const std::vector<std::string> sides = sides_of(contact, scene);
    if (friction && (friction->table || friction->has_own_static())) {
      const auto own = std::ranges::find_if(sides, [&](const std::string& side) { return has_own_friction(side, scene); });
      given.fail(path + (friction->table ? ".friction.table" : ".friction.static"),
                 fmt::format("cannot be combined with the friction that '{}' has under 'pressure_fields'; remove one of the two, or name the pairs that it is "
                             "for under 'between' in contacts of their own",
                             *own));
    }
    for (const std::string& side : sides) {
      if (friction_of_side(contact, side, scene)) continue;
      const bool has_field = field_of_side(side, scene) != nullptr;
      given.fail(path, fmt::format("combines the friction of its sides, and '{}' has none; give {}{}", side,
                                   has_field ? fmt::format("'{}' a 'friction' under 'pressure_fields', or ", side) : "",
                                   contact.all ? "this contact friction: {dynamic: ...}, which is that of sides without their own"
                                               : "this contact friction: {dynamic: ...}, which is that of the pair"));
    }
  }
}

}  // namespace traction
