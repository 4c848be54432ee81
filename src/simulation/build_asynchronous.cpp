#include "simulation/build_asynchronous.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "asynchronous/asynchronous_driver.h"
#include "errors.h"
#include "mesh_partition/broadcast_mesh.h"
#include "parallel/collective.h"
#include "simulation/build_layered_contact.h"
#include "simulation/load_times.h"
#include "simulation/replicated_driver.h"

namespace traction {

namespace {

constexpr double kLeastStep = 1e-12;  // relative to the whole time

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw InputError(
      fmt::format("{}: {} has no clock of its own in integrator: asynchronous; {}", source, what, "choose another time.integrator, or leave it out"));
}

// The body that has a vertex.
const Body& body_with(const Simulation& simulation, int vertex) {
  for (const Body& body : simulation.scene.bodies) {
    const auto& vertices = simulation.mesh->region(body.name).vertices;
    if (std::binary_search(vertices.begin(), vertices.end(), vertex)) return body;
  }
  return simulation.scene.bodies.front();
}

// Shortens the steps of potentials that act only within a region, or a body.
void apply_longest_steps(const Simulation& simulation, const Potentials& potentials, std::vector<double>& steps) {
  const Scene& scene = simulation.scene;
  for (const auto& [name, longest] : scene.time.asynchronous.longest) {
    const LocalRegion* region = simulation.mesh->find_region(name);
    if (!region)
      throw InputError(
          fmt::format("{}: time.asynchronous.longest: there is no region '{}'; name a body, or a region of one as in 'ball.core'", scene.file, name));
    if (!(longest > kLeastStep * scene.time.end))
      throw InputError(fmt::format("{}: time.asynchronous.longest.{}: takes more than 1e12 events of {:.3g} s; give a longer step, or stop earlier", scene.file,
                                   name, longest));
    std::vector<char> within(simulation.mesh->vertices.size(), 0);
    for (const int vertex : region->vertices) within[static_cast<std::size_t>(vertex)] = 1;
    for (const int rod : region->rods) within[static_cast<std::size_t>(simulation.mesh->rods[static_cast<std::size_t>(rod)].vertices[2])] = 1;
    bool has_any = false;  // potential of several vertices
    for (int p = 0; p < potentials.count(); ++p) {
      const auto stencil = potentials.stencil(p);
      if (!std::all_of(stencil.begin(), stencil.end(), [&](int vertex) { return within[static_cast<std::size_t>(vertex)] != 0; })) continue;
      has_any = has_any || stencil.size() > 1;
      steps[static_cast<std::size_t>(p)] = std::min(steps[static_cast<std::size_t>(p)], longest);
    }
    if (!has_any)
      throw InputError(fmt::format(
          "{}: time.asynchronous.longest.{}: no element lies in this region with all of its vertices; name a region of elements, or a body", scene.file, name));
  }
}

// Whether a setting of the solver that could change a result is not the default.
bool changes_solver(const SolverSettings& solver) {
  const SolverSettings usual;
  const auto choices = [](const SolverSettings& one) {
    return std::tuple(one.method, one.linear_operator, one.krylov, one.preconditioner, one.tolerance, one.relative_tolerance, one.forcing,
                      one.maximum_iterations, one.maximum_linear_iterations, one.restart, one.contact_first);
  };
  return choices(solver) != choices(usual);
}

// Warns of settings that asynchronous steps do not use. Scenes for several integrators may have them.
void warn_about_idle_settings(const Scene& scene) {
  if (changes_solver(scene.solver)) spdlog::warn("{}: solver: has no effect with integrator: asynchronous, which solves no equations", scene.file);
  for (const ContactSettings& contact : scene.contacts) {
    const char* idle = nullptr;
    if (contact.friction && contact.friction->tolerance != FrictionCurve().tolerance) idle = "friction.tolerance";
    if (contact.stiffening != Stiffening::layers) idle = "stiffening";
    if (idle)
      spdlog::warn("{}.{}: has no effect with integrator: asynchronous, which has Coulomb's friction and layers of its own for contact", contact.source.text,
                   idle);
  }
}

}  // namespace

void refuse_what_has_no_clock(const Scene& scene) {
  for (const Body& body : scene.bodies)
    if (body.rigid) refuse(body.rigid->source.text, "a rigid body");
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.solid) {
      if (!material.prony.empty()) refuse(material.source.text + ".prony", "stress that relaxes");
      if (material.mullins) refuse(material.source.text + ".mullins", "softening");
      // Fibres are slack at the start, from which stable steps are found.
      if (!material.fibres.empty()) refuse(material.source.text + ".fibres", "a family of fibres");
      if (material.pressure == PressureAverage::nodal_average) refuse(material.source.text + ".pressure", "a pressure averaged over nodes");
    }
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.shell)
      for (const CordSettings& cords : material.cords)
        if (!cords.compression) refuse(material.source.text + ".cords", "a layer of cords without `compression`, which is slack at the start,");
  // Its stiffness grows without bound, so that no step found at the start stays stable.
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.shell)
      if (material.strain_limit) refuse(material.source.text + ".strain_limit", "a limit of strain");
  for (const Body& body : scene.bodies)
    if (body.initial.equilibrium)
      throw InputError(body.initial.equilibrium_source.text +
                       ": integrator: asynchronous finds no equilibrium; run the scene with another integrator for a step, and start from its last frame "
                       "(initial.positions)");
  if (scene.output.contacts) throw InputError(scene.file + ": output.contacts: the asynchronous integrator writes no points of contact; remove this setting");
  for (const AttachmentSettings& attachment : scene.attachments) refuse(attachment.source.text, "an attachment");
  for (const JointSettings& joint : scene.joints) refuse(joint.source.text, "a joint");
  for (const PressureContactSettings& contact : scene.pressure_contacts) refuse(contact.source.text, "contact of pressure fields");
  refuse_contact_settings(scene);
}

