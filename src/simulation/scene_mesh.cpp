#include "simulation/scene_mesh.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "math/box_tree.h"
#include "mesh/mesh_plan.h"
#include "mesh/read_mesh.h"
#include "mesh/rigid_frame.h"
#include "mesh/rods.h"
#include "mesh/second_order.h"
#include "mesh/shells.h"
#include "simulation/attachments.h"
#include "simulation/body_mesh.h"
#include "simulation/contact_pairs.h"
#include "simulation/copied_elements.h"
#include "simulation/material_directions.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/prescribed_motions.h"
#include "simulation/rod_contact_check.h"
#include "simulation/round_obstacles.h"
#include "simulation/rounding_check.h"
#include "simulation/strain_limits.h"

namespace traction {

namespace {

// Volume of a tetrahedron, negative if it is inverted [m^3], area of a shell [m^2], or length of a rod's segment [m], with its vertices at `x`.
double element_size(const Mesh& mesh, std::size_t element, const std::vector<Vec3>& x) {
  const std::span<const int> t = mesh.corners(element);
  if (t.size() == 2) return (x[t[1]] - x[t[0]]).norm();
  const Vec3 normal = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
  return t.size() == 4 ? normal.dot(x[t[3]] - x[t[0]]) / 6 : normal.norm() / 2;
}

// The density of each element of one dimension, 0 where no material names it. `element` and `section` are their names in messages.
template <typename Material>
std::vector<double> densities(const Mesh& mesh, const std::map<std::string, Material>& materials, std::size_t elements, int dimension, const char* objection,
                              const char* element, const char* section) {
  std::vector<double> density(elements, 0.0);
  for (const auto& [name, material] : materials)
    for (int member : require_region(mesh, name, material.source.text, dimension, objection).members) {
      if (density[member] > 0)
        throw InputError(fmt::format("{}: {} {} of {} is already in another region under {}; regions must not overlap", material.source.text, element,
                                     member + 1, mesh.source, section));
      density[member] = material.density;
    }
  return density;
}

// Refuses a natural curvature that would turn a segment much further than a right angle against the next one.
void refuse_coarse_curvature(const Mesh& mesh, const Body& body) {
  constexpr double kLargestTurn = 2;  // [rad]
  for (const auto& [name, material] : body.rod) {
    if (!material.natural_curvature) continue;
    const double curvature = std::hypot(material.natural_curvature->x(), material.natural_curvature->y());
    for (const int rod : mesh.find_region(name)->rods) {
      const auto& [a, b, twist] = mesh.rods[rod].vertices;
      const double length = (mesh.vertices[b] - mesh.vertices[a]).norm();
      if (curvature * length > kLargestTurn)
        throw InputError(
            fmt::format("{}: natural_curvature turns a segment of {:.3g} m, at ({:.6g}, {:.6g}, {:.6g}) of {}, by {:.3g} rad against the next; mesh "
                        "the rod so finely that this is below 1, or check the curvature's unit",
                        material.source.text, length, mesh.vertices[a].x(), mesh.vertices[a].y(), mesh.vertices[a].z(), mesh.source, curvature * length));
    }
  }
}

// Turns the segments with a rod's material into elements, and appends the mass per length of each.
void add_rod_materials(Mesh& mesh, const Body& body, std::vector<double>& density) {
  std::map<int, std::optional<Vec3>> directions;
  for (const auto& [name, material] : body.rod)
    for (const int segment : require_region(mesh, name, material.source.text, 1, "is not made of segments; a rod needs a curve region").segments)
      if (!directions.emplace(segment, material.director).second)
        throw InputError(fmt::format("{}: the segment {} of {} is already in another region under rod; regions must not overlap", material.source.text,
                                     segment + 1, mesh.source));
  with_source(body.rod.begin()->second.source.text, [&] { add_rods(mesh, directions); });
  refuse_coarse_curvature(mesh, body);
  std::vector<double> per_length(mesh.rods.size(), 0.0);
  for (const auto& [name, material] : body.rod)
    for (const int rod : mesh.find_region(name)->rods) per_length[rod] = material.density * material.area();
  density.insert(density.end(), per_length.begin(), per_length.end());
}

// Finds the particles of a rigid body; returns the density of each element.
std::vector<double> add_rigid_frame(Mesh& mesh, const Body& body) {
  const RigidSettings& rigid = *body.rigid;
  if (mesh.tetrahedra.empty())
    throw InputError(fmt::format("{}: {} has no tetrahedra, and a rigid body needs them to know its inside; mesh the volume behind its surface",
                                 rigid.source.text, mesh.source));
  MassMoments moments = moments_of_tetrahedra(mesh, rigid.density.value_or(1));
  const double density = rigid.density.value_or(*rigid.mass / moments.mass);
  if (rigid.mass) {
    Mat3 inertia = rigid.inertia->asDiagonal();
    const Vec3& products = rigid.products_of_inertia;
    inertia(1, 2) = inertia(2, 1) = -products.x();
    inertia(0, 2) = inertia(2, 0) = -products.y();
    inertia(0, 1) = inertia(1, 0) = -products.z();
    moments = MassMoments::from_inertia(*rigid.mass, *rigid.center, inertia);
  }
  with_source(rigid.source.text, [&] { add_particles(mesh, moments); });
  return std::vector<double>(mesh.tetrahedra.size(), density);
}

// Turns the triangles with a shell's material into elements, and checks that every tetrahedron has a material; returns the density of each element.
std::vector<double> add_materials(Mesh& mesh, const Body& body) {
  if (body.rigid) return add_rigid_frame(mesh, body);
  if (mesh.tetrahedra.empty() && !body.solid.empty())
    throw InputError(
        fmt::format("{}: {} has no tetrahedra, which a solid needs; mesh and name the volume, in Gmsh Physical Volume(\"{}\") = {{1}}, or give a shell",
                    body.solid.begin()->second.source.text, mesh.source, body.solid.begin()->first));
  std::vector<double> density =
      densities(mesh, body.solid, mesh.tetrahedra.size(), 3, "is not made of tetrahedra; a solid needs a volume region", "element", "solid");
  const std::vector<double> per_area =
      densities(mesh, body.shell, mesh.triangles.size(), 2, "is not made of triangles; a shell needs a surface region", "triangle", "shell");
  for (std::size_t e = 0; e < density.size(); ++e)
    if (density[e] == 0)
      throw InputError(fmt::format("{}: element {} of {} is in no region under bodies.{}.solid; give its region a material, or all elements one under 'all'",
                                   body.source.text, e + 1, mesh.source, body.name));
  for (std::size_t t = 0; t < per_area.size(); ++t)
    if (per_area[t] > 0) {
      mesh.shells.push_back(static_cast<int>(t));
      density.push_back(per_area[t]);
    }
  if (!body.rod.empty()) add_rod_materials(mesh, body, density);
  if (mesh.shells.empty()) return density;
  mesh.hinges = with_source(body.shell.begin()->second.source.text, [&] { return find_hinges(mesh); });
  std::vector<char> bends(mesh.triangles.size(), 0);
  for (const auto& [name, material] : body.shell)
    for (int t : mesh.find_region(name)->members) bends[t] = material.bending_stiffness > 0;
  std::erase_if(mesh.hinges, [&](const Hinge& hinge) { return !bends[hinge.triangles[0]] || !bends[hinge.triangles[1]]; });
  return density;
}

// Every vertex must carry mass.
void check_vertices_used(const Mesh& mesh, const Body& body) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) used[vertex] = 1;
  for (const RigidFrame& frame : mesh.frames)
    for (int particle : frame.particles) used[particle] = 1;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) {
      const Vec3& x = mesh.vertices[v];
      throw InputError(fmt::format(
          "{}: the vertex of {} at ({:.6g}, {:.6g}, {:.6g}) belongs to no tetrahedron, no shell and no rod; mesh the volume behind its surface, or give the "
          "surface's region a material under bodies.{}.shell",
          body.source.text, mesh.source, x.x(), x.y(), x.z(), body.name));
    }
}

