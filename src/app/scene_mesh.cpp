#include "app/scene_mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "errors.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

const Region& require_region(const Mesh& mesh, const std::string& name, const Source& source) {
  if (const Region* region = mesh.find_region(name)) return *region;
  std::vector<std::string> names;
  for (const Region& region : mesh.regions) names.push_back(region.name);
  throw InputError(fmt::format("{}: {} has no region '{}'; it has: {}", source.text, mesh.source, name,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Mesh read_body_mesh(const Body& body, const std::string& work_directory) {
  if (!fs::exists(body.mesh))
    throw InputError(fmt::format("{}: no such file: {}; check its name, which counts from the scene's folder", body.source.text, body.mesh));
  if (fs::path(body.mesh).extension() != ".geo") return read_mesh(body.mesh);
  fs::create_directories(work_directory);
  const std::string generated = (fs::path(work_directory) / (body.name + ".msh")).string();
  generate_mesh(body.mesh, body.mesh_parameters, generated);
  Mesh mesh = read_mesh(generated);
  mesh.source = body.mesh;   // the file a user can mend
  return mesh;
}

double signed_volume(const Mesh& mesh, const std::array<int, 4>& t) {
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]], &d = mesh.vertices[t[3]];
  return (b - a).cross(c - a).dot(d - a) / 6;
}

// Every tetrahedron has exactly one material; returns its density per tetrahedron.
std::vector<double> check_materials(const Mesh& mesh, const Body& body) {
  std::vector<double> density(mesh.tetrahedra.size(), 0.0);
  for (const auto& [name, material] : body.solid) {
    const Region& region = require_region(mesh, name, material.source);
    if (region.dimension != 3)
      throw InputError(fmt::format("{}: region '{}' of {} is not made of tetrahedra; a solid needs a volume region", material.source.text, name, mesh.source));
    for (int element : region.members) {
      if (density[element] > 0)
        throw InputError(fmt::format("{}: element {} of {} is already in another region under solid; regions must not overlap", material.source.text,
                                     element + 1, mesh.source));
      density[element] = material.density;
    }
  }
  for (std::size_t e = 0; e < density.size(); ++e)
    if (density[e] == 0)
      throw InputError(fmt::format("{}: element {} of {} is in no region under bodies.{}.solid; give its region a material", body.source.text, e + 1,
                                   mesh.source, body.name));
  return density;
}

// Every vertex must carry mass.
void check_vertices_used(const Mesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (int vertex : tetrahedron) used[vertex] = 1;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) {
      const Vec3& x = mesh.vertices[v];
      throw InputError(fmt::format("{}: the vertex at ({:.6g}, {:.6g}, {:.6g}) belongs to no tetrahedron; mesh the volume behind its surface", mesh.source,
                                   x.x(), x.y(), x.z()));
    }
}

template <std::size_t N>
void collect_vertices(const std::vector<std::array<int, N>>& elements, const std::vector<int>& members, std::vector<int>& vertices) {
  for (int member : members) vertices.insert(vertices.end(), elements[member].begin(), elements[member].end());
}

// Driven regions are there, and no vertex is driven in two ways.
void check_driven_regions(const Mesh& mesh, const Body& body) {
  std::vector<const DrivenVertices*> driver(mesh.vertices.size(), nullptr);
  for (const DrivenVertices& driven : body.driven) {
    const Region& region = require_region(mesh, driven.region, driven.source);
    std::vector<int> vertices;
    if (region.dimension == 3) collect_vertices(mesh.tetrahedra, region.members, vertices);
    else if (region.dimension == 2) collect_vertices(mesh.triangles, region.members, vertices);
    else vertices = region.members;
    for (int vertex : vertices) {
      if (driver[vertex] && driver[vertex]->motion != driven.motion)
        throw InputError(fmt::format("{}: regions '{}' and '{}' of {} share vertices but not their motion; separate them in the mesh", driven.source.text,
                                     driver[vertex]->region, driven.region, mesh.source));
      driver[vertex] = &driven;
    }
  }
}

