// Batches of a body's ten-node tetrahedra, as many to a batch as a pack has lanes: how their kernels read fields and write forces.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "elements/quadratic_element.h"
#include "forces/element_lanes.h"
#include "math/dual.h"
#include "math/pack.h"
#include "system/block_matrix.h"
#include "system/state.h"

namespace traction {

/// A batch: as many ten-node tetrahedra as a pack has lanes, with their places in the block pattern.
struct QuadraticBatch : QuadraticElementOf<Pack> {
  static constexpr int kPairs = 45;

  std::array<std::array<int, kPackWidth>, 10> vertices;     ///< local
  std::array<std::array<int, kPackWidth>, kPairs> edges;    ///< in the block pattern, of vertices 01, 02, ..., 12, ...; -1 between ghosts
  std::array<std::array<bool, kPackWidth>, kPairs> turned;  ///< whether the second vertex has the lower number
  Pack is_owned;                                            ///< 0 for elements that count on another rank, else 1
  int first = 0;                                            ///< number of the first element
  int count = kPackWidth;                                   ///< number of elements; the lanes behind them repeat the last one

  int element(int lane) const { return first + std::min(lane, count - 1); }  ///< its number
};

/// All ten-node tetrahedra of one law in batches, those within the rank first.
class QuadraticBatches {
 public:
  /// `vertices` and `rest`: local numbers and positions at rest [m]. The first `interior` elements touch owned vertices only. `owned`: whether each element
  /// counts on this rank for sums over all.
  QuadraticBatches(const std::vector<std::array<int, 10>>& vertices, const std::vector<Vec3>& rest, int interior, const std::vector<char>& owned,
                   std::shared_ptr<const BlockPattern> pattern);

  std::span<const QuadraticBatch> of(Zone zone) const;
  std::span<const QuadraticBatch> all() const { return batches_; }

  /// Puts the parameters of every element into the lanes of its batch. A parameter is a struct of nothing but Reals.
  template <typename Packed, typename Single>
  std::vector<Packed> packed(const std::vector<Single>& of_elements) const;
  template <template <typename> typename Parameters>
  std::vector<Parameters<Pack>> packed(const std::vector<Parameters<double>>& of_elements) const {
    return packed<Parameters<Pack>, Parameters<double>>(of_elements);
  }

  /// Sums kernel(batch, its parameters) over the vertices of a zone's elements: change += factor * sum. The kernel returns a Corner10<Pack>.
  template <typename Parameters, typename Kernel>
  void add(Zone zone, double factor, const std::vector<Parameters>& parameters, Kernel kernel, Field& change) const;

  /// Adds the blocks of kernel(batch, its parameters, b), which returns the derivatives of the forces on all vertices by vertex b. Forces have an energy if
  /// the matrix is symmetric.
  template <typename Parameters, typename Kernel>
  void add_blocks(const std::vector<Parameters>& parameters, Kernel kernel, BlockMatrix& matrix) const;

 private:
  std::span<const int> touched(Zone zone) const { return touched_[zone == Zone::boundary]; }

  std::vector<QuadraticBatch> batches_;
  std::size_t interior_ = 0;                 ///< batches
  std::array<std::vector<int>, 2> touched_;  ///< vertices of the interior elements, of the others
  mutable std::vector<Four>
      sums_;  ///< sums for each vertex, 0 between calls; vectors of four numbers, because a load right after a store of other bounds would stall
};

/// The field with its derivatives by the position of one vertex, times a factor.
inline Corner10<Dual<Pack, 3>> seeded(const Corner10<Pack>& x, int vertex, double factor) {
  Corner10<Dual<Pack, 3>> result;
  for (int a = 0; a < 10; ++a)
    for (int i = 0; i < 3; ++i) {
      result[a][i] = Dual<Pack, 3>(x[a][i]);
      if (a == vertex) result[a][i].derivative[i] = Pack(factor);
    }
  return result;
}

template <typename Packed, typename Single>
std::vector<Packed> QuadraticBatches::packed(const std::vector<Single>& of_elements) const {
  return in_lanes<Packed>(batches_, of_elements);
}

template <typename Parameters, typename Kernel>
void QuadraticBatches::add(Zone zone, double factor, const std::vector<Parameters>& parameters, Kernel kernel, Field& change) const {
  const Parameters* own = parameters.data() + (zone == Zone::interior ? 0 : interior_);
  for (const QuadraticBatch& batch : of(zone)) {
    const Corner10<Pack> f = kernel(batch, *own++);
    for (int a = 0; a < 10; ++a)
      for (int lane = 0; lane < batch.count; ++lane) sums_[batch.vertices[a][lane]].data += Four::Data{f[a][0][lane], f[a][1][lane], f[a][2][lane], 0.0};
  }
  for (int vertex : touched(zone)) {
    Four::Data& total = sums_[vertex].data;
    change[vertex] += factor * Vec3(total[0], total[1], total[2]);
    total = Four::Data{};
  }
}

template <typename Parameters, typename Kernel>
void QuadraticBatches::add_blocks(const std::vector<Parameters>& parameters, Kernel kernel, BlockMatrix& matrix) const {
  const Parameters* own = parameters.data();
  for (const QuadraticBatch& batch : batches_) {
    const Parameters& parameter = *own++;
    for (int b = matrix.is_general() ? 0 : 1; b < 10; ++b) {
      const Corner10<Dual<Pack, 3>> f = kernel(batch, parameter, b);  // d f_a,i / d x_b,k
      for (int a = 0; a < (matrix.is_general() ? 10 : b); ++a) {
        if (a == b) continue;
        const int low = std::min(a, b), high = std::max(a, b), pair = low * (19 - low) / 2 + high - low - 1;
        for (int lane = 0; lane < batch.count; ++lane) {
          const int edge = batch.edges[pair][lane];
          if (edge < 0) continue;
          // The pattern's edge leads from the lower to the higher vertex: here from a to b, or from b to a.
          const bool forward = (a < b) != batch.turned[pair][lane];
          double* target = forward || !matrix.is_general() ? matrix.block(edge) : matrix.transposed(edge);
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) target[forward ? 3 * i + k : 3 * k + i] += f[a][i].derivative[k][lane];
        }
      }
    }
  }
}

}  // namespace traction
