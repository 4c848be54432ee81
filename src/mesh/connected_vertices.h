// Connected components of a graph.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace traction {

/// Vertices that are connected, directly or by way of others, have the same root.
class ConnectedVertices {
 public:
  explicit ConnectedVertices(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int vertex) {
    while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
    return vertex;
  }
  void connect(int a, int b) { parent_[root(a)] = root(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace traction
