// The scene as plain structs: every setting a user can give, with its default and unit. Independent of PETSc and MPI.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contact/contact_settings.h"
#include "contact/obstacle_settings.h"
#include "contact/surface_settings.h"
#include "dynamics/time_settings.h"
#include "elements/material_settings.h"
#include "elements/rigid_settings.h"
#include "elements/rod_settings.h"
#include "forces/damping_settings.h"
#include "forces/joint_settings.h"
#include "forces/load_settings.h"
#include "forces/volume_settings.h"
#include "math/tensor.h"
#include "mesh_partition/partition_settings.h"
#include "output/output_settings.h"
#include "pressure/pressure_settings.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"
#include "solver/solver_settings.h"
#include "system/held_settings.h"
#include "system/initial_settings.h"
#include "system/motion_settings.h"

namespace traction {

/// A region of a body that is held, permanently or until a time.
struct FixedSettings : HeldPart {
  static constexpr SettingsDescription kDescription{"fixed", "A region whose vertices are held, along some directions or until a time.",
                                                    R"([{"anyOf": [{"required": ["components"]}, {"required": ["normal"]}, {"required": ["until"]}]},
                                                        {"not": {"required": ["components", "normal"]}}])"};
  SETTING(std::string, region, {}, "Region of the mesh, of any dimension.", required("name a region of the mesh"));
  SETTINGS_OF(HeldPart);
  Source source;

  void complete(const Given& given) const;
};

/// A region of a body that moves as prescribed.
struct DrivenSettings : HeldPart {
  static constexpr SettingsDescription kDescription{"driven", "A region whose vertices move as prescribed.",
                                                    R"([{"not": {"required": ["components", "normal"]}}])"};
  SETTING(std::string, region, {}, "Region of the mesh, of any dimension.", key("vertices"), required("name a region of the mesh"));
  SETTING(Motion, motion, {}, "A motion, or a list of motions, each of which moves the result of the previous ones.", one_or_more,
          required("give one, or list the region under 'fixed' instead"));
  SETTINGS_OF(HeldPart);
  Source source;
};

/// An entry of a scene's bodies: mesh, materials, start, supports and loads.
struct Body {
  static constexpr SettingsDescription kDescription{"body", "A deformable or rigid body.",
                                                    R"([{"if": {"required": ["mesh_parameters"]}, "then": {"properties": {"mesh": {"pattern": "\\.geo$"}}}},
                                                        {"if": {"required": ["rigid"]}, "then": {"not": {"anyOf": [{"required": ["solid"]}, {"required": ["shell"]}, {"required": ["rod"]}, {"required": ["volume"]}]}, "properties": {"damping": {"properties": {"stiffness": {"const": 0}}}}}}])"};
  using Numbers = std::map<std::string, double>;
  using Solids = std::map<std::string, SolidMaterialSettings>;
  using Shells = std::map<std::string, ShellMaterialSettings>;
  using Rods = std::map<std::string, RodMaterialSettings>;
  std::string name;
  SETTING(
      std::string, mesh, {},
      "Path of a .msh (Gmsh 2.2, 4.1), .vtu, .vtk or .inp (Abaqus) file, of a .geo that Gmsh meshes at the start, or of a .txt with the points of a rod, from "
      "the scene's folder.",
      path, ends_with(".msh .vtu .vtk .inp .geo .txt"), required("give the path of a .msh, .vtu, .vtk, .inp or .geo file"));
  SETTING(Numbers, mesh_parameters, {}, "Numbers of the .geo file's DefineConstant.");
  SETTING(double, scale, 1, "Length of the mesh's unit.", unit("m"), positive);
  SETTING(
      std::optional<int>, order, {},
      "Order of the displacements in tetrahedra. 2 adds a vertex in the middle of every edge, so that tetrahedra have ten nodes and do not lock; 1 cuts each "
      "ten-node tetrahedron of the mesh in eight.",
      at_least(1), at_most(2), default_is("that of the mesh"));
  SETTING(Solids, solid, {}, "Material of each region of tetrahedra; every tetrahedron is in one of them. `all` is the region of all of them.",
          names(Names::regions),
          required_unless("shell rod rigid", "give each region of the mesh its material, or under 'shell' each surface region that is one"),
          not_empty("names no region; give each region of the mesh its material"));
  SETTING(Shells, shell, {}, "Material of each surface region whose triangles are elements.", names(Names::regions),
          not_empty("names no region; give each surface region of the shell its material"));
  SETTING(Rods, rod, {}, "Material of each curve whose segments are elements; the points of a .txt, and lines of VTK in no region, are the curve `rod`.",
          names(Names::regions), not_empty("names no region; give each curve that is a rod its material"));
  SETTING(std::optional<RigidSettings>, rigid, {}, "");
  SETTING(std::vector<VolumePenaltySettings>, volumes, {}, "An enclosed volume, or a list of them.", key("volume"), one_or_more);
  SETTING(DampingSettings, damping, {}, "");
  SETTING(InitialSettings, initial, {}, "");
  SETTING(std::vector<FixedSettings>, fixed, {},
          "A region, or a list of regions, whose vertices are held, completely or along some directions, permanently or until a time.", one_or_more,
          shorthand("region"), even_if_empty);
  SETTING(std::vector<DrivenSettings>, driven, {}, "Regions whose vertices move as prescribed.", even_if_empty);
  SETTING(std::vector<LoadSettings>, loads, {}, "The loads by name.", even_if_empty);
  Source source;  ///< source of `mesh:`
  Source parameters_source, order_source;

  /// Moves `fixed` to the front of `driven`, as regions without a motion.
  void complete(const Given& given);
  Body as_written() const;
};