// Whether two regions may prescribe different motions of the same vertex: along orthogonal directions, or if one of them prescribes the whole motion and the
// other is fixed.
bool go_together(const DrivenSettings& a, const DrivenSettings& b) {
  const std::vector<Vec3> along_a = a.directions(), along_b = b.directions();
  if (along_a.empty() || along_b.empty()) return along_a.empty() != along_b.empty() && (along_a.empty() ? b : a).motion.empty();
  for (const Vec3& one : along_a)
    for (const Vec3& other : along_b)
      if (std::abs(one.dot(other)) > 1e-6) return false;
  return true;
}

// Whether the first region moves vertices away from where the second holds them along some directions, and releases them earlier, so that they would jump back.
bool leaves_behind(const DrivenSettings& mover, const DrivenSettings& holder) {
  if (!mover.until || mover.motion.empty() || !mover.directions().empty() || holder.directions().empty() || !holder.motion.empty()) return false;
  return !holder.until || *holder.until > *mover.until;
}

// A region of a rigid body has the motion of the whole body, so all of its regions must move alike, or along orthogonal directions.
void check_rigid_motions(const Body& body) {
  for (const DrivenSettings& driven : body.driven)
    for (const DrivenSettings& other : body.driven) {
      if (&other == &driven) break;
      const bool apart = !other.directions().empty() && !driven.directions().empty() && go_together(other, driven);
      if (other.motion != driven.motion && !apart)
        throw InputError(
            fmt::format("{}: body '{}' is rigid and moves as one, but its regions '{}' and '{}' are given different motions; hold or drive one of them",
                        driven.source.text, body.name, other.region, driven.region));
    }
}

