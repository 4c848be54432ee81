#include "scene/scene.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "contact/thick_middle.h"
#include "dynamics/integrators.h"
#include "scene/pressure_friction.h"
#include "scene/scene_names.h"
#include "scene/setting.h"
#include "settings/file_ending.h"
#include "settings/nearest_name.h"
#include "system/held_directions.h"

namespace traction {

namespace {

// Finds the side's name: an obstacle if one has it, else a body or a region of a body.
void resolve(const Given& given, const std::string& path, ContactSide& side, const Scene& scene) {
  const auto* name = std::get_if<std::string>(&side);
  if (!name || has_name(scene.obstacles, *name)) return;
  BodySurface surface;
  from_text(*name, surface);
  if (!has_name(scene.bodies, surface.body)) expect_body_or_surface(given, path, *name, scene);
  check_body_surface(given, path, surface, scene);
  side = surface;
}

void check_joint(const Given& given, const JointSettings& joint, const Scene& scene) {
  if (has_name(scene.contacts, joint.name))
    given.fail("joints." + joint.name, "has the name of a contact, so that columns of the history would be the same; rename one of the two");
  const std::string path = "joints." + joint.name + ".between";
  for (const std::string& name : joint.between) {
    expect_body(given, path, name, scene, {"ground"});
    const Body& body = scene.body(name);
    if (!body.rod.empty() && joint.kind != JointKind::ball)
      given.fail(path, "body '" + name + "' has rods, which only a ball joint can hold, because it acts on their points alone; make the joint a ball");
  }
}

const Obstacle& touched_obstacle(const ContactSettings& contact, const Scene& scene) {
  const auto named = [&](const Obstacle& obstacle) { return obstacle.name == std::get<std::string>(contact.against); };
  return *std::find_if(scene.obstacles.begin(), scene.obstacles.end(), named);
}

// The geometry that `geometry: automatic` means, or `automatic` itself where the choice depends on the mesh.
ContactGeometry geometry_of(const Given& given, const std::string& path, const ContactSettings& contact, const Scene& scene) {
  if (given.has(path + ".surface") || given.has(path + ".exclusion_ring")) return ContactGeometry::smooth_surface;
  if (std::holds_alternative<BodySurface>(contact.against)) return ContactGeometry::edges_and_faces;
  const Obstacle& obstacle = touched_obstacle(contact, scene);
  if (has_faces(obstacle)) return ContactGeometry::edges_and_faces;
  if (!touches_by_its_middle(obstacle)) return ContactGeometry::smooth_surface;
  return given.has(path + ".subdivision") ? ContactGeometry::edges_and_faces : ContactGeometry::automatic;
}

// Calls refuse(key, what) for each setting of time that takes the forces of a step as linear: each integrator for which `is_linear` holds, and semi_implicit.
void for_each_linear_scheme(const TimeSettings& time, bool (*is_linear)(Integrator),
                            const std::function<void(const std::string&, const std::string&)>& refuse) {
  if (is_linear(time.integrator)) refuse("time.integrator", std::string(word_of(time.integrator)));
  if (time.semi_implicit) refuse("time.semi_implicit", "one Newton iteration in each stage");
  for (std::size_t i = 0; i < time.steps.size(); ++i)
    if (const auto& integrator = time.steps[i].integrator; integrator && is_linear(*integrator))
      refuse("time.step." + std::to_string(i) + ".integrator", std::string(word_of(*integrator)));
}

// A scheme that takes the forces of a step as linear moves the particles of a rigid body along straight lines when it turns. The stiff tetrahedron resists
// this, which stops the spin.
void refuse_linearized_spin(const Given& given, const Scene& scene) {
  const auto rigid = std::find_if(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.rigid.has_value(); });
  if (rigid == scene.bodies.end()) return;
  const auto is_linear = [](Integrator integrator) { return traits(integrator).is_exponential() || traits(integrator).semi_implicit; };
  for_each_linear_scheme(scene.time, is_linear, [&](const std::string& key, const std::string& what) {
    given.fail(key, what + " takes forces as linear in a step, which stops the spin of the rigid body '" + rigid->name +
                        "'; choose an integrator that is neither exponential nor semi-implicit, such as tr_sdirk2");
  });
}

// Only Newton's method finds the same motion without a term of the derivative.
void refuse_linearized_sparse_volumes(const Given& given, const Scene& scene) {
  const auto is_sparse = [](const Body& body) {
    return std::any_of(body.volumes.begin(), body.volumes.end(), [](const VolumePenaltySettings& volume) { return volume.sparse; });
  };
  const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(), is_sparse);
  if (body == scene.bodies.end()) return;
  const auto is_linear = [](Integrator integrator) { return traits(integrator).semi_implicit; };
  for_each_linear_scheme(scene.time, is_linear, [&](const std::string& key, const std::string& what) {
    given.fail(key, what + " is not iterated until forces balance, so that 'sparse' of a volume of body '" + body->name +
                        "' would change the motion; leave 'sparse' out, or choose an integrator that is not semi-implicit, such as tr_sdirk2");
  });
}

