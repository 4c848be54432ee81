// Settings of materials.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "elements/materials/solid_materials.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// An index into the list SolidMaterials.
enum class SolidMaterial : int {};

constexpr auto choices_of(SolidMaterial) {
  std::array<Choice<SolidMaterial>, SolidMaterials::names.size()> choices{};
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = {static_cast<SolidMaterial>(i), SolidMaterials::names[i], SolidMaterials::sentences[i]};
  return choices;
}

/// Calls action.operator()<Material>() for a law.
template <typename Action>
void with_law(SolidMaterial law, Action action) {
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    if (word_of(law) == Material<double>::name) action.template operator()<Material>();
  });
}

/// Where the pressure of a solid's change of volume comes from.
enum class PressureAverage { element, nodal_average };

constexpr auto choices_of(PressureAverage) {
  using enum PressureAverage;
  return std::to_array<Choice<PressureAverage>>(
      {{element, "element", "From the volume of each element. Four-node elements lock as Poisson's ratio nears 0.5; ten-node ones (`order: 2`) do not."},
       {nodal_average, "nodal_average",
        "From the volume of all elements of the region around each vertex: does not lock. For neo_hookean and the "
        "laws of rubber."}});
}

/// A branch of a Prony series of viscoelastic rubber.
struct PronySettings {
  static constexpr SettingsDescription kDescription{"prony", "A part of the stress of the change of shape that relaxes."};
  SETTING(double, ratio, 0, "Stiffness of this part, relative to that of the law, which is the stiffness under slow loading.", positive,
          required("give a number above 0"));
  SETTING(double, time, 1, "Time in which its stress falls to 1/e.", unit("s"), positive, required("give a time in s"));
};

/// The material of a region of tetrahedra.
struct SolidMaterialSettings {
  static constexpr SettingsDescription kDescription{"solid_material",
                                                    "Elastic solid: a law, the constants that it takes, and a density. Laws other than the first three take a "
                                                    "poisson_ratio or a bulk_modulus beside their own constants."};
  SETTING(double, youngs_modulus, 0, "Young's modulus, of neo_hookean, saint_venant_kirchhoff and linear_elastic.", unit("Pa"), positive,
          required_unless("material", "give Young's modulus in Pa, or the material that has other constants"), written_if(self.takes("youngs_modulus")));
  SETTING(double, poisson_ratio, 0, "Poisson's ratio for small strains; for a nearly incompressible solid a value like 0.499.", above(-1), below(0.5),
          required_unless("bulk_modulus", "give a number above -1 and below 0.5"), hint("for a nearly incompressible solid give a value like 0.499"),
          written_if(!self.bulk_modulus));
  SETTING(double, density, 0, "Density.", unit("kg/m^3"), positive, required("give the density in kg/m^3"));
  SETTING(SolidMaterial, material, {}, "Law of the material.");
  SETTING(std::optional<double>, bulk_modulus, {}, "Bulk modulus, instead of a Poisson's ratio; that of solid rubber is 1e9 to 2.5e9 Pa.", unit("Pa"),
          positive);
  SETTING(std::optional<double>, c10, {}, "Constant of mooney_rivlin and yeoh.", unit("Pa"));
  SETTING(std::optional<double>, c01, {}, "Constant of mooney_rivlin.", unit("Pa"));
  SETTING(std::optional<double>, c20, {}, "Constant of yeoh.", unit("Pa"));
  SETTING(std::optional<double>, c30, {}, "Constant of yeoh.", unit("Pa"));
  SETTING(std::optional<double>, shear_modulus, {}, "Shear modulus for small strains, of arruda_boyce.", unit("Pa"), positive);
  SETTING(std::optional<double>, locking_stretch, {}, "Stretch at which chains lock, of arruda_boyce; in tension the solid locks near 1.7 times this stretch.",
          above(1));
  SETTING(std::vector<double>, shear_moduli, {},
          "Constants mu_p of ogden, of up to six terms; half of the sum of mu_p alpha_p is the shear modulus for small strains.", unit("Pa"));
  SETTING(std::vector<double>, exponents, {}, "Constants alpha_p of ogden, one for each of shear_moduli.");
  SETTING(std::vector<PronySettings>, prony, {}, "Viscoelasticity of mooney_rivlin, yeoh, arruda_boyce and ogden: the parts of their stress that relax.");
  SETTING(PressureAverage, pressure, PressureAverage::element, "Where the pressure of a nearly incompressible solid comes from.");
  Source source{};

