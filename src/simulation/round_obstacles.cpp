#include "simulation/round_obstacles.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "errors.h"
#include "mesh/body_summary.h"
#include "mesh/read_mesh.h"
#include "simulation/contact_pairs.h"
#include "simulation/touch_at_start.h"

namespace traction {

namespace {

constexpr double kAside = 1e-3;  // distance of further lines from a cylinder's axis, relative to its radius

// A point of the obstacle's middle that lies in the body.
std::optional<Vec3> middle_inside(const SphereSettings& sphere, const Mesh& body) {
  const Overlap overlap = deepest_overlap(body.start(), boundary_faces(body), {sphere.center});
  if (sphere.inside || overlap.depth == 0) return {};
  return overlap.at;
}

// Any line in the cylinder will do that is parallel to its axis. The axis itself may pass exactly through edges of the body, where it crosses no triangle.
std::optional<Vec3> middle_inside(const CylinderSettings& cylinder, const Mesh& body) {
  if (cylinder.inside) return {};
  Eigen::AlignedBox3d extent;
  for (const Vec3& x : body.start()) extent.extend(x);
  const Vec3 axis = cylinder.axis.normalized(), nearest = cylinder.point + axis.dot(extent.center() - cylinder.point) * axis;
  const Vec3 across = axis.unitOrthogonal(), beyond = extent.diagonal().norm() * axis;
  std::vector<Vec3> ends;
  std::vector<std::array<int, 2>> lines;
  for (const double angle : {0.0, 1.0, 3.0, 5.0}) {
    const Vec3 aside = angle == 0.0 ? Vec3(Vec3::Zero()) : Vec3(kAside * cylinder.radius * (Eigen::AngleAxisd(angle, axis) * across));
    lines.push_back({static_cast<int>(ends.size()), static_cast<int>(ends.size()) + 1});
    ends.insert(ends.end(), {nearest + aside - beyond, nearest + aside + beyond});
  }
  return find_crossing(body.start(), boundary_faces(body), ends, lines);
}

}  // namespace

void refuse_round_obstacles_in_bodies(const Scene& scene, const MeshPlan& plan) {
  const auto refuse = [&](const BodyMesh& body, const Obstacle& obstacle, const std::string& source) {
    if (body.mesh.tetrahedra.empty()) return;
    std::optional<Vec3> at;
    double diameter = 0;
    if (const auto* sphere = std::get_if<SphereSettings>(&obstacle.shape)) at = middle_inside(*sphere, body.mesh), diameter = 2 * sphere->radius;
    if (const auto* cylinder = std::get_if<CylinderSettings>(&obstacle.shape)) at = middle_inside(*cylinder, body.mesh), diameter = 2 * cylinder->radius;
    if (!at) return;
    Eigen::AlignedBox3d extent;
    for (const Vec3& x : body.mesh.start()) extent.extend(x);
    const double size = extent.sizes().maxCoeff();
    const std::string doubt = size < diameter ? remedy_of_inside(body.name, obstacle.name) : doubt_about_units(body.name, size, obstacle.name, diameter, true);
    throw InputError(
        fmt::format("{}: at the start the middle of {} lies in {} at ({:.6g}, {:.6g}, {:.6g}); move them apart, by the contact's thickness at least{}", source,
                    obstacle.name, body.name, at->x(), at->y(), at->z(), doubt));
  };
  const RemainingPairs remaining(scene);
  for (const ContactSettings& contact : scene.contacts) {
    const auto* named = contact.all ? nullptr : std::get_if<std::string>(&contact.against);
    if (!contact.all && !named) continue;
    for (const BodyMesh& body : plan.bodies)
      for (const Obstacle& obstacle : scene.obstacles)
        if (contact.all ? remaining(body.name, obstacle.name) : body.name == contact.vertices.body && obstacle.name == *named)
          refuse(body, obstacle, contact.source.text);
  }
}

}  // namespace traction
