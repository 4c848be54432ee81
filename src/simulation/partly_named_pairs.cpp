#include "simulation/partly_named_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// The regions of a body that contacts with one other body or obstacle name, in one of their two roles in a contact with itself.
struct NamedSide {
  std::set<std::string> regions;
  std::string source, contact;  // the first one
};

std::array<int, 3> sorted(std::array<int, 3> vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

// Whether some surface or rod of the body is in none of the regions. Collective.
bool leaves_out(const DistributedMesh& mesh, const Body& body, const std::set<std::string>& regions) {
  if (regions.contains("")) return false;
  for (const auto& [name, material] : body.rod)
    if (!regions.contains(name)) return true;
  if (!has_faces(body)) return false;
  std::set<std::array<int, 3>> named;
  for (const std::string& region : regions)
    if (has_faces(body, region))
      for (const int t : mesh.region(contact_region({body.name, region})).members) named.insert(sorted(mesh.triangles[t]));
  double missing = 0;
  for (const int t : mesh.region(contact_region({body.name, ""})).members)
    if (!named.contains(sorted(mesh.triangles[t]))) ++missing;
  return sum_over_ranks(mesh.halo->communicator(), missing) > 0;
}

}  // namespace

std::vector<std::string> doubts_about_named_pairs(const DistributedMesh& mesh, const Scene& scene) {
  // The keys are the body, what it may touch, and its role in the contact.
  std::map<std::array<std::string, 3>, NamedSide> sides;
  for (const ContactSettings& contact : scene.contacts) {
    if (contact.all) continue;
    const auto add = [&](const BodySurface& side, const std::string& other, const std::string& role) {
      NamedSide& named = sides.try_emplace({side.body, other, role}, NamedSide{{}, contact.source.text, contact.name}).first->second;
      named.regions.insert(side.region);
    };
    const auto* other = std::get_if<BodySurface>(&contact.against);
    add(contact.vertices, other ? other->body : std::get<std::string>(contact.against), "");
    if (other) add(*other, contact.vertices.body, other->body == contact.vertices.body ? "against" : "");
  }
  std::vector<std::string> doubts;
  std::set<std::pair<std::string, std::string>> told;
  for (const auto& [key, named] : sides) {
    const auto& [name, other, role] = key;
    const Body& body = scene.body(name);
    if (!leaves_out(mesh, body, named.regions) || !told.insert(std::minmax(name, other)).second) continue;
    std::vector<std::string> regions;
    for (const std::string& region : named.regions) regions.push_back(name + "." + region);
    doubts.push_back(fmt::format(
        "{}: contact '{}' replaces the contact of all surfaces for {}, and of {} only {} takes part: the rest passes through; name {}, or every region of it "
        "that "
        "may touch",
        named.source, named.contact, name == other ? fmt::format("'{}' with itself", name) : fmt::format("the whole pair '{}' and '{}'", name, other), name,
        fmt::join(regions, ", "), name));
  }
  return doubts;
}

}  // namespace traction