/// `ball.outer` -> body "ball", region "outer"; `ball` -> the whole boundary, region empty.
struct BodySurface {
  std::string body;
  std::string region;
  bool operator==(const BodySurface&) const = default;
};
void from_text(std::string text, BodySurface& surface);
std::string to_text(const BodySurface& surface);

/// An obstacle by name, or a body's surface.
using ContactSide = std::variant<std::string, BodySurface>;
void from_text(std::string text, ContactSide& side);  ///< an obstacle, until Scene::complete finds that it is a body
std::string to_text(const ContactSide& side);

/// An entry of a scene's contacts: two sides, a geometry and a law.
struct ContactSettings : ContactLawSettings {
  static constexpr SettingsDescription kDescription{
      "contact", "Vertices of a body against a surface, or against a body.",
      R"([{"if": {"required": ["both"]}, "then": {"not": {"anyOf": [{"required": ["vertices"]}, {"required": ["against"]}]}}},
          {"if": {"required": ["all"], "properties": {"all": {"const": true}}}, "then": {"not": {"anyOf": [{"required": ["vertices"]}, {"required": ["against"]}, {"required": ["both"]}]}}},
          {"properties": {"both": {"minItems": 2, "maxItems": 2}}},
          {"not": {"required": ["stiffness", "pressure"]}},
          {"if": {"required": ["imc"]}, "then": {"required": ["potential"], "properties": {"potential": {"const": "imc"}}}}])"};
  std::string name;
  SETTING(bool, all, false, "Every surface against every other and itself, obstacles included, except pairs that have a contact of their own.",
          written_if(self.all));
  SETTING(std::vector<BodySurface>, sides, {}, "Two bodies, or regions of two: vertices of each against the other.", key("both"));
  SETTING(BodySurface, vertices, {}, "A body, or a region of one as in ball.outer, whose vertices touch.", written_if(!self.both && !self.all),
          required_unless("both all", "name a body, or a region of it as in 'ball.outer'"));
  SETTING(ContactSide, against, {}, "A surface, or a body, or a region of one.", written_if(!self.both && !self.all),
          required_unless("both all", "name a surface, or a body"));
  bool both = false;  ///< vertices of each side against the surface of the other
  SETTING(ContactGeometry, geometry, ContactGeometry::automatic, "How surfaces meet.",
          default_is("edges_and_faces between bodies and with meshes and boxes, unless settings of the smooth surface are given"));
  SETTING(std::optional<int>, subdivision, {},
          "For edges and faces: number of parts into which edges are divided. Bodies press at the corners of the parts; with 1, only at their vertices.",
          at_least(1), at_most(16), default_is("1 for fine meshes, up to 8 for coarse ones"), written_if(self.geometry == ContactGeometry::edges_and_faces));
  SETTING(std::optional<int>, exclusion_ring, {}, "For a body's contact with itself: triangles at most this many edges away from a vertex are ignored.",
          at_least(0), at_most(1000), hint("a few rings are usual"));
  SETTING(ImplicitSurfaceSettings, surface, {}, "",
          written_if(std::holds_alternative<BodySurface>(self.against) && self.geometry != ContactGeometry::edges_and_faces));
  SETTINGS_OF(ContactLawSettings);
  Source source;

  /// Whether the contact names an obstacle or a body, or all of them.
  bool names(const std::string& name) const;

  /// Moves `sides` to `vertices` and `against`.
  void complete(const Given& given);
  ContactSettings as_written() const;
};

