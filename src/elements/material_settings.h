// Settings of materials.
#pragma once

#include <array>

#include "elements/materials/solid_materials.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// An index into the list SolidMaterials.
enum class SolidMaterial : int {};

constexpr auto choices_of(SolidMaterial) {
  std::array<Choice<SolidMaterial>, SolidMaterials::names.size()> choices{};
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = {static_cast<SolidMaterial>(i), SolidMaterials::names[i]};
  return choices;
}

/// The material of a region of tetrahedra.
struct SolidMaterialSettings {
  static constexpr SettingsDescription kDescription{"solid_material", "Elastic solid."};
  SETTING(double, youngs_modulus, 0, "Young's modulus.", unit("Pa"), positive, required("give Young's modulus in Pa"));
  SETTING(double, poisson_ratio, 0, "Poisson's ratio; for a nearly incompressible solid a value like 0.499.", above(-1), below(0.5),
          required("give a number above -1 and below 0.5"), hint("for a nearly incompressible solid give a value like 0.499"));
  SETTING(double, density, 0, "Density.", unit("kg/m^3"), positive, required("give the density in kg/m^3"));
  SETTING(SolidMaterial, material, {}, "Law of the material.");
  Source source{};
};

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
          "Change of curvature beyond which the sheet keeps the bend: it flows where its bending energy per area would exceed B yield_curvature^2 / 2. "
          "2 (1 - nu^2) yield stress / (E t) where a plate's surface yields, half as much again for all of its section.",
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
