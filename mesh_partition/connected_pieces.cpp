#include "mesh_partition/connected_pieces.h"

#include <algorithm>

#include "mesh/connected_vertices.h"
#include "parallel/collective.h"
#include "parallel/scatter.h"

namespace traction {

std::vector<PetscInt> connected_pieces(const DistributedMesh& mesh) {
  const Halo& halo = *mesh.halo;
  const int vertices = halo.local();
  ConnectedVertices connected(static_cast<std::size_t>(vertices));
  for (const auto& element : mesh.tetrahedra)
    for (int i = 1; i < 4; ++i) connected.connect(element[0], element[i]);
  for (const int t : mesh.shells)
    for (int i = 1; i < 3; ++i) connected.connect(mesh.triangles[t][0], mesh.triangles[t][i]);
  for (const Rod& rod : mesh.rods) connected.connect(rod.vertices[0], rod.vertices[1]);

  // Each piece has the lowest number of its vertices: of those here at first, of all after the exchanges.
  const Scatter ghosts(halo, 1);
  std::vector<double> numbers(static_cast<std::size_t>(vertices));
  for (int i = 0; i < vertices; ++i) numbers[i] = static_cast<double>(halo.to_global(i));
  for (bool is_changed = true; is_changed;) {
    const std::vector<double> before = numbers;
    std::vector<double> lowest = numbers;
    for (int i = 0; i < vertices; ++i) lowest[connected.root(i)] = std::min(lowest[connected.root(i)], numbers[i]);
    for (int i = 0; i < vertices; ++i) numbers[i] = lowest[connected.root(i)];
    ghosts.forward(numbers);
    is_changed = maximum_over_ranks(halo.communicator(), numbers != before) > 0;
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace traction
