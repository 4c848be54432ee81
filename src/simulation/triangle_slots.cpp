#include "simulation/triangle_slots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

// A vertex's owner knows all triangles around it. A triangle goes to the vertex with fewest of them, so that few slots suffice even where many triangles meet.
TriangleSlots::TriangleSlots(const DistributedMesh& mesh, const std::vector<char>& marked) {
  const Halo& halo = *mesh.halo;
  const auto locals = static_cast<std::size_t>(halo.local());
  std::vector<double> around(locals, 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int vertex : mesh.triangles[t]) around[static_cast<std::size_t>(vertex)] += marked[t] != 0;
  Scatter(halo, 1).forward(around);

  using Key = std::array<int, 3>;  // numbers of a triangle's vertices in the undistributed mesh
  const auto home_of = [&](int triangle) {
    return *std::ranges::min_element(mesh.triangles[static_cast<std::size_t>(triangle)], {}, [&](int vertex) {
      return std::pair(around[static_cast<std::size_t>(vertex)], mesh.vertex_ids[static_cast<std::size_t>(vertex)]);
    });
  };
  const auto key_of = [&](int triangle) {
    Key key;
    std::ranges::transform(mesh.triangles[static_cast<std::size_t>(triangle)], key.begin(),
                           [&](int vertex) { return mesh.vertex_ids[static_cast<std::size_t>(vertex)]; });
    std::ranges::sort(key);
    return key;
  };
  std::vector<std::vector<Key>> keys(locals);
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    if (marked[static_cast<std::size_t>(t)]) keys[static_cast<std::size_t>(home_of(t))].push_back(key_of(t));
  std::size_t most = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(halo.owned()); ++i) most = std::max(most, keys[i].size());
  per_vertex = static_cast<int>(std::lround(maximum_over_ranks(halo.communicator(), static_cast<double>(most))));

  const std::size_t width = 3 * static_cast<std::size_t>(per_vertex);
  if (width == 0) return;
  std::vector<double> sorted(width * locals, -1.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(halo.owned()); ++i) {
    std::ranges::sort(keys[i]);
    for (std::size_t slot = 0; slot < keys[i].size(); ++slot)
      std::ranges::copy(keys[i][slot], sorted.begin() + static_cast<std::ptrdiff_t>(width * i + 3 * slot));
  }
  Scatter(halo, static_cast<int>(width)).forward(sorted);
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    if (!marked[static_cast<std::size_t>(t)]) continue;
    const int home = home_of(t);
    const Key key = key_of(t);
    for (int slot = 0; slot < per_vertex; ++slot)
      if (std::ranges::equal(key, std::span(sorted).subspan(width * static_cast<std::size_t>(home) + 3 * static_cast<std::size_t>(slot), 3)))
        places[t] = {home, slot};
  }
}

}  // namespace traction
