// Graphs whose best partition is known.
#include "mesh_partition/partition_graph.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

// Two rings of vertices that weak links connect all along: as two cloths that lie on each other.
std::vector<GraphLink> two_rings(int length, double along, double across) {
  std::vector<GraphLink> links;
  for (int i = 0; i < length; ++i) {
    for (const int ring : {0, 1}) links.push_back({{ring * length + i, ring * length + (i + 1) % length}, along});
    links.push_back({{i, length + i}, across});
  }
  return links;
}

double cut(const std::vector<GraphLink>& links, const std::vector<int>& part) {
  double sum = 0;
  for (const GraphLink& link : links)
    if (part[static_cast<std::size_t>(link.ends[0])] != part[static_cast<std::size_t>(link.ends[1])]) sum += link.weight;
  return sum;
}

TEST(PartitionGraph, CutsWhereLinksAreWeak) {
  const std::vector<double> costs(80, 2.5);
  for (const double across : {1e-3, 10.0}) {
    const std::vector<GraphLink> links = two_rings(40, 1, across);
    Graph graph = graph_of(links, costs);
    const std::vector<int> part = partition_graph(graph, 2);
    EXPECT_EQ(std::count(part.begin(), part.end(), 0), 40);
    EXPECT_LE(cut(links, part), 4.0) << across;  // the rings apart: 40 weak links; across both: twice two links of 1
  }
}

TEST(PartitionGraph, BalancesCosts) {
  std::vector<double> costs(60, 1);
  for (std::size_t i = 0; i < 20; ++i) costs[i] = 10;
  std::vector<GraphLink> links;
  for (int i = 0; i + 1 < 60; ++i) links.push_back({{i, i + 1}, 1});
  Graph graph = graph_of(links, costs);
  const std::vector<int> part = partition_graph(graph, 2);
  double first = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) first += part[i] == 0 ? costs[i] : 0;
  EXPECT_NEAR(first, 120, 10);
  EXPECT_EQ(cut(links, part), 1);
}

TEST(PartitionGraph, AddsUpLinksBetweenTheSameVertices) {
  const std::vector<double> costs(3, 1);
  const Graph graph = graph_of({{{0, 1}, 1}, {{1, 0}, 2}, {{1, 2}, 6}}, costs);
  EXPECT_EQ(graph.start, (std::vector<idx_t>{0, 1, 3, 4}));
  EXPECT_EQ(graph.neighbours, (std::vector<idx_t>{1, 0, 2, 1}));
  EXPECT_NEAR(2 * graph.edge_weights[0], graph.edge_weights[2], 2);  // rounded to a thousandth of the mean
}

}  // namespace
}  // namespace traction
