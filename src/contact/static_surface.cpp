#include "contact/static_surface.h"

#include <algorithm>
#include <nanoflann.hpp>

#include "math/box_tree.h"

namespace traction {

struct StaticSurface::Tree {
  struct Centroids {
    std::vector<Vec3> points;

    std::size_t kdtree_get_point_count() const { return points.size(); }
    double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][static_cast<Eigen::Index>(axis)]; }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };
  using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Centroids>, Centroids, 3, std::size_t>;
  Tree(Centroids all, std::vector<BoundingBox> triangles) : centroids(std::move(all)), index(3, centroids), boxes(std::move(triangles)) {}
  Centroids centroids;
  Index index;
  BoxTree boxes;
};

StaticSurface::StaticSurface(const std::vector<Vec3>& points, std::vector<std::array<int, 3>> triangles, ImplicitSurface surface)
    : triangles_(std::move(triangles)), surface_(surface), finder_(surface) {
  const std::vector<char> at_rim = rim_vertices(triangles_, static_cast<int>(points.size()));
  for (const auto& [a, b, c] : triangles_) {
    corners_.push_back({points[a], points[b], points[c]});
    at_rim_.push_back(at_rim[a] || at_rim[b] || at_rim[c] ? 1 : 0);
  }
  Tree::Centroids centroids;
  std::vector<BoundingBox> boxes;
  for (const Corners<double>& corners : corners_) {
    centroids.points.emplace_back((corners[0] + corners[1] + corners[2]) / 3);
    BoundingBox& box = boxes.emplace_back();
    for (const Vec3& corner : corners) box.include(corner);
  }
  tree_ = std::make_unique<Tree>(std::move(centroids), std::move(boxes));
}

StaticSurface::~StaticSurface() = default;

std::vector<int> StaticSurface::near(const Vec3& x) const {
  std::vector<std::pair<std::size_t, double>> matches;
  tree_->index.radiusSearch(x.data(), surface_.reach * surface_.reach, matches, nanoflann::SearchParams(32, 0, false));
  std::vector<int> numbers;
  for (const auto& [triangle, distance] : matches) numbers.push_back(static_cast<int>(triangle));
  std::sort(numbers.begin(), numbers.end());  // the order of the sums depends on the mesh alone
  return numbers;
}

std::vector<std::vector<int>> StaticSurface::sheets(const Vec3& x) const {
  finder_.begin(x, true);
  for (int number : near(x)) finder_.add(number, triangles_[static_cast<std::size_t>(number)], triangle(number));
  finder_.find();
  std::vector<std::vector<int>> result;
  for (int sheet = 0; sheet < finder_.count(); ++sheet) {
    const std::span<const int> numbers = finder_.triangles(sheet);
    result.emplace_back(numbers.begin(), numbers.end());
  }
  return result;
}

bool StaticSurface::has_rim(std::span<const int> triangles) const {
  return std::any_of(triangles.begin(), triangles.end(), [&](int number) { return at_rim_[static_cast<std::size_t>(number)] != 0; });
}

std::vector<std::pair<Crossing, int>> StaticSurface::crossings(const Vec3& from, const Vec3& to) const {
  BoundingBox box;
  box.include(from);
  box.include(to);
  std::vector<std::pair<Crossing, int>> result;
  tree_->boxes.for_each_overlap(box, [&](int number) {
    const Corners<double>& corners = triangle(number);
    if (const auto crossing = find_crossing(from, to, corners, corners)) result.emplace_back(*crossing, number);
  });
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first.part < b.first.part; });
  return result;
}

}  // namespace traction
