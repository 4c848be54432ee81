// Partitions weighted graphs with METIS. Serial.
#pragma once

#include <metis.h>

#include <array>
#include <span>
#include <vector>

namespace traction {

/// A graph in METIS's compressed form.
struct Graph {
  std::vector<idx_t> start{0};
  std::vector<idx_t> neighbours;
  std::vector<idx_t> vertex_weights;  ///< cost of each vertex; their sum is an idx_t too
  std::vector<idx_t> edge_weights;    ///< empty: all 1
  idx_t size() const { return static_cast<idx_t>(start.size()) - 1; }
};

/// Converts costs to what METIS needs: whole numbers of at least 1 with a sum below 2^31. They are rounded to a thousandth of `unit`, or more coarsely if the
/// sum would be too large.
std::vector<idx_t> whole_weights(std::span<const double> costs, double unit = 1);

/// An edge between two vertices; several between the same two count as one with the sum of their weights.
struct GraphLink {
  std::array<int, 2> ends;  ///< different
  double weight;
};
/// The graph with these edges and with vertices of these costs.
Graph graph_of(std::vector<GraphLink> links, std::span<const double> costs);

/// The part of each vertex, 0 .. parts - 1: parts of about equal cost with few edges between them. Deterministic. Throws InputError when METIS fails.
std::vector<int> partition_graph(Graph& graph, int parts);

}  // namespace traction