// Checks that driven regions exist, and that no vertex is driven in two ways.
void check_driven_regions(const Mesh& mesh, const Body& body) {
  if (body.rigid) check_rigid_motions(body);
  std::vector<std::vector<const DrivenSettings*>> drivers(mesh.vertices.size());
  for (const DrivenSettings& driven : body.driven) {
    const Region& region = require_region(mesh, driven.region, driven.source.text);
    for (int vertex : region_vertices(mesh, region)) {
      for (const DrivenSettings* other : drivers[vertex]) {
        if (leaves_behind(*other, driven) || leaves_behind(driven, *other))
          throw InputError(
              fmt::format("{}: regions '{}' and '{}' of {} share vertices. One of them moves these vertices and releases them while the other still holds a "
                          "part of their motion, so that they would jump back; give both the same 'until', or separate them in the mesh",
                          driven.source.text, other->region, driven.region, mesh.source));
        if (other->motion != driven.motion && !go_together(*other, driven))
          throw InputError(fmt::format("{}: regions '{}' and '{}' of {} share vertices but not their motion; separate them in the mesh", driven.source.text,
                                       other->region, driven.region, mesh.source));
      }
      drivers[vertex].push_back(&driven);
    }
  }
}

// Reads the start positions of a body that does not start in the shape of its mesh.
void read_start(Mesh& mesh, const Body& body) {
  const InitialSettings& initial = body.initial;
  if (initial.positions.empty()) return;
  if (!mesh.rods.empty())
    throw InputError(
        fmt::format("{}: body '{}' has rods, which start in the shape of their mesh, because positions alone do not determine their twist; mesh them as "
                    "they start, and give their shape without stress under 'natural'",
                    initial.positions_source.text, body.name));
  with_source(initial.positions_source.text, [&] {
    VertexMotion start = read_vertex_motion(initial.positions, body.name, mesh.vertices.size(), initial.velocities, body.scale);
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      if (!(element_size(mesh, e, start.positions) > 0))
        throw InputError(fmt::format("{}: element {} of {} is inverted or flat in these positions. Give positions in which every element keeps its orientation",
                                     initial.positions, e + 1, mesh.source));
    mesh.start_positions = std::move(start.positions);
    mesh.start_velocities = std::move(start.velocities);
  });
}

// Rotates the mesh about its centroid and the start positions about theirs, or both about the point that the scene gives, and translates both. `density`: one
// for each element.
void place(Mesh& mesh, const Body& body, const std::vector<double>& density) {
  std::vector<double> size;
  for (std::size_t e = 0; e < mesh.elements(); ++e) size.push_back(element_size(mesh, e, mesh.vertices));
  const double radians = body.initial.rotate.angle * EIGEN_PI / 180;
  const Mat3 rotation = Eigen::AngleAxisd(radians, body.initial.rotate.axis).toRotationMatrix();
  for (std::vector<Vec3>* positions : {&mesh.vertices, &mesh.start_positions}) {
    if (positions->empty()) continue;
    Vec3 moment = Vec3::Zero();
    double mass = 0;
    for (std::size_t e = 0; e < mesh.elements(); ++e) {
      Vec3 sum = Vec3::Zero();
      for (int vertex : mesh.corners(e)) sum += (*positions)[vertex];
      moment += density[e] * size[e] / static_cast<double>(mesh.corners(e).size()) * sum;
      mass += density[e] * size[e];
    }
    if (!mesh.frames.empty()) {  // its center may be given
      moment.setZero();
      mass = 4;
      for (int particle : mesh.frames.front().particles) moment += (*positions)[particle];
    }
    const Vec3 about = body.initial.rotate.about.value_or(moment / mass);
    const std::size_t places = positions->size() - mesh.rods.size();  // the twists of rods are at the end
    for (std::size_t i = 0; i < positions->size(); ++i) {
      Vec3& x = (*positions)[i];
      if (radians != 0) x = i < places ? Vec3(about + rotation * (x - about)) : Vec3(rotation * x);
      if (i < places) x += body.initial.translate;
    }
  }
  if (radians != 0)
    for (Vec3& v : mesh.start_velocities) v = rotation * v;
}

