#include "mesh_partition/partition_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "errors.h"

namespace traction {

std::vector<idx_t> whole_weights(std::span<const double> costs, double unit) {
  constexpr double kFinest = 1000, kLargestSum = 1 << 30;
  const double sum = std::accumulate(costs.begin(), costs.end(), 0.0), scale = std::min(kFinest / unit, kLargestSum / std::max(sum, unit));
  std::vector<idx_t> weights;
  for (const double cost : costs) weights.push_back(static_cast<idx_t>(std::max(1.0, std::round(scale * cost))));
  return weights;
}

Graph graph_of(std::vector<GraphLink> links, std::span<const double> costs) {
  const std::size_t given = links.size();
  for (std::size_t i = 0; i < given; ++i) links.push_back({{links[i].ends[1], links[i].ends[0]}, links[i].weight});
  std::sort(links.begin(), links.end(), [](const GraphLink& a, const GraphLink& b) { return a.ends < b.ends; });
  Graph graph;
  std::vector<double> weights;
  auto next = links.begin();
  for (int vertex = 0; vertex < static_cast<int>(costs.size()); ++vertex) {
    while (next != links.end() && next->ends[0] == vertex) {
      const int other = next->ends[1];
      double weight = 0;
      for (; next != links.end() && next->ends == std::array{vertex, other}; ++next) weight += next->weight;
      graph.neighbours.push_back(other);
      weights.push_back(weight);
    }
    graph.start.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  const auto mean = [](std::span<const double> values) {
    return values.empty() ? 1 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  graph.edge_weights = whole_weights(weights, mean(weights));
  graph.vertex_weights = whole_weights(costs, mean(costs));
  return graph;
}

std::vector<int> partition_graph(Graph& graph, int parts) {
  std::vector<idx_t> part(static_cast<std::size_t>(graph.size()), 0);
  if (parts == 1) return {part.begin(), part.end()};
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  idx_t size = graph.size(), constraints = 1, count = parts, cut = 0;
  const int status =
      METIS_PartGraphKway(&size, &constraints, graph.start.data(), graph.neighbours.data(), graph.vertex_weights.data(), nullptr,
                          graph.edge_weights.empty() ? nullptr : graph.edge_weights.data(), &count, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK) throw InputError(fmt::format("METIS failed to make {} parts of {} elements", parts, graph.size()));
  return {part.begin(), part.end()};
}

}  // namespace traction
