#include "app/contact_surfaces.h"

#include <array>
#include <span>

#include "math/triangle_area.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// The sums of a surface: area, lengths of edges, and their number.
using Sums = std::array<double, 3>;

void add_triangles(const DistributedMesh& mesh, const std::vector<int>& members, Sums& sums) {
  for (const int t : members) {
    const auto& [a, b, c] = mesh.triangles[t];
    if (!mesh.owns(mesh.triangles[t])) continue;
    const Vec3 ab = mesh.vertices[b] - mesh.vertices[a], bc = mesh.vertices[c] - mesh.vertices[b], ca = mesh.vertices[a] - mesh.vertices[c];
    sums[0] += triangle_area(mesh.vertices, mesh.triangles[t]);
    sums[1] += ab.norm() + bc.norm() + ca.norm();
    sums[2] += 3;
  }
}

// `members`: the members of a region of rods whose sections have this radius.
void add_rods(const DistributedMesh& mesh, const std::vector<int>& members, double radius, Sums& sums) {
  for (const int r : members) {
    const auto& vertices = mesh.rods[r].vertices;
    if (!mesh.owns(vertices)) continue;
    const double length = (mesh.vertices[vertices[1]] - mesh.vertices[vertices[0]]).norm();
    sums[0] += 2 * radius * length;
    sums[1] += length;
    sums[2] += 1;
  }
}

void add_side(const Simulation& simulation, const BodySurface& side, Sums& sums) {
  const DistributedMesh& mesh = *simulation.mesh;
  for (const Body& body : simulation.scene.bodies) {
    if (body.name != side.body) continue;
    if (has_faces(body, side.region)) add_triangles(mesh, mesh.region(contact_region(side)).members, sums);
    if (has_rods(body, side.region))
      for (const auto& [name, material] : rods_of(body, side.region)) add_rods(mesh, mesh.region(body.name + "." + name).rods, material.radius, sums);
  }
}

}  // namespace

std::vector<std::vector<SurfaceSize>> contact_surface_sizes(const Simulation& simulation) {
  std::vector<std::vector<SurfaceSize>> sizes;
  for (const ContactSettings& contact : simulation.scene.contacts) {
    const auto measure = [&](const std::string& name, std::span<const BodySurface> sides) {
      Sums sums{};
      for (const BodySurface& side : sides) add_side(simulation, side, sums);
      sum_over_ranks(simulation.system->communicator(), sums);
      sizes.back().push_back({name, sums[0], sums[2] > 0 ? sums[1] / sums[2] : 0});
    };
    sizes.emplace_back();
    if (contact.all) {
      std::vector<BodySurface> all;
      for (const Body& body : simulation.scene.bodies) all.push_back({body.name, ""});
      measure("", all);
      continue;
    }
    measure(to_text(contact.vertices), {&contact.vertices, 1});
    if (const auto* other = std::get_if<BodySurface>(&contact.against); other && !(*other == contact.vertices)) measure(to_text(*other), {other, 1});
  }
  return sizes;
}

}  // namespace traction
