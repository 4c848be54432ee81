// The pressure of a change of volume that is averaged over the elements around each vertex, so that tetrahedra do not lock
// (docs/theory/balance.md, "Pressure averaged over nodes").
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/volumetric_law.h"
#include "forces/solid_batches.h"
#include "parallel/scatter.h"
#include "system/force.h"

namespace traction {

/// The energy sum_a V_a U(J_a) of a region of one material. V_a is a quarter of the volumes at rest of the region's elements at the vertex a, and J_a the ratio
/// of the present to the rest one. The rest of the material's energy is that of an ElasticSolid without its volumetric part.
class NodalPressure : public Force, private Assembly {
 public:
  /// `elements`: those of the region that touch an owned vertex. @collective
  NodalPressure(std::shared_ptr<const Halo> halo, std::shared_ptr<const SolidBatches> elements, const VolumetricLaw& law);

  bool foretell(bool on) override {
    foretells_ = on && !base_.values().empty();
    return true;
  }
  void linearize_foretold(bool on) override { linearizes_foretold_ = on; }
  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  const Assembly* assembly() const override { return this; }
  double energy(const State& state) const override;
  std::string energy_name() const override { return "elastic"; }

  /// The mean stress of each element, positive in tension, in the order of the elements [Pa]. Ghosts are valid. @collective
  std::vector<double> element_stresses(const Field& positions) const;

 private:
  /// dJ_a/dx_b V_a of both vertices of an edge, a < b [m^2].
  struct Edge {
    std::array<int, 2> vertices;
    std::array<Vec3, 2> gradients{Vec3::Zero(),
                                  Vec3::Zero()};  ///< the derivative of the first vertex's volume by the second's position, and the other way round
  };
  /// An edge in the list of one of its vertices.
  struct Incidence {
    int edge, vertex;  ///< the other vertex
    bool is_first;     ///< whether the vertex that has the list is the edge's first
  };

  /// Blocks contain the change of the forces at constant pressures, and that by the pressures around a vertex that moves alone. The rest of the derivative
  /// couples vertices up to two edges apart.
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  void add_couplings(const Linearization& at, std::vector<Coupling>& couplings) const override;
  bool needs_couplings() const override { return true; }

  /// J_a of owned vertices of the region; others are 0.
  std::vector<double> volume_ratios(const Field& positions) const;
  /// dU/dJ of owned vertices of the region at these ratios; others are 0.
  std::vector<double> stresses_at(const std::vector<double>& ratios) const;
  /// dU/dJ of owned vertices of the region at these positions, to first order from the last linearization; other values
  /// are meaningless.
  std::vector<double> foretold_stresses(const Field& positions) const;
  /// For owned vertices, the change of V_a J_a to first order; other values are meaningless. Does not see translations.
  std::vector<double> volume_changes(const Field& direction) const;
  /// The mean of the stresses at the vertices of each element, by batches. `stresses`: valid for owned vertices. @collective
  std::vector<Pack> means(std::vector<double> stresses) const;
  std::span<const Incidence> edges_of(int vertex) const {
    return std::span(incidences_).subspan(first_incidence_[vertex], first_incidence_[vertex + 1] - first_incidence_[vertex]);
  }

  std::shared_ptr<const Halo> halo_;
  std::shared_ptr<const SolidBatches> elements_;
  VolumetricLaw law_;
  Scatter scatter_;                                              ///< of a number per vertex
  std::vector<int> vertices_;                                    ///< of the region, ascending
  std::vector<double> rest_volumes_;                             ///< V_a of owned vertices, else 0 [m^3]
  std::vector<std::array<std::array<int, kPackWidth>, 6>> own_;  ///< for each batch, the numbers in edges_ of its edges; -1 between ghosts
  std::vector<std::size_t> first_incidence_;
  std::vector<Incidence> incidences_;

  // At the linearization.
  std::vector<Edge> edges_;
  std::vector<Vec3> own_gradients_;  ///< dJ_a/dx_a V_a of local vertices [m^2]
  std::vector<double> stiffnesses_;  ///< d2U/dJ2 / V_a of the region's vertices, else 0 [Pa/m^3]
  std::vector<Pack> mean_stresses_;  ///< for each batch, foretold ones where these are linearized [Pa]
  Field base_;                       ///< positions; empty before the first linearization
  std::vector<double> stresses_;     ///< dU/dJ of owned vertices, else 0 [Pa]
  bool foretells_ = false, linearizes_foretold_ = false;
};

}  // namespace traction
