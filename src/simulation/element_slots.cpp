#include "simulation/element_slots.h"

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

// A vertex's owner knows all elements around it. An element is kept at the vertex with the fewest elements, so that few slots suffice even where many elements
// meet.
template <std::size_t N>
ElementSlots::ElementSlots(const DistributedMesh& mesh, std::span<const std::array<int, N>> elements, const std::vector<char>& marked) {
  const Halo& halo = *mesh.halo;
  const auto locals = static_cast<std::size_t>(halo.local());
  std::vector<double> around(locals, 0.0);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int vertex : elements[e]) around[static_cast<std::size_t>(vertex)] += marked[e] != 0;
  Scatter(halo, 1).forward(around);

  using Key = std::array<int, N>;  // numbers of an element's vertices in the undistributed mesh
  const auto home_of = [&](int element) {
    return *std::ranges::min_element(elements[static_cast<std::size_t>(element)], {}, [&](int vertex) {
      return std::pair(around[static_cast<std::size_t>(vertex)], mesh.vertex_ids[static_cast<std::size_t>(vertex)]);
    });
  };
  const auto key_of = [&](int element) {
    Key key;
    std::ranges::transform(elements[static_cast<std::size_t>(element)], key.begin(),
                           [&](int vertex) { return mesh.vertex_ids[static_cast<std::size_t>(vertex)]; });
    std::ranges::sort(key);
    return key;
  };
  std::vector<std::vector<Key>> keys(locals);
  for (int e = 0; e < static_cast<int>(elements.size()); ++e)
    if (marked[static_cast<std::size_t>(e)]) keys[static_cast<std::size_t>(home_of(e))].push_back(key_of(e));
  std::size_t most = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(halo.owned()); ++i) most = std::max(most, keys[i].size());
  per_vertex = static_cast<int>(std::lround(maximum_over_ranks(halo.communicator(), static_cast<double>(most))));

  const std::size_t width = N * static_cast<std::size_t>(per_vertex);
  if (width == 0) return;
  std::vector<double> sorted(width * locals, -1.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(halo.owned()); ++i) {
    std::ranges::sort(keys[i]);
    for (std::size_t slot = 0; slot < keys[i].size(); ++slot)
      std::ranges::copy(keys[i][slot], sorted.begin() + static_cast<std::ptrdiff_t>(width * i + N * slot));
  }
  Scatter(halo, static_cast<int>(width)).forward(sorted);
  for (int e = 0; e < static_cast<int>(elements.size()); ++e) {
    if (!marked[static_cast<std::size_t>(e)]) continue;
    const int home = home_of(e);
    const Key key = key_of(e);
    for (int slot = 0; slot < per_vertex; ++slot)
      if (std::ranges::equal(key, std::span(sorted).subspan(width * static_cast<std::size_t>(home) + N * static_cast<std::size_t>(slot), N)))
        places[e] = {home, slot};
  }
}

template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 3>>, const std::vector<char>&);
template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 4>>, const std::vector<char>&);
template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 10>>, const std::vector<char>&);

}  // namespace traction
