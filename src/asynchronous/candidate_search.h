// The broad phase of asynchronous contact: which features may come near each other until the end of a window of time.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "asynchronous/closest_pair.h"
#include "asynchronous/contact_setup.h"
#include "asynchronous/growing_tree.h"

namespace traction {

/// A vertex and a triangle, or two edges, of two surfaces that touch, or of one that touches itself.
struct Candidate {
  PairKind kind;
  std::array<int, 4> points;
  int first_surface, second_surface;
  std::uint64_t key;  ///< a number below 2^62 that no other candidate has, the same whenever it is found
};

/// Every point has a box that it does not leave until the window's end, or until change_point(). Features have the boxes around those of their points.
class CandidateSearch {
 public:
  explicit CandidateSearch(const ContactSetup& setup, int points);

  /// `box_of(point)`, with a margin so that features whose boxes do not overlap are farther apart than any contact reaches. Calls found(candidate) for each
  /// pair.
  using BoxOf = std::function<BoundingBox(int)>;
  using Found = std::function<void(const Candidate&)>;
  void start(const BoxOf& box_of, const Found& found);
  /// Called when the box of a point has changed. Calls found(candidate) for pairs that are new.
  void change_point(int point, const BoxOf& box_of, const Found& found);
  /// Calls found(vertices of an edge, of a triangle) for those that may meet and whose boxes overlap.
  void for_each_edge_and_triangle(const std::function<void(const std::array<int, 2>&, const std::array<int, 3>&)>& found) const;

 private:
  struct Feature {
    std::array<int, 3> points{-1, -1, -1};
    int size, surface;
  };
  enum Set { vertices, edges, triangles };

  BoundingBox box(const Feature& feature, const BoxOf& box_of) const;
  void find(Set set, int number, bool all, const Found& found);
  void meet(Set set, int first, int second, const Found& found);
  /// Whether two features touch if they come near each other: they share no vertex and are no neighbours at rest.
  bool may_meet(Set set, const Feature& a, const Feature& b) const;

  const ContactSetup& setup_;
  std::array<std::vector<Feature>, 3> features_;
  std::array<GrowingTree, 3> trees_;
  std::vector<std::vector<std::pair<Set, int>>> around_;  ///< the features of each point
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace traction