// Without the mass of short steps, incomplete factors of nearly incompressible solids are indefinite, and steps of any length fail.
void refuse_incomplete_factors(const Given& given, const Scene& scene) {
  constexpr double kLargestRatio = 0.48;  // Poisson's ratio: such factors worked with 0.45, and failed with 0.49
  const PreconditionerKind kind = scene.solver.preconditioner;
  if (scene.time.inertia || (kind != PreconditionerKind::ilu && kind != PreconditionerKind::asm_ilu)) return;
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.solid)
      if (material.poisson_ratio > kLargestRatio)
        given.fail("solver.preconditioner", std::string(word_of(kind)) + " fails without inertia where a solid is as incompressible as '" + region +
                                                "' of body '" + body.name + "'; leave it out, or take mumps, ml or hypre");
}

// The direction of anisotropic friction is fixed in space, so the surface must not turn out of it.
void check_anisotropy(const Given& given, const std::string& path, const ContactSettings& contact, const Scene& scene) {
  if (!contact.friction || !contact.friction->anisotropic) return;
  constexpr double kRounding = 1e-9;
  const std::string key = path + ".friction.anisotropic";
  if (contact.all || std::holds_alternative<BodySurface>(contact.against))
    given.fail(
        key,
        "is for a contact of one body with one obstacle, whose surface has the direction; bodies turn and deform. Leave it out, or give the pair of body "
        "and obstacle a contact of its own");
  const Obstacle& obstacle = touched_obstacle(contact, scene);
  const Vec3& grain = contact.friction->anisotropic->grain;
  if (const auto* plane = std::get_if<PlaneSettings>(&obstacle.shape);
      plane && plane->normal.cross(grain).norm() <= kRounding * plane->normal.norm() * grain.norm())
    given.fail(key + ".direction", "is the normal of plane '" + obstacle.name + "', along which nothing slides; give a direction that lies in the plane");
  for (const MotionSettings& motion : obstacle.motion)
    if (motion.angular_velocity.cross(grain).norm() > kRounding * motion.angular_velocity.norm())
      given.fail(key + ".direction",
                 "stands still, and '" + obstacle.name + "' turns; give the axis about which it turns as the direction, and exchange 'along' and 'across'");
}

// Refuses a motion that leaves everything where it is because a key is missing. A velocity that is given may be zero, as in a series of runs.
void check_motion(const Given& given, const std::string& path, const Motion& motion) {
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const std::string listed = path + "." + std::to_string(i), key = given.has(listed) ? listed : path;
    if (given.has(key + ".angular_velocity")) continue;
    if (!given.has(key + ".velocity")) given.fail(key, "has neither 'velocity' nor 'angular_velocity', so that nothing moves; give one of them");
    if (given.has(key + ".about")) given.fail(key + ".about", "is the centre of a rotation that has no speed; give 'angular_velocity', or leave it out");
  }
}

// The number of directions that are held together by these entries of the same region.
int held_directions(std::initializer_list<const DrivenSettings*> entries) {
  std::vector<Vec3> all;
  for (const DrivenSettings* entry : entries) {
    const std::vector<Vec3> directions = entry->directions();
    if (directions.empty()) return 3;
    all.insert(all.end(), directions.begin(), directions.end());
  }
  return independent_directions(all);
}