void check_load_regions(const Mesh& mesh, const Body& body) {
  for (const LoadSettings& load : body.loads) {
    if (load.region.empty()) continue;
    if (load.kind == LoadKind::pressure) require_region(mesh, load.region, load.source.text, 2, "is not a surface; pressure acts on surfaces");
    else if (load.kind == LoadKind::traction) require_region(mesh, load.region, load.source.text, 2, "is not a surface; a traction acts on surfaces");
    else require_kept_region(mesh, load.region, load.source.text);
  }
}

void check_spring_regions(const Mesh& mesh, const Body& body, const std::vector<SpringSettings>& springs) {
  for (const SpringSettings& spring : springs)
    for (const BodySurface& end : {spring.from, spring.to})
      if (end.body == body.name && !end.region.empty()) require_kept_region(mesh, end.region, spring.source.text);
}

void check_attached_regions(const Mesh& mesh, const Body& body, const std::vector<AttachmentSettings>& attachments) {
  for (const AttachmentSettings& attachment : attachments)
    for (const BodySurface& side : {attachment.vertices, attachment.to})
      if (side.body == body.name && !side.region.empty()) require_kept_region(mesh, side.region, attachment.source.text);
}

// The mass of each vertex [kg]. `density`: one for each element.
std::vector<double> vertex_masses(const Mesh& mesh, const std::vector<double>& density) {
  std::vector<double> masses(mesh.vertices.size(), 0.0);
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics) {
    const std::array<double, 10> volumes = lumped_volumes(mesh.vertices, quadratic.vertices);
    for (std::size_t a = 0; a < volumes.size(); ++a) masses[quadratic.vertices[a]] += density[quadratic.first] * volumes[a];
  }
  for (std::size_t e = mesh.quadratics.empty() ? 0 : mesh.tetrahedra.size(); e < mesh.elements(); ++e)
    for (const int vertex : mesh.corners(e)) masses[vertex] += density[e] * element_size(mesh, e, mesh.vertices) / static_cast<double>(mesh.corners(e).size());
  return masses;
}

// The regions of two bodies by which one carries vertices of the other, as (body, region).
std::vector<std::pair<std::string, std::string>> attached_regions(const Scene& scene, const std::string& one, const std::string& other) {
  std::vector<std::pair<std::string, std::string>> regions;
  for (const AttachmentSettings& attachment : scene.attachments)
    if (const std::string& body = attachment.vertices.body, &to = attachment.to.body;
        !attachment.stiffness && ((body == one && to == other) || (body == other && to == one)))
      regions.emplace_back(attachment.vertices.body, attachment.vertices.region);
  return regions;
}

// Whether the first side is touched as well.
bool is_mutual(const ContactSettings& contact) {
  const bool may_meet_faces = contact.geometry == ContactGeometry::automatic && std::holds_alternative<std::string>(contact.against);
  return contact.both || contact.geometry == ContactGeometry::edges_and_faces || may_meet_faces;
}

