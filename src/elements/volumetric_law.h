// The energy of a change of volume, taken out of the law of a solid (docs/theory/balance.md, "Pressure averaged over nodes").
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

namespace traction {

/// U(J) of the volume ratio J, zero at rest.
struct VolumetricLaw {
  enum class Form {
    rational,     ///< K/4 (J^2 - 1 - 2 ln J), of laws of rubber
    logarithmic,  ///< lambda/2 (ln J)^2, of the neo-Hookean solid
  };
  Form form = Form::rational;
  double modulus = 0;  ///< K or lambda [Pa]

  /// U [J/m^3]. Computed from J - 1, because U is nearly proportional to its square.
  double energy(double J) const {
    const double change = J - 1, logarithm = std::log1p(change);
    return form == Form::rational ? 0.25 * modulus * (change * change + 2 * (change - logarithm)) : 0.5 * modulus * logarithm * logarithm;
  }
  /// dU/dJ, the mean stress, positive in tension [Pa]
  double stress(double J) const { return form == Form::rational ? 0.5 * modulus * (J - 1 / J) : modulus * std::log(J) / J; }
  /// d2U/dJ2 [Pa]
  double slope(double J) const { return (form == Form::rational ? 0.5 * modulus * (J * J + 1) : modulus * (1 - std::log(J))) / (J * J); }
};

/// The bulk modulus that elements of rubber keep for themselves where the rest is averaged over nodes, relative to the shear modulus: as much as a neo-Hookean
/// solid has without its lambda.
inline constexpr double kKeptBulk = 2.0 / 3.0;

/// Takes the law of the volume ratio out of one of rubber, whose bulk modulus becomes `share` times its shear modulus for small strains, `mu` [Pa].
inline VolumetricLaw take_from_bulk(double& bulk, double mu, double share) {
  const double kept = std::min(bulk, share * mu), taken = bulk - kept;
  bulk = kept;
  return {VolumetricLaw::Form::rational, taken};
}

/// The same for a law with Lame's constants. It keeps the lambda that belongs to a bulk modulus of `share` times `mu`, if this is positive.
inline VolumetricLaw take_from_lambda(double& lambda, double mu, double share) {
  const double kept = share > kKeptBulk ? std::min(lambda, (share - kKeptBulk) * mu) : 0, taken = lambda - kept;
  lambda = kept;
  return {VolumetricLaw::Form::logarithmic, taken};
}

/// A law whose energy has a part of the volume ratio alone.
template <typename Material>
concept HasVolumetricPart = requires(Material material) {
  { material.take_volumetric_part() } -> std::same_as<VolumetricLaw>;
};

}  // namespace traction
