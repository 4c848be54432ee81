// Two soft boxes, one above the other, that touch.
#pragma once

#include <cmath>

#include "mesh/mesh_plan.h"
#include "mesh/read_mesh.h"
#include "mesh_partition/distribute.h"
#include "scene/scene.h"
#include "support/box_mesh.h"
#include "system/state.h"

namespace traction::test {

// Both meshes as one.
inline Mesh join(Mesh first, const Mesh& second) {
  const int vertices = int(first.vertices.size()), triangles = int(first.triangles.size()), tetrahedra = int(first.tetrahedra.size());
  first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (auto element : second.tetrahedra) {
    for (int& vertex : element) vertex += vertices;
    first.tetrahedra.push_back(element);
  }
  for (QuadraticTetrahedron quadratic : second.quadratics) {
    for (int& vertex : quadratic.vertices) vertex += vertices;
    first.quadratics.push_back({quadratic.vertices, quadratic.first + tetrahedra});
  }
  for (auto element : second.triangles) {
    for (int& vertex : element) vertex += vertices;
    first.triangles.push_back(element);
  }
  for (int shell : second.shells) first.shells.push_back(shell + triangles);
  for (Hinge hinge : second.hinges) {
    for (int& vertex : hinge.vertices) vertex += vertices;
    for (int& triangle : hinge.triangles) triangle += triangles;
    first.hinges.push_back(hinge);
  }
  for (Region region : second.regions) {
    for (int& member : region.members) member += region.dimension == 3 ? tetrahedra : region.dimension == 2 ? triangles : vertices;
    first.regions.push_back(region);
  }
  return first;
}

// Adds the region that contact against "BODY.surface" asks for.
inline void add_outward_region(Mesh& mesh, const std::string& body) {
  Region region{body + "." + outward_region("surface"), 2, {}};
  for (const auto& face : outward_faces(mesh, *mesh.find_region(body + ".surface"))) {
    region.members.push_back(int(mesh.triangles.size()));
    mesh.triangles.push_back(face);
  }
  mesh.regions.push_back(region);
}

// "lower" fills the unit cube; "upper", smaller and finer, floats `gap` above it.
inline Mesh two_boxes(double gap, int cells = 3) {
  Mesh mesh = join(box_mesh("lower", Vec3::Zero(), Vec3::Ones(), {cells, cells, cells}),
                   box_mesh("upper", Vec3(0.13, 0.17, 1 + gap), Vec3(0.83, 0.87, 1.7 + gap), {cells, cells + 1, cells}));
  add_outward_region(mesh, "lower");
  add_outward_region(mesh, "upper");
  return mesh;
}

// Contact between them, of thickness 0.05 m, both ways or of the upper one's vertices.
inline Scene two_boxes_scene(bool both, double friction_tolerance = 0.05) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 5e-3, std::nullopt}};
  scene.time.end = 0.05;
  for (const char* name : {"lower", "upper"}) {
    Body body;
    body.name = name;
    body.solid["solid"] = {1e5, 0.4, 1000, {}};
    scene.bodies.push_back(body);
  }
  ContactSettings contact;
  contact.name = "pair";
  contact.vertices = {"upper", "surface"};
  contact.against = BodySurface{"lower", "surface"};
  contact.both = both;
  contact.thickness = 0.05;
  contact.stiffness = 2e4;
  FrictionSettings friction;
  friction.dynamic = friction.static_ = 0.5;
  friction.tolerance = friction_tolerance;
  contact.friction = friction;
  scene.contacts = {contact};
  return scene;
}

// An arbitrary change of positions and velocities, a function of the place alone and so the same on any partition.
inline State direction_for(const DistributedMesh& mesh) {
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = Vec3(std::sin(5 * x.z() + x.x()), std::cos(4 * x.y()), std::sin(7 * x.x()));
    state.v[i] = Vec3(std::cos(3 * x.x()), std::sin(6 * x.z()), x.y() - x.x());
  }
  return state;
}

}  // namespace traction::test
