#include "app/start_log.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

#include "app/contact_surfaces.h"
#include "app/doubtful_settings.h"
#include "app/repeated_warnings.h"
#include "app/run_report.h"
#include "app/still_scene.h"
#include "parallel/collective.h"
#include "pressure/pressure_contact.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/touch_at_start.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kFarAway = 1e6;  // distance in sizes of a body at which rounding errors of positions are as large as small strains

constexpr int kMostAlike = 20;  // number of bodies with one mesh up to which each is listed
constexpr int kFewAlike = 3;    // number of bodies that are listed if more than this share a mesh

std::string text(const Vec3& v) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x(), v.y(), v.z()); }

void warn_about_mesh(const BodySummary& body, RepeatedWarnings& warnings) {
  if (body.coinciding > 0)
    warnings.add(
        "coinciding", body.name,
        fmt::format("body '{}': {} of vertices coincide, but no element connects them, so that the body can come apart there. Merge them in the mesh (Gmsh: "
                    "Coherence for volumes that touch, Coherence Mesh for a mesh)",
                    body.name, body.coinciding == 1 ? "a pair" : fmt::format("{} pairs", body.coinciding)));
  else if (body.flush)
    warnings.add(
        "flush", body.name,
        fmt::format("body '{}': parts of its mesh lie against each other near {}, and nothing joins them, so that they can come apart. Merge them in the "
                    "mesh (Gmsh: Coherence, or BooleanFragments), or make them bodies with an attachment",
                    body.name, text(*body.flush)));
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
  for (const LoosePart& part : body.loose)
    warnings.add(
        "hinge", body.name,
        part.is_rod ? fmt::format("body '{}': a rod of it has only the vertex at {} in common with its solids and shells, and turns about it freely. Give both "
                                  "the vertices of a whole segment of the rod, or clamp a rod of its own body by attachments with 'tangent: true'",
                                  body.name, text(part.place))
                    : fmt::format("body '{}': a shell of it has vertices in common with its solids only {} at {}, about which it turns without resistance. "
                                  "Continue the shell by a row of triangles inside of the solid or on its surface",
                                  body.name, part.meets_edge ? "along a line" : "by a vertex", text(part.place)));
  const Vec3 size = body.extent.sizes();
  if (body.extent.center().norm() > kFarAway * size.norm())
    warnings.add(
        "far", body.name,
        fmt::format("body '{}' is {:.3g} times its own size away from the origin, where rounding errors matter; move the scene to the origin, and check the "
                    "mesh's unit (`scale`)",
                    body.name, body.extent.center().norm() / size.norm()));
}

void log_body(const BodySummary& body, const BodyMotion& motion) {
  constexpr double kRounding = 1e-9;  // relative to the mass
  const Vec3 size = body.extent.sizes(), lower = body.extent.min();
  if (body.is_rigid) {
    const double attached = motion.mass - body.rigid_mass;
    const std::string of_which = attached > kRounding * motion.mass ? fmt::format(", of which {:.6g} kg is what other bodies attach to it", attached) : "";
    spdlog::info(
        "body '{}': rigid, {} vertices; {:.4g} x {:.4g} x {:.4g} m from ({:.4g}, {:.4g}, {:.4g}); {:.6g} kg{}, center of mass ({:.4g}, {:.4g}, {:.4g})",
        body.name, body.vertices, size.x(), size.y(), size.z(), lower.x(), lower.y(), lower.z(), motion.mass, of_which, motion.center.x(), motion.center.y(),
        motion.center.z());
  } else {
    spdlog::info(
        "body '{}': {} vertices, {}; {:.4g} x {:.4g} x {:.4g} m from ({:.4g}, {:.4g}, {:.4g}); mean edge {:.3g} m; {:.6g} kg; "
        "{} connected part{}",
        body.name, body.vertices, describe_elements({&body, 1}), size.x(), size.y(), size.z(), lower.x(), lower.y(), lower.z(), body.mean_edge, motion.mass,
        body.parts, body.parts == 1 ? "" : "s");
  }
}

// Describes each body. If many bodies share a mesh, it describes the first few and counts the others.
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

// The sides of a contact that are bodies: "; ball.outer 0.0314 m^2, mean edge 0.004 m".
std::string describe(const std::vector<SurfaceSize>& surfaces) {
  std::string text;
  for (const SurfaceSize& surface : surfaces)
    text +=
        fmt::format("; {} {:.4g} m^2, mean edge {:.3g} m", surface.name.empty() ? "all surfaces" : "'" + surface.name + "'", surface.area, surface.mean_edge);
  return text;
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

// Whether nothing moves or loads the bodies, whose largest speed is given, nor presses in any contact. Collective.
bool stays_still(const Simulation& simulation, double speed) {
  if (speed > 0 || !is_still(simulation.scene)) return false;
  const State& state = simulation.loop->state();
  return std::ranges::all_of(simulation.contacts, [&](const auto& contact) {
    contact->begin_step(state);
    return contact->total_energy(simulation.system->communicator(), state) == 0;
  });
}

}  // namespace

std::string describe_elements(std::span<const BodySummary> bodies) {
  std::size_t linear = 0, quadratic = 0, shells = 0, rods = 0, rigid = 0;
  for (const BodySummary& body : bodies) {
    if (body.is_rigid) {
      ++rigid;
      continue;
    }
    linear += body.quadratics > 0 ? 0 : body.tetrahedra;
    quadratic += body.quadratics;
    shells += body.shells;
    rods += body.rods;
  }
  std::vector<std::string> kinds;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) kinds.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
  };
  add(linear, "tetrahedron", "tetrahedra");
  add(quadratic, "ten-node tetrahedron", "ten-node tetrahedra");
  add(shells, "shell triangle", "shell triangles");
  add(rods, "rod segment", "rod segments");
  add(rigid, "rigid body", "rigid bodies");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

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
  const bool is_idle = stays_still(simulation, speed);
  on_first_rank(system.communicator(), [&] {
    spdlog::info("{}", quality_table(simulation.quality));
    log_bodies(simulation.scene, bodies, motions);
    spdlog::info("total mass {:.6g} kg", system.total_mass());
    for (std::size_t i = 0; i < obstacles.size(); ++i) spdlog::info("{}", describe(obstacles[i], extents[i]));
    log_contacts(simulation, surfaces, speed);
    for (const IdleSetting& setting : simulation.scene.time.idle) spdlog::warn("{}", setting.text);
    if (is_idle) spdlog::warn("{}", doubt_about_stillness());
    for (const std::string& doubt : doubts_about_settings(simulation.scene, bodies, extents)) spdlog::warn("{}", doubt);
    for (const std::string& warning : simulation.warnings) spdlog::warn("{}", warning);
    if (!has_fast_blas()) spdlog::warn("the BLAS library in use ({}) is slow; direct solves take several times longer than with OpenBLAS", blas_library());
  });
}

}  // namespace traction
