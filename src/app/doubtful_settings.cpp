#include "app/doubtful_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "app/material_stability.h"
#include "app/repeated_warnings.h"

namespace traction {

namespace {

using Doubts = std::vector<std::string>;

void append(Doubts& doubts, Doubts more) { std::move(more.begin(), more.end(), std::back_inserter(doubts)); }

// Moduli in MPa or GPa: a solid that its own weight flattens, or one of the density of stone and metals that is as soft as rubber.
void doubt_modulus(const Body& body, const SolidMaterialSettings& material, double height, double gravity, RepeatedWarnings& warnings) {
  constexpr double kFlattened = 0.5;  // strain under the own weight
  constexpr double kHeavy = 2300;     // [kg/m^3]: concrete, and nearly all stones, glass and metals
  constexpr double kSoft = 1e6;       // [Pa]: soft rubber
  const double modulus = material.youngs_modulus, strain = material.density * gravity * height / modulus;
  if (strain > kFlattened)
    warnings.add(
        "weight", body.name,
        fmt::format("{}: Young's modulus for small strains is {:.4g} Pa, and {:.3g} Pa of weight press on the lowest layer: the body would collapse under "
                    "itself. Moduli are in Pa; if this one is in MPa, give {:.4g}",
                    material.source.text, modulus, strain * modulus, 1e6 * modulus));
  else if (material.density >= kHeavy && modulus < kSoft)
    warnings.add("modulus", body.name,
                 fmt::format("{}: Young's modulus for small strains is {:.4g} Pa, that of a soft rubber, with the density of stone or metal. Moduli are in Pa; "
                             "if this one is in MPa, give {:.4g}",
                             material.source.text, modulus, 1e6 * modulus));
}

Doubts doubts_about_units(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kLight = 1.2;  // [kg/m^3]: density of air
  RepeatedWarnings warnings;
  const double gravity = scene.gravity.norm();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Vec3 size = bodies[b].extent.sizes();
    if (body.scale == 1 && size.maxCoeff() >= kSizeInMillimetres)
      warnings.add("size", body.name,
                   fmt::format("{}: the body is {:.4g} m long; if its mesh is in millimetres, give it scale: 1e-3", body.source.text, size.maxCoeff()));
    const double height = gravity > 0 ? size.dot(scene.gravity.cwiseAbs()) / gravity : 0;
    for (const auto& [region, material] : body.solid) {
      if (material.density < kLight)
        warnings.add("density", body.name,
                     fmt::format("{}: a density of {:.4g} kg/m^3 is below that of air; water has 1000 kg/m^3", material.source.text, material.density));
      doubt_modulus(body, material, height, gravity, warnings);
    }
  }
  return warnings.messages();
}

Doubts doubts_about_times(const Scene& scene) {
  constexpr double kRounding = 1e-9;  // relative to a time
  Doubts doubts;
  const double end = scene.time.end;
  double shortest = std::numeric_limits<double>::infinity();
  for (const StepSettings& piece : scene.time.steps) shortest = std::min(shortest, piece.step);
  if (const double first = scene.time.steps.empty() ? 0 : scene.time.steps.front().step; first > end * (1 + kRounding))
    doubts.push_back(
        fmt::format("time.step is {:.6g} s, and the run ends at {:.6g} s: the run is a single step, cut to its end; give a shorter step", first, end));
  if (const auto& every = scene.output.every) {
    if (*every > end)
      doubts.push_back(fmt::format(
          "output.every is {:.6g} s, and the run ends at {:.6g} s: only the first frame is written; give a shorter time between frames", *every, end));
    if (*every < shortest * (1 - kRounding))
      doubts.push_back(fmt::format(
          "output.every is {:.6g} s, below the time step of {:.6g} s: frames come with steps, one after each; give a longer time, or shorten time.step", *every,
          shortest));
  }
  return doubts;
}

// What begins after the run has ended: a run may have been shortened by --set.
Doubts doubts_about_late_motions(const Scene& scene) {
  Doubts doubts;
  const double end = scene.time.end;
  const auto look = [&](const std::string& source, const Motion& motion) {
    for (const MotionSettings& each : motion)
      if (each.start >= end)
        doubts.push_back(fmt::format("{}: its motion begins at {:.6g} s, and the run ends at {:.6g} s: nothing moves; end later, or start earlier", source,
                                     each.start, end));
  };
  for (const Obstacle& obstacle : scene.obstacles) look(obstacle.source.text, obstacle.motion);
  for (const Body& body : scene.bodies) {
    for (const DrivenSettings& driven : body.driven) look(driven.source.text, driven.motion);
    for (const LoadSettings& load : body.loads)
      if (load.over.size() > 1 && load.over.front().time >= end)
        doubts.push_back(
            fmt::format("{}: its table 'over' begins at {:.6g} s, and the run ends at {:.6g} s: only its first factor, {:.6g}, acts; correct its times",
                        load.source.text, load.over.front().time, end, load.over.front().factor));
  }
  return doubts;
}

Doubts doubts_about_friction(const Scene& scene) {
  constexpr double kLargestFriction = 5;  // rubber on a rough road has about 1
  Doubts doubts;
  for (const ContactSettings& contact : scene.contacts)
    if (const double largest = contact.friction ? contact.friction->largest_coefficient() : 0; largest > kLargestFriction)
      doubts.push_back(
          fmt::format("{}: a friction coefficient of {:.4g} is far above that of rubber on a road, which is about 1; if it is meant in percent, give {:.4g}",
                      contact.source.text, largest, largest / 100));
  return doubts;
}

// Fields whose elements no body has.
Doubts doubts_about_fields(const Scene& scene) {
  const auto some = [&](const auto& member) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return !(body.*member).empty(); });
  };
  const bool shells = some(&Body::shell), rods = some(&Body::rod);
  Doubts doubts;
  for (const OutputField field : scene.output.fields) {
    const bool is_of_shells = field == OutputField::tension || field == OutputField::bending_moment;
    const bool is_of_rods = field == OutputField::axial_force || field == OutputField::curvature || field == OutputField::twist;
    if ((is_of_shells && !shells) || (is_of_rods && !rods))
      doubts.push_back(fmt::format("output.fields: '{}' is of {}, which the scene does not have: it is zero everywhere; leave it out", word_of(field),
                                   is_of_shells ? "shells" : "rods"));
  }
  return doubts;
}

