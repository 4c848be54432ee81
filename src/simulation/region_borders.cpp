#include "simulation/region_borders.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "mesh/mesh_plan.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// What a contact has on the other side of a body's region; nothing if the contact does not have this side.
std::optional<ContactSide> partner_of(const ContactSettings& contact, const BodySurface& side) {
  if (contact.vertices == side) return contact.against;
  if (const auto* other = std::get_if<BodySurface>(&contact.against); other && *other == side) return ContactSide{contact.vertices};
  return {};
}

// Other contacts of regions of the same body with the same partner, and these regions.
std::vector<std::pair<const ContactSettings*, BodySurface>> siblings_of(const Scene& scene, const ContactSettings& settings, const BodySurface& side) {
  std::vector<std::pair<const ContactSettings*, BodySurface>> siblings;
  const std::optional<ContactSide> partner = settings.all || side.region.empty() ? std::nullopt : partner_of(settings, side);
  if (!partner) return siblings;
  for (const ContactSettings& contact : scene.contacts) {
    if (contact.all || contact.geometry == ContactGeometry::smooth_surface || contact.thickness != settings.thickness) continue;
    std::vector<BodySurface> sides{contact.vertices};
    if (const auto* other = std::get_if<BodySurface>(&contact.against)) sides.push_back(*other);
    for (const BodySurface& other : sides)
      if (other.body == side.body && !other.region.empty() && other.region != side.region && partner_of(contact, other) == partner)
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
  std::set<GlobalEdge> shared;
  std::map<int, int> regions;  // by corner
  for (const int vertex : region.vertices) regions[vertex] = 1;
  for (const auto& [contact, sibling] : siblings) {
    const LocalRegion& other = oriented_region(mesh_, sibling);
    for (const GlobalEdge& edge : rim_of(mesh_, other))
      if (own.contains(edge)) shared.insert(edge);
    for (const int vertex : other.vertices)
      if (const auto found = regions.find(vertex); found != regions.end()) ++found->second;
    for (const int t : other.members) continuation_.push_back(mesh_.triangles[t]);
  }
  for (const auto& [vertex, count] : regions)
    if (count > 1) shares_[vertex] = 1.0 / count;
  std::vector<double> numbers;
  for (const auto& [a, b] : shared) numbers.insert(numbers.end(), {static_cast<double>(a), static_cast<double>(b)});
  numbers = concatenated_over_ranks(mesh_.halo->communicator(), numbers);
  for (std::size_t i = 0; i < numbers.size(); i += 2) edges_.emplace_back(static_cast<PetscInt>(numbers[i]), static_cast<PetscInt>(numbers[i + 1]));
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
      if (const auto share = shares_.find(triangle[i]); share != shares_.end()) border.corners[i] = share->second;
    }
  }
  return borders;
}

}  // namespace traction
