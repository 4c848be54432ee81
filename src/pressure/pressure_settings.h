// Settings of pressure fields and of the contacts between them (docs/theory/pressure.md, "Fields").
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "math/friction_curve.h"
#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

enum class FieldShape { mesh, sphere, box, cylinder, capsule };

constexpr auto choices_of(FieldShape) {
  return std::to_array<Choice<FieldShape>>(
      {{FieldShape::mesh, "mesh", "A field on the body's own tetrahedra, from Laplace's equation."},
       {FieldShape::sphere, "sphere", "A field by distance from the surface, in a sphere of `radius`."},
       {FieldShape::box, "box", "A field by distance from the surface, in a box of `size`."},
       {FieldShape::cylinder, "cylinder", "A field by distance from the surface, in a cylinder of `radius` and `length` along z."},
       {FieldShape::capsule, "capsule",
        "A field by distance from the surface, in a capsule of `radius` along z, with `length` between the centres of its ends."}});
}

/// An entry of a scene's pressure fields.
struct PressureFieldSettings {
  static constexpr SettingsDescription kDescription{
      "pressure_field", "The pressure inside a rigid body, or below a plane, by which it presses on what overlaps it.",
      R"([{"if": {"required": ["thickness"]}, "then": {"not": {"anyOf": [{"required": ["shape"]}, {"required": ["core"]}]}}},
          {"if": {"required": ["shape"], "properties": {"shape": {"enum": ["sphere", "cylinder", "capsule"]}}}, "then": {"required": ["radius"]}, "else": {"not": {"anyOf": [{"required": ["radius"]}, {"required": ["facets"]}]}}},
          {"if": {"required": ["shape"], "properties": {"shape": {"enum": ["cylinder", "capsule"]}}}, "then": {"required": ["length"]}, "else": {"not": {"required": ["length"]}}},
          {"if": {"required": ["shape"], "properties": {"shape": {"const": "box"}}}, "then": {"required": ["size"]}, "else": {"not": {"required": ["size"]}}},
          {"if": {"required": ["shape"], "properties": {"shape": {"not": {"const": "mesh"}}}}, "then": {"not": {"required": ["core"]}}}])"};
  std::string name;
  SETTING(double, modulus, 0, "Pressure where the body is deepest.", unit("Pa"), positive, required("give the pressure at the deepest point in Pa"));
  SETTING(double, dissipation, 0, "Pressure is multiplied by 1 - d times the speed of separation, and never attracts (Hunt and Crossley).", unit("s/m"),
          non_negative);
  SETTING(std::optional<double>, friction, {},
          "Coefficient of sliding friction of this side. That of two sides is 2 a b / (a + b), unless their contact has a coefficient of its own.",
          non_negative);
  SETTING(std::optional<double>, thickness, {}, "For planes, which need it: thickness of the soft layer, at whose bottom the pressure is the modulus.",
          unit("m"), positive);
  SETTING(FieldShape, shape, FieldShape::mesh, "Shape in which the field is defined, about the centroid of the body's mesh and along the mesh's axes.",
          written_if(!self.thickness));
  SETTING(std::optional<double>, radius, {}, "Radius of a sphere, cylinder or capsule.", unit("m"), positive);
  SETTING(std::optional<double>, length, {}, "Length of a cylinder, or distance between the centres of a capsule's ends.", unit("m"), positive);
  SETTING(std::optional<Vec3>, size, {}, "Edges of a box.", unit("m"));
  SETTING(int, facets, 40, "Facets around the circle of a round shape.", at_least(6), at_most(400),
          written_if(self.shape != FieldShape::mesh && self.shape != FieldShape::box));
  SETTING(double, core, 0.5, "With shape mesh: the pressure is greatest where the distance from the surface exceeds this part of the largest.", positive,
          at_most(1), written_if(self.shape == FieldShape::mesh && !self.thickness));
  Source source;

  void complete(const Given& given) const;
};

/// The friction of a pressure contact.
struct PressureFrictionSettings : FrictionCurve {
  static constexpr SettingsDescription kDescription{
      "pressure_friction", "Smooth friction where pressure fields meet. Without a coefficient here both sides need a `friction` under `pressure_fields`.",
      R"([{"if": {"required": ["static"]}, "then": {"required": ["dynamic"]}},
          {"if": {"required": ["stribeck_velocity"]}, "then": {"required": ["dynamic"]}},
          {"if": {"required": ["table"]}, "then": {"not": {"anyOf": [{"required": ["dynamic"]}, {"required": ["static"]}, {"required": ["stribeck_velocity"]}, {"required": ["decay_velocity"]}]}}},
          {"if": {"required": ["decay_velocity"]}, "then": {"required": ["static"], "not": {"required": ["stribeck_velocity"]}}}])"};
  /// The settings of the curve, whose coefficient may be left out.
  template <typename Self, typename Visitor>
  static void visit_setting(Line<__LINE__>, Self& self, Visitor& visitor) {
    auto with_optional_coefficient = [&](Declaration declaration, auto& member) {
      if (declaration.key == "dynamic") {
        declaration.missing = declaration.unless = {};
        declaration.default_meaning = "from the `friction` of both sides";
        declaration.sentence =
            "Coefficient μ_d of sliding friction, in place of that of the two sides. With `all: true` it is the coefficient of sides that have none of their "
            "own.";
        declaration.written = declaration.written && self.has_coefficient;
      }
      visitor(declaration, member);
    };
    visit_declared<FrictionCurve>(self, with_optional_coefficient);
  }
  bool has_coefficient = true;  ///< whether a coefficient or a table was given

  void complete(const Given& given);
};

/// An entry of a scene's pressure contacts.
struct PressureContactSettings {
  static constexpr SettingsDescription kDescription{"pressure_contact", "Rigid bodies and planes that touch by their pressure fields.",
                                                    R"([{"properties": {"between": {"minItems": 2, "maxItems": 2}}},
          {"if": {"required": ["all"], "properties": {"all": {"const": true}}}, "then": {"not": {"required": ["between"]}}}])"};
  using Sides = std::vector<std::string>;
  std::string name;
  SETTING(
      bool, all, false,
      "Every body with a pressure field touches every other one and every plane, except in pairs that have a contact of their own. A plane without a field is "
      "rigid.",
      written_if(self.all));
  SETTING(Sides, between, {}, "Two bodies, or a body and a plane. At least one has a pressure field; one without is taken for rigid.", written_if(!self.all),
          required_unless("all", "name the two sides as [first, second], or write all: true"));
  SETTING(std::optional<PressureFrictionSettings>, friction, {}, "");
  SETTING(double, largest_angle, 180,
          "Largest angle between the contact surface's normal and a pressure's gradient; pieces beyond it are dropped. Below 180 energy is not conserved where "
          "pieces are dropped.",
          unit("degrees"), above(90), at_most(180));
  Source source;

  /// Whether the contact names its sides, and these are the two.
  bool joins(const std::string& a, const std::string& b) const {
    return !all && ((between[0] == a && between[1] == b) || (between[0] == b && between[1] == a));
  }
  bool names(const std::string& side) const { return !all && (between[0] == side || between[1] == side); }
  void complete(const Given& given) const;
};

}  // namespace traction
