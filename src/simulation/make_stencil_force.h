// Builds the force on vertices from the elements that a rank sees.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

#include "forces/stencil_force.h"
#include "mesh_partition/distribute.h"

namespace traction {

/// The positions at rest of some vertices [m].
template <std::size_t N>
std::array<Vec3, N> places(const DistributedMesh& mesh, const std::array<int, N>& vertices) {
  std::array<Vec3, N> result;
  for (std::size_t a = 0; a < N; ++a) result[a] = mesh.vertices[vertices[a]];
  return result;
}

/// The force of all elements that touch an owned vertex. Elements that touch owned vertices only come first; each group is in the order of the vertices.
/// `Kind`: StencilForce or a class derived from it. @collective
template <int N, typename Kind = void, typename Element>
auto make_stencil_force(const DistributedMesh& mesh, std::vector<Element> elements, const char* energy_name, TimeTable over = {}) {
  const int vertices_owned = mesh.halo->owned();
  const auto bounds = [](const Element& element) { return std::minmax_element(element.vertices.begin(), element.vertices.end()); };
  std::erase_if(elements, [&](const Element& element) { return *bounds(element).first >= vertices_owned; });
  const auto key = [&](const Element& element) {
    const auto [low, high] = bounds(element);
    return std::tuple(*high >= vertices_owned, *low, element.vertices);
  };
  std::sort(elements.begin(), elements.end(), [&](const Element& a, const Element& b) { return key(a) < key(b); });
  const auto interior = std::count_if(elements.begin(), elements.end(), [&](const Element& element) { return !std::get<0>(key(element)); });
  std::vector<char> owned;
  for (const Element& element : elements) owned.push_back(mesh.owns(element.vertices));
  using Made = std::conditional_t<std::is_void_v<Kind>, StencilForce<Element, N>, Kind>;
  return std::make_shared<Made>(mesh.halo->communicator(), std::move(elements), static_cast<int>(interior), std::move(owned), energy_name, std::move(over));
}

}  // namespace traction