/// An entry of a scene's springs.
struct SpringSettings {
  static constexpr SettingsDescription kDescription{
      "spring", "A spring and damper between two regions of bodies, or a region and a fixed point.",
      R"([{"not": {"required": ["to", "anchor"]}}, {"anyOf": [{"required": ["stiffness"]}, {"required": ["damping"]}]}])"};
  std::string name;
  SETTING(BodySurface, from, {},
          "A region of a body as in ball.tip, or a body. The spring acts on the mean position of its vertices, by area of a surface, else by mass, and its "
          "force is "
          "shared out among them alike.",
          required("name a body, or a region of it as in 'ball.tip'"));
  SETTING(BodySurface, to, {}, "The other end, on the same body or another.", written_if(!self.anchor),
          required_unless("anchor", "name a body, or a region of it; or give a fixed point under 'anchor'"));
  SETTING(std::optional<Vec3>, anchor, {}, "A fixed point, as the other end.", unit("m"));
  SETTING(double, stiffness, 0, "Force per stretch.", unit("N/m"), non_negative);
  SETTING(double, damping, 0, "Force per rate of the length or, with a rest_length of 0, per relative velocity of its ends.", unit("N s/m"), non_negative);
  SETTING(std::optional<double>, rest_length, {}, "Length without force. With 0 the spring pulls in any direction by its stiffness times the distance.",
          unit("m"), non_negative, default_is("the distance of its ends as the bodies are placed"));
  Source source;

  void complete(const Given& given) const;
};

/// An entry of a scene's attachments.
struct AttachmentSettings {
  static constexpr SettingsDescription kDescription{
      "attachment", "Vertices of a body that elements of another carry, whether or not the meshes match.",
      R"([{"if": {"required": ["stiffness"]}, "then": {"properties": {"to": {"not": {"pattern": "[.]"}}, "tangent": {"const": false}}}}])"};
  std::string name;
  SETTING(BodySurface, vertices, {}, "A region of a body as in pad.glued, or a body. Its vertices move with the other body.",
          required("name a region of a body as in 'pad.glued', or a body"));
  SETTING(BodySurface, to, {}, "The other body, or a region of it: tetrahedra, shells, rods, or a surface of its solid.",
          required("name the body that carries the vertices, or a region of it"));
  SETTING(std::optional<double>, largest_gap, {}, "Largest distance of a vertex from the other body; one that is farther away is an error.", unit("m"),
          positive, default_is("a quarter of the longest edge of the nearest element"));
  SETTING(std::optional<double>, stiffness, {}, "Force per distance: springs, spread over a surface by its area at rest, over other regions by their mass.",
          unit("N/m"), positive, default_is("the vertices move with the other body"));
  SETTING(bool, tangent, false, "Whether the segments of a rod at these vertices turn with the other body, including their twist.");
  Source source;

  void complete(const Given& given) const;
};

/// Everything that a scene file gives.
struct Scene {
  static constexpr SettingsDescription kDescription{"scene",
                                                    "Deformable bodies in frictional contact: what traction run simulates. All numbers are in SI units.",
                                                    R"([{"if": {"required": ["gravity_over"]}, "then": {"required": ["gravity"]}}])"};
  using PetscOptions = std::map<std::string, std::string>;
  std::string file;  ///< absolute path
  SETTING(TimeSettings, time, {}, "", required("give at least time: {step: ..., end: ...}"));
  SETTING(Vec3, gravity, Vec3::Zero(), "Gravity.", unit("m/s^2"));
  SETTING(std::vector<LoadPoint>, gravity_over, {}, "A factor on gravity over time, linear between times, constant before and after.");
  SETTING(std::vector<Body>, bodies, {}, "The bodies by name.", required("describe at least one body"), not_empty("there is no body; describe at least one"));
  SETTING(std::vector<Obstacle>, obstacles, {}, "The obstacles by name.", key("surfaces"), even_if_empty);
  SETTING(std::vector<ContactSettings>, contacts, {}, "The contacts by name.", even_if_empty);
  SETTING(std::vector<PressureFieldSettings>, pressure_fields, {}, "The pressure fields by the name of their body or plane.");
  SETTING(std::vector<PressureContactSettings>, pressure_contacts, {}, "The contacts of pressure fields by name.");
  SETTING(std::vector<SpringSettings>, springs, {}, "The springs and dampers by name.", even_if_empty);
  SETTING(std::vector<AttachmentSettings>, attachments, {}, "The attachments by name.", even_if_empty);
  SETTING(std::vector<JointSettings>, joints, {}, "The joints between bodies by name.", even_if_empty);
  SETTING(SolverSettings, solver, {}, "");
  SETTING(PartitionSettings, partition, {}, "");
  SETTING(OutputSettings, output, {}, "");
  SETTING(PetscOptions, petsc, {}, "PETSc's options, named without their dash; null or \"\" for one without a value.", names(Names::options), even_if_empty);

  /// The body of this name, which must exist.
  const Body& body(const std::string& name) const;

  /// Whether pressure contacts are for this body or plane, or for these two.
  bool has_pressure_contact(const std::string& side) const;
  bool has_pressure_contact(const std::string& a, const std::string& b) const;

  /// Resolves the names that contacts mention.
  void complete(const Given& given);
};

}  // namespace traction
