#include "app/doubtful_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "app/friction_doubts.h"
#include "app/material_stability.h"
#include "app/repeated_warnings.h"
#include "elements/volumetric_law.h"

namespace traction {

namespace {

using Doubts = std::vector<std::string>;

constexpr double kLargestGravity = 1000;  // [m/s^2]

void append(Doubts& doubts, Doubts more) { std::move(more.begin(), more.end(), std::back_inserter(doubts)); }

constexpr double kFlattened = 0.5;  // strain under the own weight
constexpr double kHeavy = 2300;     // [kg/m^3]: concrete, and nearly all stones, glass and metals
constexpr double kSoft = 1e6;       // [Pa]: soft rubber

// Warns of moduli that may be in MPa or GPa: those of a solid that its own weight would flatten, or that has the density of stone or metal and is as soft as
// rubber. `too_large`: the factor by which another warning already takes lengths or gravity for too large.
void doubt_modulus(const Body& body, const SolidMaterialSettings& material, double height, double gravity, double too_large, RepeatedWarnings& warnings) {
  const double modulus = material.youngs_modulus, strain = material.density * gravity * height / modulus;
  if (strain / too_large > kFlattened)
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

// The density that was meant if it is one of solids or liquids in another unit.
std::string density_remedy(double density) {
  constexpr double kLeast = 0.5, kMost = 25;  // [g/cm^3]: from wood to the densest metals
  if (density >= kLeast && density <= kMost) return fmt::format("; if this one is in g/cm^3, give {:.4g}", 1e3 * density);
  if (density >= kLeast * 1e-9 && density <= kMost * 1e-9) return fmt::format("; if this one is in t/mm^3, give {:.4g}", 1e12 * density);
  return {};
}

// Warns of solids that are lighter than air, or so light for their stiffness that sound would be faster in them than in any material.
void doubt_density(const Body& body, const SolidMaterialSettings& material, RepeatedWarnings& warnings) {
  constexpr double kLight = 1.2;     // [kg/m^3]: density of air
  constexpr double kDiamond = 18e3;  // [m/s]: speed of sound in diamond, the fastest
  const double sound = std::sqrt(material.youngs_modulus / material.density);
  const std::string remedy = density_remedy(material.density);
  if (material.density < kLight)
    warnings.add("density", body.name,
                 fmt::format("{}: a density of {:.4g} kg/m^3 is below that of air; water has 1000 kg/m^3{}", material.source.text, material.density, remedy));
  else if (sound > kDiamond)
    warnings.add("sound", body.name,
                 fmt::format("{}: with a Young's modulus of {:.4g} Pa and a density of {:.4g} kg/m^3 sound would travel at {:.3g} m/s, faster than in any "
                             "material; densities are in kg/m^3{}",
                             material.source.text, material.youngs_modulus, material.density, sound, remedy));
}

// Warns of bodies of ten metres and more.
void doubt_size(const Body& body, double size, RepeatedWarnings& warnings) {
  if (size < kSizeInMillimetres) return;
  if (body.scale == 1)
    warnings.add("size", body.name, fmt::format("{}: the body is {:.4g} m long; if its mesh is in millimetres, give it scale: 1e-3", body.source.text, size));
  else if (body.scale > 1)
    warnings.add(
        "size", body.name,
        fmt::format("{}: with scale: {:.4g} the body is {:.4g} m long, and in its mesh {:.4g}. The scale is the length of the mesh's unit in metres: 1e-3 "
                    "for millimetres; for metres leave it out",
                    body.source.text, body.scale, size, size / body.scale));
}

// Warns of moments of inertia that masses inside the body's mesh cannot have.
void doubt_inertia(const Body& body, double diagonal, RepeatedWarnings& warnings) {
  if (!body.rigid || !body.rigid->inertia || !body.rigid->mass) return;
  const double radius = std::sqrt(body.rigid->inertia->sum() / (2 * *body.rigid->mass));
  if (radius > diagonal)
    warnings.add(
        "inertia", body.name,
        fmt::format("{}: with these moments of inertia the mass lies {:.3g} m from its center, as a root mean square, but the body is only {:.3g} m long; "
                    "moments are in kg m^2, about axes through the center",
                    body.rigid->source.text, radius, diagonal));
}

// Warns of a center where masses inside the body's mesh cannot have it.
void doubt_center(const Body& body, double outside, double diagonal, RepeatedWarnings& warnings) {
  constexpr double kRounded = 1e-2;  // relative to the body's size: a center that was rounded, or belongs to a finer mesh
  if (!body.rigid || !body.rigid->center || !(outside > kRounded * diagonal)) return;
  const Vec3& center = *body.rigid->center;
  warnings.add(
      "center", body.name,
      fmt::format("{}: the center of mass, at ({:.6g}, {:.6g}, {:.6g}) in the mesh, lies {:.3g} m outside of the body, which is {:.3g} m long; no mass "
                  "inside the mesh has its center there. Correct 'center', which is in m and where the mesh is before the body is placed",
                  body.rigid->source.text, center.x(), center.y(), center.z(), outside, diagonal));
}

// Whether a shell's numbers are those of its bulk in the user's scene, from which the bending stiffness follows.
bool has_bulk_numbers(const ShellMaterialSettings& shell) {
  constexpr double kRounding = 1e-6;
  const double weft = shell.weft_modulus.value_or(shell.youngs_modulus), nu_square = shell.poisson_ratio * shell.poisson_ratio * weft / shell.youngs_modulus;
  const double bending = std::sqrt(shell.youngs_modulus * weft) * shell.thickness * shell.thickness / (12 * (1 - nu_square));
  return shell.thickness > 0 && std::abs(shell.bending_stiffness - bending) < kRounding * bending;
}

// Warns of densities that may be per area or length where the scene needs those per volume.
void doubt_density_of_thin(const Body& body, RepeatedWarnings& warnings) {
  constexpr double kLightest = 10;  // [kg/m^3]: less than nearly all foams
  for (const auto& [region, shell] : body.shell)
    if (const double density = has_bulk_numbers(shell) ? shell.density / shell.thickness : kLightest; density < kLightest)
      warnings.add(
          "density of shells", body.name,
          fmt::format("{}: beside a thickness the density is that of the bulk, and {:.4g} kg/m^3 is less than that of any foam; if it is in kg/m^2, give "
                      "{:.4g}",
                      shell.source.text, density, density / shell.thickness));
  for (const auto& [region, rod] : body.rod)
    if (rod.density < kLightest)
      warnings.add(
          "density of rods", body.name,
          fmt::format("{}: a density of {:.4g} kg/m^3 is less than that of any foam; the density is that of the bulk, in kg/m^3: a mass per length is to "
                      "be divided by the section's area, {:.3g} m^2",
                      rod.source.text, rod.density, rod.area()));
}

// Warns of moduli of shells and rods that may be in MPa or GPa: those with which the body would stretch far if it hung, or that metal or stone does not have.
void doubt_modulus_of_thin(const Body& body, double height, double gravity, double too_large, RepeatedWarnings& warnings) {
  const auto look = [&](const std::string& source, double modulus, double density) {
    const double strain = density * gravity * height / modulus;
    const std::string remedy = fmt::format("Moduli are in Pa; if this one is in MPa, give {:.4g}", 1e6 * modulus);
    if (strain / too_large > kFlattened)
      warnings.add("weight of the thin", body.name,
                   fmt::format("{}: Young's modulus is {:.4g} Pa, and the body's weight would stretch it to {:.3g} times its length if it hung. {}", source,
                               modulus, 1 + strain, remedy));
    else if (density >= kHeavy && modulus < kSoft)
      warnings.add("modulus of the thin", body.name,
                   fmt::format("{}: Young's modulus is {:.4g} Pa, that of a soft rubber, with the density of stone or metal. {}", source, modulus, remedy));
  };
  for (const auto& [region, shell] : body.shell)
    if (has_bulk_numbers(shell))
      look(shell.source.text, std::min(shell.youngs_modulus, shell.weft_modulus.value_or(shell.youngs_modulus)) / shell.thickness,
           shell.density / shell.thickness);
  for (const auto& [region, rod] : body.rod) look(rod.source.text, rod.youngs_modulus, rod.density);
}

bool takes_average(const SolidMaterialSettings& material) {
  bool takes = false;
  with_law(material.material, [&]<template <typename> typename Material>() { takes = HasVolumetricPart<Material<double>>; });
  return takes;
}

Doubts doubts_about_gravity(const Scene& scene) {
  constexpr double kEarth = 9.81;  // [m/s^2]
  const double gravity = scene.gravity.norm();
  if (gravity < kLargestGravity) return {};
  return {fmt::format("gravity is {:.4g} m/s^2, {:.4g} times that of the Earth; if it is in mm/s^2, give {:.4g}: lengths are in metres", gravity,
                      gravity / kEarth, gravity / 1000)};
}

// Warns of gravity that pulls away from all planes, where nothing else could hold the bodies, or throw them there.
Doubts doubts_about_falling_up(const Scene& scene) {
  constexpr double kSteep = 0.5;  // cosine of the angle between gravity and a plane's normal
  std::vector<std::string> planes;
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto* plane = std::get_if<PlaneSettings>(&obstacle.shape);
    if (!plane || !obstacle.motion.empty() || !(scene.gravity.dot(plane->normal) > kSteep * scene.gravity.norm() * plane->normal.norm())) return {};
    planes.push_back(fmt::format("'{}'", obstacle.name));
  }
  const bool held = std::ranges::any_of(scene.bodies, [](const Body& body) { return !body.driven.empty() || !body.initial.velocity.isZero(0); });
  if (planes.empty() || held || !scene.joints.empty() || !scene.springs.empty()) return {};
  return {fmt::format(
      "gravity, ({:.4g}, {:.4g}, {:.4g}) m/s^2, pulls the bodies away from {}, whose normal points out of the ground; if it is to press them on it, "
      "change the sign of gravity",
      scene.gravity.x(), scene.gravity.y(), scene.gravity.z(), fmt::join(planes, ", "))};
}

// Warns of motors' angles that are round numbers of degrees and many turns in radians.
Doubts doubts_about_angles(const Scene& scene) {
  constexpr double kRound = 15;  // [degrees]
  Doubts doubts;
  for (const JointSettings& joint : scene.joints) {
    if (!joint.motor || !joint.motor->angle) continue;
    const double angle = *joint.motor->angle;
    if (std::abs(angle) < kRound || std::fmod(angle, kRound) != 0) continue;
    doubts.push_back(fmt::format("{}: the motor's angle is {:.6g} rad, {:.3g} turns; if it is in degrees, give {:.6g}", joint.source.text, angle,
                                 std::abs(angle) / (2 * std::numbers::pi), angle * std::numbers::pi / 180));
  }
  return doubts;
}

// Warns of obstacles of hundreds of metres beside bodies of centimetres.
Doubts doubts_about_obstacles(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<Eigen::AlignedBox3d>& obstacles) {
  constexpr double kSize = 10 * kSizeInMillimetres, kRatio = 1000;
  double largest = 0;
  for (const BodySummary& body : bodies) largest = std::max(largest, body.extent.sizes().maxCoeff());
  Doubts doubts;
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const auto* mesh = std::get_if<MeshObstacleSettings>(&scene.obstacles[i].shape);
    const double size = obstacles[i].isEmpty() ? 0 : obstacles[i].sizes().maxCoeff();
    if (mesh && mesh->scale == 1 && size >= kSize && size >= kRatio * largest)
      doubts.push_back(fmt::format("{}: the surface is {:.4g} m long, and the largest body {:.3g} m; if its mesh is in millimetres, give it scale: 1e-3",
                                   scene.obstacles[i].source.text, size, largest));
  }
  return doubts;
}

Doubts doubts_about_damping(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kMany = 100;  // number of times that a velocity falls to 1/e in the run
  RepeatedWarnings warnings;
  const double gravity = scene.gravity.norm(), end = scene.time.end;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const auto& [mass, stiffness] = body.damping;
    const double size = bodies[b].extent.sizes().maxCoeff(), fastest = gravity / mass;
    if (gravity > 0 && body.driven.empty() && mass * end > kMany && fastest * end < size)
      warnings.add("drag", body.name,
                   fmt::format("bodies.{}.damping: with mass: {:.4g} per second the body falls no faster than {:.3g} m/s, and all its motion dies down in "
                               "{:.2g} s; if this is not meant, give a value far below {:.3g} per second, the inverse of the run's duration",
                               body.name, mass, fastest, 1 / mass, 1 / end));
    if (stiffness > end && !body.rigid)
      warnings.add("viscosity", body.name,
                   fmt::format("bodies.{}.damping: with stiffness: {:.4g} s the body takes some {:.4g} s to yield to a load, and the run ends at {:.4g} s: it "
                               "hardly deforms. Give a small part of the period of the vibrations that are to be damped",
                               body.name, stiffness, stiffness, end));
  }
  return warnings.messages();
}

