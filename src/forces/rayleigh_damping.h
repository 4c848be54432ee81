// Rayleigh damping (docs/theory/balance.md, "Rayleigh damping"): f = -alpha M v, and beta times a viscosity with the solid's own moduli.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "elements/lame_parameters.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

/// The elements of a body that are of one material, with its moduli of small strains.
struct ViscousSolid {
  std::shared_ptr<const SolidBatches> elements;
  std::vector<LameParameters<Pack>> moduli;  ///< one for each batch
};

/// The viscous stress depends on the rate of strain alone. P0's -beta K(q) v would act on the rotation of a body under stress.
class RayleighDamping : public Force, private ExactBlocks, private SeparateTerms {
 public:
  /// `mass`: alpha times the mass of each local vertex that the body moves, 0 for others [kg/s]; negative where a rigid body carries another's. `stiffness`:
  /// beta [s], which acts on the `solids`; every rank gives as many of them.
  RayleighDamping(std::vector<double> mass, std::vector<ViscousSolid> solids, double stiffness, int owned_vertices);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  std::string work_name() const override { return "damping"; }
  const SeparateTerms* terms() const override { return this; }

 private:
  /// First every vertex with mass damping, then the elements of all solids.
  int count() const override;
  std::vector<int> stencil(int term) const override;
  void forces(int term, const State& state, std::span<Vec3> forces) const override;
  std::pair<const ViscousSolid*, int> element(int term) const;  ///< the solid and the number of its element

  std::vector<double> mass_;
  std::vector<int> damped_;  ///< owned vertices with mass damping
  std::vector<ViscousSolid> solids_;
  double stiffness_;
  int owned_vertices_;
};

}  // namespace traction
