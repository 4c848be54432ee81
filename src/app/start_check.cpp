#include "app/start_check.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/doubtful_settings.h"
#include "math/time_table.h"
#include "parallel/collective.h"
#include "simulation/start_in_equilibrium.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kTimesWeight = 10;  // contact force, in multiples of the weight, above which it is violent
constexpr double kThrow = 1;         // height to which the stored energy may lift the weight, in thicknesses; contact at rest stores enough for a third of one
constexpr double kShare = 1e-4;      // share of the kinetic energy below which a throw changes velocities by less than 1 %
constexpr double kRise = 1e-4;       // height in thicknesses: a throw that lifts the lightest body by less is not worth a warning
constexpr double kWay = 0.1;         // path in thicknesses: without gravity, a throw that moves the body by less during the run is not worth one
constexpr double kRounding = 1e-6;   // error of a gap, relative to the thickness

// Names a body of the contact that is smaller than the contact's thickness, after a colon; empty if none is.
std::string doubt_about_thickness(const Scene& scene, const std::string& contact, const std::vector<BodySummary>& bodies) {
  const auto settings = std::find_if(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& one) { return one.name == contact; });
  for (const BodySummary& body : bodies)
    if (const double size = body.extent.sizes().maxCoeff(); settings->names(body.name) && settings->thickness > size)
      return fmt::format(": it is larger than body '{}', of {:.3g} m", body.name, size);
  return {};
}

// The energy below which a throw is not worth a warning [J]. It lifts the lightest free body that the contact names (of all bodies, for pressure fields) by
// kRise, or without gravity moves it by kWay during the run. For pressure fields, which have no thickness, the body's radius of gyration takes its place.
double least_energy(const Simulation& simulation, const ContactGroup& contact, const std::vector<BodyMotion>& motions) {
  const Scene& scene = simulation.scene;
  const auto settings = std::find_if(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& one) { return one.name == contact.name(); });
  const bool is_field = settings == scene.contacts.end();
  const BodyMotion* lightest = nullptr;
  for (std::size_t b = 0; b < motions.size(); ++b)
    if (!motions[b].held && (is_field || settings->names(scene.bodies[b].name)) && (!lightest || motions[b].mass < lightest->mass)) lightest = &motions[b];
  const double mass = lightest ? lightest->mass : simulation.system->total_mass();
  const double length = is_field ? (lightest ? lightest : &motions.front())->gyration_radius() : contact.thickness();
  const double gravity = scene.gravity.norm(), speed = kWay * length / scene.time.end;
  return mass * (gravity > 0 ? kRise * gravity * length : speed * speed / 2);
}

// Warns of vertices that start behind what they touch, though nothing is thrown. Collective.
void warn_about_overlap(const ContactGroup& contact, double gap, MPI_Comm communicator) {
  on_first_rank(communicator, [&] {
    spdlog::warn(
        "contact '{}' starts with a gap below zero: a vertex lies {:.3g} m behind the surface. Start in equilibrium (initial: {{equilibrium: true}}), or move "
        "them apart by {:.3g} m, the contact's thickness more",
        contact.name(), -gap, contact.thickness() - gap);
  });
}

}  // namespace

void warn_about_start(const Simulation& simulation, const std::vector<BodySummary>& bodies) {
  const System& system = *simulation.system;
  const MPI_Comm communicator = system.communicator();
  if (!system.has_inertia()) return;  // without inertia nothing is thrown
  const std::vector<Body>& all = simulation.scene.bodies;
  if (std::all_of(all.begin(), all.end(), [](const Body& body) { return body.initial.equilibrium; })) return;  // what presses is in balance
  const State& state = simulation.loop->state();
  double moving = 0;  // kinetic energy [J]
  for (int i = 0; i < system.halo().owned(); ++i) moving += 0.5 * system.mass()[i] * state.v[i].squaredNorm();
  moving = sum_over_ranks(communicator, moving);
  double mass = 0;  // total mass of the bodies that may rest on something
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  for (const BodyMotion& body : motions) mass += body.held ? 0 : body.mass;
  const double weight = (mass > 0 ? mass : system.total_mass()) * simulation.scene.gravity.norm();
  for (const auto& contact : simulation.contacts) {
    double push = 0, gap = std::numeric_limits<double>::infinity();
    contact->begin_step(state);
    for (const ContactPoint& point : contact->points(state)) {
      push += point.normal_force.norm();
      gap = std::min(gap, point.gap);
    }
    push = sum_over_ranks(communicator, push);
    gap = minimum_over_ranks(communicator, gap);
    const double energy = contact->total_energy(communicator, state);
    const bool is_field = std::isinf(gap) && energy > 0;  // pressure fields press on areas
    if (is_field) push = contact->summarize(state).force.norm();
    const bool throws = push > kTimesWeight * weight || (!is_field && energy > kThrow * weight * contact->thickness());
    if (!throws || !(energy > std::max(kShare * moving, least_energy(simulation, *contact, motions)))) {
      if (gap + contact->unweighted_law().largest_overlap() < -kRounding * contact->thickness() && !settles(simulation.scene))
        warn_about_overlap(*contact, gap, communicator);
      continue;
    }
    on_first_rank(communicator, [&] {
      if (is_field)
        return spdlog::warn(
            "pressure contact '{}' starts compressed, with {:.3g} N: the {:.3g} J that this stores will throw the bodies apart. Start them in equilibrium "
            "(initial: {{equilibrium: true}}), or move them apart",
            contact->name(), push, energy);
      spdlog::warn(
          "contact '{}' starts compressed: vertices lie {:.3g} m deep in its thickness of {:.3g} m, and are pushed apart with {:.3g} N{}; the {:.3g} J that "
          "this "
          "stores will throw the bodies apart. Start them in equilibrium (initial: {{equilibrium: true}}), or move them apart by {:.3g} m, or give the contact "
          "a "
          "smaller thickness{}",
          contact->name(), contact->thickness() - gap, contact->thickness(), push,
          weight > 0 ? fmt::format(", {:.3g} times the weight of all that is free", push / weight) : "", energy, contact->thickness() - gap,
          doubt_about_thickness(simulation.scene, contact->name(), bodies));
    });
  }
}

void warn_about_modes(const Scene& scene, const std::vector<BodySummary>& bodies) {
  for (const std::string& doubt : doubts_about_locking(scene, bodies)) spdlog::warn("{}", doubt);
  if (std::ranges::all_of(scene.bodies, [](const Body& body) { return body.rigid.has_value(); }))
    spdlog::warn(
        "all bodies are rigid: only springs, those of joints among them, make them vibrate as real ones do. Other modes are those of the stiff springs that "
        "keep "
        "bodies and joints together, and motors in their places");
  std::vector<std::string> turning;
  for (const Body& body : scene.bodies)
    for (const LoadSettings& load : body.loads) {
      const bool follows = load.kind == LoadKind::pressure || load.kind == LoadKind::torque || load.following;
      if (follows && (load.over.empty() || factor_at(load.over, 0.0) != 0)) turning.push_back(load.source.text);
    }
  if (!turning.empty())
    spdlog::warn(
        "{}: modes keep the forces of {} in their initial directions, which makes frequencies wrong: the pressure under which a ring buckles comes out a third "
        "too high. Find the vibrations by a run instead",
        fmt::join(turning, ", "), turning.size() == 1 ? "this load" : "these loads");
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.solid)
      if (!material.prony.empty())
        spdlog::warn("{}.prony: modes have the stiffness of slow loading, without the stress that relaxes; fast vibrations are faster than these, and damped",
                     material.source.text);
}

}  // namespace traction
