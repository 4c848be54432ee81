// One search for features that may be near each other, by their boxes: what ranks send each other, what is found, and the numbers of points in the outcome.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "contact/feature_search.h"
#include "math/bounding_box.h"
#include "math/box_tree.h"

namespace traction {

/// A vertex, place, edge or triangle of a contact surface, as ranks send it to each other.
struct FeatureSearch::Primitive {
  /// See TurnAt.
  struct Turn {
    std::array<PetscInt, 3> points{-1, -1, -1};
    double weight = 0;
  };
  enum Kind : std::uint8_t { vertex, place, edge, triangle };  // a triangle without a third point is a lone edge that vertices touch
  int surface;
  Kind kind;
  bool is_free;                    // neither driven nor part of an obstacle
  std::array<PetscInt, 3> points;  // global numbers; those of obstacles come after all vertices, -1: none
  int number;                      // index of a vertex or place in its surface's list
  double weight, area, sharpness;
  bool is_lone;
  PetscInt piece;
  std::array<Turn, 2> turns;  // by which an edge turns
  BoundingBox box;
  TriangleBorder border{};

  std::pair<PetscInt, PetscInt> ends() const { return std::minmax(points[0], points[1]); }
};

/// Every vertex is searched on the rank that owns it, each vertex of an obstacle on one of the ranks in turn, every edge on the rank that has it in its
/// surface. A pair of edges that two ranks find belongs to the edge with the lower numbers.
class FeatureSearch::BroadPhase {
 public:
  /// `inflation`: how far the boxes of features reach beyond their paths [m].
  BroadPhase(const FeatureSearch& search, const Paths& paths, double inflation);

  /// What may be near, whether or not it is connected. @collective
  std::shared_ptr<NearbyFeatures> run();

 private:
  void sort_in(const Primitive& candidate);
  void exchange_candidates();
  bool may_touch(const Primitive& a, const Primitive& b) const;
  void find_triangles_near(const Primitive& place, const BoxTree& tree);
  void find_edges_near(int own, const BoxTree& tree);
  void find_pairs();
  bool is_owned(PetscInt point) const;
  void list_wanted_points();
  int number_of_point(PetscInt point) const;
  NearbyFeature feature(const Primitive& primitive) const;
  void fill_outcome();

  int searcher_of(const Primitive& obstacle_vertex) const { return static_cast<int>(obstacle_vertex.points[0] % ranks_); }
  const TurnsAt& turns_of_place(const Primitive& place) const;

  const FeatureSearch& search_;
  int rank_ = 0, ranks_ = 1;
  std::vector<Primitive> bodies_, obstacles_, obstacle_vertices_;
  BoxTree vertex_tree_;                                                 // around the vertices of obstacles
  BoundingBox mine_;                                                    // around all that this rank searches near to
  std::vector<Primitive> triangles_, edges_;                            // candidates that may be near
  std::vector<std::pair<const Primitive*, std::vector<int>>> queries_;  // vertices and places, each with the numbers of triangles
  std::vector<std::array<int, 2>> edge_pairs_;                          // indices into bodies_ and edges_
  std::shared_ptr<NearbyFeatures> result_ = std::make_shared<NearbyFeatures>();
};

}  // namespace traction
