// Settings of materials.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "elements/fibres.h"
#include "elements/materials/solid_materials.h"
#include "elements/rubber_constants.h"
#include "elements/softening.h"
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

/// From which volumes the pressure of a solid is computed.
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
  SETTING(double, time, 1, "Time in which the stress of this part falls to 1/e.", unit("s"), positive, required("give a time in s"));
};

/// The material of a region of tetrahedra.
struct SolidMaterialSettings : RubberConstants {
  static constexpr SettingsDescription kDescription{"solid_material",
                                                    "Elastic solid: a law, the constants that it takes, and a density. Laws other than the first three take a "
                                                    "poisson_ratio or a bulk_modulus beside their own constants."};
  SETTING(double, youngs_modulus, 0, "Young's modulus, of neo_hookean, saint_venant_kirchhoff and linear_elastic.", unit("Pa"), positive,
          required_unless("material", "give Young's modulus in Pa, or the material that has other constants"), written_if(self.takes("youngs_modulus")));
  SETTING(double, poisson_ratio, 0,
          "Poisson's ratio for small strains; for a nearly incompressible solid a value like 0.499, and from 0.48 on `pressure: nodal_average` or the body's "
          "`order: 2`, without which it is far too stiff.",
          above(-1), below(0.5), required_unless("bulk_modulus", "give a number above -1 and below 0.5, or to a law of rubber a bulk_modulus in Pa"),
          hint("for a nearly incompressible solid give a value like 0.499 with pressure: nodal_average, or order: 2 in the body"),
          written_if(!self.bulk_modulus));
  SETTING(double, density, 0, "Density.", unit("kg/m^3"), positive, required("give the density in kg/m^3"));
  SETTING(SolidMaterial, material, {}, "Law of the material.");
  SETTING(std::optional<double>, bulk_modulus, {}, "Bulk modulus, instead of a Poisson's ratio; that of solid rubber is 1e9 to 2.5e9 Pa.", unit("Pa"),
          positive);
  SETTINGS_OF(RubberConstants);
  SETTING(std::vector<PronySettings>, prony, {}, "Viscoelasticity of mooney_rivlin, yeoh, arruda_boyce and ogden: the parts of their stress that relax.");
  SETTING(std::optional<SofteningSettings>, mullins, {}, "");
  SETTING(std::vector<FibreSettings>, fibres, {},
          "Families of fibres, or one, that reinforce neo_hookean, mooney_rivlin, yeoh, arruda_boyce or ogden; they neither relax nor count for `damping`.",
          one_or_more);
  SETTING(PressureAverage, pressure, PressureAverage::element, "Where the pressure of a nearly incompressible solid comes from.");
  Source source{};

  SolidMaterialSettings() = default;
  /// A solid of neo_hookean, saint_venant_kirchhoff or linear_elastic.
  SolidMaterialSettings(double modulus, double ratio, double mass_per_volume, SolidMaterial law = {})
      : youngs_modulus(modulus), poisson_ratio(ratio), density(mass_per_volume), material(law) {}

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
/// A law of rubber without its resistance to changes of volume.
template <template <typename> typename Material>
Material<double> shape_law(const SolidMaterialSettings& settings) {
  Material<double> law = Material<double>::from(settings);
  law.bulk = 0;
  return law;
}
/// The volumetric part of a law that has one.
VolumetricLaw averaged_law(const SolidMaterialSettings& settings);

/// The law by which a shell resists stretching.
enum class ShellMaterial { neo_hookean, mooney_rivlin, yeoh, arruda_boyce, ogden, orthotropic };

constexpr auto choices_of(ShellMaterial) {
  using enum ShellMaterial;
  return std::to_array<Choice<ShellMaterial>>(
      {{neo_hookean, "neo_hookean", "By Young's modulus and Poisson's ratio."},
       {mooney_rivlin, "mooney_rivlin", "Incompressible rubber: c10, c01."},
       {yeoh, "yeoh", "Incompressible rubber: c10, c20, c30."},
       {arruda_boyce, "arruda_boyce", "Incompressible rubber: shear_modulus, locking_stretch."},
       {ogden, "ogden", "Incompressible rubber: shear_moduli, exponents."},
       {orthotropic, "orthotropic", "Cloth with two directions: youngs_modulus along the warp, weft_modulus, poisson_ratio, shear_modulus, warp."}});
}

/// Calls action.operator()<Material>() for the law of incompressible rubber that a shell has.
template <typename Action>
void with_rubber(ShellMaterial law, Action action) {
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    if constexpr (requires { Material<double>::bulk; })
      if (word_of(law) == Material<double>::name) action.template operator()<Material>();
  });
}

/// The direction of the warp in cloth.
struct WarpSettings : MaterialDirection {
  static constexpr SettingsDescription kDescription{"warp", "Direction of the warp; its part in the sheet's plane counts.", kRules};
  SETTINGS_OF(MaterialDirection);
  bool operator==(const WarpSettings&) const = default;
};

