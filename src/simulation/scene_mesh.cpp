#include "simulation/scene_mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <span>

#include "errors.h"
#include "mesh/read_mesh.h"
#include "mesh/shells.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

const Region& require_region(const Mesh& mesh, const std::string& name, const Source& source) {
  if (const Region* region = mesh.find_region(name)) return *region;
  std::vector<std::string> names;
  for (const Region& region : mesh.regions) names.push_back(region.name);
  throw InputError(
      fmt::format("{}: {} has no region '{}'; it has: {}", source.text, mesh.source, name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Mesh read_body_mesh(const Body& body, const std::string& work_directory) {
  if (!fs::exists(body.mesh))
    throw InputError(fmt::format("{}: no such file: {}; check its name, which counts from the scene's folder", body.source.text, body.mesh));
  if (fs::path(body.mesh).extension() != ".geo") return read_mesh(body.mesh);
  fs::create_directories(work_directory);
  const std::string generated = (fs::path(work_directory) / (body.name + ".msh")).string();
  generate_mesh(body.mesh, body.mesh_parameters, generated);
  Mesh mesh = read_mesh(generated);
  mesh.source = body.mesh;  // the file a user can mend
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

// Makes the triangles with a shell's material elements; returns the mass per area of each.
std::vector<double> add_shells(Mesh& mesh, const Body& body) {
  std::vector<double> density(mesh.triangles.size(), 0.0);
  for (const auto& [name, material] : body.shell) {
    const Region& region = require_region(mesh, name, material.source);
    if (region.dimension != 2)
      throw InputError(fmt::format("{}: region '{}' of {} is not made of triangles; a shell needs a surface region", material.source.text, name, mesh.source));
    for (int triangle : region.members) {
      if (density[triangle] > 0)
        throw InputError(fmt::format("{}: triangle {} of {} is already in another region under shell; regions must not overlap", material.source.text,
                                     triangle + 1, mesh.source));
      density[triangle] = material.density;
    }
  }
  std::vector<double> densities;
  for (std::size_t t = 0; t < density.size(); ++t)
    if (density[t] > 0) {
      mesh.shells.push_back(static_cast<int>(t));
      densities.push_back(density[t]);
    }
  try {
    mesh.hinges = find_hinges(mesh);
  } catch (const InputError& error) {
    throw InputError(body.shell.begin()->second.source.text + ": " + error.what());
  }
  return densities;
}

// Every vertex must carry mass.
void check_vertices_used(const Mesh& mesh, const Body& body) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) used[vertex] = 1;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) {
      const Vec3& x = mesh.vertices[v];
      throw InputError(fmt::format(
          "{}: the vertex of {} at ({:.6g}, {:.6g}, {:.6g}) belongs to no tetrahedron and to no shell; mesh the volume behind its surface, or give the "
          "surface's region a material under bodies.{}.shell",
          body.source.text, mesh.source, x.x(), x.y(), x.z(), body.name));
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

double area(const Mesh& mesh, const std::array<int, 3>& t) {
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  return (b - a).cross(c - a).norm() / 2;
}

// `density`: of each element.
void place(Mesh& mesh, const Body& body, const std::vector<double>& density) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const std::span<const int> vertices = mesh.element(e);
    const double size =
        e < mesh.tetrahedra.size() ? signed_volume(mesh, mesh.tetrahedra[e]) : area(mesh, mesh.triangles[mesh.shells[e - mesh.tetrahedra.size()]]);
    Vec3 sum = Vec3::Zero();
    for (int vertex : vertices) sum += mesh.vertices[vertex];
    moment += density[e] * size / static_cast<double>(vertices.size()) * sum;
    mass += density[e] * size;
  }
  const Vec3 centroid = moment / mass;
  const double radians = body.initial.rotation_angle * EIGEN_PI / 180;
  const Mat3 rotation = Eigen::AngleAxisd(radians, body.initial.rotation_axis).toRotationMatrix();
  for (Vec3& x : mesh.vertices) {
    if (radians != 0) x = centroid + rotation * (x - centroid);
    x += body.initial.translate;
  }
}

const Region& add_surface_region(Mesh& mesh, const std::string& name, const std::vector<std::array<int, 3>>& faces) {
  Region region{name, 2, {}};
  for (const auto& face : faces) {
    region.members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back(face);
  }
  return mesh.regions.emplace_back(std::move(region));
}

std::vector<std::array<int, 3>> triangles_of(const Mesh& mesh, const Region& region) {
  std::vector<std::array<int, 3>> triangles;
  for (int t : region.members) triangles.push_back(mesh.triangles[t]);
  return triangles;
}

// The closed surface of a volume penalty, oriented outward.
void add_volume_region(Mesh& mesh, const VolumePenaltySettings& volume) {
  std::vector<std::array<int, 3>> faces;
  if (!volume.region.empty()) {
    const Region& zone = require_region(mesh, volume.region, volume.source);
    if (zone.dimension != 3)
      throw InputError(fmt::format("{}: region '{}' of {} is not made of tetrahedra; name one that is, or a closed surface under 'surface'", volume.source.text,
                                   volume.region, mesh.source));
    Mesh part;
    part.vertices = mesh.vertices;
    part.source = mesh.source;
    for (int element : zone.members) part.tetrahedra.push_back(mesh.tetrahedra[element]);
    faces = boundary_faces(part);
  } else {
    const Region& surface = require_region(mesh, volume.surface, volume.source);
    if (surface.dimension != 2)
      throw InputError(fmt::format("{}: region '{}' of {} is not a surface; name a closed surface, or tetrahedra under 'region'", volume.source.text,
                                   volume.surface, mesh.source));
    faces = triangles_of(mesh, surface);
    if (volume.close_rims) {
      const std::vector<std::array<int, 3>> caps = rim_caps(mesh, surface);
      faces.insert(faces.end(), caps.begin(), caps.end());
    }
  }
  if (mesh.find_region(volume_region(volume))) return;
  Region region = add_surface_region(mesh, volume_region(volume), faces);
  region.name = volume.surface;                                    // for messages
  if (volume.region.empty()) orient_closed_surface(mesh, region);  // that of a zone is, and may touch itself in an edge
}

// The shells with nothing behind them: those that are no faces of the solid.
std::vector<int> free_shells(const Mesh& mesh) {
  const auto sorted = [](std::array<int, 3> vertices) {
    std::sort(vertices.begin(), vertices.end());
    return vertices;
  };
  std::set<std::array<int, 3>> outer;
  for (const auto& face : boundary_faces(mesh)) outer.insert(sorted(face));
  std::vector<int> result;
  std::copy_if(mesh.shells.begin(), mesh.shells.end(), std::back_inserter(result), [&](int t) { return outer.count(sorted(mesh.triangles[t])) == 0; });
  return result;
}

// Oriented out of the solid, or where it is a shell's, whose two sides both touch, as the first triangle of each part is.
void add_touched_region(Mesh& mesh, const BodySurface& surface, const Region& region, const Source& source) {
  try {
    const std::vector<int> free = free_shells(mesh);
    if (std::includes(free.begin(), free.end(), region.members.begin(), region.members.end())) {
      Region sides = add_surface_region(mesh, two_sided_region(surface), triangles_of(mesh, region));
      sides.name = region.name;  // for messages
      orient_surface(mesh, sides);
    } else {
      add_surface_region(mesh, outward_region(surface), outward_faces(mesh, region));
    }
  } catch (const InputError& error) {
    throw InputError(source.text + ": " + error.what());
  }
}

// What contacts need of a body: the surfaces whose vertices touch, and those that are touched.
void add_contact_regions(Mesh& mesh, const Body& body, const std::vector<ContactSettings>& contacts) {
  const auto add_side = [&](const BodySurface& surface, const Source& source, bool is_touched) {
    if (surface.body != body.name) return;
    if (surface.region.empty() && !mesh.find_region(kWholeBoundary)) {
      const std::vector<int> free = free_shells(mesh);
      add_surface_region(mesh, kWholeBoundary, boundary_faces(mesh));
      Region& whole = mesh.regions.back();
      whole.members.insert(whole.members.begin(), free.begin(), free.end());  // have lower numbers
    }
    const Region region = require_region(mesh, surface.region.empty() ? kWholeBoundary : surface.region, source);
    if (region.dimension != 2)
      throw InputError(fmt::format("{}: region '{}' of {} is not a surface; contact acts on surfaces", source.text, region.name, mesh.source));
    if (is_touched && !mesh.find_region(outward_region(surface)) && !mesh.find_region(two_sided_region(surface)))
      add_touched_region(mesh, surface, region, source);
  };
  for (const ContactSettings& contact : contacts) {
    const auto* other = std::get_if<BodySurface>(&contact.against);
    add_side(contact.vertices, contact.source, contact.both);
    if (other) add_side(*other, contact.source, true);
  }
}

// Regions that loads act on are there, and those that are pressed have an outside.
void add_load_regions(Mesh& mesh, const Body& body) {
  for (const LoadSettings& load : body.loads) {
    if (load.region.empty()) continue;
    const Region region = require_region(mesh, load.region, load.source);
    const bool is_pressure = load.kind == LoadKind::pressure;
    if (region.dimension != 2 && (is_pressure || load.kind == LoadKind::traction))
      throw InputError(fmt::format("{}: region '{}' of {} is not a surface; {} acts on surfaces", load.source.text, region.name, mesh.source,
                                   is_pressure ? "pressure" : "a traction"));
    const BodySurface surface{body.name, load.region};
    if (is_pressure && !mesh.find_region(outward_region(surface)) && !mesh.find_region(two_sided_region(surface)))
      add_touched_region(mesh, surface, region, load.source);
  }
}

void append(Mesh& all, const Mesh& mesh, const std::string& body) {
  const int vertices = static_cast<int>(all.vertices.size()), tetrahedra = static_cast<int>(all.tetrahedra.size());
  const int triangles = static_cast<int>(all.triangles.size());
  all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  Region whole{body, 0, std::vector<int>(mesh.vertices.size())};
  std::iota(whole.members.begin(), whole.members.end(), vertices);
  for (auto tetrahedron : mesh.tetrahedra) {
    for (int& vertex : tetrahedron) vertex += vertices;
    all.tetrahedra.push_back(tetrahedron);
  }
  for (auto triangle : mesh.triangles) {
    for (int& vertex : triangle) vertex += vertices;
    all.triangles.push_back(triangle);
  }
  for (int shell : mesh.shells) all.shells.push_back(shell + triangles);
  for (Hinge hinge : mesh.hinges) {
    for (int& vertex : hinge.vertices) vertex += vertices;
    for (int& triangle : hinge.triangles) triangle += triangles;
    all.hinges.push_back(hinge);
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

// The faces of the solid, oriented outward, of one body in the mesh of all; none of a shell, which has no inside.
std::vector<std::array<int, 3>> body_boundary(const Mesh& all, const std::string& body) {
  const std::vector<int>& vertices = all.find_region(body)->members;  // consecutive
  Mesh solid;
  solid.source = all.source;
  for (const auto& tetrahedron : all.tetrahedra)
    if (tetrahedron[0] >= vertices.front() && tetrahedron[0] <= vertices.back()) solid.tetrahedra.push_back(tetrahedron);
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
std::string two_sided_region(const BodySurface& surface) { return "<two-sided>" + (surface.region.empty() ? kWholeBoundary : surface.region); }
std::string volume_region(const VolumePenaltySettings& volume) { return "<closed>" + (volume.region.empty() ? volume.surface : volume.region); }

Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory) {
  Mesh all;
  for (const Body& body : scene.bodies) {
    Mesh mesh = read_body_mesh(body, work_directory);
    for (Vec3& x : mesh.vertices) x *= body.scale;
    check_elements(mesh);
    const std::vector<double> of_shells = add_shells(mesh, body);
    std::vector<double> density = check_materials(mesh, body);
    density.insert(density.end(), of_shells.begin(), of_shells.end());
    check_vertices_used(mesh, body);
    place(mesh, body, density);
    for (const VolumePenaltySettings& volume : body.volumes) {
      try {
        add_volume_region(mesh, volume);
      } catch (const InputError& error) {
        const std::string text = error.what();
        throw InputError(text.starts_with(volume.source.text) ? text : volume.source.text + ": " + text);
      }
    }
    check_driven_regions(mesh, body);
    add_load_regions(mesh, body);
    add_contact_regions(mesh, body, scene.contacts);
    append(all, mesh, body.name);
  }
  for (const ContactSettings& contact : scene.contacts) check_overlap(all, contact);
  for (const Surface& surface : scene.surfaces) {  // so that mistakes in their files are found before anything is computed
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
