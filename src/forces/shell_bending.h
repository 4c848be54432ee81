// The bending of shells: hinges that turn, and triangles whose curvature follows from the hinges around them (docs/theory/balance.md, "Bending").
#pragma once

#include <array>
#include <vector>

#include "elements/shell_curvature.h"
#include "system/force.h"

namespace traction {

struct BendingHinge {
  std::array<int, 4> vertices;  ///< local, as DihedralAngle has them
  double rest_angle;            ///< theta0, between -pi and pi
};

/// W = |S turn|^2 / 2 of one triangle.
struct BendingPatch {
  static constexpr int kHinges = ShellPatch::kAngles;
  std::array<int, kHinges> hinges;            ///< into a list of hinges; -1 for none
  Eigen::Matrix<double, 3, kHinges> strains;  ///< S: a column per hinge (bending_strains)
  bool owned;                                 ///< counts on this rank for the energy
};

/// turn is theta - theta0, not reduced to (-pi, pi], so that the energy keeps triangles from passing through each other even for rest angles near pi. A
/// viscosity replaces turn in the moments by theta - theta0 + beta theta'.
class ShellBending : public Force, private ExactBlocks, private SeparateTerms {
 public:
  /// Every patch that has one of the first `vertices_owned` vertices. `viscous_time`: beta [s]. The block patterns of matrices must couple all vertices of a
  /// patch with each other.
  ShellBending(const std::vector<BendingHinge>& hinges, const std::vector<BendingPatch>& patches, int vertices_owned, double viscous_time);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return "bending"; }
  std::string work_name() const override { return viscous_time_ != 0 ? "damping" : ""; }
  const SeparateTerms* terms() const override { return this; }

 private:
  /// The patches.
  int count() const override { return static_cast<int>(interior_.patches.size() + boundary_.patches.size()); }
  std::vector<int> stencil(int term) const override;
  bool reads_velocities() const override { return viscous_time_ != 0; }
  void forces(int term, const State& state, std::span<Vec3> forces) const override;
  /// The patches of a zone, and the hinges that they need: some are in both zones, each with the moments of that zone's patches.
  struct Part {
    std::vector<BendingHinge> hinges;
    std::vector<BendingPatch> patches;
  };
  const Part& part(Zone zone) const { return zone == Zone::interior ? interior_ : boundary_; }
  Part part_of(int term) const;  ///< one patch by itself

  Part interior_, boundary_;
  double viscous_time_;
};

}  // namespace traction