std::vector<SurfaceRequest> surfaces_of(const Body& body, const std::vector<ContactSettings>& contacts) {
  using Use = SurfaceRequest::Use;
  std::vector<SurfaceRequest> wanted;
  if (body.rigid) wanted.push_back({Use::is_touched, "", body.source.text});  // what frames show of it
  for (const VolumePenaltySettings& volume : body.volumes) {
    if (!volume.region.empty()) wanted.push_back({Use::bounds, volume.region, volume.source.text});
    else wanted.push_back({volume.close_rims ? Use::encloses_caps : Use::encloses, volume.surface, volume.source.text});
  }
  for (const LoadSettings& load : body.loads)  // a load on a surface acts on its outside
    if (load.kind == LoadKind::pressure) wanted.push_back({Use::is_touched, load.region, load.source.text});
  for (const ContactSettings& contact : contacts) {
    if (contact.all) {
      if (!has_faces(body)) continue;
      wanted.push_back({Use::is_touched, "", contact.source.text});
      continue;
    }
    const auto* other = std::get_if<BodySurface>(&contact.against);
    if (contact.vertices.body == body.name && has_faces(body, contact.vertices.region))
      wanted.push_back({is_mutual(contact) ? Use::is_touched : Use::touches, contact.vertices.region, contact.source.text});
    if (other && other->body == body.name && has_faces(body, other->region)) wanted.push_back({Use::is_touched, other->region, contact.source.text});
  }
  return wanted;
}

bool sides_have_faces(const ContactSettings& contact, const Scene& scene) {
  const auto has = [&](const BodySurface& side) { return has_faces(scene.body(side.body), side.region); };
  const auto* other = std::get_if<BodySurface>(&contact.against);
  return has(contact.vertices) && (!other || has(*other));
}

std::vector<Separation> separations_of(const ContactSettings& contact, const Scene& scene) {
  if (contact.all || !has_faces(scene.body(contact.vertices.body), contact.vertices.region)) return {};
  const BodySurface& first = contact.vertices;
  if (const auto* obstacle = std::get_if<std::string>(&contact.against))
    return {{first.body, first.region, *obstacle, true, contact.thickness, contact.source.text}};
  const BodySurface& second = std::get<BodySurface>(contact.against);
  if (second.body == first.body || !sides_have_faces(contact, scene)) return {};
  std::vector<Separation> result = {{first.body, first.region, second.body, false, contact.thickness, contact.source.text}};
  if (is_mutual(contact)) result.push_back({second.body, second.region, first.body, false, contact.thickness, contact.source.text});
  return result;
}

// The pairs of bodies whose boxes overlap at the start, and each body with itself, by ascending numbers.
std::vector<std::array<int, 2>> overlapping_bodies(const MeshPlan& plan) {
  std::vector<BoundingBox> boxes(plan.bodies.size());
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (const Vec3& x : plan.bodies[b].mesh.start()) boxes[b].include(x);
  const BoxTree tree(boxes);
  std::vector<std::array<int, 2>> pairs;
  for (int first = 0; first < static_cast<int>(boxes.size()); ++first)
    tree.for_each_overlap(boxes[first], [&](int second) {
      if (second >= first) pairs.push_back({first, second});
    });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Refuses bodies that start in each other, because contact between edges and faces keeps things outside but does not bring out what is inside. `plan`: with the
// bodies.
std::vector<Disjunction> disjunctions_of(const ContactSettings& contact, const Scene& scene, const MeshPlan& plan) {
  if (contact.geometry != ContactGeometry::edges_and_faces) return {};
  const std::string& source = contact.source.text;
  std::vector<Disjunction> result;
  if (!contact.all) {
    const auto* other = std::get_if<BodySurface>(&contact.against);
    if (!sides_have_faces(contact, scene)) return {};
    const std::string& touched = other ? other->body : std::get<std::string>(contact.against);
    const auto is_without_faces = [&](const Obstacle& obstacle) { return obstacle.name == touched && !has_faces(obstacle); };
    if (!other && std::any_of(scene.obstacles.begin(), scene.obstacles.end(), is_without_faces)) return {};
    result.push_back({contact.vertices.body, contact.vertices.region, touched, other ? other->region : "", source});
    return result;
  }
  const RemainingPairs remaining(scene);
  const std::vector<Body>& bodies = scene.bodies;
  for (const auto& [first, second] : overlapping_bodies(plan))
    if (has_faces(bodies[first]) && has_faces(bodies[second]) && remaining(bodies[first].name, bodies[second].name))
      result.push_back({bodies[first].name, "", bodies[second].name, "", source});
  for (const Body& body : bodies)
    for (const Obstacle& obstacle : scene.obstacles)
      if (has_faces(body) && has_faces(obstacle) && remaining(body.name, obstacle.name)) result.push_back({body.name, "", obstacle.name, "", source});
  return result;
}

// Finds the rods of a contact that touch something with faces.
std::vector<RodsOutside> rods_outside_of(const ContactSettings& contact, const Scene& scene) {
  std::vector<RodsOutside> result;
  const auto add = [&](const BodySurface& side, const std::string& other, const std::string& other_region) {
    RodsOutside outside{side.body, {}, other, other_region, contact.source.text};
    for (const auto& [name, material] : rods_of(scene.body(side.body), side.region)) outside.regions.push_back(name);
    if (!outside.regions.empty() && side.body != other) result.push_back(std::move(outside));
  };
  const auto add_pair = [&](const BodySurface& side, const BodySurface& other) {
    if (has_faces(scene.body(other.body), other.region)) add(side, other.body, other.region);
  };
  const auto add_obstacle = [&](const BodySurface& side, const std::string& name) {
    for (const Obstacle& obstacle : scene.obstacles)
      if (obstacle.name == name && has_faces(obstacle)) add(side, name, "");
  };
  if (contact.geometry != ContactGeometry::edges_and_faces) return {};
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return has_rods(body); })) return {};
  if (!contact.all) {
    const auto* other = std::get_if<BodySurface>(&contact.against);
    if (!other) add_obstacle(contact.vertices, std::get<std::string>(contact.against));
    else add_pair(contact.vertices, *other), add_pair(*other, contact.vertices);
    return result;
  }
  const RemainingPairs remaining(scene);
  for (const Body& body : scene.bodies)
    if (has_rods(body)) {
      for (const Body& other : scene.bodies)
        if (remaining(body.name, other.name)) add_pair({body.name, ""}, {other.name, ""});
      for (const Obstacle& obstacle : scene.obstacles)
        if (remaining(body.name, obstacle.name)) add_obstacle({body.name, ""}, obstacle.name);
    }
  return result;
}

}  // namespace

