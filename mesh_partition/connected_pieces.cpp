#include "mesh_partition/connected_pieces.h"

#include <algorithm>
#include <set>
#include <utility>

#include "mesh/connected_vertices.h"
#include "parallel/collective.h"
#include "parallel/scatter.h"

namespace traction {

namespace {

// Unites the pieces of vertices that depend on others with those of their masters.
void join_dependent_pieces(const DistributedMesh& mesh, std::vector<double>& numbers) {
  std::vector<PetscInt> masters;
  for (const LocalDependent& dependent : mesh.dependents) masters.push_back(dependent.masters[0]);
  std::vector<double> of_masters(masters.size());
  Scatter(*mesh.halo, masters, 1).forward(numbers, of_masters);
  std::set<std::pair<double, double>> joined;
  for (std::size_t d = 0; d < masters.size(); ++d) {
    const double own = numbers[mesh.dependents[d].vertex];
    if (own != of_masters[d]) joined.emplace(own, of_masters[d]);
  }
  std::vector<double> pairs;
  for (const auto& [one, other] : joined) pairs.insert(pairs.end(), {one, other});
  pairs = concatenated_over_ranks(mesh.halo->communicator(), pairs);
  std::vector<double> known = pairs;  // the numbers of all pieces that are joined with another
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const auto index = [&](double number) { return static_cast<int>(std::lower_bound(known.begin(), known.end(), number) - known.begin()); };
  ConnectedVertices connected(known.size());
  for (std::size_t p = 0; p < pairs.size(); p += 2) connected.connect(index(pairs[p]), index(pairs[p + 1]));
  for (double& number : numbers)
    if (std::binary_search(known.begin(), known.end(), number)) number = known[connected.root(index(number))];
}

}  // namespace

std::vector<PetscInt> connected_pieces(const DistributedMesh& mesh) {
  const Halo& halo = *mesh.halo;
  const int vertices = halo.local();
  ConnectedVertices connected(static_cast<std::size_t>(vertices));
  for (const auto& element : mesh.tetrahedra)
    for (int i = 1; i < 4; ++i) connected.connect(element[0], element[i]);
  for (const int t : mesh.shells)
    for (int i = 1; i < 3; ++i) connected.connect(mesh.triangles[t][0], mesh.triangles[t][i]);
  for (const Rod& rod : mesh.rods) connected.connect(rod.vertices[0], rod.vertices[1]);

  // The number of a piece is the lowest number of its vertices: at first of those on this rank, after the exchanges of all.
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
  join_dependent_pieces(mesh, numbers);
  return {numbers.begin(), numbers.end()};
}

}  // namespace traction
