// Batches of a body's elements, as many to a batch as a pack has lanes: how element kernels read fields and write forces.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "elements/solid_element.h"
#include "forces/element_lanes.h"
#include "math/dual.h"
#include "math/pack.h"
#include "mesh/mesh.h"
#include "system/block_matrix.h"
#include "system/state.h"

namespace traction {

template <typename T>
using Corner4 = std::array<Vector3<T>, 4>;  ///< a vector for each vertex of an element

/// A batch: as many tetrahedra as a pack has lanes, with their places in the block pattern.
struct SolidBatch : SolidElementOf<Pack> {
  std::array<std::array<int, kPackWidth>, 4> vertices;  ///< local, ascending along an element
  std::array<std::array<int, kPackWidth>, 6> edges;     ///< in the block pattern, of vertices 01, 02, 03, 12, 13, 23; -1 between ghosts
  Pack owned_volume;                                    ///< 0 for elements that count on another rank
  int first = 0;                                        ///< number of the first element, in the order that SolidBatches was given them
  int count = kPackWidth;                               ///< number of elements; the lanes behind them repeat the last one, with volume 0

  int element(int lane) const { return first + std::min(lane, count - 1); }  ///< its number
};

/// All tetrahedra of this rank in batches, those within the rank first.
class SolidBatches {
 public:
  /// The first `interior_elements` elements touch owned vertices only. `owned`: whether each element counts on this rank for sums over all.
  SolidBatches(const std::vector<SolidElement>& elements, int interior_elements, const std::vector<char>& owned, std::shared_ptr<const BlockPattern> pattern);

  std::span<const SolidBatch> of(Zone zone) const;
  std::span<const SolidBatch> all() const { return batches_; }

  /// Puts the parameters of every element, in the order of the constructor's, into the lanes of its batch. Parameters is a struct of nothing but Reals.
  template <template <typename> typename Parameters>
  std::vector<Parameters<Pack>> packed(const std::vector<Parameters<double>>& of_elements) const;

  /// One element by itself: its geometry, vertices and parameters, for kernels on double.
  struct Single {
    SolidElementOf<double> element;
    std::array<int, 4> vertices;
  };
  int count() const { return count_; }
  Single single(int element) const;
  std::array<int, 4> vertices(int element) const;
  template <template <typename> typename Parameters>
  Parameters<double> unpacked(const std::vector<Parameters<Pack>>& of_batches, int element) const;

  /// Sums kernel(batch, its parameters) over the vertices of a zone's elements: change += factor * sum. `parameters` has one entry for each batch, and the
  /// kernel returns a Corner4<Pack>.
  template <typename Parameters, typename Kernel>
  void add(Zone zone, double factor, const std::vector<Parameters>& parameters, Kernel kernel, Field& change) const;

  /// Adds blocks(a, b) to the couplings of vertices a < b, and blocks(b, a)^T to the opposite ones of a general matrix, with blocks = kernel(batch, its
  /// parameters).
  template <typename Parameters, typename Kernel>
  void add_blocks(const std::vector<Parameters>& parameters, Kernel kernel, BlockMatrix& matrix) const;

 private:
  std::span<const int> touched(Zone zone) const { return touched_[zone == Zone::boundary]; }
  /// The batch and the lane of an element.
  std::pair<std::size_t, int> place_of(int element) const {
    const bool inside = element < interior_elements_;
    const int within = inside ? element : element - interior_elements_;
    return {static_cast<std::size_t>(within / kPackWidth) + (inside ? 0 : interior_), within % kPackWidth};
  }

  std::vector<SolidBatch> batches_;
  std::size_t interior_ = 0;                 ///< batches
  int count_ = 0, interior_elements_ = 0;    ///< elements
  std::array<std::vector<int>, 2> touched_;  ///< vertices of the interior elements, of the others
  mutable std::vector<Four>
      sums_;  ///< sums for each vertex, 0 between calls; vectors of four numbers, because a load right after a store of other bounds would stall
};

template <template <typename> typename Parameters>
std::vector<Parameters<Pack>> SolidBatches::packed(const std::vector<Parameters<double>>& of_elements) const {
  return in_lanes<Parameters<Pack>>(batches_, of_elements);
}

template <template <typename> typename Parameters>
Parameters<double> SolidBatches::unpacked(const std::vector<Parameters<Pack>>& of_batches, int element) const {
  constexpr std::size_t count = sizeof(Parameters<double>) / sizeof(double);
  const auto [batch, lane] = place_of(element);
  const auto lanes = std::bit_cast<std::array<Pack, count>>(of_batches[batch]);
  std::array<double, count> values;
  for (std::size_t k = 0; k < count; ++k) values[k] = lanes[k][lane];
  return std::bit_cast<Parameters<double>>(values);
}

/// The field at the vertices of one element.
inline Corner4<double> gather(const std::array<int, 4>& vertices, const Field& field) {
  return {field[vertices[0]], field[vertices[1]], field[vertices[2]], field[vertices[3]]};
}

template <typename Parameters, typename Kernel>
void SolidBatches::add(Zone zone, double factor, const std::vector<Parameters>& parameters, Kernel kernel, Field& change) const {
  const Parameters* own = parameters.data() + (zone == Zone::interior ? 0 : interior_);
  for (const SolidBatch& batch : of(zone)) {
    const Corner4<Pack> f = kernel(batch, *own++);
    for (int a = 0; a < 4; ++a)
      for (int lane = 0; lane < kPackWidth; ++lane) sums_[batch.vertices[a][lane]].data += Four::Data{f[a][0][lane], f[a][1][lane], f[a][2][lane], 0.0};
  }
  for (int vertex : touched(zone)) {
    Four::Data& total = sums_[vertex].data;
    change[vertex] += factor * Vec3(total[0], total[1], total[2]);
    total = Four::Data{};
  }
}

template <typename Parameters, typename Kernel>
void SolidBatches::add_blocks(const std::vector<Parameters>& parameters, Kernel kernel, BlockMatrix& matrix) const {
  const auto scatter = [](const SolidBatch& batch, int e, const Matrix3<Pack>& block, auto place) {
    for (int lane = 0; lane < batch.count; ++lane) {
      if (batch.edges[e][lane] < 0) continue;
      double* target = place(batch.edges[e][lane]);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) target[3 * i + k] += block(i, k)[lane];
    }
  };
  const Parameters* own = parameters.data();
  for (const SolidBatch& batch : batches_) {
    const auto blocks = kernel(batch, *own++);
    for (int e = 0; e < 6; ++e) {
      const auto [a, b] = kTetrahedronEdges[e];
      const Matrix3<Pack> block = blocks(a, b);
      scatter(batch, e, block, [&](int edge) { return matrix.block(edge); });
      if (!matrix.is_general()) continue;
      scatter(batch, e, blocks(b, a).transpose(), [&](int edge) { return matrix.transposed(edge); });
    }
  }
}

}  // namespace traction
