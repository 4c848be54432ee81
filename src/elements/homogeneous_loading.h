// Tests of materials in which a whole specimen is deformed alike: tension, biaxial and planar tension, shear (docs/theory/balance.md, "Laws of rubber").
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "elements/elasticity.h"
#include "settings/declaration.h"

namespace traction {

enum class Loading { uniaxial, equibiaxial, planar, shear, uniaxial_across, planar_across };

constexpr auto choices_of(Loading) {
  using enum Loading;
  return std::to_array<Choice<Loading>>({{uniaxial, "uniaxial", "Stretched along x, free along y and z."},
                                         {equibiaxial, "equibiaxial", "Stretched along x and y, free along z."},
                                         {planar, "planar", "Stretched along x, held along y, free along z."},
                                         {shear, "shear", "Sheared along x over y, at constant volume."},
                                         {uniaxial_across, "uniaxial_across", "Stretched along y, across the fibres, free along x and z."},
                                         {planar_across, "planar_across", "Stretched along y, across the fibres, held along x, free along z."}});
}

/// Whether the result differs from that of the loading along x only for solids with fibres.
constexpr bool is_across(Loading loading) { return loading == Loading::uniaxial_across || loading == Loading::planar_across; }

/// Whether the side across an axis is free.
constexpr bool is_free(Loading loading, int axis) {
  switch (loading) {
    case Loading::uniaxial: return axis != 0;
    case Loading::uniaxial_across: return axis != 1;
    case Loading::shear: return false;
    default: return axis == 2;
  }
}

/// The component of a stress that a loading measures, as force per area at rest.
inline double stress_along(Loading loading, const Mat3& P) { return loading == Loading::shear ? P(0, 1) : is_across(loading) ? P(1, 1) : P(0, 0); }

/// The deformation of a specimen. `stretch`: along the load, or the shear; `free`: stretch of the sides that are free.
inline Mat3 loaded(Loading loading, double stretch, double free) {
  switch (loading) {
    case Loading::uniaxial: return Vec3(stretch, free, free).asDiagonal();
    case Loading::equibiaxial: return Vec3(stretch, stretch, free).asDiagonal();
    case Loading::planar: return Vec3(stretch, 1, free).asDiagonal();
    case Loading::uniaxial_across: return Vec3(free, stretch, free).asDiagonal();
    case Loading::planar_across: return Vec3(1, stretch, free).asDiagonal();
    default: break;
  }
  Mat3 F = Mat3::Identity();
  F(0, 1) = stretch;
  return F;
}

/// The state of a specimen under a load.
struct HomogeneousState {
  Mat3 F;         ///< NaN where no state was found
  double stress;  ///< force per area at rest: P_xx, and P_xy in shear [Pa]
  double energy;  ///< [J/m^3]
};

/// The state in which no stress acts on free sides. `guess`: the stretch of free sides under a similar load, from which Newton's method starts.
template <typename Material>
HomogeneousState loaded_state(const Material& material, Loading loading, double stretch, double guess = 1) {
  constexpr int kMostIterations = 100;
  constexpr double kConverged = 1e-13, kMostChange = 0.1;  // changes of the logarithm of the stretch
  double log_free = std::log(guess), change = 1;
  for (int i = 0; i < kMostIterations && loading != Loading::shear && std::abs(change) > kConverged; ++i) {
    const Mat3 F = loaded(loading, stretch, std::exp(log_free)), unit = loaded(loading, 0, std::exp(log_free));
    Matrix3<Dual<double>> moved;
    for (int k = 0; k < 9; ++k) moved(k) = make_dual(F(k), k % 4 == 0 && (loading != Loading::planar || k != 4) ? unit(k) : 0);
    const Dual<double> lateral = first_piola_stress<Dual<double>>(material, moved)(2, 2);
    change = lateral.derivative[0] > 0 ? -lateral.value / lateral.derivative[0] : std::numeric_limits<double>::quiet_NaN();
    log_free += std::clamp(change, -kMostChange, kMostChange);
  }
  HomogeneousState state;
  state.F =
      loaded(loading, stretch, std::exp(std::abs(change) > kConverged && loading != Loading::shear ? std::numeric_limits<double>::quiet_NaN() : log_free));
  const Mat3 P = first_piola_stress<double>(material, state.F);
  state.stress = stress_along(loading, P);
  state.energy = material.energy_density(state.F);
  return state;
}

}  // namespace traction
