#include <algorithm>
#include <array>
#include <string_view>

#include "scene/nearest_name.h"
#include "scene/scene_sections.h"

namespace traction {

namespace {

constexpr std::array<std::string_view, 4> kShapes = {"plane", "sphere", "cylinder", "box"};

double read_radius(const SettingReader& shape) { return shape.require("radius", "give the radius in m").positive(); }

PlaneSettings read_plane(const SettingReader& setting) {
  setting.expect_keys({"point", "normal"});
  PlaneSettings plane;
  setting.read("point", plane.point, &SettingReader::vector);
  setting.read("normal", plane.normal, &SettingReader::direction);
  return plane;
}

SphereSettings read_sphere(const SettingReader& setting) {
  setting.expect_keys({"center", "radius", "inside"});
  SphereSettings sphere;
  setting.read("center", sphere.center, &SettingReader::vector);
  sphere.radius = read_radius(setting);
  setting.read("inside", sphere.inside, &SettingReader::boolean);
  return sphere;
}

CylinderSettings read_cylinder(const SettingReader& setting) {
  setting.expect_keys({"point", "axis", "radius", "inside"});
  CylinderSettings cylinder;
  setting.read("point", cylinder.point, &SettingReader::vector);
  setting.read("axis", cylinder.axis, &SettingReader::direction);
  cylinder.radius = read_radius(setting);
  setting.read("inside", cylinder.inside, &SettingReader::boolean);
  return cylinder;
}

BoxSettings read_box(const SettingReader& setting) {
  setting.expect_keys({"lower", "upper", "inside"});
  BoxSettings box;
  box.lower = setting.require("lower", "give the corner with the least coordinates").vector();
  const SettingReader upper = setting.require("upper", "give the corner with the greatest coordinates");
  box.upper = upper.vector();
  if ((box.lower.array() >= box.upper.array()).any()) {
    upper.fail("must be above 'lower' in every coordinate; give the corners in that order, some distance apart");
  }
  setting.read("inside", box.inside, &SettingReader::boolean);
  return box;
}

FrictionSettings read_friction(const SettingReader& setting) {
  setting.expect_keys({"dynamic", "static", "tolerance", "stribeck_velocity", "viscous", "sliding_basis_derivative"});
  FrictionSettings friction;
  friction.dynamic = setting.require("dynamic", "give the coefficient of sliding friction").non_negative();
  friction.static_ = friction.dynamic;
  if (const auto coefficient = setting.find("static")) {
    friction.static_ = coefficient->non_negative();
    if (friction.static_ < friction.dynamic) {
      coefficient->fail("must not be below 'dynamic', found " + excerpt(coefficient->text()) +
                        "; raise it, or leave it out for smoothed Coulomb");
    }
  }
  setting.read("tolerance", friction.tolerance, &SettingReader::positive);
  friction.stribeck_velocity = 10 * friction.tolerance;
  if (const auto velocity = setting.find("stribeck_velocity")) {
    friction.stribeck_velocity = velocity->number();
    if (friction.stribeck_velocity <= friction.tolerance) {
      velocity->fail("must be above 'tolerance', found " + excerpt(velocity->text()) +
                     "; raise it, or leave it out for 10 times the tolerance");
    }
  }
  setting.read("viscous", friction.viscous, &SettingReader::non_negative);
  setting.read("sliding_basis_derivative", friction.sliding_basis_derivative, &SettingReader::boolean);
  return friction;
}

// Insists that the name is that of one of the items; `kind` and `section` are for the message.
template <typename Item>
void expect_known(const SettingReader& setting, const std::string& name, const std::vector<Item>& items, const std::string& kind,
                  const std::string& section) {
  std::vector<std::string_view> names;
  for (const Item& item : items) names.push_back(item.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  const std::string remedy =
      names.empty() ? "describe it under '" + section + "'" : "the nearest is '" + nearest + "' (one of: " + listing(names) + ")";
  setting.fail("there is no " + kind + " '" + excerpt(name) + "'; " + remedy);
}

}  // namespace

MotionSettings read_motion(const SettingReader& setting) {
  setting.expect_keys({"velocity", "angular_velocity", "about", "start", "ramp", "stop"});
  MotionSettings motion;
  setting.read("velocity", motion.velocity, &SettingReader::vector);
  setting.read("angular_velocity", motion.angular_velocity, &SettingReader::vector);
  setting.read("about", motion.about, &SettingReader::vector);
  setting.read("start", motion.start, &SettingReader::non_negative);
  setting.read("ramp", motion.ramp, &SettingReader::non_negative);
  if (const auto stop = setting.find("stop")) {
    motion.stop = stop->number();
    if (*motion.stop <= motion.start) stop->fail("must come after 'start', found " + excerpt(stop->text()) + "; give a later time");
  }
  return motion;
}

Surface read_surface(const std::string& name, const SettingReader& setting) {
  setting.expect_keys({"plane", "sphere", "cylinder", "box", "motion"});
  std::vector<SettingReader> shapes;
  for (const std::string_view shape : kShapes) {
    if (const auto found = setting.find(shape)) shapes.push_back(*found);
  }
  if (shapes.empty()) setting.fail("has no shape; give one of: plane, sphere, cylinder, box");
  if (shapes.size() > 1) shapes[1].fail("is a second shape of this surface; describe it as a surface of its own");

  Surface surface;
  surface.name = name;
  if (setting.find("plane")) surface.shape = read_plane(shapes[0]);
  if (setting.find("sphere")) surface.shape = read_sphere(shapes[0]);
  if (setting.find("cylinder")) surface.shape = read_cylinder(shapes[0]);
  if (setting.find("box")) surface.shape = read_box(shapes[0]);
  if (const auto motion = setting.find("motion")) surface.motion = read_motion(*motion);
  return surface;
}

ContactSettings read_contact(const std::string& name, const SettingReader& setting, const std::vector<Body>& bodies,
                             const std::vector<Surface>& surfaces) {
  setting.expect_keys({"vertices", "against", "thickness", "stiffness", "friction"});
  ContactSettings contact;
  contact.name = name;
  contact.source.text = setting.source();

  const SettingReader vertices = setting.require("vertices", "name a body, or a region of it as in 'ball.outer'");
  const std::string address = vertices.text();
  const std::size_t dot = address.find('.');
  contact.body = address.substr(0, dot);
  expect_known(vertices, contact.body, bodies, "body", "bodies");
  if (dot != std::string::npos) {
    contact.region = address.substr(dot + 1);
    if (contact.region.empty()) {
      vertices.fail("names no region after the dot; write 'body.region', or the body alone for its whole boundary");
    }
  }

  const SettingReader against = setting.require("against", "name a surface");
  contact.against = against.text();
  expect_known(against, contact.against, surfaces, "surface", "surfaces");
  contact.thickness = setting.require("thickness", "give the distance in m at which contact sets in").positive();
  setting.read("stiffness", contact.stiffness, &SettingReader::positive);
  if (const auto friction = setting.find("friction")) contact.friction = read_friction(*friction);
  return contact;
}

}  // namespace traction
