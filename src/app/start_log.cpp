#include "app/start_log.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <map>

#include "app/contact_surfaces.h"
#include "app/material_stability.h"
#include "app/repeated_warnings.h"
#include "app/run_report.h"
#include "parallel/collective.h"
#include "pressure/pressure_contact.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/touch_at_start.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kFarAway = 1e6;  // in sizes of a body: so far away the rounding errors of positions are as large as small strains

constexpr double kLight = 1.2;  // [kg/m^3]: density of air

constexpr int kMostAlike = 20;  // bodies of one mesh that are listed one by one
constexpr int kFewAlike = 3;    // bodies that are listed where more share a mesh

std::string text(const Vec3& v) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x(), v.y(), v.z()); }

// Warns of a size or density that looks like a mistake in the units.
void warn_about_units(const Body& body, const Vec3& size, RepeatedWarnings& warnings) {
  if (body.scale == 1 && size.maxCoeff() >= kSizeInMillimetres)
    warnings.add("size", body.name,
                 fmt::format("{}: the body is {:.4g} m long; if its mesh is in millimetres, give it scale: 1e-3", body.source.text, size.maxCoeff()));
  for (const auto& [region, material] : body.solid)
    if (material.density < kLight)
      warnings.add("density", body.name,
                   fmt::format("{}: a density of {:.4g} kg/m^3 is below that of air; water has 1000 kg/m^3", material.source.text, material.density));
}

void warn_about_mesh(const BodySummary& body, RepeatedWarnings& warnings) {
  if (body.coinciding > 0)
    warnings.add("coinciding", body.name,
                 fmt::format("body '{}': {} vertices coincide with others of the body, but no element connects them, so that the body can come apart there. "
                             "Merge them in the mesh "
                             "(Gmsh: Coherence, or BooleanFragments)",
                             body.name, body.coinciding));
  const MeshDoubts& doubts = body.doubts;
  if (doubts.flat > 0)
    warnings.add(
        "flat", body.name,
        fmt::format("body '{}': {} {} all but flat, the worst at {} with a height of {:.2g} of its longest edge. Such elements are far too stiff and make "
                    "solves slow; remesh there (Gmsh: Mesh.Optimize = 1)",
                    body.name, doubts.flat, doubts.flat == 1 ? "tetrahedron is" : "tetrahedra are", text(doubts.flattest), doubts.least_height));
  if (doubts.crossing)
    warnings.add(
        "crossing", body.name,
        fmt::format("body '{}': its surface crosses itself at {}, so that parts of it fill the same space, with the mass of each. Move the parts apart, "
                    "or mesh them as one (Gmsh: BooleanFragments)",
                    body.name, text(*doubts.crossing)));
  if (doubts.hinge)
    warnings.add(
        "hinge", body.name,
        fmt::format("body '{}': two parts of it are joined only {} at {}, about which they turn without resistance. Join them by faces in the mesh, or "
                    "separate them",
                    body.name, doubts.hinge_is_edge ? "along a line" : "by a vertex", text(*doubts.hinge)));
  const Vec3 size = body.extent.sizes();
  if (body.extent.center().norm() > kFarAway * size.norm())
    warnings.add(
        "far", body.name,
        fmt::format("body '{}' is {:.3g} times its own size away from the origin, where rounding errors matter; move the scene to the origin, and check the "
                    "mesh's unit (`scale`)",
                    body.name, body.extent.center().norm() / size.norm()));
}

void log_body(const BodySummary& body, const BodyMotion& motion) {
  const Vec3 size = body.extent.sizes(), lower = body.extent.min();
  const std::string tetrahedra = body.quadratics > 0 ? fmt::format("{} ten-node tetrahedra", body.quadratics) : fmt::format("{} tetrahedra", body.tetrahedra);
  if (body.is_rigid)
    spdlog::info("body '{}': rigid, {} vertices; {:.4g} x {:.4g} x {:.4g} m from ({:.4g}, {:.4g}, {:.4g}); {:.6g} kg, center of mass ({:.4g}, {:.4g}, {:.4g})",
                 body.name, body.vertices, size.x(), size.y(), size.z(), lower.x(), lower.y(), lower.z(), motion.mass, motion.center.x(), motion.center.y(),
                 motion.center.z());
  else
    spdlog::info(
        "body '{}': {} vertices, {}, {} shell triangles{}; {:.4g} x {:.4g} x {:.4g} m from ({:.4g}, {:.4g}, {:.4g}); mean edge {:.3g} m; {:.6g} kg; "
        "{} connected part{}",
        body.name, body.vertices, tetrahedra, body.shells, body.rods == 0 ? "" : fmt::format(", {} rod segments", body.rods), size.x(), size.y(), size.z(),
        lower.x(), lower.y(), lower.z(), body.mean_edge, motion.mass, body.parts, body.parts == 1 ? "" : "s");
}