void place(Mesh& mesh, const Body& body, const std::vector<double>& density) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto& t = mesh.tetrahedra[e];
    const double share = density[e] * signed_volume(mesh, t);
    moment += share / 4 * (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]] + mesh.vertices[t[3]]);
    mass += share;
  }
  const Vec3 centroid = moment / mass;
  const double radians = body.initial.rotation_angle * EIGEN_PI / 180;
  const Mat3 rotation = Eigen::AngleAxisd(radians, body.initial.rotation_axis).toRotationMatrix();
  for (Vec3& x : mesh.vertices) {
    if (radians != 0) x = centroid + rotation * (x - centroid);
    x += body.initial.translate;
  }
}

void add_surface_region(Mesh& mesh, const std::string& name, const std::vector<std::array<int, 3>>& faces) {
  Region region{name, 2, {}};
  for (const auto& face : faces) {
    region.members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back(face);
  }
  mesh.regions.push_back(std::move(region));
}

// What contacts need of a body: the surfaces whose vertices touch, and those that are touched.
void add_contact_regions(Mesh& mesh, const Body& body, const std::vector<ContactSettings>& contacts) {
  const auto add_side = [&](const BodySurface& surface, const Source& source, bool is_touched) {
    if (surface.body != body.name) return;
    if (surface.region.empty() && !mesh.find_region(kWholeBoundary)) add_surface_region(mesh, kWholeBoundary, boundary_faces(mesh));
    const Region region = require_region(mesh, surface.region.empty() ? kWholeBoundary : surface.region, source);
    if (region.dimension != 2)
      throw InputError(fmt::format("{}: region '{}' of {} is not a surface; contact acts on surfaces", source.text, region.name, mesh.source));
    if (is_touched && !mesh.find_region(outward_region(surface))) add_surface_region(mesh, outward_region(surface), outward_faces(mesh, region));
  };
  for (const ContactSettings& contact : contacts) {
    const auto* other = std::get_if<BodySurface>(&contact.against);
    add_side(contact.vertices, contact.source, contact.both);
    if (other) add_side(*other, contact.source, true);
  }
}

void append(Mesh& all, const Mesh& mesh, const std::string& body) {
  const int vertices = static_cast<int>(all.vertices.size()), tetrahedra = static_cast<int>(all.tetrahedra.size());
  const int triangles = static_cast<int>(all.triangles.size());
  all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  Region whole{body, 3, {}};
  for (auto tetrahedron : mesh.tetrahedra) {
    for (int& vertex : tetrahedron) vertex += vertices;
    whole.members.push_back(static_cast<int>(all.tetrahedra.size()));
    all.tetrahedra.push_back(tetrahedron);
  }
  for (auto triangle : mesh.triangles) {
    for (int& vertex : triangle) vertex += vertices;
    all.triangles.push_back(triangle);
  }
  all.regions.push_back(std::move(whole));
  for (Region region : mesh.regions) {
    region.name = body + "." + region.name;
    const int offset = region.dimension == 3 ? tetrahedra : region.dimension == 2 ? triangles : vertices;
    for (int& member : region.members) member += offset;
    all.regions.push_back(std::move(region));
  }
  all.source += (all.source.empty() ? "" : " + ") + mesh.source;
}

// The faces of the solid, oriented outward, of one body in the mesh of all.
std::vector<std::array<int, 3>> body_boundary(const Mesh& all, const std::string& body) {
  Mesh solid;
  solid.source = all.source;
  for (int element : all.find_region(body)->members) solid.tetrahedra.push_back(all.tetrahedra[element]);
  solid.vertices = all.vertices;
  return boundary_faces(solid);
}

