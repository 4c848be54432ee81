// Enclosed gas or liquid, and regions that keep their volume: the settings of a user.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

enum class VolumeModel { quadratic, ideal_gas, nearly_incompressible };  ///< P0 Eqs. 19, 17, 18

constexpr auto choices_of(VolumeModel) {
  using enum VolumeModel;
  return std::to_array<Choice<VolumeModel>>({{quadratic, "quadratic", "The pressure is linear in the volume."},
                                             {ideal_gas, "ideal_gas", "A gas: isothermal, or adiabatic with an adiabatic_index."},
                                             {nearly_incompressible, "nearly_incompressible", "A liquid."}});
}

/// The amount of gas or liquid in units of the initial amount; linear between times, constant before and after. No points: 1.
struct InflationPoint {
  static constexpr SettingsDescription kDescription{"inflation_point", "An amount of gas or liquid at a time."};
  SETTING(double, time, 0, "Time, ascending.", unit("s"), required("give it in s"));
  SETTING(double, factor, 1, "Amount of gas or liquid relative to that at the start.", positive, required("give the amount relative to that at the start"));
};
using Inflation = std::vector<InflationPoint>;  ///< times ascend

/// An enclosed volume of a body, or a region that keeps its volume.
struct VolumePenaltySettings {
  static constexpr SettingsDescription kDescription{
      "volume", "Gas or liquid behind a closed surface, or a region of tetrahedra that keeps its volume.",
      R"([{"if": {"required": ["region"]}, "then": {"not": {"anyOf": [{"required": ["surface"]}, {"required": ["close_rims"]}]}}},
          {"if": {"required": ["model"], "properties": {"model": {"enum": ["quadratic", "nearly_incompressible"]}}},
           "then": {"required": ["compressibility"], "properties": {"compressibility": {"exclusiveMinimum": 0}}, "not": {"required": ["adiabatic_index"]}}},
          {"if": {"anyOf": [{"not": {"required": ["model"]}}, {"properties": {"model": {"const": "ideal_gas"}}}]}, "then": {"not": {"required": ["compressibility"]}}}])"};
  SETTING(std::string, region, {}, "Region of tetrahedra that keeps its volume, instead of a surface.");
  SETTING(std::string, surface, {}, "Closed surface region of the mesh.",
          required_unless("region", "name a closed surface region of the mesh, or under 'region' one of tetrahedra"));
  SETTING(bool, close_rims, false, "Close an open surface by flat caps over its rims.", written_if(self.close_rims));
  SETTING(double, excluded_volume, 0, "Part of the volume within the surface that is not filled, such as that of a wheel in its tire.", unit("m^3"),
          non_negative);
  SETTING(VolumeModel, model, VolumeModel::ideal_gas, "How the pressure depends on the volume; all but ideal_gas need a compressibility.");
  SETTING(double, gauge_pressure, 0, "Pressure above the ambient 101325 Pa, at the initial volume.", unit("Pa"), above(-101325),
          hint("less is below vacuum; give the pressure relative to the atmosphere"));
  SETTING(double, compressibility, 1.0 / 101325.0, "Compressibility; that of water is 4.6e-10. Not for ideal_gas.", unit("1/Pa"), default_is("none"),
          written_if(self.model != VolumeModel::ideal_gas));
  SETTING(double, adiabatic_index, 1,
          "Exponent γ of the ideal gas, whose absolute pressure times the volume to γ is constant: 1 where it keeps its temperature, 1.4 for air that is "
          "compressed within milliseconds.",
          at_least(1), at_most(2), hint("1 for slow changes, 1.4 for fast ones of air"), written_if(self.model == VolumeModel::ideal_gas));
  SETTING(Inflation, inflation, {}, "Amount of gas or liquid over time, linear between times.");
  SETTING(bool, sparse, false, "Leave the rank-one term out of the Jacobian product, as P0 does for its direct solver.");
  Source source;

  void complete(const Given& given) const;
};

}  // namespace traction