// What no contact names, so that it passes through everything.
Doubts doubts_about_strangers(const Scene& scene) {
  const auto touched = [&](const std::string& name) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) { return contact.names(name); }) ||
           scene.has_pressure_contact(name);
  };
  Doubts doubts;
  for (const Obstacle& obstacle : scene.obstacles)
    if (!touched(obstacle.name)) doubts.push_back(fmt::format("surface '{}' is in no contact: everything passes through it", obstacle.name));
  for (const PressureFieldSettings& field : scene.pressure_fields)
    if (!scene.has_pressure_contact(field.name))
      doubts.push_back(fmt::format("pressure field '{}' is in no pressure contact, and has no effect; name it in one", field.name));
  const auto is_joined = [&](const std::string& name) {  // by an attachment, whose other side may touch in its place
    return std::any_of(scene.attachments.begin(), scene.attachments.end(),
                       [&](const AttachmentSettings& attachment) { return attachment.vertices.body == name || attachment.to.body == name; });
  };
  if (scene.contacts.empty() && scene.pressure_contacts.empty()) {
    const bool is_linked = !scene.attachments.empty() || !scene.joints.empty() || !scene.springs.empty();
    if (scene.bodies.size() > 1 && !is_linked)
      doubts.push_back(
          "the scene has no contacts: its bodies pass through each other. If they may meet, add contacts: {everything: {all: true, thickness: ...}}");
    return doubts;
  }
  RepeatedWarnings warnings;
  for (const Body& body : scene.bodies)
    if (!touched(body.name) && !is_joined(body.name))
      warnings.add("strange", body.name, fmt::format("body '{}' is in no contact: it passes through everything", body.name));
  append(doubts, warnings.messages());
  return doubts;
}

}  // namespace

Doubts doubts_about_settings(const Scene& scene, const std::vector<BodySummary>& bodies) {
  // Saint Venant-Kirchhoff gives way at a stretch of 0.577, where nobody uses it; rubber is used from the first of these stretches to the second.
  constexpr double kLeastStretch = 0.6, kMostStretch = 2;
  Doubts doubts = doubts_about_units(scene, bodies);
  append(doubts, doubts_about_times(scene));
  append(doubts, materials_that_give_way(material_curves(scene, kLeastStretch, kMostStretch)));
  append(doubts, doubts_about_friction(scene));
  append(doubts, doubts_about_late_motions(scene));
  if (scene.output.every) append(doubts, doubts_about_fields(scene));
  append(doubts, doubts_about_strangers(scene));
  return doubts;
}

}  // namespace traction