// Contact acts on vertices near a surface. One that lies far behind it would not be seen, and never come out.
void refuse_overlap(const ContactSettings& contact, const std::string& moving, const std::string& touched, const Overlap& overlap) {
  if (overlap.depth <= contact.thickness) return;
  throw InputError(fmt::format("{}: at the start {} reaches {:.3g} m into {} at ({:.6g}, {:.6g}, {:.6g}), more than the contact's thickness; move {} apart",
                               contact.source.text, moving, overlap.depth, touched, overlap.at.x(), overlap.at.y(), overlap.at.z(),
                               std::holds_alternative<BodySurface>(contact.against) ? "the bodies" : "them"));
}

void check_overlap(const Mesh& all, const ContactSettings& contact) {
  const auto* other = std::get_if<BodySurface>(&contact.against);
  if (!other || other->body == contact.vertices.body) return;
  const auto check = [&](const BodySurface& moving, const BodySurface& touched) {
    refuse_overlap(contact, moving.body, touched.body, deepest_overlap(all.vertices, body_boundary(all, touched.body), surface_vertices(all, moving)));
  };
  check(contact.vertices, *other);
  if (contact.both) check(*other, contact.vertices);
}

// The same with an obstacle's mesh, where it is closed and so has an inside.
void check_overlap(const Mesh& all, const ContactSettings& contact, const Surface& obstacle, const SurfaceMesh& mesh, double scale) {
  const auto* name = std::get_if<std::string>(&contact.against);
  if (!name || *name != obstacle.name || !mesh.closed) return;
  std::vector<Vec3> vertices;
  for (const Vec3& x : mesh.vertices) vertices.emplace_back(scale * x);
  std::vector<int> candidates;
  for (int vertex : surface_vertices(all, contact.vertices)) {
    candidates.push_back(static_cast<int>(vertices.size()));
    vertices.push_back(all.vertices[vertex]);
  }
  refuse_overlap(contact, contact.vertices.body, obstacle.name, deepest_overlap(vertices, mesh.triangles, candidates));
}

}  // namespace

std::string contact_region(const BodySurface& surface) { return surface.body + "." + (surface.region.empty() ? kWholeBoundary : surface.region); }

std::vector<int> surface_vertices(const Mesh& all, const BodySurface& surface) {
  std::vector<int> vertices;
  collect_vertices(all.triangles, all.find_region(contact_region(surface))->members, vertices);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::string outward_region(const BodySurface& surface) { return "<outward>" + (surface.region.empty() ? kWholeBoundary : surface.region); }

Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory) {
  Mesh all;
  for (const Body& body : scene.bodies) {
    Mesh mesh = read_body_mesh(body, work_directory);
    for (Vec3& x : mesh.vertices) x *= body.scale;
    check_elements(mesh);
    check_vertices_used(mesh);
    place(mesh, body, check_materials(mesh, body));
    for (const VolumePenaltySettings& volume : body.volumes) {
      const Region& surface = require_region(mesh, volume.surface, volume.source);
      if (surface.dimension != 2)
        throw InputError(fmt::format("{}: region '{}' of {} is not a surface; name a closed surface", volume.source.text, volume.surface, mesh.source));
      try {
        orient_closed_surface(mesh, surface);
      } catch (const InputError& error) {
        throw InputError(volume.source.text + ": " + error.what());
      }
    }
    check_driven_regions(mesh, body);
    add_contact_regions(mesh, body, scene.contacts);
    append(all, mesh, body.name);
  }
  for (const ContactSettings& contact : scene.contacts) check_overlap(all, contact);
  for (const Surface& surface : scene.surfaces) {   // so that mistakes in their files are found before anything is computed
    const auto* settings = std::get_if<MeshSettings>(&surface.shape);
    if (!settings) continue;
    SurfaceMesh mesh;
    try {
      mesh = read_surface(settings->file);
    } catch (const InputError& error) {
      throw InputError(surface.source.text + ": " + error.what());
    }
    for (const ContactSettings& contact : scene.contacts) check_overlap(all, contact, surface, mesh, settings->scale);
  }
  return all;
}

}  // namespace traction