// A region may be held again if the meaning is clear: in other directions, or for a shorter time in more directions.
void check_held_again(const Given& given, const std::string& path, const DrivenSettings& first, const DrivenSettings& second) {
  const std::string which = "the region '" + excerpt(second.region) + "' is already fixed or driven";
  if (first.motion == second.motion && first.until == second.until) given.fail(path, which + "; name it once");
  const int both = held_directions({&first, &second});
  if (first.motion != second.motion) {
    if (both < held_directions({&first}) + held_directions({&second}))
      given.fail(path, which + " in another way along the same directions; name it once, or let the two entries hold different 'components'");
    return;
  }
  const bool first_is_longer = !first.until || (second.until && *second.until < *first.until);
  if (both == held_directions({first_is_longer ? &first : &second}))
    given.fail(path, which + (first_is_longer ? " for longer than here" : ", and for a shorter time than here") +
                         ", along all of the directions, so that the shorter hold has no effect; remove it, or give the longer one fewer 'components'");
}

// Whether two sides are the same, or one is the whole body of which the other is a region.
bool overlap(const ContactSide& one, const ContactSide& other) {
  const auto *first = std::get_if<BodySurface>(&one), *second = std::get_if<BodySurface>(&other);
  if (!first || !second) return one == other;
  return first->body == second->body && (first->region == second->region || first->region.empty() || second->region.empty());
}

// The same sides twice would be pushed apart with twice the stiffness. Contacts of different thickness may be meant as layers. On smooth surfaces the vertices
// of one side touch the surface of the other, so that two contacts may name the sides in either order.
void refuse_repeated_contact(const Given& given, const std::string& path, const ContactSettings& contact, const Scene& scene) {
  const auto has_an_order = [](const ContactSettings& one) { return !one.both && one.geometry == ContactGeometry::smooth_surface; };
  for (const ContactSettings& other : scene.contacts) {
    if (&other == &contact) return;
    if (other.thickness != contact.thickness || other.all != contact.all) continue;
    const ContactSide first = contact.vertices, of_other = other.vertices;
    const bool in_order = overlap(first, of_other) && overlap(contact.against, other.against);
    const bool is_turned = overlap(first, other.against) && overlap(contact.against, of_other) && !(has_an_order(contact) && has_an_order(other));
    if (!contact.all && !in_order && !is_turned) continue;
    const bool is_same = contact.all || (in_order && first == of_other && contact.against == other.against) ||
                         (is_turned && first == other.against && contact.against == of_other);
    const auto sides = [](const ContactSettings& one) { return "'" + to_text(one.vertices) + "' and '" + to_text(one.against) + "'"; };
    const std::string place = "(" + given.source("contacts." + other.name) + ")";
    if (is_same)
      given.fail(path, "names the sides of the contact '" + other.name + "' again " + place +
                           ", so that they would be pushed apart twice, and each contact's history would have a part of the force; name the pair once");
    given.fail(path, "names " + sides(contact) + ", and the contact '" + other.name + "' " + place + " " + sides(other) +
                         ": a whole body and a region of it, which would be pushed twice; name the whole body alone, or a region in each contact");
  }
}

