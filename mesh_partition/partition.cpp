#include "mesh_partition/partition.h"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include "errors.h"
#include "mesh_partition/partition_graph.h"

namespace traction {

namespace {

constexpr double kShellCost = 2;  // cost of a triangle with its hinges, or of a rod's segment with its joints, in units of one tetrahedron

// The cost of each element.
std::vector<idx_t> element_weights(const Mesh& mesh, std::span<const double> vertex_costs) {
  const bool free_vertices = std::all_of(vertex_costs.begin(), vertex_costs.end(), [](double cost) { return cost == 0; });
  if (free_vertices && (mesh.tetrahedra.empty() || mesh.tetrahedra.size() == mesh.elements())) return std::vector<idx_t>(mesh.elements(), 1);
  std::vector<int> elements_of(mesh.vertices.size(), 0);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) ++elements_of[vertex];
  std::vector<double> shared(vertex_costs.begin(), vertex_costs.end());  // the cost of a dependent vertex counts at the vertex that it follows
  if (!free_vertices)
    for (const DependentVertex& dependent : mesh.dependents)
      if (elements_of[dependent.vertex] == 0) shared[dependent.masters[0]] += vertex_costs[dependent.vertex];
  std::vector<double> costs;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    costs.push_back(e < mesh.tetrahedra.size() ? 1 : kShellCost);
    if (!free_vertices)
      for (int vertex : mesh.element(e)) costs.back() += shared[vertex] / elements_of[vertex];
  }
  return whole_weights(costs);
}

Graph dual_graph(const Mesh& mesh, std::span<const double> vertex_costs) {
  idx_t elements = static_cast<idx_t>(mesh.elements());
  idx_t vertices = static_cast<idx_t>(mesh.vertices.size());
  std::vector<idx_t> element_start, element_vertices;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    element_start.push_back(static_cast<idx_t>(element_vertices.size()));
    element_vertices.insert(element_vertices.end(), mesh.corners(e).begin(), mesh.corners(e).end());
  }
  element_start.push_back(static_cast<idx_t>(element_vertices.size()));
  idx_t shared_vertices = 3, numbering = 0;  // for triangles and segments METIS requires all vertices but one instead
  idx_t *start = nullptr, *neighbours = nullptr;
  if (METIS_MeshToDual(&elements, &vertices, element_start.data(), element_vertices.data(), &shared_vertices, &numbering, &start, &neighbours) != METIS_OK)
    throw InputError(mesh.source +
                     ": METIS could not build the dual graph of the mesh, usually because memory ran out; use a machine with more memory or a coarser mesh");
  Graph graph;
  graph.start.assign(start, start + elements + 1);
  graph.neighbours.assign(neighbours, neighbours + start[elements]);
  METIS_Free(start);
  METIS_Free(neighbours);
  graph.vertex_weights = element_weights(mesh, vertex_costs);
  return graph;
}

// The subgraph of the given vertices, renumbered in their order.
Graph induced_subgraph(const Graph& graph, const std::vector<int>& members) {
  std::vector<idx_t> number(static_cast<std::size_t>(graph.size()), -1);
  for (std::size_t i = 0; i < members.size(); ++i) number[members[i]] = static_cast<idx_t>(i);
  Graph result;
  for (int member : members) {
    for (idx_t k = graph.start[member]; k < graph.start[member + 1]; ++k)
      if (number[graph.neighbours[k]] >= 0) result.neighbours.push_back(number[graph.neighbours[k]]);
    result.start.push_back(static_cast<idx_t>(result.neighbours.size()));
    result.vertex_weights.push_back(graph.vertex_weights[member]);
  }
  return result;
}

// The graph whose vertices are the parts, weighted by the cost of their elements; edges are weighted by the number of faces that two parts share.
Graph graph_of_parts(const Graph& dual, const Partition& partition) {
  std::vector<std::map<int, idx_t>> shared_faces(static_cast<std::size_t>(partition.parts));
  Graph result;
  result.vertex_weights.assign(static_cast<std::size_t>(partition.parts), 0);
  for (idx_t element = 0; element < dual.size(); ++element) {
    const int part = partition.element_part[element];
    result.vertex_weights[part] += dual.vertex_weights[element];
    for (idx_t k = dual.start[element]; k < dual.start[element + 1]; ++k) {
      const int other = partition.element_part[dual.neighbours[k]];
      if (other != part) ++shared_faces[part][other];
    }
  }
  for (const auto& row : shared_faces) {
    for (const auto& [other, faces] : row) {
      result.neighbours.push_back(other);
      result.edge_weights.push_back(faces);
    }
    result.start.push_back(static_cast<idx_t>(result.neighbours.size()));
  }
  return result;
}

