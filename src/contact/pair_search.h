// Broad phase of contact: finds which items of a surface (triangles, edges) are near which queries (vertices, edges), on whatever ranks they live.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nanoflann.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contact/work_clock.h"
#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/rendezvous.h"
#include "parallel/scatter.h"
#include "system/state.h"

namespace traction {

/// The outcome of a search.
template <int item_size>
class NearbyItems {
 public:
  /// The items near the k-th query, as indices into items().
  std::span<const int> near(std::size_t k) const { return std::span<const int>(candidates_).subspan(start_[k], start_[k + 1] - start_[k]); }
  /// Index of the k-th query's first item among the candidates.
  std::size_t first(std::size_t k) const { return start_[k]; }
  std::size_t candidates() const { return candidates_.size(); }
  /// The items near any query of this rank, with their vertices as indices into copies().
  const std::vector<std::array<int, item_size>>& items() const { return items_; }
  /// Copies of the vertices of these items.
  const Scatter& copies() const { return *copies_; }
  PetscInt to_global(int copy) const { return vertices_[copy]; }

 private:
  template <int, int>
  friend class PairSearch;
  std::vector<std::size_t> start_;
  std::vector<int> candidates_;
  std::vector<std::array<int, item_size>> items_;
  std::vector<PetscInt> vertices_;  ///< global numbers of the copies
  std::optional<Scatter> copies_;
};

/// Finds all pairs of queries and items whose centroids are closer than reach + margin. The search is repeated only when something has moved so far that a pair
/// within reach could be missing. The pairs within reach, which are all that contact depends on, therefore depend neither on when the search was made nor on
/// the partition of the mesh.
template <int query_size, int item_size>
class PairSearch {
 public:
  using Nearby = NearbyItems<item_size>;
  using Query = std::array<int, query_size>;  ///< local vertices
  using Item = std::array<int, item_size>;

  /// `queries`: this rank's. `items`: each item of the surface on exactly one rank. `reach` [m]. `excluded[k]`: sorted global numbers of vertices whose items
  /// are ignored for queries[k] (self-contact); empty if nothing is excluded.
  PairSearch(std::shared_ptr<const Halo> halo, std::vector<Query> queries, std::vector<Item> items, double reach, std::vector<std::vector<PetscInt>> excluded);

  /// Searches again if necessary. `positions`: of owned and ghost vertices [m]. @collective
  void update(const Field& positions);

  const std::vector<Query>& queries() const { return queries_; }
  const std::vector<Item>& items() const { return items_; }
  const std::vector<int>& watched() const { return watched_; }  ///< vertices of both sides
  /// The outcome of the last search, which later searches do not change.
  const std::shared_ptr<const Nearby>& nearby() const { return nearby_; }
  long searches() const { return searches_; }
  double work_seconds() const { return work_.seconds(); }  ///< this rank's own work in the searches, without waiting [s]

 private:
  static constexpr double kMargin = 0.5;  ///< margin in multiples of the reach; a larger one makes searches rarer and each of them costlier

  /// The data of an item that a rank sends to those that may touch it.
  struct Sample {
    std::array<PetscInt, item_size> vertices;  ///< global numbers
    std::array<double, 3> centroid;

    Vec3 position() const { return Vec3(centroid[0], centroid[1], centroid[2]); }
  };
  /// nanoflann's view of the samples.
  struct Cloud {
    const std::vector<Sample>& samples;

    std::size_t kdtree_get_point_count() const { return samples.size(); }
    double kdtree_get_pt(std::size_t i, std::size_t axis) const { return samples[i].centroid[axis]; }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::size_t>;

  template <std::size_t size>
  static Vec3 centroid(const Field& positions, const std::array<int, size>& vertices) {
    Vec3 sum = positions[vertices[0]];
    for (std::size_t a = 1; a < size; ++a) sum += positions[vertices[a]];
    return sum / static_cast<double>(size);
  }
  double moved(const Field& positions) const;
  void search(const Field& positions);
  /// The samples that may be near a query of this rank, in an order that does not depend on the sending ranks. @collective
  std::vector<Sample> collect(const Field& positions, double radius) const;
  /// Keeps the items that are near a query, and copies their vertices. `found`: indices into `samples`, for all queries one after the other. @collective
  void keep(const std::vector<Sample>& samples, const std::vector<std::size_t>& found, Nearby& result) const;