void check_names(const Given& given, const std::string& path, ContactSettings& contact, const Scene& scene) {
  if (contact.all) return check_anisotropy(given, path, contact, scene);
  if (!contact.both && has_name(scene.obstacles, to_text(contact.vertices)) && !has_name(scene.bodies, contact.vertices.body))
    given.fail(path + ".vertices", "'" + contact.vertices.body + "' is a surface, and vertices are those of a body; exchange 'vertices' and 'against'");
  check_body_surface(given, path + (contact.both ? ".both.0" : ".vertices"), contact.vertices, scene);
  if (contact.both) check_body_surface(given, path + ".both.1", std::get<BodySurface>(contact.against), scene);
  else resolve(given, path + ".against", contact.against, scene);
  const auto* body = std::get_if<BodySurface>(&contact.against);
  const bool with_itself = body && body->body == contact.vertices.body;
  const auto is_rigid = [&](const Body& each) { return each.name == contact.vertices.body && each.rigid; };
  if (with_itself && std::any_of(scene.bodies.begin(), scene.bodies.end(), is_rigid))
    given.fail(path, "a rigid body cannot touch itself, because its parts do not move against each other; remove this contact");
  if (contact.both && with_itself) given.fail(path + ".both", "names the same body twice; write vertices: and against: for a body's contact with itself");
  if (contact.geometry == ContactGeometry::automatic) contact.geometry = geometry_of(given, path, contact, scene);
  const bool smooth = contact.geometry == ContactGeometry::smooth_surface;
  if (with_itself && smooth && !contact.exclusion_ring)
    given.fail(path + ".exclusion_ring",
               "is missing; a body's contact with itself must ignore the triangles around each vertex; give the number of edges up to which they are ignored, "
               "2 or more for smooth surfaces");
  if (!with_itself && contact.exclusion_ring) given.fail(path + ".exclusion_ring", "is for a body's contact with itself; leave it out");
  if (!smooth)
    for (const char* key : {".surface", ".exclusion_ring"})
      if (given.has(path + key)) given.fail(path + key, "belongs to the smooth surface; leave it out, or write geometry: smooth_surface");
  const auto can_meet_faces = [](const Obstacle& obstacle) { return has_faces(obstacle) || touches_by_its_middle(obstacle); };
  if (!body && !smooth && !can_meet_faces(touched_obstacle(contact, scene)))
    given.fail(path + ".geometry",
               "needs a mesh, or a box, sphere or cylinder that is touched from outside; a cylinder may turn about its own direction alone. Leave the setting "
               "out: other shapes are touched by vertices");
  if (smooth && given.has(path + ".subdivision"))
    given.fail(path + ".subdivision", "belongs to edges and faces; leave it out, or write geometry: edges_and_faces");
  if (!body && given.has(path + ".surface")) given.fail(path + ".surface", "is for contact with a body, not with a surface; leave it out");
  check_anisotropy(given, path, contact, scene);
}

void check_pressure_fields(const Given& given, const Scene& scene) {
  for (const PressureFieldSettings& field : scene.pressure_fields) {
    const std::string path = "pressure_fields." + field.name;
    const auto obstacle = std::find_if(scene.obstacles.begin(), scene.obstacles.end(), [&](const Obstacle& one) { return one.name == field.name; });
    if (obstacle != scene.obstacles.end()) {
      if (!std::holds_alternative<PlaneSettings>(obstacle->shape))
        given.fail(path, "belongs to a surface that is no plane; only planes and rigid bodies have pressure fields, so make it a rigid body that is fixed");
      if (!field.thickness) given.fail(path + ".thickness", "is missing; give the thickness of the plane's soft layer in m");
      continue;
    }
    expect_body_or_surface(given, path, field.name, scene);
    const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& one) { return one.name == field.name; });
    if (!body->rigid) given.fail(path, "belongs to a body that is not rigid; only rigid bodies and planes have pressure fields, so make it 'rigid'");
    if (field.thickness) given.fail(path + ".thickness", "is for the layer on a plane; a body has its shape");
  }
}