// Speeds that only projectiles have.
void doubt_speed(const std::string& source, const char* setting, const Vec3& velocity, Doubts& doubts) {
  constexpr double kFastest = 1000;  // [m/s]: the speed of bullets
  if (const double speed = velocity.norm(); speed > kFastest)
    doubts.push_back(fmt::format("{}: {} is {:.4g} m/s, faster than a bullet; if it is in mm/s, give {:.4g} m/s", source, setting, speed, speed / 1000));
}

Doubts doubts_about_speeds(const Scene& scene) {
  Doubts doubts;
  for (const Body& body : scene.bodies) {
    doubt_speed(body.source.text, "the initial velocity", body.initial.velocity, doubts);
    for (const DrivenSettings& driven : body.driven)
      for (const MotionSettings& motion : driven.motion) doubt_speed(driven.source.text, "the velocity of the motion", motion.velocity, doubts);
  }
  for (const Obstacle& obstacle : scene.obstacles)
    for (const MotionSettings& motion : obstacle.motion) doubt_speed(obstacle.source.text, "the velocity of the motion", motion.velocity, doubts);
  return doubts;
}

Doubts doubts_about_units(const Scene& scene, const std::vector<BodySummary>& bodies) {
  RepeatedWarnings warnings;
  const double gravity = scene.gravity.norm();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Vec3 size = bodies[b].extent.sizes();
    doubt_size(body, size.maxCoeff(), warnings);
    doubt_inertia(body, size.norm(), warnings);
    doubt_center(body, bodies[b].center_outside, size.norm(), warnings);
    const double height = gravity > 0 ? size.dot(scene.gravity.cwiseAbs()) / gravity : 0;
    double too_large = gravity >= kLargestGravity ? 1000 : 1;
    if (size.maxCoeff() >= kSizeInMillimetres && body.scale >= 1) too_large *= std::max(1000.0, body.scale);
    for (const auto& [region, material] : body.solid) {
      doubt_density(body, material, warnings);
      doubt_modulus(body, material, height, gravity, too_large, warnings);
    }
    doubt_density_of_thin(body, warnings);
    doubt_modulus_of_thin(body, height, gravity, too_large, warnings);
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
      doubts.push_back(
          fmt::format("output.every is {:.6g} s, below the time step of {:.6g} s: frames are written only at the ends of steps, one per step; give a longer "
                      "time, or shorten time.step",
                      *every, shortest));
  }
  return doubts;
}