  /// Checks that the constants are those of the law, and sets Young's modulus and Poisson's ratio to those for small strains.
  void complete(const Given& given);

  /// Whether the law takes a constant.
  bool takes(std::string_view constant) const;
  /// Young's modulus and Poisson's ratio of small sudden strains, in which nothing relaxes.
  std::pair<double, double> sudden_moduli() const;
  /// The bulk modulus of a law with this shear modulus for small strains [Pa].
  double bulk_modulus_for(double shear_modulus_at_rest) const;
};

/// The law of the elements of a solid, which have no volumetric part where the pressure is averaged over nodes.
template <template <typename> typename Material>
Material<double> element_law(const SolidMaterialSettings& settings) {
  Material<double> law = Material<double>::from(settings);
  if constexpr (HasVolumetricPart<Material<double>>)
    if (settings.pressure == PressureAverage::nodal_average) law.take_volumetric_part();
  return law;
}
/// The volumetric part of a law that has one.
VolumetricLaw averaged_law(const SolidMaterialSettings& settings);

/// A thin sheet of triangles. After reading, moduli and density always refer to the surface: if a scene gives a thickness t and the bulk's E and rho, they are
/// E t, rho t, and E t^3 / (12 (1 - nu^2)) for bending.
struct ShellMaterialSettings {
  static constexpr SettingsDescription kDescription{
      "shell_material", "Membrane in plane stress that bends. With a thickness and no bending_stiffness the numbers are the bulk's, else the surface's."};
  SETTING(double, youngs_modulus, 0, "Young's modulus of the surface, or of the bulk.", unit("N/m or Pa"), positive,
          required("give Young's modulus: of the surface in N/m, or beside a thickness of the bulk in Pa"));
  SETTING(double, poisson_ratio, 0, "Poisson's ratio; 0.5 is incompressible: the sheet thins as it is stretched.", above(-1), at_most(0.5),
          required("give a number above -1, at most 0.5"), hint("rubber has 0.5, fabric about 0.3"));
  SETTING(double, density, 0, "Density of the surface, or of the bulk.", unit("kg/m^2 or kg/m^3"), positive,
          required("give the mass per area in kg/m^2, or beside a thickness the density in kg/m^3"));
  SETTING(double, bending_stiffness, 0, "Bending stiffness; 0 for a membrane. Given, the other numbers are those of the surface.", unit("N m"), non_negative,
          default_is("that of the thickness, 0 without one"));
  SETTING(double, thickness, 0, "Thickness; surfaces touch half of it before the triangles do.", unit("m"), positive, default_is("none"));
  SETTING(bool, flat, false, "Bends towards a plane instead of its meshed shape.");
  SETTING(double, yield_curvature, 0,
          "Change of curvature beyond which the sheet keeps its bend: it flows where its bending energy per area would exceed B yield_curvature^2 / 2. "
          "The surface of a plate yields at 2 (1 - nu^2) yield stress / (E t), its whole section at 1.5 times that.",
          unit("1/m"), positive, default_is("none: elastic"));
  Source source;
  bool operator==(const ShellMaterialSettings&) const = default;

  void complete(const Given& given) {
    if (yield_curvature > 0 && (given.has("bending_stiffness") ? bending_stiffness == 0 : !given.has("thickness")))
      given.fail("yield_curvature",
                 "needs a sheet that bends, and this one has no bending stiffness; give a thickness or a bending_stiffness, or leave it out");
    if (!given.has("thickness") || given.has("bending_stiffness")) return;
    bending_stiffness = youngs_modulus * thickness * thickness * thickness / (12 * (1 - poisson_ratio * poisson_ratio));
    youngs_modulus *= thickness;
    density *= thickness;
  }
};

}  // namespace traction
