// Rayleigh damping: f = -alpha M v, and beta times a viscosity with the solid's own moduli.
#pragma once

#include <memory>
#include <vector>

#include "elements/lame_parameters.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

// The elements of a body that are of one material, with its moduli of small strains.
struct ViscousSolid {
  std::shared_ptr<const SolidBatches> elements;
  std::vector<LameParameters<Pack>> moduli;  // one for each batch
};

// P0's stiffness part is -beta K(q) v with K = -df_e/dq. That damps, or drives, the rotation of a body under stress: df_e/dq (omega x q) = omega x f_e. A free
// ball with gas at gauge pressure p in a cavity V would lose its spin to a torque 2 beta p V omega, and one in compression would spin up without end. So the
// stress here depends on the rate of strain alone; for a body without stress the two are the same, in the first order of strain.
class RayleighDamping : public Force {
 public:
  // `mass`: alpha times the mass of each local vertex of the body, 0 for others [kg/s]. `stiffness`: beta [s], which acts on the `solids`; every rank gives
  // as many of them.
  RayleighDamping(std::vector<double> mass, std::vector<ViscousSolid> solids, double stiffness, int owned_vertices);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const State&, const State&, Zone, Field&) const override {}

 private:
  std::vector<double> mass_;
  std::vector<ViscousSolid> solids_;
  double stiffness_;
  int owned_vertices_;
};

}  // namespace traction
