#include "simulation/rod_contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"
#include "math/position_text.h"
#include "simulation/contact_pairs.h"

namespace traction {

namespace {

constexpr double kLeastWidths = 5;  // the least thickness in widths of the potential imc

// Contact takes a rod for a tube of one radius.
void check_contact(const Mesh& mesh, const Body& body, const std::vector<ContactSettings>& contacts) {
  for (const ContactSettings& contact : contacts) {
    const std::string& source = contact.source.text;
    const auto* other = std::get_if<BodySurface>(&contact.against);
    std::vector<BodySurface> sides;
    if (contact.all) sides.push_back({body.name, ""});
    else if (contact.vertices.body == body.name) sides.push_back(contact.vertices);
    if (!contact.all && other && other->body == body.name) sides.push_back(*other);
    for (const BodySurface& side : sides) {
      if (!body.rod.empty() && !side.region.empty() && !body.rod.contains(side.region))
        if (const Region* region = mesh.find_region(side.region); region && region->dimension < 2)
          throw InputError(
              fmt::format("{}: contact takes rods as a whole; name the body '{}', or a region of its `rod`, instead of '{}'", source, body.name, side.region));
      double radius = 0;
      for (const auto& [name, material] : rods_of(body, side.region)) {
        if (material.second_radius != material.radius)
          throw InputError(
              fmt::format("{}: rod '{}' of body '{}' has an elliptic section, and contact takes rods for round; leave out its second_radius, or "
                          "name the contacts that do not touch it",
                          source, name, body.name));
        if (radius > 0 && material.radius != radius)
          throw InputError(
              fmt::format("{}: the rods of body '{}' have radii of {:.3g} and {:.3g} m, but all rods on a side of a contact must have the same radius; name "
                          "their regions in contacts of their own, or make them bodies of their own",
                          source, body.name, radius, material.radius));
        radius = material.radius;
      }
      if (radius > 0 && contact.geometry == ContactGeometry::smooth_surface && (other || contact.both))
        throw InputError(fmt::format("{}: rods touch edges and faces, not smooth surfaces; leave out 'geometry'", source));
    }
  }
}

// Contact ignores neighbours along a rod, up to the length of half a turn of the tightest bend that a tube can have. Segments shorter than the radius can bend
// more tightly, and then the tube enters itself within that length.
void check_segments(const Mesh& mesh, const std::string& name, const RodMaterialSettings& material) {
  const double radius = material.radius;
  const std::vector<Vec3>& start = mesh.start();
  std::vector<char> is_here(mesh.rods.size(), 0);
  for (const int r : mesh.find_region(name)->rods) {
    is_here[r] = 1;
    const Vec3 &a = start[mesh.rods[r].vertices[0]], &b = start[mesh.rods[r].vertices[1]];
    if (const double length = (b - a).norm(); length < radius)
      throw InputError(
          fmt::format("{}: segment {} of rod '{}', from {} to {}, is {:.3g} m long, less than the radius of {:.3g} m, and the rod touches itself: a tube of so "
                      "short segments may bend into itself unnoticed; mesh it in segments of two radii, or give a smaller radius",
                      material.source.text, r + 1, name, position_text(a), position_text(b), length, radius));
  }
  for (const Joint& joint : mesh.joints) {
    if (!is_here[joint.rods[0]] || !is_here[joint.rods[1]]) continue;
    const Vec3 &a = start[joint.vertices[0]], &b = start[joint.vertices[1]], &c = start[joint.vertices[2]];
    const Vec3 first = (b - a).normalized(), second = (c - b).normalized();
    const double curvature = 2 * first.cross(second).norm() / (1 + first.dot(second)) / (((b - a).norm() + (c - b).norm()) / 2);
    if (curvature * radius > 1)
      throw InputError(
          fmt::format("{}: segments {} and {} of rod '{}' meet at {} in a bend of radius {:.3g} m, sharper than the rod's own radius of {:.3g} m, so that the "
                      "tube lies in itself there, and the rod touches itself; round the bend off, or give a smaller radius",
                      material.source.text, joint.rods[0] + 1, joint.rods[1] + 1, name, position_text(b), 1 / curvature, radius));
  }
}

// The potential must have fallen to little where it is faded out, and tubes must not overlap beyond their axes.
void check_width(const ContactSettings& settings, const std::string& body, double radius) {
  const double least = kLeastWidths * radius / settings.imc.sharpness;
  if (settings.thickness >= least && settings.thickness <= radius) return;
  throw InputError(
      fmt::format("{}: the thickness of {:.4g} m does not suit potential: imc and the rod '{}' with its radius of {:.4g} m; take a thickness from {:.4g} m, "
                  "which is {} times the potential's width, to the radius (P3 has 0.15 radii)",
                  settings.source.text, settings.thickness, body, radius, least, kLeastWidths));
}

}  // namespace

bool touches_itself(const Body& body, const Scene& scene) {
  const RemainingPairs remaining(scene);
  return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) {
    if (contact.all) return remaining(body.name, body.name);
    const auto* other = std::get_if<BodySurface>(&contact.against);
    return other && other->body == body.name && contact.vertices.body == body.name && has_rods(body, contact.vertices.region) && has_rods(body, other->region);
  });
}

void check_contact_of_rods(const Mesh& mesh, const Body& body, const Scene& scene) {
  check_contact(mesh, body, scene.contacts);
  if (body.rod.empty() || !touches_itself(body, scene)) return;
  for (const auto& [name, material] : body.rod) check_segments(mesh, name, material);
}

void check_rods_of_imc(const ContactSettings& settings, const Scene& scene) {
  std::vector<BodySurface> rods;
  const auto add = [&](const std::string& what, const BodySurface* side) {
    const bool is_rod = side && !has_faces(scene.body(side->body), side->region);
    if (!is_rod)
      throw InputError(
          fmt::format("{}: potential: imc is for contact between rods, and '{}' is not made of rods alone; choose cubic_penalty or log_barrier, or "
                      "give rods a contact of their own",
                      settings.source.text, what));
    rods.push_back(*side);
  };
  const auto add_named = [&](const std::string& name) {
    const BodySurface side{name, ""};
    const auto& bodies = scene.bodies;
    const bool is_body = std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
    add(name, is_body ? &side : nullptr);
  };
  if (settings.all) {
    const RemainingPairs remaining(scene);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const auto add_pair = [&](const std::string& other) {
        if (remaining(scene.bodies[b].name, other)) add_named(scene.bodies[b].name), add_named(other);
      };
      for (std::size_t second = b; second < scene.bodies.size(); ++second) add_pair(scene.bodies[second].name);
      for (const Obstacle& each : scene.obstacles) add_pair(each.name);
    }
  } else {
    add(to_text(settings.vertices), &settings.vertices);
    if (const auto* other = std::get_if<BodySurface>(&settings.against)) add(to_text(*other), other);
    else add_named(std::get<std::string>(settings.against));
  }
  for (const BodySurface& side : rods)
    for (const auto& [name, material] : rods_of(scene.body(side.body), side.region)) check_width(settings, side.body, material.radius);
}

}  // namespace traction