/// A layer of parallel cords.
struct CordSettings : MaterialDirection {
  static constexpr SettingsDescription kDescription{"cords", "A layer of parallel cords in a shell, in its middle: settings.", kRules};
  SETTINGS_OF(MaterialDirection);
  SETTING(double, youngs_modulus, 0, "Young's modulus of a cord.", unit("Pa"), positive, required("give the cords' modulus in Pa"));
  SETTING(double, area, 0, "Area of the section of a cord.", unit("m^2"), positive, required("give the area of a cord's section in m^2"));
  SETTING(double, spacing, 0, "Distance from cord to cord at rest, across them.", unit("m"), positive, required("give the distance of the cords in m"));
  SETTING(bool, compression, false, "Whether cords resist compression too.");
  bool operator==(const CordSettings&) const = default;
};

/// The strain beyond which a sheet hardly stretches any more (elements/strain_limit.h).
struct StrainLimitSettings {
  static constexpr SettingsDescription kDescription{
      "strain_limit",
      "A limit of the sheet's stretch in its plane: with strains between `from` and `to` its stiffness grows without bound, in every direction."};
  SETTING(double, to, 0, "Strain in tension, principal stretch minus 1, that the sheet never reaches.", positive,
          required("give the strain that the sheet never reaches, as in 0.1 for 10 %"));
  SETTING(double, from, 0, "Strain below which the sheet follows its law alone; below `to`.", non_negative, default_is("half of `to`"));
  bool operator==(const StrainLimitSettings&) const = default;

  void complete(const Given& given);
};

/// A thin sheet of triangles. After reading, moduli and density always refer to the surface: if a scene gives a thickness t and the bulk's E and rho, they are
/// E t, rho t, and E t^3 / (12 (1 - nu^2)) for bending.
struct ShellMaterialSettings : RubberConstants {
  static constexpr SettingsDescription kDescription{
      "shell_material", "Membrane in plane stress that bends. With a thickness and no bending_stiffness the numbers are the bulk's, else the surface's."};
  SETTING(ShellMaterial, material, ShellMaterial::neo_hookean, "Law by which the sheet resists stretching.");
  SETTING(double, youngs_modulus, 0, "Young's modulus of the surface, or of the bulk; along the warp of cloth.", unit("N/m or Pa"), positive,
          required_unless("material", "give Young's modulus: of the surface in N/m, or beside a thickness of the bulk in Pa"), written_if(!self.is_rubber()));
  SETTING(double, poisson_ratio, 0, "Poisson's ratio; 0.5 is incompressible: the sheet thins as it is stretched.", above(-1), at_most(0.5),
          required_unless("material", "give a number above -1, at most 0.5"), hint("rubber has 0.5, fabric about 0.3"), written_if(!self.is_rubber()));
  SETTING(std::optional<double>, weft_modulus, {}, "Young's modulus of orthotropic across the warp.", unit("N/m or Pa"), positive);
  SETTING(std::optional<WarpSettings>, warp, {}, "");
  SETTINGS_OF(RubberConstants);
  SETTING(std::vector<CordSettings>, cords, {}, "Layers of cords, or one, beside the law of the sheet.", one_or_more);
  SETTING(std::optional<StrainLimitSettings>, strain_limit, {}, "");
  SETTING(double, density, 0, "Density of the surface, or of the bulk.", unit("kg/m^2 or kg/m^3"), positive,
          required("give the mass per area in kg/m^2, or beside a thickness the density in kg/m^3"));
  SETTING(double, bending_stiffness, 0, "Bending stiffness; 0 for a membrane. If it is given, the other numbers are those of the surface.", unit("N m"),
          non_negative, default_is("that of the thickness, 0 without one"));
  SETTING(double, thickness, 0, "Thickness; the sheet touches at half of it from its triangles.", unit("m"), positive, default_is("none"));
  SETTING(bool, flat, false, "Bends towards a plane instead of its meshed shape.");
  SETTING(double, yield_curvature, 0,
          "Change of curvature beyond which the sheet keeps its bend: it flows where its bending energy per area would exceed B yield_curvature^2 / 2. "
          "The surface of a plate yields at 2 (1 - nu^2) yield stress / (E t), its whole section at 1.5 times that.",
          unit("1/m"), positive, default_is("none: elastic"));
  Source source;
  bool operator==(const ShellMaterialSettings&) const = default;

  /// Checks that the given constants belong to the law, and converts them to those of the surface.
  void complete(const Given& given);
  bool is_rubber() const { return material != ShellMaterial::neo_hookean && material != ShellMaterial::orthotropic; }
  double bulk_modulus_for(double) const { return 0; }                                            ///< sheets of rubber keep their volume
  double largest_modulus() const { return std::max(youngs_modulus, weft_modulus.value_or(0)); }  ///< along the stiffer direction, without cords
  /// Whether the sheet bends about as stiffly as a plate of its thickness, so that it can bear moments of forces on its surface. Cloth whose thickness is for
  /// contact alone cannot.
  bool bends_as_plate() const {
    constexpr double kPart = 0.5;
    return thickness > 0 && bending_stiffness >= kPart * std::min(youngs_modulus, weft_modulus.value_or(youngs_modulus)) * thickness * thickness / 12;
  }

 private:
  void refuse_mixed_overrides(const Given& given) const;
};

}  // namespace traction
