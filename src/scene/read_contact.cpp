#include <algorithm>
#include <array>
#include <string_view>

#include "scene/nearest_name.h"
#include "scene/scene_sections.h"

namespace traction {

namespace {

constexpr std::array<std::string_view, 5> kShapes = {"plane", "sphere", "cylinder", "box", "mesh"};

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

ImplicitSurfaceSettings read_implicit_surface(const SettingReader& setting) {
  ImplicitSurfaceSettings surface;
  if (const auto multiplier = setting.find("radius_multiplier")) {
    surface.radius_multiplier = multiplier->number();
    if (surface.radius_multiplier <= 1)
      multiplier->fail("must be above 1, found " + excerpt(multiplier->text()) + "; or corners of triangles are out of their reach");
  }
  setting.read("interpolation", surface.interpolation, &SettingReader::positive);
  return surface;
}

MeshObstacleSettings read_mesh_shape(const SettingReader& setting, const std::filesystem::path& folder) {
  setting.expect_keys({"file", "scale", "radius_multiplier", "interpolation"});
  MeshObstacleSettings mesh;
  mesh.file = read_path(setting.require("file", "name a .stl or .obj file"), folder);
  setting.read("scale", mesh.scale, &SettingReader::positive);
  mesh.surface = read_implicit_surface(setting);
  return mesh;
}

FrictionSettings read_friction(const SettingReader& setting) {
  setting.expect_keys({"dynamic", "static", "tolerance", "stribeck_velocity", "viscous", "sliding_basis_derivative", "coupling", "passes"});
  FrictionSettings friction;
  friction.dynamic = setting.require("dynamic", "give the coefficient of sliding friction").non_negative();
  friction.static_ = friction.dynamic;
  if (const auto coefficient = setting.find("static")) {
    friction.static_ = coefficient->non_negative();
    if (friction.static_ < friction.dynamic) {
      coefficient->fail("must not be below 'dynamic', found " + excerpt(coefficient->text()) + "; raise it, or leave it out for smoothed Coulomb");
    }
  }
  setting.read("tolerance", friction.tolerance, &SettingReader::positive);
  friction.stribeck_velocity = 10 * friction.tolerance;
  if (const auto velocity = setting.find("stribeck_velocity")) {
    friction.stribeck_velocity = velocity->number();
    if (friction.stribeck_velocity <= friction.tolerance) {
      velocity->fail("must be above 'tolerance', found " + excerpt(velocity->text()) + "; raise it, or leave it out for 10 times the tolerance");
    }
  }
  setting.read("viscous", friction.viscous, &SettingReader::non_negative);
  setting.read("sliding_basis_derivative", friction.sliding_basis_derivative, &SettingReader::boolean);
  setting.read("coupling", friction.coupling, kFrictionCouplings);
  if (const auto passes = setting.find("passes")) {
    if (friction.coupling != FrictionCoupling::lagged) passes->fail("is for 'coupling: lagged'; leave it out");
    friction.passes = passes->positive_integer();
  }
  return friction;
}

// Insists that the name is that of one of the items; `kind` and `section` are for the message.
template <typename Item>
void expect_known(const SettingReader& setting, const std::string& name, const std::vector<Item>& items, const std::string& kind, const std::string& section) {
  std::vector<std::string_view> names;
  for (const Item& item : items) names.push_back(item.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  const std::string remedy = names.empty() ? "describe it under '" + section + "'" : "the nearest is '" + nearest + "' (one of: " + listing(names) + ")";
  setting.fail("there is no " + kind + " '" + excerpt(name) + "'; " + remedy);
}

BodySurface read_body_surface(const SettingReader& setting, const std::vector<Body>& bodies) {
  const std::string address = setting.text();
  const std::size_t dot = address.find('.');
  BodySurface surface{address.substr(0, dot), {}};
  expect_known(setting, surface.body, bodies, "body", "bodies");
  if (dot == std::string::npos) return surface;
  surface.region = address.substr(dot + 1);
  if (surface.region.empty()) setting.fail("names no region after the dot; write 'body.region', or the body alone for its whole boundary");
  return surface;
}

// A surface if there is one of that name, else a body or a region of one.
std::variant<std::string, BodySurface> read_against(const SettingReader& setting, const std::vector<Body>& bodies, const std::vector<Obstacle>& surfaces) {
  const std::string name = setting.text();
  const auto named = [&](const auto& item) { return item.name == name.substr(0, name.find('.')); };
  if (std::any_of(bodies.begin(), bodies.end(), named) && std::none_of(surfaces.begin(), surfaces.end(), [&](const Obstacle& s) { return s.name == name; }))
    return read_body_surface(setting, bodies);
  expect_known(setting, name, surfaces, "surface", "surfaces");
  return name;
}

MotionSettings read_one_motion(const SettingReader& setting) {
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

}  // namespace

Motion read_motion(const SettingReader& setting) {
  Motion motion;
  for (const SettingReader& one : setting.one_or_more()) motion.push_back(read_one_motion(one));
  return motion;
}

Obstacle read_surface(const std::string& name, const SettingReader& setting, const std::filesystem::path& folder) {
  setting.expect_keys({"plane", "sphere", "cylinder", "box", "mesh", "motion"});
  std::vector<SettingReader> shapes;
  for (const std::string_view shape : kShapes) {
    if (const auto found = setting.find(shape)) shapes.push_back(*found);
  }
  if (shapes.empty()) setting.fail("has no shape; give one of: plane, sphere, cylinder, box, mesh");
  if (shapes.size() > 1) shapes[1].fail("is a second shape of this surface; describe it as a surface of its own");

  Obstacle surface;
  surface.name = name;
  surface.source.text = setting.source();
  if (setting.find("plane")) surface.shape = read_plane(shapes[0]);
  if (setting.find("sphere")) surface.shape = read_sphere(shapes[0]);
  if (setting.find("cylinder")) surface.shape = read_cylinder(shapes[0]);
  if (setting.find("box")) surface.shape = read_box(shapes[0]);
  if (setting.find("mesh")) surface.shape = read_mesh_shape(shapes[0], folder);
  if (const auto motion = setting.find("motion")) surface.motion = read_motion(*motion);
  return surface;
}

ContactSettings read_contact(const std::string& name, const SettingReader& setting, const std::vector<Body>& bodies, const std::vector<Obstacle>& surfaces) {
  setting.expect_keys({"vertices", "against", "both", "exclusion_ring", "surface", "thickness", "potential", "stiffness", "pressure", "friction"});
  ContactSettings contact;
  contact.name = name;
  contact.source.text = setting.source();
  if (const auto both = setting.find("both")) {
    const std::vector<SettingReader> sides = both->items();
    if (sides.size() != 2) both->fail("needs two bodies; write it as [first, second]");
    if (const auto extra = setting.find(setting.find("vertices") ? "vertices" : "against"))
      extra->fail("stands beside 'both', which names the two sides; leave one out");
    contact.both = true;
    contact.vertices = read_body_surface(sides[0], bodies);
    contact.against = read_body_surface(sides[1], bodies);
    if (contact.vertices.body == std::get<BodySurface>(contact.against).body)
      both->fail("names the same body twice; write vertices: and against: for a body's contact with itself");
  } else {
    contact.vertices = read_body_surface(setting.require("vertices", "name a body, or a region of it as in 'ball.outer'"), bodies);
    contact.against = read_against(setting.require("against", "name a surface, or a body"), bodies, surfaces);
  }
  const auto* body = std::get_if<BodySurface>(&contact.against);
  const auto ring = setting.find("exclusion_ring");
  if (body && body->body == contact.vertices.body) {
    const SettingReader needed =
        setting.require("exclusion_ring",
                        "a body's contact with itself must leave out the triangles around each vertex; say how many edges far, 2 or more for smooth surfaces");
    contact.exclusion_ring = needed.non_negative_integer();
  } else if (ring) {
    ring->fail("is for a body's contact with itself; leave it out");
  }
  if (const auto surface = setting.find("surface")) {
    if (!body) surface->fail("is for contact with a body, not with a surface; leave it out");
    surface->expect_keys({"radius_multiplier", "interpolation"});
    contact.surface = read_implicit_surface(*surface);
  }
  contact.thickness = setting.require("thickness", "give the distance in m at which contact sets in").positive();
  setting.read("potential", contact.potential, kContactPotentials);
  setting.read("stiffness", contact.stiffness, &SettingReader::positive);
  setting.read("pressure", contact.pressure, &SettingReader::positive);
  if (contact.stiffness && contact.pressure) setting.require("pressure", "").fail("says the same as 'stiffness' in another way; leave one out");
  if (const auto friction = setting.find("friction")) contact.friction = read_friction(*friction);
  return contact;
}

}  // namespace traction
