// Forces of elements whose quadrature points have a law each, such as one with a state: four-node tetrahedra have one point, ten-node ones four.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "elements/elasticity.h"
#include "forces/quadratic_batches.h"
#include "forces/solid_batches.h"
#include "system/force.h"

namespace traction {

/// The number of quadrature points of the elements of SolidBatches or QuadraticBatches.
template <typename Batches>
inline constexpr std::size_t kPointsOf = 1;
template <>
inline constexpr std::size_t kPointsOf<QuadraticBatches> = kQuadraturePoints;

/// The laws at the quadrature points of a batch.
template <typename Batches, typename Law>
using PointLaws = std::array<Law, kPointsOf<Batches>>;

/// F at the one quadrature point of a four-node tetrahedron, in the manner of ten-node ones.
template <typename Real, typename T>
std::array<Matrix3<T>, 1> deformation_gradients(const SolidElementOf<Real>& element, const Corner4<T>& x) {
  return {deformation_gradient(element, x)};
}
/// The forces of the first Piola-Kirchhoff stress there on the four vertices [N].
template <typename Real, typename T>
Corner4<T> forces_of_stresses(const SolidElementOf<Real>& element, const std::array<Matrix3<T>, 1>& stresses) {
  return forces_of_stress(element, stresses[0]);
}

/// The volume at rest that belongs to each quadrature point, 0 in elements that count on another rank [m^3].
inline std::array<Pack, 1> owned_volumes(const SolidBatch& batch) { return {batch.owned_volume}; }
inline std::array<Pack, kQuadraturePoints> owned_volumes(const QuadraticBatch& batch) {
  std::array<Pack, kQuadraturePoints> volumes = batch.volume;
  for (Pack& volume : volumes) volume *= batch.is_owned;
  return volumes;
}

/// The forces on the vertices of a batch at positions x [N].
template <typename Batch, typename Law, std::size_t points, typename T, std::size_t vertices>
std::array<Vector3<T>, vertices> forces_of_laws(const Batch& batch, const std::array<Law, points>& laws, const std::array<Vector3<T>, vertices>& x) {
  std::array<Matrix3<T>, points> tensors = deformation_gradients(batch, x);  // F, and then the stresses
  for (std::size_t q = 0; q < points; ++q) tensors[q] = first_piola_stress<T>(laws[q], tensors[q]);
  return forces_of_stresses(batch, tensors);
}

/// The products of the derivatives of forces_of_laws with a direction. One function does all of a batch's arithmetic, as in ElasticSolid.
template <typename Batch, typename Laws>
[[gnu::flatten, gnu::noinline]] auto products_of_laws(const Batch& batch, const Laws& laws, const Field& x, const Field& direction) {
  return derivatives(forces_of_laws(batch, laws, gather(batch, x, direction)));
}

/// Force::add_force of laws at points, which are given for each batch.
template <typename Batches, typename Law>
void add_forces_of_laws(const Batches& batches, const std::vector<PointLaws<Batches, Law>>& laws, const State& state, Zone zone, Field& force) {
  const auto kernel = [&](const auto& batch, const auto& own) { return forces_of_laws(batch, own, gather(batch, state.q)); };
  batches.add(zone, 1, laws, kernel, force);
}

/// Force::add_product of these.
template <typename Batches, typename Law>
void add_products_of_laws(const Batches& batches, const std::vector<PointLaws<Batches, Law>>& laws, const Linearization& at, const State& direction, Zone zone,
                          Field& change) {
  const auto kernel = [&](const auto& batch, const auto& own) { return products_of_laws(batch, own, at.state.q, direction.q); };
  batches.add(zone, 1, laws, kernel, change);
}

/// Assembly::add_blocks of laws at points. All of these laws have an energy, so that their blocks are symmetric.
template <typename Law>
void add_blocks_of_laws(const SolidBatches& batches, const std::vector<PointLaws<SolidBatches, Law>>& laws, const Linearization& at, BlockMatrix& matrix) {
  const auto kernel = [&](const SolidBatch& batch, const auto& own) { return elastic_blocks(batch, own[0], gather(batch, at.state.q), at.dq); };
  batches.add_blocks(laws, kernel, matrix);
}
template <typename Law>
void add_blocks_of_laws(const QuadraticBatches& batches, const std::vector<PointLaws<QuadraticBatches, Law>>& laws, const Linearization& at,
                        BlockMatrix& matrix) {
  const auto kernel = [&](const QuadraticBatch& batch, const auto& own, int b) {
    return forces_of_laws(batch, own, seeded(gather(batch, at.state.q), b, at.dq));
  };
  batches.add_blocks(laws, kernel, matrix);
}

}  // namespace traction