// The largest square of the speed of waves in a body's elements [m^2/s^2].
double square_of_wave_speed(const Body& body) {
  double largest = 0;
  const auto look = [&](const auto& materials) {
    for (const auto& [region, material] : materials) largest = std::max(largest, material.youngs_modulus / material.density);
  };
  look(body.solid);
  look(body.shell);
  look(body.rod);
  return largest;
}

// Warns of a tolerance of Newton's method below the rounding of the velocities that are sought. Positions x are rounded by eps x, which changes the strain of
// an element of length l by eps x/l, its force per mass by c^2 eps x/l^2 with the speed of waves c, and a velocity by that times the step. Velocities
// themselves are rounded by eps v.
Doubts doubts_about_tolerance(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon() / 2, kFar = 10, kMargin = 10;
  if (!scene.time.inertia || scene.time.integrator == Integrator::asynchronous) return {};
  double step = 0, worst = 0;
  for (const StepSettings& piece : scene.time.steps) step = std::max(step, piece.step);
  std::size_t where = 0;
  const auto reach = [&](std::size_t b) { return std::max(bodies[b].extent.min().cwiseAbs().maxCoeff(), bodies[b].extent.max().cwiseAbs().maxCoeff()); };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].extent.isEmpty()) continue;
    double error = kRounding * scene.bodies[b].initial.velocity.norm();
    if (const double edge = bodies[b].mean_edge; edge > 0) error += square_of_wave_speed(scene.bodies[b]) * kRounding * reach(b) * step / (edge * edge);
    if (error > worst) worst = error, where = b;
  }
  if (!(scene.solver.tolerance < worst)) return {};
  const bool is_far = reach(where) > kFar * bodies[where].extent.sizes().maxCoeff();
  return {
      fmt::format("solver.tolerance is {:.3g} m/s, and rounding alone changes the velocities of body '{}' by some {:.1g} m/s in a step: Newton's method may "
                  "not get there, and steps are then halved for that reason alone. Give {:.0e} m/s or more{}",
                  scene.solver.tolerance, scene.bodies[where].name, worst, kMargin * worst,
                  is_far ? fmt::format(", or place the body nearer to the origin: it reaches {:.3g} m, and rounding grows with that", reach(where)) : "")};
}

