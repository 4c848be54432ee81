#include "app/start_log.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "app/run_report.h"
#include "parallel/collective.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kFarAway = 1e6;  // sizes of a body: rounding of positions is then as large as small strains

void log_body(const BodySummary& body, const BodyMotion& motion) {
  const Vec3 size = body.extent.sizes(), lower = body.extent.min();
  spdlog::info(
      "body '{}': {} vertices, {} tetrahedra, {} shell triangles; {:.4g} x {:.4g} x {:.4g} m from ({:.4g}, {:.4g}, {:.4g}); mean edge {:.3g} m; {:.6g} kg; "
      "{} connected part{}",
      body.name, body.vertices, body.tetrahedra, body.shells, size.x(), size.y(), size.z(), lower.x(), lower.y(), lower.z(), body.mean_edge, motion.mass,
      body.parts, body.parts == 1 ? "" : "s");
  if (body.coinciding > 0)
    spdlog::warn(
        "body '{}': {} vertices lie where others of it do; no element joins them, so that parts meant to be one come apart there. Merge them in the mesh "
        "(Gmsh: "
        "Coherence, or BooleanFragments)",
        body.name, body.coinciding);
  if (body.extent.center().norm() > kFarAway * size.norm())
    spdlog::warn("body '{}' lies {:.3g} of its sizes from the origin, where rounding is felt; move the scene there, and check the mesh's unit (`scale`)",
                 body.name, body.extent.center().norm() / size.norm());
}

// Whether a contact names an obstacle or a body.
bool names(const ContactSettings& contact, const std::string& name) {
  if (contact.all || contact.vertices.body == name) return true;
  if (const auto* obstacle = std::get_if<std::string>(&contact.against)) return *obstacle == name;
  return std::get<BodySurface>(contact.against).body == name;
}

void warn_about_strangers(const Scene& scene) {
  const auto touched = [&](const std::string& name) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) { return names(contact, name); });
  };
  for (const Obstacle& obstacle : scene.obstacles)
    if (!touched(obstacle.name)) spdlog::warn("surface '{}' is in no contact: everything passes through it", obstacle.name);
  if (scene.contacts.empty()) return;
  for (const Body& body : scene.bodies)
    if (!touched(body.name)) spdlog::warn("body '{}' is in no contact: it passes through everything", body.name);
}

void log_contacts(const Simulation& simulation, double speed) {
  for (const auto& contact : simulation.contacts) {
    std::string friction;
    if (contact->unweighted_law().friction)
      friction = fmt::format("; friction is whole from {:.3g} m/s on, the bodies' largest speed is {:.3g} m/s", contact->friction_tolerance(), speed);
    spdlog::info("contact '{}': thickness {:.3g} m, stiffness {:.6g} N/m{}{}", contact->name(), contact->thickness(), contact->base_stiffness(),
                 contact->looks_ahead() ? ", more before fast contacts begin" : "", friction);
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
  on_first_rank(system.communicator(), [&] {
    spdlog::info("\n{}", quality_table(simulation.quality));
    for (std::size_t b = 0; b < bodies.size(); ++b) log_body(bodies[b], motions[b]);
    spdlog::info("total mass {:.6g} kg", system.total_mass());
    log_contacts(simulation, speed);
    warn_about_strangers(simulation.scene);
    for (const std::string& warning : simulation.warnings) spdlog::warn("{}", warning);
    const std::string blas = blas_library();
    if (blas.find("openblas") == std::string::npos && blas.find("mkl") == std::string::npos && blas.find("blis") == std::string::npos)
      spdlog::warn("the BLAS in use ({}) is not a fast one; direct solves take several times longer than with OpenBLAS", blas);
  });
}

}  // namespace traction
