// The smooth implicit surface of an obstacle's mesh, which every rank has as a whole.
#pragma once

#include <memory>
#include <vector>

#include "contact/implicit_surface.h"

namespace traction {

class StaticSurface {
 public:
  // `triangles`: corners where the obstacle is at time 0 [m], normals out of it.
  StaticSurface(std::vector<Corners<double>> triangles, ImplicitSurface surface);
  ~StaticSurface();
  StaticSurface(const StaticSurface&) = delete;
  StaticSurface& operator=(const StaticSurface&) = delete;

  const ImplicitSurface& surface() const { return surface_; }
  // Those whose centroids are within reach of x.
  std::vector<Corners<double>> near(const Vec3& x) const;

 private:
  struct Tree;
  std::vector<Corners<double>> triangles_;
  ImplicitSurface surface_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace traction