// Warns of faces of ten-node tetrahedra that carry faces with corners alone. They are carried by the corners too, and a pressure on a quadratic face has next
// to no force there.
Doubts doubts_about_attached_faces(const Scene& scene, const std::vector<BodySummary>& bodies) {
  RepeatedWarnings warnings;
  const auto index_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find_if(scene.bodies, [&](const Body& body) { return body.name == name; }) - scene.bodies.begin());
  };
  for (const AttachmentSettings& attachment : scene.attachments) {
    const std::size_t attached = index_of(attachment.vertices.body), carrier = index_of(attachment.to.body);
    if (attachment.stiffness || attached >= bodies.size() || carrier >= bodies.size()) continue;
    const bool has_faces = !scene.bodies[attached].solid.empty() || !scene.bodies[attached].shell.empty();
    if (!has_faces || bodies[attached].quadratics > 0 || bodies[carrier].quadratics == 0) continue;
    warnings.add("faces", attachment.name,
                 fmt::format("{}: the ten-node tetrahedra of '{}' carry faces of '{}' at their corners alone, and give way between them: the connection is too "
                             "soft, and stresses beside it are wrong until the mesh is fine. Give both bodies the same 'order', or attach '{}' to '{}'",
                             attachment.source.text, attachment.to.body, attachment.vertices.body, attachment.to.body, attachment.vertices.body));
  }
  return warnings.messages();
}