// Describes each body, but of many that share a mesh only the first few, and counts the others.
void log_bodies(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<BodyMotion>& motions) {
  struct Alike {
    int bodies = 0, listed = 0;
    double unlisted_mass = 0;
  };
  std::map<std::pair<std::string, double>, Alike> by_mesh;  // and scale
  for (const Body& body : scene.bodies) ++by_mesh[{body.mesh, body.scale}].bodies;
  RepeatedWarnings warnings;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Alike& alike = by_mesh[{scene.bodies[b].mesh, scene.bodies[b].scale}];
    if (alike.bodies <= kMostAlike || alike.listed < kFewAlike) {
      log_body(bodies[b], motions[b]);
      ++alike.listed;
    } else {
      alike.unlisted_mass += motions[b].mass;
    }
    warn_about_mesh(bodies[b], warnings);
    warn_about_units(scene.bodies[b], bodies[b].extent.sizes(), warnings);
  }
  for (const auto& [mesh, alike] : by_mesh)
    if (alike.listed < alike.bodies)
      spdlog::info("and {} more bodies of {} like these: {:.6g} kg", alike.bodies - alike.listed, mesh.first, alike.unlisted_mass);
  for (const std::string& warning : warnings.messages()) spdlog::warn("{}", warning);
}

// `extent`: bounding box of an obstacle that is a mesh, at the start without its motion.
std::string describe(const Obstacle& obstacle, const Eigen::AlignedBox3d& extent) {
  struct Description {
    const Eigen::AlignedBox3d& extent;
    std::string operator()(const PlaneSettings& plane) const {
      return fmt::format("plane through {}, normal {}", text(plane.point), text(plane.normal.normalized()));
    }
    std::string operator()(const SphereSettings& sphere) const {
      return fmt::format("sphere about {}, radius {:.4g} m{}", text(sphere.center), sphere.radius, sphere.inside ? ", from inside" : "");
    }
    std::string operator()(const CylinderSettings& cylinder) const {
      return fmt::format("cylinder about the line through {} along {}, radius {:.4g} m{}", text(cylinder.point), text(cylinder.axis.normalized()),
                         cylinder.radius, cylinder.inside ? ", from inside" : "");
    }
    std::string operator()(const BoxSettings& box) const {
      return fmt::format("box from {} to {} m{}", text(box.lower), text(box.upper), box.inside ? ", from inside" : "");
    }
    std::string operator()(const MeshObstacleSettings& mesh) const {
      return fmt::format("{} from {} to {} m", mesh.file, text(extent.min()), text(extent.max()));
    }
  };
  return fmt::format("surface '{}': {}{}", obstacle.name, std::visit(Description{extent}, obstacle.shape), obstacle.motion.empty() ? "" : "; it moves");
}

// The extent of each obstacle that is a mesh, and empty boxes for others. Collective.
std::vector<Eigen::AlignedBox3d> extents_of(MPI_Comm communicator, const std::vector<Obstacle>& obstacles) {
  std::vector<Eigen::AlignedBox3d> extents(obstacles.size());
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    if (const auto* mesh = std::get_if<MeshObstacleSettings>(&obstacles[i].shape))
      for (const Vec3& x : obstacle_mesh(communicator, *mesh).vertices) extents[i].extend(x);
  return extents;
}

