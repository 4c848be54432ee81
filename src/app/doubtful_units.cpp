#include "app/doubtful_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "app/repeated_warnings.h"

namespace traction {

namespace {

using Doubts = std::vector<std::string>;

constexpr double kLargestGravity = 1000;  // [m/s^2]
constexpr double kFlattened = 0.5;        // strain under the own weight
constexpr double kAir = 1.2;              // [kg/m^3]
constexpr double kFoam = 10;              // [kg/m^3]: less than nearly all foams
constexpr double kHeavy = 2300;           // [kg/m^3]: concrete, and nearly all stones, glass and metals
constexpr double kSoft = 1e6;             // [Pa]: soft rubber

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
  constexpr double kDiamond = 18e3;  // [m/s]: speed of sound in diamond, the fastest
  const double sound = std::sqrt(material.youngs_modulus / material.density);
  const std::string remedy = density_remedy(material.density);
  if (material.density < kAir)
    warnings.add("density", body.name,
                 fmt::format("{}: a density of {:.4g} kg/m^3 is below that of air; water has 1000 kg/m^3{}", material.source.text, material.density, remedy));
  else if (sound > kDiamond)
    warnings.add("sound", body.name,
                 fmt::format("{}: with a Young's modulus of {:.4g} Pa and a density of {:.4g} kg/m^3 sound would travel at {:.3g} m/s, faster than in any "
                             "material; densities are in kg/m^3{}",
                             material.source.text, material.youngs_modulus, material.density, sound, remedy));
}

// Warns of rigid bodies that are lighter than foam.
void doubt_density_of_rigid(const Body& body, RepeatedWarnings& warnings) {
  if (!body.rigid || !body.rigid->density || *body.rigid->density >= kFoam) return;
  const double density = *body.rigid->density;
  warnings.add("density of rigid bodies", body.name,
               fmt::format("{}: a density of {:.4g} kg/m^3 is less than that of any foam; water has 1000 kg/m^3{}", body.rigid->source.text, density,
                           density_remedy(density)));
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
  for (const auto& [region, shell] : body.shell)
    if (const double density = has_bulk_numbers(shell) ? shell.density / shell.thickness : kFoam; density < kFoam)
      warnings.add(
          "density of shells", body.name,
          fmt::format("{}: beside a thickness the density is that of the bulk, and {:.4g} kg/m^3 is less than that of any foam; if it is in kg/m^2, give "
                      "{:.4g}",
                      shell.source.text, density, density / shell.thickness));
  for (const auto& [region, rod] : body.rod)
    if (rod.density < kFoam)
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

// Warns of shells and rods that are thicker than the whole body is long.
void doubt_thickness_of_thin(const Body& body, double diagonal, RepeatedWarnings& warnings) {
  const auto look = [&](const std::string& source, const char* name, double thickness) {
    if (thickness > diagonal)
      warnings.add("thick", body.name,
                   fmt::format("{}: {} of {:.4g} m is larger than the whole body, which is {:.3g} m long; lengths are in metres: {:.4g} if this one is in mm",
                               source, name, thickness, diagonal, thickness / 1000));
  };
  for (const auto& [region, shell] : body.shell) look(shell.source.text, "a thickness", shell.thickness);
  for (const auto& [region, rod] : body.rod) look(rod.source.text, "a radius", rod.radius);
}

// Speeds that only projectiles have.
void doubt_speed(const std::string& source, const char* setting, const Vec3& velocity, Doubts& doubts) {
  constexpr double kFastest = 1000;  // [m/s]: the speed of bullets
  if (const double speed = velocity.norm(); speed > kFastest)
    doubts.push_back(fmt::format("{}: {} is {:.4g} m/s, faster than a bullet; if it is in mm/s, give {:.4g} m/s", source, setting, speed, speed / 1000));
}

Doubts doubts_about_gravity(const Scene& scene) {
  constexpr double kEarth = 9.81;  // [m/s^2]
  const double gravity = scene.gravity.norm();
  if (gravity < kLargestGravity) return {};
  return {fmt::format("gravity is {:.4g} m/s^2, {:.4g} times that of the Earth; if it is in mm/s^2, give {:.4g}: lengths are in metres", gravity,
                      gravity / kEarth, gravity / 1000)};
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

// Warns of contacts that act from farther away than a body is long.
Doubts doubts_about_thicknesses_of_contacts(const Scene& scene, const std::vector<BodySummary>& bodies) {
  RepeatedWarnings warnings;
  for (const ContactSettings& contact : scene.contacts)
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (const double length = bodies[b].extent.sizes().norm(); contact.names(bodies[b].name) && contact.thickness > length)
        warnings.add("thick contact " + contact.name, bodies[b].name,
                     fmt::format("{}: the contact acts from a distance of {:.4g} m, its 'thickness', and body '{}' is only {:.3g} m long; lengths are in "
                                 "metres, and a body's 'scale' is the length of its mesh's unit",
                                 contact.source.text, contact.thickness, bodies[b].name, length));
  return warnings.messages();
}

Doubts doubts_about_speeds(const Scene& scene) {
  Doubts doubts;
  for (const Body& body : scene.bodies) {
    doubt_speed(body.initial.source.text, "the initial velocity", body.initial.velocity, doubts);
    for (const DrivenSettings& driven : body.driven)
      for (const MotionSettings& motion : driven.motion) doubt_speed(driven.source.text, "the velocity of the motion", motion.velocity, doubts);
  }
  for (const Obstacle& obstacle : scene.obstacles)
    for (const MotionSettings& motion : obstacle.motion) doubt_speed(obstacle.source.text, "the velocity of the motion", motion.velocity, doubts);
  return doubts;
}

Doubts doubts_about_bodies(const Scene& scene, const std::vector<BodySummary>& bodies) {
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
    doubt_density_of_rigid(body, warnings);
    doubt_density_of_thin(body, warnings);
    doubt_thickness_of_thin(body, size.norm(), warnings);
    doubt_modulus_of_thin(body, height, gravity, too_large, warnings);
  }
  return warnings.messages();
}

}  // namespace

std::vector<std::string> doubts_about_units(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<Eigen::AlignedBox3d>& obstacles) {
  Doubts doubts;
  for (Doubts& more : std::array{doubts_about_bodies(scene, bodies), doubts_about_gravity(scene), doubts_about_angles(scene), doubts_about_speeds(scene),
                                 doubts_about_thicknesses_of_contacts(scene, bodies), doubts_about_obstacles(scene, bodies, obstacles)})
    std::ranges::move(more, std::back_inserter(doubts));
  return doubts;
}

}  // namespace traction