void require_enough_elements(const Mesh& mesh, int parts) {
  if (parts < 1) throw InputError(fmt::format("cannot make {} parts; ask for at least 1", parts));
  if (static_cast<std::size_t>(parts) > mesh.elements() && mesh.frames.empty())
    throw InputError(fmt::format("{}: the scene has {} elements, fewer than the {} ranks or parts asked for; use at most {}", mesh.source, mesh.elements(),
                                 parts, mesh.elements()));
}

// The number of `pieces` into which each part is cut. Pieces are given out one at a time, to the part whose pieces cost most.
std::vector<int> shares(const Partition& partition, const Graph& dual, int pieces) {
  std::vector<idx_t> size(partition.parts, 0);
  std::vector<int> result(partition.parts, 1);
  for (idx_t element = 0; element < dual.size(); ++element) size[partition.element_part[element]] += dual.vertex_weights[element];
  auto piece_size = [&](int part) { return static_cast<double>(size[part]) / result[part]; };
  std::priority_queue<std::pair<double, int>> largest;
  for (int part = 0; part < partition.parts; ++part) largest.emplace(piece_size(part), part);
  for (int extra = pieces - partition.parts; extra > 0; --extra) {
    const int part = largest.top().second;
    largest.pop();
    ++result[part];
    largest.emplace(piece_size(part), part);
  }
  return result;
}

}  // namespace

Partition partition_elements(const Mesh& mesh, int parts, std::span<const double> vertex_costs) {
  require_enough_elements(mesh, parts);
  if (static_cast<std::size_t>(parts) > mesh.elements()) {  // each rigid body is one element, however it is meshed; parts without elements remain
    Partition partition{parts, std::vector<int>(mesh.elements())};
    std::iota(partition.element_part.begin(), partition.element_part.end(), 0);
    return partition;
  }
  Graph graph = dual_graph(mesh, vertex_costs);
  return {parts, partition_graph(graph, parts)};
}

Partition change_part_count(const Mesh& mesh, const Partition& partition, int parts, std::span<const double> vertex_costs) {
  if (static_cast<std::size_t>(parts) > mesh.elements()) return partition_elements(mesh, parts, vertex_costs);
  if (parts == partition.parts) return partition;
  const Graph dual = dual_graph(mesh, vertex_costs);
  Partition result{parts, partition.element_part};
  if (parts < partition.parts) {
    Graph coarse = graph_of_parts(dual, partition);
    const std::vector<int> united = partition_graph(coarse, parts);
    for (int& part : result.element_part) part = united[part];
    return result;
  }
  const std::vector<int> pieces_of = shares(partition, dual, parts);
  int next_part = 0;
  for (int part = 0; part < partition.parts; ++part) {
    std::vector<int> members;
    for (std::size_t e = 0; e < partition.element_part.size(); ++e)
      if (partition.element_part[e] == part) members.push_back(static_cast<int>(e));
    const int pieces = pieces_of[part];
    Graph graph = induced_subgraph(dual, members);
    const std::vector<int> piece = members.empty() ? std::vector<int>{} : partition_graph(graph, pieces);
    for (std::size_t i = 0; i < members.size(); ++i) result.element_part[members[i]] = next_part + piece[i];
    next_part += pieces;
  }
  return result;
}

std::vector<int> vertex_owners(const Mesh& mesh, const Partition& partition) {
  std::vector<std::vector<int>> parts_of_vertex(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) parts_of_vertex[vertex].push_back(partition.element_part[e]);

  std::vector<int> owned(static_cast<std::size_t>(partition.parts), 0);
  std::vector<int> owners(mesh.vertices.size(), 0);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    std::vector<int>& candidates = parts_of_vertex[v];
    std::sort(candidates.begin(), candidates.end());
    int best = 0;
    std::ptrdiff_t best_count = -1;
    for (auto run = candidates.begin(); run != candidates.end();) {
      const auto next = std::upper_bound(run, candidates.end(), *run);
      const std::ptrdiff_t count = next - run;
      if (count > best_count || (count == best_count && owned[*run] < owned[best])) best = *run, best_count = count;
      run = next;
    }
    owners[v] = best;
    ++owned[best];
  }
  // Dependent vertices that belong to no element are in the part of the first vertex on which they depend.
  for (const DependentVertex& dependent : mesh.dependents)
    if (parts_of_vertex[dependent.vertex].empty()) owners[dependent.vertex] = owners[dependent.masters[0]];
  return owners;
}

}  // namespace traction
