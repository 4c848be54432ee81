// The volume penalty of an enclosed gas or fluid (docs/theory/volume.md, "Pressure laws").
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "forces/volume_settings.h"
#include "parallel/halo.h"
#include "system/force.h"

namespace traction {

/// Ambient pressure [Pa].
inline constexpr double kAtmosphere = 101325;

/// Energy [J], gauge pressure p = -dW/dV [Pa] and dp/dV [Pa/m^3] as functions of the enclosed volume.
struct VolumeLaw {
  VolumeModel model = VolumeModel::ideal_gas;
  double rest_volume = 0;      ///< V0 [m^3]: where the pressure is zero
  double compressibility = 0;  ///< kappa_v [1/Pa]; unused by the ideal gas
  double adiabatic_index = 1;  ///< gamma of the ideal gas; 1: isothermal

  /// The law with `gauge_pressure` at `volume`.
  static VolumeLaw with_pressure(VolumeModel model, double volume, double gauge_pressure, double compressibility, double adiabatic_index = 1);

  /// The law with another amount of gas or liquid.
  VolumeLaw inflated(double factor) const { return {model, rest_volume * factor, compressibility, adiabatic_index}; }

  double energy(double volume) const;
  double pressure(double volume) const;
  double pressure_slope(double volume) const;
};

/// Acts on a closed, outward oriented triangle surface. With the area-vector form dV/dx_a = sum over its triangles of (x1 - x0) x (x2 - x0) / 6 the forces sum
/// to zero to rounding and do not depend on where the origin is.
class VolumePenalty : public Force, private Assembly {
 public:
  /// `triangles`: those that touch an owned vertex; `owned`: whether each counts on this rank. `excluded_volume`: of what else is within the surface [m^3].
  /// `sparse` drops the rank-one term of the product.
  VolumePenalty(std::shared_ptr<const Halo> halo, std::vector<std::array<int, 3>> triangles, std::vector<char> owned, VolumeLaw law, Inflation inflation,
                double excluded_volume, bool sparse);

  double volume(const Field& positions) const;  ///< the enclosed volume without the excluded one [m^3]. @collective
  VolumeLaw law_at(double time) const;

  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override;  ///< the rank-one term
  int rank_one_terms() const override { return sparse_ ? 0 : 1; }
  void add_rank_one_terms(const Linearization& at, std::vector<RankOneTerm>& terms) const override;
  void add_rank_one_quantities(const State& state, std::vector<double>& quantities) const override {  // the volume [m^3]
    if (!sparse_) quantities.push_back(volume(state.q));
  }
  double energy(const State& state) const override;
  std::string energy_name() const override { return "volume"; }
  std::string work_name() const override { return inflation_.empty() ? "" : "pressure"; }
  const SeparateTerms* terms() const override { return &*terms_; }

 private:
  std::shared_ptr<const Halo> halo_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<char> owned_;
  VolumeLaw law_;  ///< before inflation
  Inflation inflation_;
  double excluded_volume_;
  bool sparse_;
  std::vector<int> surface_vertices_;  ///< owned ones
  std::optional<WholeForce> terms_;    ///< the vertices on which it acts; set once they are known
  Field gradient_;                     ///< dV/dq at the linearization, owned vertices [m^2]
  double linearized_volume_ = 0;
};

}  // namespace traction
