// The solid materials that a scene can name.
#pragma once

#include <array>
#include <string_view>

#include "elements/materials/arruda_boyce.h"
#include "elements/materials/linear_elastic.h"
#include "elements/materials/mooney_rivlin.h"
#include "elements/materials/neo_hookean.h"
#include "elements/materials/ogden.h"
#include "elements/materials/saint_venant_kirchhoff.h"
#include "elements/materials/yeoh.h"

namespace traction {

/// A list of materials, over which code can loop.
template <template <typename> typename... Materials>
struct MaterialList {
  static constexpr std::array<std::string_view, sizeof...(Materials)> names = {Materials<double>::name...};
  static constexpr std::array<std::string_view, sizeof...(Materials)> sentences = {Materials<double>::sentence...};

  /// Calls action.operator()<Material>() for each material.
  template <typename Action>
  static void for_each(Action action) {
    (action.template operator()<Materials>(), ...);
  }
};

/// The solid materials. The first one is the default.
using SolidMaterials = MaterialList<NeoHookean, SaintVenantKirchhoff, LinearElastic, MooneyRivlin, Yeoh, ArrudaBoyce, Ogden>;

}  // namespace traction
