// The bending of shells: hinges that turn, and triangles whose curvature follows from the hinges around them (docs/theory/balance.md, "Bending").
#pragma once

#include <array>
#include <limits>
#include <map>
#include <vector>

#include "elements/shell_curvature.h"
#include "system/force.h"

namespace traction {

/// Two triangles of a shell and the edge about which they turn.
struct BendingHinge {
  std::array<int, 4> vertices;  ///< local, as DihedralAngle has them
  double rest_angle;            ///< theta0, between -pi and pi
};

/// W = |e|^2 / 2 of one triangle, with the elastic strain e = S turn - flow.
struct BendingPatch {
  static constexpr int kHinges = ShellPatch::kAngles;
  std::array<int, kHinges> hinges;                         ///< indices into a list of hinges; -1 for none
  Eigen::Matrix<double, 3, kHinges> strains;               ///< S, with a column for each hinge (bending_strains)
  bool owned;                                              ///< whether the patch counts on this rank for the energy
  double yield = std::numeric_limits<double>::infinity();  ///< largest |e| [sqrt(N m)]
  int triangle = -1;                                       ///< local number of the triangle that yields
  int home = -1, slot = 0;                                 ///< place at which the flow is kept: the local vertex, and the slot at this vertex
  Vec3 flow = Vec3::Zero();                                ///< plastic strain [sqrt(N m)]

  bool yields() const { return yield < std::numeric_limits<double>::infinity(); }
};

/// turn is theta - theta0, not reduced to (-pi, pi], so that the energy keeps triangles from passing through each other even for rest angles near pi. A
/// viscosity replaces turn in the moments by theta - theta0 + beta theta'. The strain of a patch that yields is mapped back to the nearest one that it bears.
/// Forces at a state do this as if the step ended there. commit(), or in asynchronous runs an event of the patch, does it permanently.
class ShellBending : public Force, private ExactBlocks, private FlowingTerms, private Memory {
 public:
  /// Every patch that has one of the first `vertices_owned` vertices. `viscous_time`: beta [s]. `slots`: how many patches may keep their flow with one vertex;
  /// 0 if none yields, the same on all ranks. The block patterns of matrices must couple all vertices of a patch with each other.
  ShellBending(const std::vector<BendingHinge>& hinges, const std::vector<BendingPatch>& patches, int vertices_owned, double viscous_time, int slots = 0);

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return "bending"; }
  std::string work_name() const override { return viscous_time_ != 0 ? "damping" : ""; }
  double flow_loss(const State& state) const override;
  const SeparateTerms* terms() const override { return this; }
  FlowingTerms* flowing_terms() override { return slots_ > 0 ? this : nullptr; }
  Memory* memory() override { return slots_ > 0 ? this : nullptr; }
  /// The elastic strains of the triangles that yield, by their local numbers, at positions whose ghosts are valid: for output.
  std::map<int, Vec3> elastic_strains(const State& state) const;

 private:
  std::string name() const override { return "plastic bending"; }
  int components() const override { return 3 * slots_; }
  void commit(const State& accepted) override;
  void save(std::span<double> values) const override;
  void load(std::span<const double> values) override;
  /// The patches.
  int count() const override { return static_cast<int>(interior_.patches.size() + boundary_.patches.size()); }
  std::vector<int> stencil(int term) const override;
  bool reads_velocities() const override { return viscous_time_ != 0; }
  void forces(int term, const State& state, std::span<Vec3> forces) const override;
  std::span<double> memory(int term) override;
  double act(int term, const State& state, std::span<Vec3> forces) override;
  /// The patches of a zone, and the hinges that they need: some are in both zones, each with the moments of that zone's patches.
  struct Part {
    std::vector<BendingHinge> hinges;
    std::vector<BendingPatch> patches;
  };
  const Part& part(Zone zone) const { return zone == Zone::interior ? interior_ : boundary_; }
  Part part_of(int term) const;  ///< one patch by itself
  BendingPatch& patch(int term);
  std::size_t place_of(const BendingPatch& patch) const {  ///< place of its flow among the remembered numbers
    return 3 * (static_cast<std::size_t>(slots_) * static_cast<std::size_t>(patch.home) + static_cast<std::size_t>(patch.slot));
  }
  void forces_of(const Part& part, const State& state, std::span<Vec3> forces) const;  ///< of one patch by itself
  static std::vector<double> turns_of(const Part& part, const State& state);

  Part interior_, boundary_;
  double viscous_time_;
  int slots_;
};

}  // namespace traction
