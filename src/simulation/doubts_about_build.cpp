#include "simulation/doubts_about_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "simulation/attachments.h"
#include "simulation/build_joints.h"
#include "simulation/build_loads.h"
#include "simulation/build_rod.h"
#include "simulation/build_springs.h"
#include "simulation/contact_scales.h"
#include "simulation/lumped_mass.h"

namespace traction {

namespace {

using Doubts = std::vector<std::string>;

constexpr double kNotableExcess = 0.1;  // relative to a moment of inertia

// Where a body is held for the whole run.
SupportedBody with_supports(const Simulation& simulation, const Body& body) {
  SupportedBody supported{body.name, {}};
  const Mat3 all = Mat3::Identity();
  for (const DrivenSettings& driven : body.driven) {
    if (driven.until && *driven.until < simulation.scene.time.end) continue;
    std::vector<Vec3> directions = driven.directions();
    if (directions.empty()) directions = {all.col(0), all.col(1), all.col(2)};
    for (const int vertex : simulation.mesh->region(body.name + "." + driven.region).vertices)
      if (vertex < simulation.mesh->halo->owned())
        for (const Vec3& direction : directions) supported.holds.emplace_back(vertex, direction);
  }
  return supported;
}

Doubts doubts_about_lumping(const Simulation& simulation, const SceneMaterials& materials) {
  if (!simulation.scene.time.inertia) return {};
  Doubts doubts;
  std::vector<SupportedBody> bodies;
  std::vector<bool> are_held;
  for (const Body& body : simulation.scene.bodies) {
    if (body.rigid) continue;
    bodies.push_back(with_supports(simulation, body));
    are_held.push_back(!body.driven.empty());
  }
  const std::vector<InertiaExcess> excess = excess_of_inertia(*simulation.mesh, materials, bodies);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (excess[b].share > kNotableExcess)
      doubts.push_back(
          fmt::format("body '{}' turns too slowly about {} {}: masses at the vertices of so coarse a mesh have a moment of inertia "
                      "{:.0f} % above that of the body; elements of half the size reduce this error to a quarter (docs/theory/balance.md, \"Lumped mass\")",
                      bodies[b].name, excess[b].axis, are_held[b] ? "on its supports" : "through its center of mass", 100 * excess[b].share));
  return doubts;
}

// What a material remembers, for a body that starts in a frame of another run, where only positions and velocities are; empty if it remembers nothing.
std::string memory_of(const Body& body) {
  for (const auto& [region, shell] : body.shell)
    if (shell.yield_curvature > 0) return "plastic bends (yield_curvature)";
  for (const auto& [region, solid] : body.solid) {
    if (!solid.prony.empty()) return "stress that relaxes (prony)";
    if (solid.mullins) return "softening (mullins)";
  }
  return {};
}

// The settings that move a body from where a frame of another run has it, or add to its velocity there: that run's own settings are in the frame already.
std::vector<std::string> moves_of_frame(const InitialSettings& initial) {
  std::vector<std::string> moves;
  if (initial.rotate.angle != 0) moves.emplace_back("rotate");
  if (!initial.translate.isZero(0)) moves.emplace_back("translate");
  if (initial.velocities && !initial.velocity.isZero(0)) moves.emplace_back("velocity");
  if (initial.velocities && !initial.angular_velocity.isZero(0)) moves.emplace_back("angular_velocity");
  return moves;
}

Doubts doubts_about_frames(const Scene& scene) {
  Doubts doubts;
  for (const Body& body : scene.bodies) {
    const InitialSettings& initial = body.initial;
    if (!initial.positions.ends_with(".hdf")) continue;
    if (const std::string memory = memory_of(body); !memory.empty())
      doubts.push_back(fmt::format(
          "{}: body '{}' starts without the {} of the run that wrote this frame, because frames contain positions and velocities alone. To continue "
          "that run, use 'traction resume' and a later time.end",
          initial.positions_source.text, body.name, memory));
    if (const std::vector<std::string> moves = moves_of_frame(initial); !moves.empty())
      doubts.push_back(
          fmt::format("{}: body '{}' starts as this frame has it, to which {} {} added: a frame contains what moved the body in its own run; leave {} out "
                      "unless you mean to move it again",
                      initial.positions_source.text, body.name, fmt::join(moves, " and "), moves.size() > 1 ? "are" : "is", moves.size() > 1 ? "them" : "it"));
  }
  return doubts;
}

}  // namespace

std::vector<std::string> doubts_about_build(const Simulation& simulation, const SceneMaterials& materials, const Field& given, const State& initial) {
  const Scene& scene = simulation.scene;
  const System& system = *simulation.system;
  Doubts doubts;
  for (Doubts& more :
       std::array{doubts_about_lumping(simulation, materials), doubts_about_frames(scene), doubts_about_springs(system, scene, materials, initial.q),
                  doubts_about_joints(system, scene), doubts_about_loads(system, scene), doubts_about_attachments(system, scene),
                  doubts_about_attached_velocities(system, scene, simulation.attachments, given, initial.v), doubts_about_rods(*simulation.mesh, scene),
                  doubts_about_thicknesses(*simulation.mesh, scene)})
    std::ranges::move(more, std::back_inserter(doubts));
  return doubts;
}

}  // namespace traction