// Warns of things that begin after the end of the run, which --set may have shortened.
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

// Warns of output fields of elements that no body has.
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
      doubts.push_back(fmt::format("output.fields: '{}' is a field of {}, which the scene does not have, so it is zero everywhere; leave it out",
                                   word_of(field), is_of_shells ? "shells" : "rods"));
  }
  return doubts;
}

// Warns of bodies and surfaces that no contact names, so that they pass through everything.
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
  const auto is_joined = [&](const std::string& name) {  // a body that an attachment carries is left out, because the other side may touch in its place
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

Doubts doubts_about_locking(const Scene& scene, const std::vector<BodySummary>& bodies) {
  constexpr double kNearlyIncompressible = 0.48;  // docs/materials.md, "Nearly incompressible solids"
  RepeatedWarnings warnings;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.order == 2 || bodies[b].quadratics > 0) continue;
    for (const auto& [region, material] : body.solid) {
      if (material.poisson_ratio < kNearlyIncompressible || material.pressure == PressureAverage::nodal_average) continue;
      std::string remedy = takes_average(material) ? "Give the material pressure: nodal_average" : "Take material: neo_hookean with pressure: nodal_average";
      remedy += takes_average(material) ? ", or the body order: 2" : ", or with order: 2 in the body";
      if (scene.time.integrator == Integrator::asynchronous) remedy += "; both need another time.integrator than asynchronous";
      warnings.add("locking", body.name,
                   fmt::format("{}: tetrahedra of four nodes lock at a Poisson's ratio of {:.5g}: the body bends and bulges far too little on most meshes. {}",
                               material.source.text, material.poisson_ratio, remedy));
    }
  }
  return warnings.messages();
}

Doubts doubts_about_settings(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<Eigen::AlignedBox3d>& obstacles) {
  // The stretches between which rubber is used. Saint Venant-Kirchhoff gives way at 0.577, where nobody uses it.
  constexpr double kLeastStretch = 0.6, kMostStretch = 2;
  Doubts doubts = doubts_about_units(scene, bodies);
  append(doubts, doubts_about_gravity(scene));
  append(doubts, doubts_about_falling_up(scene));
  append(doubts, doubts_about_angles(scene));
  append(doubts, doubts_about_speeds(scene));
  append(doubts, doubts_about_obstacles(scene, bodies, obstacles));
  append(doubts, doubts_about_damping(scene, bodies));
  append(doubts, doubts_about_times(scene));
  append(doubts, doubts_about_tolerance(scene, bodies));
  append(doubts, doubts_about_attached_faces(scene, bodies));
  append(doubts, materials_that_give_way(material_curves(scene, kLeastStretch, kMostStretch)));
  append(doubts, doubts_about_locking(scene, bodies));
  append(doubts, doubts_about_friction(scene, bodies));
  append(doubts, doubts_about_late_motions(scene));
  if (scene.output.every) append(doubts, doubts_about_fields(scene));
  append(doubts, doubts_about_strangers(scene));
  return doubts;
}

}  // namespace traction
