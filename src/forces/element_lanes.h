// The common parts of batches of all kinds of elements (SolidBatch, QuadraticBatch). A batch has as many elements as a pack has lanes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <tuple>
#include <vector>

#include "math/dual.h"
#include "math/pack.h"
#include "math/tensor.h"
#include "system/state.h"

namespace traction {

/// Elements in lanes, with a member `vertices`: for each vertex of an element, the local numbers in all lanes.
template <typename T>
concept ElementBatch = requires(const T& batch) {
  batch.vertices[0][0];
};

/// The number of vertices of the elements of a batch.
template <ElementBatch Batch>
inline constexpr std::size_t kVerticesOf = std::tuple_size_v<decltype(Batch::vertices)>;

/// The field at the vertices of a batch.
template <ElementBatch Batch>
std::array<Vector3<Pack>, kVerticesOf<Batch>> gather(const Batch& batch, const Field& field) {
  const double* values = field.values().data();
  std::array<Vector3<Pack>, kVerticesOf<Batch>> result;
  for (std::size_t a = 0; a < result.size(); ++a)
    for (int i = 0; i < 3; ++i)
      for (int lane = 0; lane < kPackWidth; ++lane) result[a][i].set(lane, values[3 * static_cast<std::size_t>(batch.vertices[a][lane]) + i]);
  return result;
}

/// The field with its derivative along another.
template <ElementBatch Batch>
std::array<Vector3<Dual<Pack>>, kVerticesOf<Batch>> gather(const Batch& batch, const Field& field, const Field& direction) {
  const auto x = gather(batch, field), dx = gather(batch, direction);
  std::array<Vector3<Dual<Pack>>, kVerticesOf<Batch>> result;
  for (std::size_t a = 0; a < result.size(); ++a)
    for (int i = 0; i < 3; ++i) result[a][i] = Dual<Pack>(x[a][i], {dx[a][i]});
  return result;
}

template <std::size_t vertices>
std::array<Vector3<Pack>, vertices> derivatives(const std::array<Vector3<Dual<Pack>>, vertices>& f) {
  std::array<Vector3<Pack>, vertices> result;
  for (std::size_t a = 0; a < vertices; ++a)
    for (int i = 0; i < 3; ++i) result[a][i] = f[a][i].derivative[0];
  return result;
}

/// Puts the parameters of every element into the lanes of its batch. Single and Packed are one struct of nothing but Reals, over double and over Pack.
template <typename Packed, ElementBatch Batch, typename Single>
std::vector<Packed> in_lanes(const std::vector<Batch>& batches, const std::vector<Single>& of_elements) {
  constexpr std::size_t count = sizeof(Single) / sizeof(double);
  std::vector<Packed> result;
  for (const Batch& batch : batches) {
    std::array<Pack, count> lanes;
    for (int lane = 0; lane < kPackWidth; ++lane) {
      const auto values = std::bit_cast<std::array<double, count>>(of_elements[batch.element(lane)]);
      for (std::size_t k = 0; k < count; ++k) lanes[k].set(lane, values[k]);
    }
    result.push_back(std::bit_cast<Packed>(lanes));
  }
  return result;
}

}  // namespace traction
