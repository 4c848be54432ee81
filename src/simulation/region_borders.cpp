#include "simulation/region_borders.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "mesh/mesh_plan.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"

namespace traction {

namespace {

// What a contact has on the other side of a body's region; nothing if the contact does not have this side.
std::optional<ContactSide> partner_of(const ContactSettings& contact, const BodySurface& side) {
  if (contact.vertices == side) return contact.against;
  if (const auto* other = std::get_if<BodySurface>(&contact.against); other && *other == side) return ContactSide{contact.vertices};
  return {};
}

bool is_between_edges_and_faces(const ContactSettings& contact) { return !contact.all && contact.geometry == ContactGeometry::edges_and_faces; }

// Other contacts of regions of the same body with the same partner, and these regions. Only contacts whose geometry does not depend on the mesh count, and
// regions with faces.
std::vector<std::pair<const ContactSettings*, BodySurface>> siblings_of(const Scene& scene, const ContactSettings& settings, const BodySurface& side) {
  std::vector<std::pair<const ContactSettings*, BodySurface>> siblings;
  const auto has_given = [&](const ContactSettings& contact) { return contact.name == settings.name && is_between_edges_and_faces(contact); };
  if (side.region.empty() || !has_faces(scene.body(side.body), side.region) || std::none_of(scene.contacts.begin(), scene.contacts.end(), has_given))
    return siblings;
  const std::optional<ContactSide> partner = partner_of(settings, side);
  if (!partner) return siblings;
  for (const ContactSettings& contact : scene.contacts) {
    if (!is_between_edges_and_faces(contact) || contact.thickness != settings.thickness) continue;
    std::vector<BodySurface> sides{contact.vertices};
    if (const auto* other = std::get_if<BodySurface>(&contact.against)) sides.push_back(*other);
    for (const BodySurface& other : sides)
      if (other.body == side.body && !other.region.empty() && other.region != side.region && has_faces(scene.body(other.body), other.region) &&
          partner_of(contact, other) == partner)
        siblings.emplace_back(&contact, other);
  }
  return siblings;
}

using GlobalEdge = std::pair<PetscInt, PetscInt>;

GlobalEdge global_edge(const DistributedMesh& mesh, int a, int b) {
  return std::minmax({static_cast<PetscInt>(mesh.halo->to_global(a)), static_cast<PetscInt>(mesh.halo->to_global(b))});
}

// The edges with one triangle of a region, each on the rank that owns it.
std::set<GlobalEdge> rim_of(const DistributedMesh& mesh, const LocalRegion& region) {
  std::map<GlobalEdge, int> triangles;
  for (const int t : region.members)
    for (int i = 0; i < 3; ++i)
      if (const std::array<int, 2> ends{mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]}; mesh.owns(ends))
        ++triangles[global_edge(mesh, ends[0], ends[1])];
  std::set<GlobalEdge> rim;
  for (const auto& [edge, count] : triangles)
    if (count == 1) rim.insert(edge);
  return rim;
}

}  // namespace

std::vector<std::string> contacts_that_continue(const Scene& scene, const ContactSettings& settings) {
  std::vector<std::string> names;
  const auto* other = std::get_if<BodySurface>(&settings.against);
  if (!other || other->body == settings.vertices.body) return names;
  for (const BodySurface& side : {settings.vertices, *other})
    for (const auto& [contact, region] : siblings_of(scene, settings, side)) names.push_back(contact->name);
  return names;
}

const LocalRegion& oriented_region(const DistributedMesh& mesh, const BodySurface& side) {
  const std::string prefix = side.body + ".";
  const LocalRegion* sides = mesh.find_region(prefix + two_sided_region(side.region));
  return sides ? *sides : mesh.region(prefix + outward_region(side.region));
}

RegionBorders::RegionBorders(const Simulation& simulation, const ContactSettings& settings, const BodySurface& side, const LocalRegion& region)
    : mesh_(*simulation.mesh) {
  const auto siblings = siblings_of(simulation.scene, settings, side);
  if (siblings.empty()) return;
  const std::set<GlobalEdge> own = rim_of(mesh_, region);
  const std::set<int> members(region.members.begin(), region.members.end());
  std::map<GlobalEdge, int> shared;  // number of other contacts at an edge
  contacts_ = Field(mesh_.halo->local());
  const auto count = [&](const LocalRegion& counted) {  // all triangles around an owned vertex are known
    for (const int vertex : counted.vertices)
      if (vertex < mesh_.halo->owned()) contacts_[vertex].x() += 1;
  };
  count(region);
  for (const auto& [contact, sibling] : siblings) {
    const LocalRegion& other = oriented_region(mesh_, sibling);
    const double overlap = std::any_of(other.members.begin(), other.members.end(), [&](int t) { return members.contains(t); }) ? 1 : 0;
    if (maximum_over_ranks(mesh_.halo->communicator(), overlap) > 0) continue;
    for (const GlobalEdge& edge : rim_of(mesh_, other))
      if (own.contains(edge)) ++shared[edge];
    count(other);
    for (const int t : other.members) continuation_.push_back(mesh_.triangles[t]);
  }
  mesh_.halo->exchange(contacts_.values());
  std::vector<double> numbers;
  for (const auto& [edge, others] : shared)
    numbers.insert(numbers.end(), {static_cast<double>(edge.first), static_cast<double>(edge.second), static_cast<double>(others)});
  numbers = concatenated_over_ranks(mesh_.halo->communicator(), numbers);
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const GlobalEdge edge(static_cast<PetscInt>(numbers[i]), static_cast<PetscInt>(numbers[i + 1]));
    if (numbers[i + 2] == 1) edges_.push_back(edge);
    else branches_.insert({edge.first, edge.second});
  }
  std::sort(edges_.begin(), edges_.end());
}

bool RegionBorders::contains(int a, int b) const { return std::binary_search(edges_.begin(), edges_.end(), global_edge(mesh_, a, b)); }

std::vector<TriangleBorder> RegionBorders::at(const std::vector<std::array<int, 3>>& triangles) const {
  std::vector<TriangleBorder> borders;
  if (edges_.empty()) return borders;
  for (const std::array<int, 3>& triangle : triangles) {
    TriangleBorder& border = borders.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      border.edges[i] = contains(triangle[i], triangle[(i + 1) % 3]);
      if (!branches_.contains(mesh_.halo->to_global(triangle[i]))) border.corners[i] = 1 / contacts_[triangle[i]].x();
    }
  }
  return borders;
}

}  // namespace traction
