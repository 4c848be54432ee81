// Finds where things that move only as prescribed run into each other. Contact moves neither of them, so they pass through each other.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contact/feature_search.h"
#include "contact/gap_functions.h"

namespace traction {

/// Finds and names the things that meet although both only move as prescribed.
class PrescribedMeetings {
 public:
  /// Vertices of a body that are always driven, and an obstacle that has gap functions.
  struct Vertices {
    std::string body, obstacle;
    std::vector<int> vertices;  ///< owned
    double offset = 0;          ///< how far the body's surface is from them [m]
    std::vector<GapFunction> gaps;
    Motion motion;  ///< the obstacle's
  };
  /// Two things that run into each other, and where.
  struct Meeting {
    std::string first, second;
    Vec3 place;  ///< [m]
  };

  /// `search`: a search over surfaces that are always driven, with Driven::among_themselves. `names`: one for each of its surfaces. `thickness`: the
  /// contact's [m].
  PrescribedMeetings(std::string contact, double thickness, FeatureSearch search, std::vector<std::string> names, std::vector<Vertices> vertices)
      : contact_(std::move(contact)), thickness_(thickness), search_(std::move(search)), names_(std::move(names)), vertices_(std::move(vertices)) {}

  /// The pairs that are apart at the start of a step and touch, or pass through each other, before its end; each pair is found once. @collective
  std::vector<Meeting> find(const State& start, const State& end);
  /// Returns a warning for each pair that find() finds. @collective
  std::vector<std::string> warnings(const State& start, const State& end);

 private:
  void find_features(const State& start, const State& end, std::vector<Meeting>& found);
  void find_vertices(const State& start, const State& end, std::vector<Meeting>& found);
  /// Where a vertex and a triangle, or two edges, come to touch on straight paths; nothing if they do not, or have touched at the start.
  std::optional<Vec3> meeting(const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to, int first_side, double offset) const;

  std::string contact_;
  double thickness_;
  FeatureSearch search_;
  std::vector<std::string> names_;
  std::vector<Vertices> vertices_;
  std::set<std::pair<std::string, std::string>> found_;
};

}  // namespace traction
