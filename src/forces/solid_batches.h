// The elements of a body, as many to a batch as a pack has lanes: how element kernels read fields and write forces.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "elements/solid_element.h"
#include "math/pack.h"
#include "system/block_matrix.h"
#include "system/state.h"

namespace traction {

template <typename T>
using Corner4 = std::array<Vector3<T>, 4>;  // a vector for each vertex of an element

struct SolidBatch : SolidElementOf<Pack> {
  std::array<std::array<int, kPackWidth>, 4> vertices;  // local, ascending along an element
  std::array<std::array<int, kPackWidth>, 6> edges;     // in the block pattern, of vertices 01, 02, 03, 12, 13, 23; -1 between ghosts
  Pack owned_volume;                                    // 0 for elements that count on another rank
  int count = kPackWidth;                               // of elements; in the lanes behind them is the last one again, with volume 0
};

inline constexpr std::array<std::array<int, 2>, 6> kElementEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

class SolidBatches {
 public:
  // The first `interior_elements` elements touch owned vertices only. `owned`: whether each element counts on this rank for sums over all.
  SolidBatches(const std::vector<SolidElement>& elements, int interior_elements, const std::vector<char>& owned, std::shared_ptr<const BlockPattern> pattern);

  std::span<const SolidBatch> of(Zone zone) const;
  std::span<const SolidBatch> all() const { return batches_; }

  // Sums kernel(batch) over the vertices of a zone's elements: change += factor * sum. The kernel returns a Corner4<Pack>.
  template <typename Kernel>
  void add(Zone zone, double factor, Kernel kernel, Field& change) const;

  // Adds kernel(batch)(a, b) to the couplings of vertices a < b, and kernel(batch)(b, a)^T to the opposite ones of a general matrix.
  template <typename Kernel>
  void add_blocks(Kernel kernel, BlockMatrix& matrix) const;

 private:
  std::span<const int> touched(Zone zone) const { return touched_[zone == Zone::boundary]; }

  std::vector<SolidBatch> batches_;
  std::size_t interior_ = 0;                 // batches
  std::array<std::vector<int>, 2> touched_;  // vertices of the interior elements, of the others
  mutable std::vector<Four> sums_;           // per vertex, 0 between calls; of four, because a load right after a store of other bounds would stall
};

// The field at the vertices of a batch.
inline Corner4<Pack> gather(const SolidBatch& batch, const Field& field) {
  const double* values = field.values().data();
  Corner4<Pack> result;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      for (int lane = 0; lane < kPackWidth; ++lane) result[a][i].set(lane, values[3 * static_cast<std::size_t>(batch.vertices[a][lane]) + i]);
  return result;
}

// The field with its derivative along another.
inline Corner4<Dual<Pack>> gather(const SolidBatch& batch, const Field& field, const Field& direction) {
  const Corner4<Pack> x = gather(batch, field), dx = gather(batch, direction);
  Corner4<Dual<Pack>> result;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) result[a][i] = Dual<Pack>(x[a][i], {dx[a][i]});
  return result;
}

inline Corner4<Pack> derivatives(const Corner4<Dual<Pack>>& f) {
  Corner4<Pack> result;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) result[a][i] = f[a][i].derivative[0];
  return result;
}

template <typename Kernel>
void SolidBatches::add(Zone zone, double factor, Kernel kernel, Field& change) const {
  for (const SolidBatch& batch : of(zone)) {
    const Corner4<Pack> f = kernel(batch);
    for (int a = 0; a < 4; ++a)
      for (int lane = 0; lane < kPackWidth; ++lane) sums_[batch.vertices[a][lane]].data += Four::Data{f[a][0][lane], f[a][1][lane], f[a][2][lane], 0.0};
  }
  for (int vertex : touched(zone)) {
    Four::Data& total = sums_[vertex].data;
    change[vertex] += factor * Vec3(total[0], total[1], total[2]);
    total = Four::Data{};
  }
}

template <typename Kernel>
void SolidBatches::add_blocks(Kernel kernel, BlockMatrix& matrix) const {
  const auto scatter = [](const SolidBatch& batch, int e, const Matrix3<Pack>& block, auto place) {
    for (int lane = 0; lane < batch.count; ++lane) {
      if (batch.edges[e][lane] < 0) continue;
      double* target = place(batch.edges[e][lane]);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) target[3 * i + k] += block(i, k)[lane];
    }
  };
  for (const SolidBatch& batch : batches_) {
    kernel(batch, [&](const auto& blocks) {
      for (int e = 0; e < 6; ++e) {
        const auto [a, b] = kElementEdges[e];
        const Matrix3<Pack> block = blocks(a, b);
        scatter(batch, e, block, [&](int edge) { return matrix.block(edge); });
        if (!matrix.is_general()) continue;
        scatter(batch, e, blocks(b, a).transpose(), [&](int edge) { return matrix.transposed(edge); });
      }
    });
  }
}

}  // namespace traction
