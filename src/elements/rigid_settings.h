// A rigid body, as scenes give it.
#pragma once

#include <optional>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// A body that does not deform (docs/theory/rigid.md, "Four particles"). Four particles and a stiff tetrahedron between them move for it.
struct RigidSettings {
  static constexpr SettingsDescription kDescription{
      "rigid", "A body that does not deform, instead of `solid`, `shell` and `rod`.",
      R"([{"oneOf": [{"required": ["density"]}, {"required": ["mass"]}]}, {"if": {"required": ["mass"]}, "then": {"required": ["center", "inertia"]}},
          {"not": {"required": ["density", "center"]}}, {"not": {"required": ["density", "inertia"]}},
          {"not": {"required": ["density", "products_of_inertia"]}}])"};
  SETTING(std::optional<double>, density, {}, "Density of the mesh's tetrahedra, from which mass, center and moments of inertia follow.", unit("kg/m^3"),
          positive);
  SETTING(std::optional<double>, mass, {}, "Mass, instead of a density.", unit("kg"), positive);
  SETTING(std::optional<Vec3>, center, {}, "Center of mass in the mesh, before the body is placed; given together with `mass`.", unit("m"));
  SETTING(std::optional<Vec3>, inertia, {}, "Moments of inertia about axes through the center along x, y and z; given together with `mass`.", unit("kg m^2"));
  SETTING(Vec3, products_of_inertia, Vec3::Zero(), "The integrals of y z, z x and x y, if x, y and z are not principal axes.", unit("kg m^2"),
          written_if(self.mass.has_value()));
  SETTING(std::optional<double>, youngs_modulus, {}, "Modulus of the stiff tetrahedron that keeps the distances between the particles.", unit("Pa"), positive,
          default_is("so much that loads to be expected strain it by less than `largest_strain`"));
  SETTING(double, largest_strain, 1e-5, "The log warns when the tetrahedron is strained more.", positive, below(0.1));
  Source source;

  void complete(const Given& given) {
    if (!density && !mass) given.fail("", "a rigid body needs a 'density', or a 'mass' with 'center' and 'inertia'");
    if (density && mass) given.fail("mass", "there is a 'density' already, from which the mass follows; remove one of them");
    for (const char* key : {"center", "inertia", "products_of_inertia"})
      if (density && given.has(key)) given.fail(key, "it follows from the 'density'; remove it, or give a 'mass' instead of the density");
    if (mass && !(center && inertia))
      given.fail("mass", "a mass alone does not determine how the body turns; give its 'center' and 'inertia' too, or a 'density' instead");
  }
};

}  // namespace traction