void warn_about_strangers(const Scene& scene) {
  const auto touched = [&](const std::string& name) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) { return contact.names(name); }) ||
           scene.has_pressure_contact(name);
  };
  for (const Obstacle& obstacle : scene.obstacles)
    if (!touched(obstacle.name)) spdlog::warn("surface '{}' is in no contact: everything passes through it", obstacle.name);
  for (const PressureFieldSettings& field : scene.pressure_fields)
    if (!scene.has_pressure_contact(field.name)) spdlog::warn("pressure field '{}' is in no pressure contact, and has no effect; name it in one", field.name);
  if (scene.contacts.empty() && scene.pressure_contacts.empty()) return;
  const auto is_joined = [&](const std::string& name) {  // by an attachment, whose other side may touch in its place
    return std::any_of(scene.attachments.begin(), scene.attachments.end(),
                       [&](const AttachmentSettings& attachment) { return attachment.vertices.body == name || attachment.to.body == name; });
  };
  RepeatedWarnings warnings;
  for (const Body& body : scene.bodies)
    if (!touched(body.name) && !is_joined(body.name))
      warnings.add("strange", body.name, fmt::format("body '{}' is in no contact: it passes through everything", body.name));
  for (const std::string& warning : warnings.messages()) spdlog::warn("{}", warning);
}

// Warns of numbers that are allowed, but are more likely slips.
void warn_about_doubtful_values(const Scene& scene) {
  constexpr double kLargestFriction = 5;  // rubber on a rough road has about 1
  constexpr double kRounding = 1e-9;
  constexpr double kLeastStretch = 0.6, kMostStretch = 2;  // what rubber is used for
  if (scene.output.every && *scene.output.every > scene.time.end)
    spdlog::warn("output.every is {:.6g} s, and the run ends at {:.6g} s: only the first frame is written; give a shorter time between frames",
                 *scene.output.every, scene.time.end);
  double shortest = std::numeric_limits<double>::infinity();
  for (const StepSettings& piece : scene.time.steps) shortest = std::min(shortest, piece.step);
  if (scene.output.every && *scene.output.every < shortest * (1 - kRounding))
    spdlog::warn("output.every is {:.6g} s, below the time step of {:.6g} s: frames come with steps, one after each; give a longer time, or shorten time.step",
                 *scene.output.every, shortest);
  // Saint Venant-Kirchhoff gives way at a stretch of 0.577, where nobody uses it.
  for (const std::string& sentence : materials_that_give_way(material_curves(scene, kLeastStretch, kMostStretch))) spdlog::warn("{}", sentence);
  for (const ContactSettings& contact : scene.contacts)
    if (const double largest = contact.friction ? contact.friction->largest_coefficient() : 0; largest > kLargestFriction)
      spdlog::warn("{}: a friction coefficient of {:.4g} is far above that of rubber on a road, which is about 1; if it is meant in percent, give {:.4g}",
                   contact.source.text, largest, largest / 100);
}

// The sides of a contact that are bodies: "; ball.outer 0.0314 m^2, mean edge 0.004 m".
std::string describe(const std::vector<SurfaceSize>& surfaces) {
  std::string text;
  for (const SurfaceSize& surface : surfaces)
    text +=
        fmt::format("; {} {:.4g} m^2, mean edge {:.3g} m", surface.name.empty() ? "all surfaces" : "'" + surface.name + "'", surface.area, surface.mean_edge);
  return text;
}

// Warns of what begins after the run has ended: a run may have been shortened by --set.
void warn_about_what_comes_too_late(const Scene& scene) {
  const double end = scene.time.end;
  const auto look = [&](const std::string& source, const Motion& motion) {
    for (const MotionSettings& each : motion)
      if (each.start >= end)
        spdlog::warn("{}: its motion begins at {:.6g} s, and the run ends at {:.6g} s: nothing moves; end later, or start earlier", source, each.start, end);
  };
  for (const Obstacle& obstacle : scene.obstacles) look(obstacle.source.text, obstacle.motion);
  for (const Body& body : scene.bodies) {
    for (const DrivenSettings& driven : body.driven) look(driven.source.text, driven.motion);
    for (const LoadSettings& load : body.loads)
      if (load.over.size() > 1 && load.over.front().time >= end)
        spdlog::warn("{}: its table 'over' begins at {:.6g} s, and the run ends at {:.6g} s: only its first factor, {:.6g}, acts; correct its times",
                     load.source.text, load.over.front().time, end, load.over.front().factor);
  }
}