std::string contact_region(const BodySurface& surface) { return surface.body + "." + listed_region(surface.region); }

Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory) {
  refuse_fast_motions(scene);
  MeshPlan plan;
  std::vector<std::vector<double>> masses;  // by body and vertex
  for (const Body& body : scene.bodies) {
    Mesh mesh = load_body_mesh(body, scene, work_directory);
    const std::vector<double> density = add_materials(mesh, body);
    check_vertices_used(mesh, body);
    check_material_directions(mesh, body);
    read_start(mesh, body);
    check_strain_limits(mesh, body);
    place(mesh, body, density);
    check_driven_regions(mesh, body);
    check_contact_of_rods(mesh, body, scene);
    check_load_regions(mesh, body);
    check_spring_regions(mesh, body, scene.springs);
    check_attached_regions(mesh, body, scene.attachments);
    if (!scene.attachments.empty()) masses.push_back(vertex_masses(mesh, density));
    plan.bodies.push_back({body.name, std::move(mesh), surfaces_of(body, scene.contacts)});
  }
  warn_about_copied_elements(scene, plan);
  refuse_what_rounding_hides(scene, plan);
  refuse_round_obstacles_in_bodies(scene, plan);
  for (const Obstacle& surface : scene.obstacles)
    if (const auto* mesh = std::get_if<MeshObstacleSettings>(&surface.shape))
      plan.obstacles.push_back({surface.name, mesh->file, mesh->scale, surface.source.text, {}});
    else if (has_faces(surface)) plan.obstacles.push_back({surface.name, {}, 1, surface.source.text, box_mesh(std::get<BoxSettings>(surface.shape))});
  for (const ContactSettings& contact : scene.contacts) {
    for (Separation& separation : separations_of(contact, scene)) plan.separations.push_back(std::move(separation));
    for (Disjunction& disjunction : disjunctions_of(contact, scene, plan)) plan.disjunctions.push_back(std::move(disjunction));
    for (RodsOutside& rods : rods_outside_of(contact, scene)) plan.rods_outside.push_back(std::move(rods));
  }
  for (Disjunction& disjunction : plan.disjunctions) disjunction.joined = attached_regions(scene, disjunction.body, disjunction.other);
  for (Separation& separation : plan.separations) separation.joined = attached_regions(scene, separation.body, separation.other);
  add_attached_mass(scene, plan, masses);
  Mesh mesh = assemble(std::move(plan));
  attach(mesh, scene);
  return mesh;
}

}  // namespace traction
