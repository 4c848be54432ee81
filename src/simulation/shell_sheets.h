// Laws of a scene's shells, for the triangles in which they act.
#pragma once

#include <optional>
#include <vector>

#include "elements/sheets.h"
#include "elements/strain_limit.h"
#include "mesh/mesh.h"
#include "simulation/material_directions.h"
#include "simulation/scene_materials.h"

namespace traction {

/// Calls action.operator()<Sheet>() with the class of a shell's law.
template <typename Action>
void with_sheet_class(ShellMaterial law, Action action) {
  if (law == ShellMaterial::neo_hookean) action.template operator()<MembraneMaterial>();
  if (law == ShellMaterial::orthotropic) action.template operator()<OrthotropicSheet>();
  with_rubber(law, [&]<template <typename> typename Material>() { action.template operator()<IncompressibleSheet<Material>>(); });
}

/// Calls action(sheet) with the law in a triangle. `rest`: where its vertices are placed at rest [m].
template <typename Action>
void with_sheet(const ShellMaterialSettings& material, const Placement& placement, const std::array<Vec3, 3>& rest, Action action) {
  if (material.material == ShellMaterial::neo_hookean) action(MembraneMaterial(material.youngs_modulus, material.poisson_ratio));
  if (material.material == ShellMaterial::orthotropic)
    action(OrthotropicSheet(material.youngs_modulus, *material.weft_modulus, material.poisson_ratio, *material.shear_modulus,
                            direction_in_plane(*material.warp, placement, rest)));
  with_rubber(material.material, [&]<template <typename> typename Material>() { action(IncompressibleSheet<Material>(Material<double>::from(material))); });
}

/// The layers of cords in a triangle.
inline std::vector<CordLayer> cords_in(const ShellMaterialSettings& material, const Placement& placement, const std::array<Vec3, 3>& rest) {
  std::vector<CordLayer> layers;
  for (const CordSettings& cords : material.cords)
    layers.emplace_back(cords.youngs_modulus * cords.area / cords.spacing, direction_in_plane(cords, placement, rest), cords.compression);
  return layers;
}

/// The strain limit of a shell, as stiff as its law; none if it has no limit.
inline std::optional<StrainLimit> strain_limit_of(const ShellMaterialSettings& material) {
  if (!material.strain_limit) return {};
  return StrainLimit(material.largest_modulus(), material.strain_limit->from, material.strain_limit->to);
}

}  // namespace traction