void refuse_asynchronous_settings(const Scene& scene) {
  for (const ContactSettings& contact : scene.contacts)
    if (contact.restitution)
      throw InputError(contact.source.text + ": restitution is for integrator: asynchronous; leave it out, or use `damping` of the contact");
}

std::unique_ptr<Driver> asynchronous_driver(Simulation& simulation, const SceneMaterials& materials, State initial) {
  Scene& scene = simulation.scene;
  const bool drops_fields = std::erase_if(scene.output.fields, is_of_contact) > 0 && !scene.contacts.empty();
  const Potentials potentials(*simulation.system);
  std::vector<double> steps = stable_steps(potentials, *simulation.system, initial);
  for (int p = 0; p < potentials.count(); ++p) {
    double& step = steps[static_cast<std::size_t>(p)];
    if (const double own = step; !(own > kLeastStep * scene.time.end)) {
      const int vertex = potentials.stencil(p).front();
      const Vec3 at = initial.q[vertex];
      throw InputError(
          fmt::format("{}: body '{}' has {} near ({:.4g}, {:.4g}, {:.4g}): {}", body_with(simulation, vertex).source.text, body_with(simulation, vertex).name,
                      std::isnan(own) ? "a force that is not a finite number at the start" : "an element without a stable step", at.x(), at.y(), at.z(),
                      std::isnan(own) ? "usually of an inverted element; repair the mesh or its start positions"
                                      : fmt::format("its largest one is {:.3g} s; repair the mesh, or choose another time.integrator", own)));
    }
    step *= scene.time.asynchronous.safety;
    if (!(step > kLeastStep * scene.time.end))
      throw InputError(fmt::format("{}: time.asynchronous.safety: takes steps of {:.3g} s, more than 1e12 until the end; give a larger one", scene.file, step));
  }
  // Potentials without a stability limit, such as gravity, act at least as often as the slowest element that has one, because long steps would throw bodies at
  // their supports, and often enough for what loads have over time. A row has a whole number of such steps, so that a constant force has the same effect in
  // each row.
  const double row = scene.time.steps.front().step;
  double slowest = 0;
  for (const double step : steps)
    if (step < row) slowest = std::max(slowest, step);
  const double usual = std::min(slowest > 0 ? slowest : row, longest_sampling_of_loads(scene));
  for (double& step : steps)
    if (!(step < row)) step = row / std::ceil(row / usual);
  apply_longest_steps(simulation, potentials, steps);
  const auto [least, longest] = std::minmax_element(steps.begin(), steps.end());
  auto driver = std::make_unique<AsynchronousDriver>(*simulation.system, scene.time, steps, std::move(initial), layered_contact(simulation, materials, steps));
  if (const auto fault = driver->fault_at_start())
    throw InputError(
        fmt::format("{}: {} where the run starts; {}", scene.contacts[static_cast<std::size_t>(fault->law)].source.text, fault->text, fault->remedy));
  double events = 0;
  for (const double step : steps) events += 1 / step;
  spdlog::info("asynchronous: {} potentials with steps from {:.3g} s to {:.3g} s, {:.4g} events per second of simulation", steps.size(),
               steps.empty() ? 0 : *least, steps.empty() ? 0 : *longest, events);
  for (std::size_t c = 0; c < scene.contacts.size(); ++c)
    if (!scene.contacts[c].stiffness)
      spdlog::info("contact '{}': the stiffness of its first layer is {:.4g} N/m, with which its clock is as fast as that of the fastest element",
                   scene.contacts[c].name, simulation.contacts[c]->stiffness());
  warn_about_idle_settings(scene);
  if (drops_fields) spdlog::info("asynchronous: frames have no fields of contact; the history has the forces of contacts, as means over its rows");
  return driver;
}

std::unique_ptr<Driver> shared_asynchronous_driver(MPI_Comm communicator, Simulation& simulation, Mesh mesh) {
  broadcast(communicator, mesh);
  std::unique_ptr<Simulation> whole;
  on_all_ranks(communicator, [&] { whole = std::make_unique<Simulation>(build_simulation(MPI_COMM_SELF, simulation.scene, std::move(mesh))); });
  simulation.contacts = whole->contacts;
  for (const std::string& warning : whole->warnings)  // contact is built in the whole simulation alone
    if (std::find(simulation.warnings.begin(), simulation.warnings.end(), warning) == simulation.warnings.end()) simulation.warnings.push_back(warning);
  simulation.scene.output.fields = whole->scene.output.fields;
  return std::make_unique<ReplicatedDriver>(simulation, std::move(whole));
}

}  // namespace traction
