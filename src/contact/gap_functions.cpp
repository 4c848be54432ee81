#include "contact/gap_functions.h"

#include <limits>

namespace traction {

namespace {

std::vector<GapFunction> of(const PlaneSettings& plane) { return {PlaneGap{plane.point, plane.normal}}; }

std::vector<GapFunction> of(const SphereSettings& sphere) { return {SphereGap{sphere.center, sphere.radius, sphere.inside ? -1.0 : 1.0}}; }

std::vector<GapFunction> of(const CylinderSettings& cylinder) {
  return {CylinderGap{cylinder.point, cylinder.axis, cylinder.radius, cylinder.inside ? -1.0 : 1.0}};
}

std::vector<GapFunction> of(const BoxSettings& box) {
  if (!box.inside) return {BoxGap{0.5 * (box.lower + box.upper), 0.5 * (box.upper - box.lower)}};
  std::vector<GapFunction> walls;
  for (int i = 0; i < 3; ++i) {
    walls.push_back(PlaneGap{box.lower, Vec3::Unit(i)});
    walls.push_back(PlaneGap{box.upper, -Vec3::Unit(i)});
  }
  return walls;
}

std::vector<GapFunction> of(const MeshObstacleSettings&) { return {}; }

constexpr double kEndless = std::numeric_limits<double>::infinity();

double depth(const PlaneGap&) { return kEndless; }
double depth(const SphereGap& sphere) { return sphere.sign > 0 ? sphere.radius : kEndless; }
double depth(const CylinderGap& cylinder) { return cylinder.sign > 0 ? cylinder.radius : kEndless; }
double depth(const BoxGap& box) { return box.half.minCoeff(); }
double depth(const MeshGap& mesh) { return 0.4 * mesh.surface->surface().reach; }  // depth of the region behind the surface in which the gap is negative

}  // namespace

double depth_of(const GapFunction& gap) {
  return 0.5 * std::visit([](const auto& shape) { return depth(shape); }, gap);
}

std::vector<GapFunction> gap_functions(const Obstacle& obstacle) {
  return std::visit([](const auto& shape) { return of(shape); }, obstacle.shape);
}

}  // namespace traction