// Warns of fields whose elements no body has.
void warn_about_empty_fields(const Scene& scene) {
  const auto some = [&](const auto& member) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return !(body.*member).empty(); });
  };
  const bool shells = some(&Body::shell), rods = some(&Body::rod);
  for (const OutputField field : scene.output.fields) {
    const bool is_of_shells = field == OutputField::tension || field == OutputField::bending_moment;
    const bool is_of_rods = field == OutputField::axial_force || field == OutputField::curvature || field == OutputField::twist;
    if ((is_of_shells && !shells) || (is_of_rods && !rods))
      spdlog::warn("output.fields: '{}' is of {}, which the scene does not have: it is zero everywhere; leave it out", word_of(field),
                   is_of_shells ? "shells" : "rods");
  }
}

void log_contacts(const Simulation& simulation, const std::vector<std::vector<SurfaceSize>>& surfaces, double speed) {
  const std::size_t with_thickness = simulation.scene.contacts.size();
  for (std::size_t i = with_thickness; i < simulation.contacts.size(); ++i) {
    const PressureContact& contact = *simulation.pressures[i - with_thickness];
    if (contact.is_group())
      spdlog::info("pressure contact '{}': between {} bodies and planes, largest modulus {:.6g} Pa", contact.name(), contact.partners().size(),
                   simulation.contacts[i]->base_stiffness());
    else
      spdlog::info("pressure contact '{}': modulus {:.6g} Pa, dissipation {:.6g} s/m", contact.name(), simulation.contacts[i]->base_stiffness(),
                   simulation.contacts[i]->unweighted_law().damping);
  }
  for (std::size_t i = 0; i < with_thickness; ++i) {
    const auto& contact = simulation.contacts[i];
    std::string friction;
    if (contact->unweighted_law().friction && simulation.scene.time.integrator != Integrator::asynchronous)
      friction = fmt::format("; friction is fully developed above {:.3g} m/s, the bodies' largest speed at the start is {:.3g} m/s",
                             contact->friction_tolerance(), speed);
    spdlog::info("contact '{}': thickness {:.3g} m, stiffness {:.6g} N/m{}{}{}", contact->name(), contact->thickness(), contact->base_stiffness(),
                 contact->looks_ahead() ? ", raised before fast contacts begin" : "", describe(surfaces[i]), friction);
  }
}

}  // namespace

void log_start(const Simulation& simulation, const std::vector<BodySummary>& bodies) {
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  double speed = 0;
  for (int i = 0; i < system.halo().owned(); ++i) speed = std::max(speed, state.v[i].norm());
  speed = maximum_over_ranks(system.communicator(), speed);
  const std::vector<Obstacle>& obstacles = simulation.scene.obstacles;
  const std::vector<Eigen::AlignedBox3d> extents = extents_of(system.communicator(), obstacles);
  const std::vector<std::vector<SurfaceSize>> surfaces = contact_surface_sizes(simulation);
  on_first_rank(system.communicator(), [&] {
    spdlog::info("{}", quality_table(simulation.quality));
    log_bodies(simulation.scene, bodies, motions);
    spdlog::info("total mass {:.6g} kg", system.total_mass());
    for (std::size_t i = 0; i < obstacles.size(); ++i) spdlog::info("{}", describe(obstacles[i], extents[i]));
    log_contacts(simulation, surfaces, speed);
    for (const IdleSetting& setting : simulation.scene.time.idle) spdlog::warn("{}", setting.text);
    warn_about_doubtful_values(simulation.scene);
    warn_about_what_comes_too_late(simulation.scene);
    if (simulation.scene.output.every) warn_about_empty_fields(simulation.scene);
    warn_about_strangers(simulation.scene);
    for (const std::string& warning : simulation.warnings) spdlog::warn("{}", warning);
    const std::string blas = blas_library();
    if (blas.find("openblas") == std::string::npos && blas.find("mkl") == std::string::npos && blas.find("blis") == std::string::npos)
      spdlog::warn("the BLAS library in use ({}) is slow; direct solves take several times longer than with OpenBLAS", blas);
  });
}

}  // namespace traction
