// Finds which of many boxes overlap another, while boxes grow and move.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "math/bounding_box.h"

namespace traction {

/// A hierarchy of boxes, built in n log n. A box that changes enlarges those around it, so that nothing is missed and only speed is lost until the next build.
class GrowingTree {
 public:
  GrowingTree() = default;
  explicit GrowingTree(std::vector<BoundingBox> boxes) : boxes_(std::move(boxes)), leaf_of_(boxes_.size()) {
    std::vector<int> order(boxes_.size());
    std::iota(order.begin(), order.end(), 0);
    nodes_.reserve(2 * boxes_.size());
    if (!order.empty()) build(order, 0, order.size(), -1);
  }

  std::size_t size() const { return boxes_.size(); }
  const BoundingBox& box(int number) const { return boxes_[static_cast<std::size_t>(number)]; }
  void change(int number, const BoundingBox& box) {
    boxes_[static_cast<std::size_t>(number)] = box;
    for (int node = leaf_of_[static_cast<std::size_t>(number)]; node >= 0; node = at(node).parent) {
      BoundingBox& around = at(node).box;
      around.lower = around.lower.cwiseMin(box.lower);
      around.upper = around.upper.cwiseMax(box.upper);
    }
  }
  /// Calls action(number) for every box that overlaps this one.
  template <typename Action>
  void for_each_overlap(const BoundingBox& box, Action action) const {
    if (nodes_.empty()) return;
    std::vector<int> open{0};
    while (!open.empty()) {
      const Node& node = nodes_[static_cast<std::size_t>(open.back())];
      open.pop_back();
      if (!box.intersects(node.box)) continue;
      if (node.item >= 0) {
        if (box.intersects(this->box(node.item))) action(node.item);
        continue;
      }
      open.push_back(node.children[0]);
      open.push_back(node.children[1]);
    }
  }

 private:
  struct Node {
    BoundingBox box;
    int parent, item = -1;  ///< item: the number of a leaf's box
    int children[2] = {-1, -1};
  };
  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
  int build(std::vector<int>& order, std::size_t begin, std::size_t end, int parent) {
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, parent});
    BoundingBox all, centers;
    for (std::size_t i = begin; i < end; ++i) {
      const BoundingBox& box = this->box(order[i]);
      all.include(box.lower);
      all.include(box.upper);
      centers.include(center(order[i]));
    }
    at(node).box = all;
    if (end - begin == 1) {
      at(node).item = order[begin];
      leaf_of_[static_cast<std::size_t>(order[begin])] = node;
      return node;
    }
    int axis = 0;
    (centers.upper - centers.lower).maxCoeff(&axis);
    const std::size_t middle = (begin + end) / 2;
    std::nth_element(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(middle),
                     order.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](int a, int b) { return std::pair(center(a)[axis], a) < std::pair(center(b)[axis], b); });
    const int first = build(order, begin, middle, node), second = build(order, middle, end, node);
    at(node).children[0] = first;
    at(node).children[1] = second;
    return node;
  }
  Vec3 center(int number) const { return (box(number).lower + box(number).upper) / 2; }

  std::vector<BoundingBox> boxes_;
  std::vector<int> leaf_of_;
  std::vector<Node> nodes_;
};

}  // namespace traction
