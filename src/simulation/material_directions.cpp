#include "simulation/material_directions.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "elements/membrane_element.h"
#include "errors.h"

namespace traction {

namespace {

constexpr double kNearAxis = 1e-6;  // distance of an element's middle from an axis, relative to its size
constexpr double kInPlane = 1e-3;   // least part of a direction in the plane of a shell

template <std::size_t N>
Vec3 middle_of(const std::array<Vec3, N>& corners) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& corner : corners) sum += corner;
  return sum / static_cast<double>(N);
}

template <std::size_t N>
std::array<Vec3, N> corners_of(const std::vector<Vec3>& vertices, const int* numbers) {
  std::array<Vec3, N> corners;
  for (std::size_t a = 0; a < N; ++a) corners[a] = vertices[static_cast<std::size_t>(numbers[a])];
  return corners;
}

Vec3 placed_direction(const MaterialDirection& direction, const Placement& placement, const Vec3& point) {
  return placement.turned(direction.at(placement.origin_of(point)));
}

template <std::size_t N>
void check_direction(const MaterialDirection& direction, const std::array<Vec3, N>& corners, const std::string& where, const Mesh& mesh) {
  const Vec3 middle = middle_of(corners);
  const auto refuse = [&](const char* what) {
    throw InputError(fmt::format("{}: the element of {} at ({:.6g}, {:.6g}, {:.6g}) {}", where, mesh.source, middle.x(), middle.y(), middle.z(), what));
  };
  if (direction.axis && direction.axis->cross(middle - direction.through).norm() <= kNearAxis * (corners[0] - middle).norm())
    refuse("lies on the axis, where nothing is circumferential or radial; move the axis by `through`, or leave out the core of the body");
  if constexpr (N == 3) {
    const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    if (normal.cross(direction.at(middle)).norm() < kInPlane)
      refuse("is orthogonal to the direction, which has no part in its plane; choose another direction");
  }
}

}  // namespace

std::vector<FibreFamily<double>> fibres_of(const DistributedMesh& mesh, const SceneMaterials& materials, int tetrahedron) {
  const auto e = static_cast<std::size_t>(tetrahedron);
  const SolidMaterialSettings& material = *materials.solid[e];
  if (material.fibres.empty()) return {};
  const int* corners = mesh.is_part(tetrahedron) ? mesh.quadratics[static_cast<std::size_t>(mesh.quadratic_of[e])].vertices.data() : mesh.tetrahedra[e].data();
  const Vec3 middle = middle_of(corners_of<4>(mesh.vertices, corners));
  std::vector<FibreFamily<double>> families;
  for (const FibreSettings& family : material.fibres)
    families.push_back(FibreFamily<double>::from(family, placed_direction(family, materials.placement_of(material), middle)));
  return families;
}

Eigen::Vector2d direction_in_plane(const MaterialDirection& direction, const Placement& placement, const std::array<Vec3, 3>& rest) {
  return (RestTriangle(rest).axes.transpose() * placed_direction(direction, placement, middle_of(rest))).normalized();
}

void check_material_directions(const Mesh& mesh, const Body& body) {
  for (const auto& [name, material] : body.solid)
    for (const FibreSettings& family : material.fibres)
      for (const int e : mesh.find_region(name)->members)
        check_direction(family, corners_of<4>(mesh.vertices, mesh.tetrahedra[static_cast<std::size_t>(e)].data()), material.source.text + ".fibres", mesh);
  for (const auto& [name, material] : body.shell)
    for (const int t : mesh.find_region(name)->members) {
      const std::array<Vec3, 3> corners = corners_of<3>(mesh.vertices, mesh.triangles[static_cast<std::size_t>(t)].data());
      for (const CordSettings& cords : material.cords) check_direction(cords, corners, material.source.text + ".cords", mesh);
      if (material.warp) check_direction(*material.warp, corners, material.source.text + ".warp", mesh);
    }
}

}  // namespace traction