void check_pressure_contact(const Given& given, const std::string& path, const PressureContactSettings& contact, const Scene& scene) {
  if (has_name(scene.contacts, contact.name)) given.fail(path, "has the name of an entry under 'contacts'; give it another");
  if (contact.all) {
    for (const PressureContactSettings& other : scene.pressure_contacts)
      if (&other < &contact && other.all)
        given.fail(path + ".all",
                   "covers the same pairs as '" + other.name + "', so that pressure would count twice; remove one, or name the two sides under 'between'");
    if (std::none_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return has_name(scene.pressure_fields, body.name); }))
      given.fail(path + ".all", "finds no body with a pressure field, so that nothing would press; describe some under 'pressure_fields'");
    return;
  }
  int bodies = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& name = contact.between[i];
    const std::string side = path + ".between." + std::to_string(i);
    const auto obstacle = std::find_if(scene.obstacles.begin(), scene.obstacles.end(), [&](const Obstacle& one) { return one.name == name; });
    if (obstacle != scene.obstacles.end()) {
      if (!std::holds_alternative<PlaneSettings>(obstacle->shape))
        given.fail(side, "is a surface that is no plane; pressure fields meet rigid bodies and planes, so make it a rigid body that is fixed");
      continue;
    }
    expect_body_or_surface(given, side, name, scene);
    const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& one) { return one.name == name; });
    if (!body->rigid) given.fail(side, "is a body that is not rigid; pressure fields meet rigid bodies and planes, so make it 'rigid', or use 'contacts'");
    ++bodies;
  }
  if (bodies == 0) given.fail(path + ".between", "names two planes, between which nothing moves; name at least one body");
  if (!has_name(scene.pressure_fields, contact.between[0]) && !has_name(scene.pressure_fields, contact.between[1]))
    given.fail(path + ".between", "names two sides without a pressure field, so that nothing would press; describe one under 'pressure_fields'");
  for (const PressureContactSettings& other : scene.pressure_contacts)
    if (&other < &contact && other.joins(contact.between[0], contact.between[1]))
      given.fail(path + ".between", "names the same sides as '" + other.name + "', so that pressure would count twice; remove one");
  for (const ContactSettings& other : scene.contacts)
    if (!other.all && other.names(contact.between[0]) && other.names(contact.between[1]))
      given.fail(path + ".between", "names the sides of the contact '" + other.name + "' too, so that they would be pushed apart twice; remove one of the two");
}

}  // namespace

void FixedSettings::complete(const Given& given) const {
  HeldPart::complete(given);
  const bool by_name_alone = !given.has("region");
  if (!by_name_alone && !given.has("components") && !given.has("normal") && !given.has("until"))
    given.fail("components",
               "is missing, and so are 'normal' and 'until', so that nothing is held; give one of them, or only the region's name to hold all of its motion "
               "permanently");
}

void Body::complete(const Given& given) {
  source.text = given.source("mesh");
  parameters_source.text = given.source("mesh_parameters");
  order_source.text = given.source("order");
  if (given.has("mesh_parameters") && file_ending(mesh) != ".geo")
    given.fail("mesh_parameters", "only a .geo mesh takes parameters; remove them, or give the .geo file as mesh");
  if (rigid) {
    rigid->source.text = given.source("rigid");
    for (const char* key : {"solid", "shell", "rod", "volume", "order"})
      if (given.has(key)) given.fail(key, "a body with 'rigid' does not deform; remove one of them");
    if (damping.stiffness != 0) given.fail("damping.stiffness", "a rigid body has no stiffness that could be damped; give it damping by mass, or none");
    if (!initial.positions.empty()) given.fail("initial.positions", "a rigid body starts in the shape of its mesh; place it by 'translate' and 'rotate'");
  }
  std::vector<DrivenSettings> all;
  const auto add = [&](DrivenSettings added, const std::string& path) {
    for (const DrivenSettings& other : all)
      if (other.region == added.region) check_held_again(given, path, other, added);
    all.push_back(std::move(added));
  };
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    DrivenSettings added;
    static_cast<HeldPart&>(added) = fixed[i];
    added.region = fixed[i].region;
    added.source = fixed[i].source;
    add(std::move(added), "fixed." + std::to_string(i));
  }
  for (std::size_t i = 0; i < driven.size(); ++i) {
    const std::string path = "driven." + std::to_string(i);
    check_motion(given, path + ".motion", driven[i].motion);
    add(std::move(driven[i]), path + ".vertices");
  }
  driven = std::move(all);
  fixed.clear();
  for (std::size_t i = 0; i < volumes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (volumes[i].surface == volumes[j].surface && volumes[i].region == volumes[j].region)
        given.fail("volume." + std::to_string(i),
                   "fills what volume." + std::to_string(j) + " fills already, so that its pressure would count twice; remove one");
  for (const LoadSettings& load : loads) {  // both are names of columns in the history
    const auto same = [&](const DrivenSettings& group) { return group.region == load.name; };
    if (std::any_of(driven.begin(), driven.end(), same))
      given.fail("loads." + load.name, "has the name of a region that is fixed or driven; give the load another");
  }
}

Body Body::as_written() const {
  Body body = *this;
  body.driven.clear();
  for (const DrivenSettings& one : driven) {
    if (one.motion.empty()) {
      FixedSettings& fixed_region = body.fixed.emplace_back();
      static_cast<HeldPart&>(fixed_region) = one;
      fixed_region.region = one.region;
    } else {
      body.driven.push_back(one);
    }
  }
  return body;
}

