#include "simulation/bending_builder.h"

#include <algorithm>
#include <cmath>

#include "elements/dihedral_angle.h"
#include "math/triangle_area.h"
#include "parallel/scatter.h"
#include "simulation/make_stencil_force.h"

namespace traction {

namespace {

// Collective.
std::vector<int> rigid_carriers(const DistributedMesh& mesh) {
  std::vector<int> carriers(mesh.vertices.size(), 0);
  if (mesh.frames.empty()) return carriers;
  std::map<PetscInt, int> frame_of_particle;
  for (std::size_t f = 0; f < mesh.frames.size(); ++f)
    for (const int particle : mesh.frames[f].particles) frame_of_particle[particle] = static_cast<int>(f);
  std::vector<double> numbers(mesh.vertices.size(), 0.0);
  for (const LocalDependent& dependent : mesh.dependents)
    if (const auto found = frame_of_particle.find(dependent.masters[0]); found != frame_of_particle.end()) numbers[dependent.vertex] = found->second + 1;
  Scatter(*mesh.halo, 1).forward(numbers);
  std::transform(numbers.begin(), numbers.end(), carriers.begin(), [](double number) { return static_cast<int>(number); });
  return carriers;
}

}  // namespace

BendingBuilder::BendingBuilder(const System& system, const SceneMaterials& materials)
    : mesh_(system.mesh()), materials_(materials), held_(system.is_driven()), carriers_(rigid_carriers(mesh_)), patches_(mesh_.triangles, mesh_.hinges) {}

void BendingBuilder::add(int triangle, const ElementSlots& slots) {
  const std::vector<int> vertices = patches_.vertices(triangle);
  if (vertices.empty() || vertices.front() >= mesh_.halo->owned()) return;
  const std::vector<int> hinges = patches_.hinges(triangle);
  BendingPatch patch{{}, bending_strains(geometry(triangle, hinges)), mesh_.owns(mesh_.triangles[triangle])};
  patch.hinges.fill(-1);
  for (std::size_t k = 0; k < hinges.size(); ++k) patch.hinges[k] = number_of(hinges[k]);
  if (const auto place = slots.places.find(triangle); place != slots.places.end()) {
    const ShellMaterialSettings& material = *materials_.shell[triangle];
    patch.yield = material.yield_curvature * std::sqrt(material.bending_stiffness * triangle_area(mesh_.vertices, mesh_.triangles[triangle]));
    patch.triangle = triangle;
    patch.home = place->second.vertex;
    patch.slot = place->second.slot;
  }
  patches.push_back(patch);
}

std::optional<BendingBuilder::Patch> BendingBuilder::patch(int triangle) const {
  if (patches_.size() == 0) return {};
  const std::vector<int> numbers = patches_.hinges(triangle);
  if (numbers.empty()) return {};
  Patch result{geometry(triangle, numbers), {}};
  for (const int hinge : numbers) result.hinges.push_back(bending_hinge(hinge));
  return result;
}

BendingHinge BendingBuilder::bending_hinge(int hinge) const {
  const auto& [vertices, triangles] = mesh_.hinges[hinge];
  const bool flat = materials_.shell[triangles[0]]->flat && materials_.shell[triangles[1]]->flat;
  return {vertices, flat ? 0 : DihedralAngle<double>(places(mesh_, vertices)).angle};
}

int BendingBuilder::number_of(int hinge) {
  const auto [found, is_new] = numbers_.try_emplace(hinge, static_cast<int>(hinges.size()));
  if (is_new) hinges.push_back(bending_hinge(hinge));
  return found->second;
}

Plate BendingBuilder::plate(int triangle) const {
  const ShellMaterialSettings& material = *materials_.shell[triangle];
  const auto& vertices = mesh_.triangles[triangle];
  const bool is_held = std::all_of(vertices.begin(), vertices.end(), [&](int vertex) { return held_[vertex] != 0; });
  const int carrier = carriers_[vertices[0]];
  const bool is_carried = carrier > 0 && std::all_of(vertices.begin(), vertices.end(), [&](int vertex) { return carriers_[vertex] == carrier; });
  return {material.bending_stiffness, material.poisson_ratio, is_held || is_carried};
}

// 1 if a triangle of a hinge has its vertices in the order that agrees with the hinge's normals, else -1. Triangles of a shell need not agree on a side.
double BendingBuilder::winding(int triangle, int hinge) const {
  const auto& [vertices, triangles] = mesh_.hinges[hinge];
  const bool first = triangles[0] == triangle;
  const auto& t = mesh_.triangles[triangle];
  const int from = vertices[first ? 0 : 1], to = vertices[first ? 1 : 0];
  for (int i = 0; i < 3; ++i)
    if (t[i] == from && t[(i + 1) % 3] == to) return 1;
  return -1;
}

PatchEdge BendingBuilder::edge(int triangle, int hinge, const std::vector<int>& hinges_of_patch, double sign) const {
  const auto found = std::lower_bound(hinges_of_patch.begin(), hinges_of_patch.end(), hinge);
  const int apex = mesh_.hinges[hinge].vertices[mesh_.hinges[hinge].triangles[0] == triangle ? 3 : 2];
  return {mesh_.vertices[apex], static_cast<int>(found - hinges_of_patch.begin()), sign};
}

ShellPatch BendingBuilder::geometry(int triangle, const std::vector<int>& hinges_of_patch) const {
  ShellPatch patch{places(mesh_, mesh_.triangles[triangle]), plate(triangle), {}};
  for (int i = 0; i < 3; ++i) {
    const int hinge = patches_.at_edges(triangle)[i];
    if (hinge < 0) continue;
    const int other = patches_.beyond(triangle, hinge);
    const double sign = winding(triangle, hinge), side = sign * winding(other, hinge);
    ShellPatch::Neighbour& neighbour = patch.neighbours[i].emplace(ShellPatch::Neighbour{edge(triangle, hinge, hinges_of_patch, sign), plate(other), {}});
    for (int k = 0; k < 3; ++k) {
      const int beyond = patches_.at_edges(other)[k];
      if (beyond < 0 || beyond == hinge) continue;
      // The edge at the first corner of the shared one comes first.
      const auto& ends = mesh_.hinges[beyond].vertices;
      const bool at_first = std::find(ends.begin(), ends.begin() + 2, mesh_.triangles[triangle][i]) != ends.begin() + 2;
      neighbour.beyond[at_first ? 0 : 1] = edge(other, beyond, hinges_of_patch, side * winding(other, beyond));
    }
  }
  return patch;
}

}  // namespace traction
