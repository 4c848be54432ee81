// Settings of contact and friction.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "math/friction_curve.h"
#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

enum class ContactPotential { cubic_penalty, log_barrier, imc };  ///< P0 Sec. III-B, P1 Eq. 28, P3 Eq. 21
enum class FrictionCoupling { implicit, lagged };
enum class ContactGeometry { automatic, smooth_surface, edges_and_faces };
enum class Stiffening { layers, multiply };

constexpr auto choices_of(ContactGeometry) {
  return std::to_array<Choice<ContactGeometry>>(
      {{ContactGeometry::automatic, "automatic",
        "Edges and faces between bodies, with meshes and boxes, and with spheres and cylinders that can lie deep between vertices, unless settings of the "
        "smooth surface are given."},
       {ContactGeometry::smooth_surface, "smooth_surface", "Vertices against the smooth implicit surface of a mesh, or against an obstacle's shape."},
       {ContactGeometry::edges_and_faces, "edges_and_faces", "Vertices, edges and triangles with their true distances; nothing passes through anything."}});
}

constexpr auto choices_of(ContactPotential) {
  return std::to_array<Choice<ContactPotential>>(
      {{ContactPotential::cubic_penalty, "cubic_penalty", "Finite at zero gap."},
       {ContactPotential::log_barrier, "log_barrier", "Keeps every gap positive."},
       {ContactPotential::imc, "imc", "For rods: finite at any overlap, with a stiffness that follows the gaps (P3 Eq. 21)."}});
}

constexpr auto choices_of(FrictionCoupling) {
  return std::to_array<Choice<FrictionCoupling>>(
      {{FrictionCoupling::implicit, "implicit", "Normal forces and directions are those of the solution."},
       {FrictionCoupling::lagged, "lagged", "Normal forces and directions are those of the start of the step; for comparison only (P0 Eqs. 24-26)."}});
}

constexpr auto choices_of(Stiffening) {
  return std::to_array<Choice<Stiffening>>(
      {{Stiffening::layers, "layers", "Further penalties that begin below the smallest gap at the start of the step: they add no energy."},
       {Stiffening::multiply, "multiply", "A factor on the stiffness, which multiplies the energy of what touches; for comparison only (P0 Sec. IV-D)."}});
}

/// Friction against an obstacle that depends on the direction of sliding.
struct AnisotropySettings {
  static constexpr SettingsDescription kDescription{
      "anisotropy",
      "Friction that depends on the direction of sliding, as on brushed metal or along a grain; against one obstacle, whose surface has the direction."};
  SETTING(Vec3, grain, Vec3::UnitX(), "A direction in space, which is projected onto the surface.", key("direction"), direction,
          required("give the direction of the grain"));
  SETTING(double, along, 1, "Factor on the coefficient of friction for sliding along the direction.", positive,
          required("give the factor along the direction"));
  SETTING(double, across, 1, "Factor on the coefficient of friction for sliding across the direction.", positive,
          required("give the factor across the direction"));

  /// The value of |M s| at which friction is developed; sliding in any direction at the curve's tolerance reaches it [m/s].
  double tolerance(const FrictionCurve& curve) const { return curve.tolerance * std::min(along, across); }
};

/// Checks a friction curve as a scene gives it, and sets what it leaves out.
void complete_curve(FrictionCurve& curve, const Given& given);

/// The friction of a contact, as a scene gives it.
struct FrictionSettings : FrictionCurve {
  static constexpr SettingsDescription kDescription{
      "friction", "Smooth friction.",
      R"([{"if": {"required": ["passes"]}, "then": {"required": ["coupling"], "properties": {"coupling": {"const": "lagged"}}}},
          {"if": {"required": ["table"]}, "then": {"not": {"anyOf": [{"required": ["dynamic"]}, {"required": ["static"]}, {"required": ["stribeck_velocity"]}, {"required": ["decay_velocity"]}]}}},
          {"if": {"required": ["decay_velocity"]}, "then": {"required": ["static"], "not": {"required": ["stribeck_velocity"]}}}])"};
  SETTINGS_OF(FrictionCurve);
  SETTING(std::optional<AnisotropySettings>, anisotropic, {}, "");
  SETTING(bool, sliding_basis_derivative, true, "Keep the derivative of the tangent plane in the Jacobian product.");
  SETTING(FrictionCoupling, coupling, FrictionCoupling::implicit, "Which normal forces and directions friction uses.");
  SETTING(int, passes, 1, "Solves of a lagged step, each with the normal forces of the one before.", at_least(1), at_most(1000), hint("a few settle it"),
          written_if(self.coupling == FrictionCoupling::lagged));

  void complete(const Given& given);
};

/// The potential of P3 between rods, and how its stiffness follows the gaps.
struct ImcSettings {
  static constexpr SettingsDescription kDescription{"imc", "The potential imc and the control of its stiffness."};
  SETTING(double, sharpness, 50, "How sharp the potential is: the mean radius of two rods over the width of their potential (c of P3).", at_least(1),
          at_most(1e4), hint("P3 has 50"));
  SETTING(double, rate, 0.005, "Relative change of the stiffness after a step whose smallest gap is out of its range; 0 keeps the stiffness.", non_negative,
          at_most(0.1), hint("a fraction of a percent is usual"));
  SETTING(std::optional<double>, least_gap, {}, "Smallest gap below which the stiffness grows; negative for an overlap.", unit("m"),
          default_is("-1 % of the thickness"));
  SETTING(std::optional<double>, most_gap, {}, "Smallest gap above which the stiffness falls.", unit("m"), default_is("4 % of the thickness"));
};

/// The law of a contact, as a scene gives it, without the sides that it acts between.
struct ContactLawSettings {
  SETTING(double, thickness, 0, "Gap δ below which contact acts.", unit("m"), positive, required("give the distance in m at which contact sets in"));
  SETTING(ContactPotential, potential, ContactPotential::cubic_penalty, "The potential: which energy a gap has.");
  SETTING(std::optional<double>, stiffness, {}, "Stiffness κ.", unit("N/m"), positive,
          default_is("from the pressure, or from material, mesh, thickness and speed of approach"));
  SETTING(std::optional<double>, pressure, {}, "Pressure at zero gap, from which the stiffness of the cubic penalty, or of imc, follows.", unit("Pa"),
          positive);
  SETTING(Stiffening, stiffening, Stiffening::layers, "How the cubic penalty is stiffened where the gap closes.");
  SETTING(ImcSettings, imc, {}, "", written_if(self.potential == ContactPotential::imc));
  SETTING(double, damping, 0, "Damping c of the normal force, which is multiplied by 1 - c times the rate of the gap and never attracts (Hunt and Crossley).",
          unit("s/m"), non_negative);
  SETTING(std::optional<double>, restitution, {}, "Speed of separation over speed of approach, of the integrator asynchronous.", at_least(0), at_most(1),
          default_is("1"));
  SETTING(std::optional<FrictionSettings>, friction, {}, "");

  void complete(const Given& given);
};

}  // namespace traction
