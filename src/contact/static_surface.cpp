#include "contact/static_surface.h"

#include <algorithm>
#include <nanoflann.hpp>

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
  explicit Tree(Centroids all) : centroids(std::move(all)), index(3, centroids) {}
  Centroids centroids;
  Index index;
};

StaticSurface::StaticSurface(std::vector<Corners<double>> triangles, ImplicitSurface surface) : triangles_(std::move(triangles)), surface_(surface) {
  Tree::Centroids centroids;
  for (const Corners<double>& corners : triangles_) centroids.points.emplace_back((corners[0] + corners[1] + corners[2]) / 3);
  tree_ = std::make_unique<Tree>(std::move(centroids));
}

StaticSurface::~StaticSurface() = default;

std::vector<Corners<double>> StaticSurface::near(const Vec3& x) const {
  std::vector<std::pair<std::size_t, double>> matches;
  tree_->index.radiusSearch(x.data(), surface_.reach * surface_.reach, matches, nanoflann::SearchParams(32, 0, false));
  std::sort(matches.begin(), matches.end());  // a sum in an order that depends on the mesh alone
  std::vector<Corners<double>> result;
  for (const auto& [triangle, distance] : matches) result.push_back(triangles_[triangle]);
  return result;
}

}  // namespace traction
