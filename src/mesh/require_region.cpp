// Finds the regions that scenes name, and their vertices.

#include <fmt/format.h>

#include <algorithm>

#include "errors.h"
#include "mesh/mesh_builder.h"
#include "mesh/mesh_plan.h"
#include "mesh/own_regions.h"
#include "settings/nearest_name.h"

namespace traction {

namespace {

// Ends the refusal of a name where no other region exists than these of the mesh itself.
std::string proposal_of_own(const std::vector<std::string>& own) {
  std::string uses;
  for (const std::string& name : own)
    uses += fmt::format("{}'{}' for its {}", uses.empty() ? ", or write " : ", ", name, name == kAllElements ? "elements" : "outer surface");
  return uses;
}

}  // namespace

const Region& require_region(const Mesh& mesh, const std::string& name, const std::string& source, std::optional<int> dimension, const char* objection) {
  const std::vector<std::string> own = own_regions(mesh);
  const bool has_own_surface = std::find(own.begin(), own.end(), kOuterSurface) != own.end();
  std::vector<std::string> names, fitting;  // `fitting`: those of the dimension that is needed
  for (const Region& region : mesh.regions) {
    if (region.name == name && region.dimension == dimension.value_or(region.dimension)) return region;
    if (region.name == name)
      throw InputError(fmt::format("{}: region '{}' of {} {}{}", source, name, mesh.source, objection,
                                   name == kAllElements && dimension == 2 && has_own_surface ? "; the outer surface of all elements is 'boundary'" : ""));
    const bool is_own = std::find(own.begin(), own.end(), region.name) != own.end();
    if (region.name.starts_with('<') || is_own) continue;  // those are requested surfaces
    names.push_back(region.name);
    if (region.dimension == dimension) fitting.push_back(region.name);
  }
  const bool has_only_own = names.empty();
  const int of_all = !mesh.tetrahedra.empty() ? 3 : !mesh.triangles.empty() ? 2 : 1;
  for (const std::string& name_of_own : own) {
    names.push_back(name_of_own);
    if ((name_of_own == kAllElements ? of_all : 2) == dimension) fitting.push_back(name_of_own);
  }
  const std::string part = name.substr(name.find('.') + 1);
  if (part != name && std::find(names.begin(), names.end(), part) != names.end())
    throw InputError(fmt::format("{}: {} has no region '{}'; give '{}', without the body's name", source, mesh.source, name, part));
  if (mesh.find_region(empty_region(name)))
    throw InputError(
        fmt::format("{}: region '{}' of {} is empty: the file names it, but none of the body's elements belongs to it; check the numbers in its physical "
                    "group in Gmsh, and that its elements are saved",
                    source, name, mesh.source));
  if (has_only_own)
    throw InputError(
        fmt::format("{}: {} has no region '{}'{}; give its volumes and surfaces names, in Gmsh by Physical Volume and Physical Surface, in .vtu and .vtk files "
                    "by a cell array 'region'{}",
                    source, mesh.source, name, own.empty() ? ", nor any other" : "", proposal_of_own(own)));
  const auto has_near = [&](const std::vector<std::string>& some) { return is_near(name, nearest_name(name, {some.begin(), some.end()})); };
  if (fitting.empty() || (has_near(names) && !has_near(fitting))) fitting = names;
  throw InputError(
      fmt::format("{}: {} has no region '{}'; {}", source, mesh.source, name, proposal(name, {fitting.begin(), fitting.end()}, "the nearest is", "it has")));
}

std::vector<int> region_vertices(const Mesh& mesh, const Region& region) {
  if (region.dimension < 2) return region.members;
  std::vector<int> vertices;
  const auto collect = [&](const auto& elements) {
    for (int member : region.members) vertices.insert(vertices.end(), elements[member].begin(), elements[member].end());
  };
  region.dimension == 3 ? collect(mesh.tetrahedra) : collect(mesh.triangles);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace traction
