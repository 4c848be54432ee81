// The material and section of a rod, as scenes give them.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// The shape in which a rod is free of stress.
enum class NaturalShape { as_meshed, straight };
constexpr auto choices_of(NaturalShape) {
  return std::to_array<Choice<NaturalShape>>({{NaturalShape::as_meshed, "as_meshed", "The shape of the mesh."},
                                              {NaturalShape::straight, "straight", "A straight line without twist, whatever the mesh looks like."}});
}

/// An elastic rod (docs/theory/rods.md, "Energy"). Its section is a circle, or an ellipse whose semi-axes lie along the first and the second director of each
/// segment.
struct RodMaterialSettings {
  static constexpr SettingsDescription kDescription{
      "rod_material", "Elastic rod that stretches, bends and twists.",
      R"([{"not": {"required": ["natural", "natural_curvature"]}}, {"not": {"required": ["poisson_ratio", "shear_modulus"]}}])"};
  SETTING(double, radius, 0, "Radius of the section; of an ellipse its semi-axis along the first director.", unit("m"), positive,
          required("give the radius of the section in m"));
  SETTING(double, second_radius, 0, "Semi-axis of an elliptic section along the second director.", unit("m"), positive, default_is("the radius: a circle"),
          written_if(self.second_radius != self.radius));
  SETTING(std::optional<Vec3>, director, {},
          "Direction near which the first director of the region's first segment lies; it is made orthogonal to the segment. Of a rod in several regions the "
          "first region that gives one decides for all.",
          direction, default_is("any"));
  SETTING(double, youngs_modulus, 0, "Young's modulus.", unit("Pa"), positive, required("give Young's modulus in Pa"));
  SETTING(double, poisson_ratio, 0.5, "Poisson's ratio, from which the shear modulus follows.", above(-1), at_most(0.5), hint("rubber has 0.5, steel 0.3"),
          written_if(!self.shear_modulus));
  SETTING(std::optional<double>, shear_modulus, {}, "Shear modulus, instead of Poisson's ratio.", unit("Pa"), positive, default_is("that of Poisson's ratio"));
  SETTING(double, density, 0, "Density.", unit("kg/m^3"), positive, required("give the density in kg/m^3"));
  SETTING(NaturalShape, natural, NaturalShape::as_meshed, "Shape without stress.", written_if(!self.natural_curvature));
  SETTING(std::optional<Vec3>, natural_curvature, {},
          "Curvatures about the second and about minus the first director, and twist, per length, of the shape without stress, instead of `natural`.",
          unit("1/m"));
  Source source;
  bool operator==(const RodMaterialSettings&) const = default;

  void complete(const Given& given) {
    if (given.has("natural") && given.has("natural_curvature"))
      given.fail("natural", "the shape without stress is given by 'natural_curvature' already; remove one of them");
    if (given.has("poisson_ratio") && given.has("shear_modulus")) given.fail("poisson_ratio", "there is a 'shear_modulus' already; remove one of them");
    if (second_radius == 0) second_radius = radius;
  }

  double area() const { return std::numbers::pi * radius * second_radius; }                         ///< [m^2]
  double stretching_stiffness() const { return youngs_modulus * area(); }                           ///< EA [N]
  double first_bending_stiffness() const { return youngs_modulus * area() * radius * radius / 4; }  ///< EI1 [N m^2], against bending along the first director
  double second_bending_stiffness() const { return youngs_modulus * area() * second_radius * second_radius / 4; }  ///< EI2 [N m^2]
  /// GJ [N m^2] of an ellipse, by Saint-Venant.
  double twisting_stiffness() const {
    const double a2 = radius * radius, b2 = second_radius * second_radius;
    return shear_modulus.value_or(youngs_modulus / (2 * (1 + poisson_ratio))) * area() * a2 * b2 / (a2 + b2);
  }
  /// The radius at which the whole mass would have the section's polar moment of inertia, times sqrt(2): a circle's radius [m]. Twist is measured as arc length
  /// there.
  double twist_radius() const { return std::sqrt((radius * radius + second_radius * second_radius) / 2); }
};

}  // namespace traction
