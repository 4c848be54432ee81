// Rayleigh damping f = -(alpha M + beta K(q)) v with K = -df_e/dq at the current positions (NUMERICS section 1).
#pragma once

#include <memory>
#include <vector>

#include "forces/neo_hookean_solid.h"

namespace traction {

// K(q) v is minus the derivative of the elastic force along v, so a dual number through the elastic kernel gives the force and a dual of duals its product.
class RayleighDamping : public Force {
 public:
  // `mass`: alpha times the mass of each local vertex of the body, 0 for others [kg/s]. `stiffness`: beta [s].
  RayleighDamping(std::shared_ptr<const NeoHookeanSolid> solid, std::vector<double> mass, double stiffness, int owned_vertices);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;

 private:
  std::shared_ptr<const NeoHookeanSolid> solid_;
  std::vector<double> mass_;
  double stiffness_;
  int owned_vertices_;
};

}  // namespace traction