void from_text(std::string text, BodySurface& surface) {
  const std::size_t dot = text.find('.');
  surface = {text.substr(0, dot), dot == std::string::npos ? std::string() : text.substr(dot + 1)};
}

std::string to_text(const BodySurface& surface) { return surface.region.empty() ? surface.body : surface.body + "." + surface.region; }

void from_text(std::string text, ContactSide& side) { side = std::move(text); }

std::string to_text(const ContactSide& side) {
  const auto* body = std::get_if<BodySurface>(&side);
  return body ? to_text(*body) : std::get<std::string>(side);
}

void ContactSettings::complete(const Given& given) {
  both = given.has("both");
  if (both) {
    if (sides.size() != 2) given.fail("both", "needs two bodies; write it as [first, second]");
    for (const char* key : {"vertices", "against"})
      if (given.has(key)) given.fail(key, "cannot be used with 'both', which names the two sides; remove one of the two");
    vertices = sides[0];
    against = sides[1];
    sides.clear();
  }
  if (all) {
    for (const char* key : {"vertices", "against", "both", "surface", "exclusion_ring"})
      if (given.has(key)) given.fail(key, "cannot be used with 'all', which means every surface; remove one of the two");
    if (given.has("geometry") && geometry == ContactGeometry::smooth_surface)
      given.fail("geometry", "must be edges_and_faces where all surfaces touch each other and themselves; leave it out");
    geometry = ContactGeometry::edges_and_faces;
  }
  ContactLawSettings::complete(given);
}

bool ContactSettings::names(const std::string& name) const {
  if (all || vertices.body == name) return true;
  if (const auto* obstacle = std::get_if<std::string>(&against)) return *obstacle == name;
  return std::get<BodySurface>(against).body == name;
}

ContactSettings ContactSettings::as_written() const {
  ContactSettings contact = *this;
  if (!both || all) return contact;
  contact.sides = {vertices, std::get<BodySurface>(against)};
  return contact;
}

void SpringSettings::complete(const Given& given) const {
  if (given.has("to") && given.has("anchor")) given.fail("anchor", "cannot be used with 'to', which names the other end; remove one of the two");
  if (stiffness == 0 && damping == 0) given.fail({}, "has neither stiffness nor damping; give one of them, above zero");
  if (!anchor && from == to) given.fail("to", "names the same region as 'from'; name another, or give a fixed point under 'anchor'");
}

void AttachmentSettings::complete(const Given& given) const {
  if (vertices.body == to.body) given.fail("to", "is the body whose vertices are attached; name another body");
  if (stiffness && !to.region.empty()) given.fail("to", "names a region, but springs are attached to the nearest element of a body; name the body alone");
  if (stiffness && tangent)
    given.fail("tangent", "is for vertices that move with the other body, and springs of a 'stiffness' hold no direction; remove one of them");
}

const Body& Scene::body(const std::string& name) const {
  return *std::find_if(bodies.begin(), bodies.end(), [&](const Body& each) { return each.name == name; });
}

bool Scene::has_pressure_contact(const std::string& side) const {
  const auto is_plane = [&](const Obstacle& one) { return one.name == side && std::holds_alternative<PlaneSettings>(one.shape); };
  return std::any_of(pressure_contacts.begin(), pressure_contacts.end(), [&](const PressureContactSettings& contact) {
    if (!contact.all) return contact.names(side);
    return has_name(pressure_fields, side) || std::any_of(obstacles.begin(), obstacles.end(), is_plane);
  });
}

bool Scene::has_pressure_contact(const std::string& a, const std::string& b) const {
  const bool two_fields = has_name(pressure_fields, a) && has_name(pressure_fields, b);
  const auto meet_in_group = [&] {
    const auto is_plane = [&](const std::string& side) {
      return std::any_of(obstacles.begin(), obstacles.end(),
                         [&](const Obstacle& one) { return one.name == side && std::holds_alternative<PlaneSettings>(one.shape); });
    };
    return a != b && (two_fields || (has_name(pressure_fields, a) && is_plane(b)) || (has_name(pressure_fields, b) && is_plane(a)));
  };
  return std::any_of(pressure_contacts.begin(), pressure_contacts.end(),
                     [&](const PressureContactSettings& contact) { return contact.all ? meet_in_group() : contact.joins(a, b); });
}