  std::shared_ptr<const Halo> halo_;
  std::vector<Query> queries_;
  std::vector<Item> items_;
  double reach_, margin_;
  std::vector<std::vector<PetscInt>> excluded_;
  std::vector<int> watched_;
  std::optional<Field> searched_at_;
  std::shared_ptr<const Nearby> nearby_;
  long searches_ = 0;
  mutable WorkClock work_;
};

template <int query_size, int item_size>
PairSearch<query_size, item_size>::PairSearch(std::shared_ptr<const Halo> halo, std::vector<Query> queries, std::vector<Item> items, double reach,
                                              std::vector<std::vector<PetscInt>> excluded)
    : halo_(std::move(halo)), queries_(std::move(queries)), items_(std::move(items)), reach_(reach), margin_(kMargin * reach), excluded_(std::move(excluded)) {
  // Owners watch ghosts of the surface if these touch one of their items too. Every rank also watches its copies, to be safe about the others.
  for (const Query& query : queries_) watched_.insert(watched_.end(), query.begin(), query.end());
  for (const Item& item : items_) watched_.insert(watched_.end(), item.begin(), item.end());
  std::sort(watched_.begin(), watched_.end());
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
}

template <int query_size, int item_size>
double PairSearch<query_size, item_size>::moved(const Field& positions) const {
  double largest = 0;
  for (int vertex : watched_) largest = std::max(largest, (positions[vertex] - (*searched_at_)[vertex]).squaredNorm());  // NaN is ignored
  return maximum_over_ranks(halo_->communicator(), std::sqrt(largest));
}

template <int query_size, int item_size>
void PairSearch<query_size, item_size>::update(const Field& positions) {
  static const LogEvent event("ContactSearch");
  const LogEvent::Scope timed(event);
  // Two points that move towards each other come closer by twice the displacement of one.
  if (!searched_at_ || 2 * moved(positions) > margin_) search(positions);
}

template <int query_size, int item_size>
std::vector<typename PairSearch<query_size, item_size>::Sample> PairSearch<query_size, item_size>::collect(const Field& positions, double radius) const {
  std::vector<Sample> mine;
  for (const Item& item : items_) {
    Sample& sample = mine.emplace_back();
    for (int a = 0; a < item_size; ++a) sample.vertices[a] = halo_->to_global(item[a]);
    const Vec3 center = centroid(positions, item);
    sample.centroid = {center.x(), center.y(), center.z()};
  }
  BoundingBox box;
  for (const Query& query : queries_) box.include(centroid(positions, query));
  box.grow(radius);
  std::vector<Sample> samples = find_in_box<Sample>(halo_->communicator(), box, mine);
  const WorkClock::Shift shift(work_);
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.vertices < b.vertices; });
  return samples;
}

template <int query_size, int item_size>
void PairSearch<query_size, item_size>::search(const Field& positions) {
  const double radius = reach_ + margin_;
  const std::vector<Sample> samples = collect(positions, radius);
  const auto touches = [](const Sample& sample, const std::vector<PetscInt>& vertices) {
    return std::any_of(sample.vertices.begin(), sample.vertices.end(),
                       [&](PetscInt vertex) { return std::binary_search(vertices.begin(), vertices.end(), vertex); });
  };
  std::vector<std::size_t> found;
  auto result = std::make_shared<Nearby>();
  {
    const WorkClock::Shift shift(work_);
    const Cloud cloud{samples};
    const Tree tree(3, cloud);
    std::vector<std::pair<std::size_t, double>> matches;
    result->start_.assign(1, 0);
    for (std::size_t k = 0; k < queries_.size(); ++k) {
      if (!samples.empty()) {
        const Vec3 x = centroid(positions, queries_[k]);
        tree.radiusSearch(x.data(), radius * radius, matches, nanoflann::SearchParams());
        const std::size_t first = found.size();
        for (const auto& [sample, distance] : matches)
          if (excluded_.empty() || !touches(samples[sample], excluded_[k])) found.push_back(sample);
        std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
      }
      result->start_.push_back(found.size());
    }
  }
  keep(samples, found, *result);
  nearby_ = std::move(result);
  searched_at_ = positions;
  ++searches_;
}

template <int query_size, int item_size>
void PairSearch<query_size, item_size>::keep(const std::vector<Sample>& samples, const std::vector<std::size_t>& found, Nearby& result) const {
  std::vector<PetscInt> vertices;
  {
    const WorkClock::Shift shift(work_);
    std::vector<int> number(samples.size(), -1);
    for (std::size_t sample : found) {
      if (number[sample] >= 0) continue;
      number[sample] = static_cast<int>(result.items_.size());
      result.items_.emplace_back();
      vertices.insert(vertices.end(), samples[sample].vertices.begin(), samples[sample].vertices.end());
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (std::size_t sample : found) {
      result.candidates_.push_back(number[sample]);
      for (int a = 0; a < item_size; ++a)
        result.items_[number[sample]][a] = static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), samples[sample].vertices[a]) - vertices.begin());
    }
  }
  result.copies_.emplace(*halo_, vertices, 3);
  result.vertices_ = std::move(vertices);
}

}  // namespace traction
