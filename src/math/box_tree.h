// Finds which of many boxes overlap another.
#pragma once

#include <Eigen/Geometry>
#include <unsupported/Eigen/BVH>
#include <vector>

#include "math/bounding_box.h"

namespace traction {

/// A hierarchy of boxes, built in n log n.
class BoxTree {
 public:
  explicit BoxTree(std::vector<BoundingBox> boxes) : boxes_(std::move(boxes)) {
    std::vector<int> numbers;
    std::vector<Box> aligned;
    for (const BoundingBox& box : boxes_) {
      numbers.push_back(static_cast<int>(numbers.size()));
      aligned.emplace_back(box.lower, box.upper);
    }
    tree_.init(numbers.begin(), numbers.end(), aligned.begin(), aligned.end());
  }

  /// Calls action(number) for every box that overlaps this one.
  template <typename Action>
  void for_each_overlap(const BoundingBox& box, Action action) const {
    Overlaps<Action> overlaps{box, Box(box.lower, box.upper), boxes_, action};
    Eigen::BVIntersect(tree_, overlaps);
  }

 private:
  using Box = Eigen::AlignedBox<double, 3>;
  template <typename Action>
  struct Overlaps {
    const BoundingBox& box;
    Box aligned;
    const std::vector<BoundingBox>& boxes;
    Action& action;

    bool intersectVolume(const Box& volume) const { return aligned.intersects(volume); }
    bool intersectObject(int number) {
      if (box.intersects(boxes[static_cast<std::size_t>(number)])) action(number);
      return false;
    }
  };

  std::vector<BoundingBox> boxes_;
  Eigen::KdBVH<double, 3, int> tree_;
};

}  // namespace traction
