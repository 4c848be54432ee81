// Meshes of shells, alone and with solids, as the program hands them to build_simulation.
#pragma once

#include <numeric>
#include <string>

#include "mesh/mesh_plan.h"
#include "mesh/read_mesh.h"
#include "mesh/shells.h"
#include "scene/scene.h"
#include "support/box_mesh.h"
#include "support/sheets.h"
#include "support/two_boxes.h"

namespace traction::test {

// Regions "BODY" (all vertices), "BODY.skin" (all triangles, which are shells) and "BODY.<two-sided>skin" (the same, for contact).
inline Mesh shell_mesh(const std::string& body, const Sheet& sheet) {
  Mesh mesh;
  mesh.source = body;
  mesh.vertices = sheet.vertices;
  mesh.triangles = sheet.triangles;
  Region all{body, 0, std::vector<int>(sheet.vertices.size())}, skin{body + ".skin", 2, std::vector<int>(sheet.triangles.size())};
  std::iota(all.members.begin(), all.members.end(), 0);
  std::iota(skin.members.begin(), skin.members.end(), 0);
  mesh.shells = skin.members;
  mesh.hinges = find_hinges(mesh);
  Region sides{body + "." + two_sided_region("skin"), 2, {}};
  for (const auto& triangle : sheet.triangles) {
    sides.members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back(triangle);
  }
  mesh.regions = {all, skin, sides};
  orient_surface(mesh, sides);
  return mesh;
}

// Adds "BODY.<closed>skin", which a volume penalty asks for: the skin, with caps on its rims if it has any.
inline void add_closed_region(Mesh& mesh, const std::string& body, bool close_rims) {
  const Region skin = *mesh.find_region(body + ".skin");
  Region closed{body + ".<closed>skin", 2, {}};
  std::vector<std::array<int, 3>> faces = close_rims ? rim_caps(mesh, skin) : std::vector<std::array<int, 3>>{};
  for (int t : skin.members) faces.push_back(mesh.triangles[t]);
  for (const auto& face : faces) {
    closed.members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back(face);
  }
  mesh.regions.push_back(closed);
  orient_closed_surface(mesh, closed);
}

// A box whose top, "BODY.top", is a shell as well.
inline Mesh covered_box(const std::string& body, const Vec3& lower, const Vec3& upper, const std::array<int, 3>& cells) {
  Mesh mesh = box_mesh(body, lower, upper, cells);
  mesh.shells = mesh.find_region(body + ".top")->members;
  mesh.hinges = find_hinges(mesh);
  return mesh;
}

inline Sheet moved(Sheet sheet, double scale, const Vec3& by) {
  for (Vec3& x : sheet.vertices) x = scale * x + by;
  return sheet;
}

inline ShellMaterialSettings shell_material(double surface_modulus, double poisson_ratio, double mass_per_area, double bending_stiffness, double thickness) {
  ShellMaterialSettings material;
  material.youngs_modulus = surface_modulus;
  material.poisson_ratio = poisson_ratio;
  material.density = mass_per_area;
  material.bending_stiffness = bending_stiffness;
  material.thickness = thickness;
  return material;
}

}  // namespace traction::test