void Scene::complete(const Given& given) {
  refuse_linearized_spin(given, *this);
  refuse_linearized_sparse_volumes(given, *this);
  refuse_incomplete_factors(given, *this);
  if (given.has("gravity_over") && !given.has("gravity"))
    given.fail("gravity_over", "is a factor on 'gravity', which is missing; give 'gravity', or remove the factor");
  check_times_ascend(given, "gravity_over", gravity_over);
  for (Body& body : bodies) {
    if (time.inertia || (body.initial.velocity.isZero(0) && body.initial.angular_velocity.isZero(0) && !body.initial.velocities)) continue;
    const std::string path = "bodies." + body.name + ".initial";
    const auto is_override = [&](const char* key) { return given.is_override(path + key); };
    if (!given.is_override("time.inertia") || is_override("") || is_override(".velocity") || is_override(".angular_velocity") || is_override(".velocities"))
      given.fail(path, "gives the body a velocity, which it cannot keep without inertia; remove it, or drive a region of the body");
    time.idle.push_back({given.source(path) + ": its velocity has no effect without inertia; remove it", false, true});
    body.initial.velocity = body.initial.angular_velocity = Vec3::Zero();
    body.initial.velocities = false;
  }
  for (const SpringSettings& spring : springs) {
    const std::string path = "springs." + spring.name;
    check_body_surface(given, path + ".from", spring.from, *this);
    if (!spring.anchor) check_body_surface(given, path + ".to", spring.to, *this);
  }
  for (const AttachmentSettings& attachment : attachments) {
    const std::string path = "attachments." + attachment.name;
    check_body_surface(given, path + ".vertices", attachment.vertices, *this);
    check_body_surface(given, path + ".to", attachment.to, *this);
  }
  if (!joints.empty() && has_name(bodies, "ground"))
    given.fail("bodies.ground", "has the name by which joints refer to the ground, which does not move; rename the body");
  for (const JointSettings& joint : joints) check_joint(given, joint, *this);
  // These have columns of the same names in the history.
  const auto require_own_name = [&](const std::string& section, const std::string& name, const char* other_section, const auto& others) {
    if (has_name(others, name)) given.fail(section + "." + name, "has the name of an entry under '" + std::string(other_section) + "'; give it another");
  };
  for (const Obstacle& obstacle : obstacles)
    if (has_name(bodies, obstacle.name))
      given.fail("surfaces." + obstacle.name, "has the name of a body, so that a contact that names it could mean either; rename one of the two");
  for (const PressureContactSettings& contact : pressure_contacts)
    if (has_name(bodies, contact.name) && !body(contact.name).volumes.empty())
      given.fail("pressure_contacts." + contact.name,
                 "has the name of a body with a 'volume', so that columns of the history would be the same; give it another");
  for (const SpringSettings& spring : springs) require_own_name("springs", spring.name, "pressure_contacts", pressure_contacts);
  for (const AttachmentSettings& attachment : attachments) {
    require_own_name("attachments", attachment.name, "contacts", contacts);
    require_own_name("attachments", attachment.name, "pressure_contacts", pressure_contacts);
  }
  for (const JointSettings& joint : joints) {
    require_own_name("joints", joint.name, "pressure_contacts", pressure_contacts);
    require_own_name("joints", joint.name, "attachments", attachments);
  }
  for (ContactSettings& contact : contacts) check_names(given, "contacts." + contact.name, contact, *this);
  for (const ContactSettings& contact : contacts) refuse_repeated_contact(given, "contacts." + contact.name, contact, *this);
  for (const Obstacle& obstacle : obstacles) check_motion(given, "surfaces." + obstacle.name + ".motion", obstacle.motion);
  check_pressure_fields(given, *this);
  for (const PressureContactSettings& contact : pressure_contacts) check_pressure_contact(given, "pressure_contacts." + contact.name, contact, *this);
  check_pressure_friction(given, *this);
}

}  // namespace traction
