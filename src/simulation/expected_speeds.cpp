#include "simulation/expected_speeds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "parallel/collective.h"
#include "scene/strained_start.h"
#include "simulation/known_pulls.h"
#include "simulation/obstacle_mesh.h"

namespace traction {

namespace {

const std::vector<Vec3>& start_of(const DistributedMesh& mesh) { return mesh.start_positions.empty() ? mesh.vertices : mesh.start_positions; }

// The places at which this rank's vertices start [m]. The twists of rods are left out, as they are at no place.
std::vector<Vec3> starts_of(const DistributedMesh& mesh) {
  std::vector<Vec3> places;
  for (int i = 0; i < mesh.halo->owned(); ++i)
    if (!std::binary_search(mesh.twists.begin(), mesh.twists.end(), i)) places.push_back(start_of(mesh)[i]);
  return places;
}

// The place farthest from a point, among those of all ranks; if several are equally far, the first of them. Collective.
Vec3 farthest_from(const Vec3& point, const std::vector<Vec3>& places, MPI_Comm communicator) {
  std::array<double, 4> own{-1, 0, 0, 0};  // distance, position
  for (const Vec3& place : places)
    if (const double distance = (place - point).norm(); distance > own[0]) own = {distance, place.x(), place.y(), place.z()};
  const std::vector<double> all = concatenated_over_ranks(communicator, own);
  std::size_t best = 0;
  for (std::size_t rank = 0; rank < all.size(); rank += 4)
    if (all[rank] > all[best]) best = rank;
  return {all[best + 1], all[best + 2], all[best + 3]};
}

double largest_distance(const std::vector<Vec3>& places, const Vec3& from) {
  double largest = 0;
  for (const Vec3& place : places) largest = std::max(largest, (place - from).norm());
  return largest;
}

// The largest distance of an obstacle's points from a place, or for an endless one of the points at which it can meet the bodies where these start [m].
// Collective.
double reach_of(const Obstacle& obstacle, const Vec3& from, const DistributedMesh& mesh) {
  const MPI_Comm communicator = mesh.halo->communicator();
  const auto reach_of_bodies = [&] { return maximum_over_ranks(communicator, largest_distance(starts_of(mesh), from)); };
  return std::visit(
      [&](const auto& shape) -> double {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, BoxSettings>) return largest_distance(box_mesh(shape).vertices, from);
        else if constexpr (std::is_same_v<Shape, SphereSettings>) return (shape.center - from).norm() + shape.radius;
        else if constexpr (std::is_same_v<Shape, CylinderSettings>)
          return std::max(shape.axis.normalized().cross(from - shape.point).norm() + shape.radius, reach_of_bodies());
        else if constexpr (std::is_same_v<Shape, MeshObstacleSettings>) return largest_distance(obstacle_mesh(communicator, shape).vertices, from);
        else return reach_of_bodies();
      },
      obstacle.shape);
}

// The largest distance of a body's vertices from a place where the body starts [m]. Collective.
double reach_of(const Body& body, const Vec3& from, const DistributedMesh& mesh) {
  double largest = 0;
  for (const int vertex : mesh.region(body.name).vertices) largest = std::max(largest, (start_of(mesh)[vertex] - from).norm());
  return maximum_over_ranks(mesh.halo->communicator(), largest);
}

// The largest speed of driven regions and obstacles [m/s]. Collective.
double largest_driven_speed(const Scene& scene, const DistributedMesh& mesh) {
  double largest = 0;
  const auto add = [&](const auto& thing, const Motion& motion) {
    largest = std::max(largest, largest_speed(motion, scene.time.end, [&](const Vec3& center) { return reach_of(thing, center, mesh); }));
  };
  for (const Obstacle& obstacle : scene.obstacles) add(obstacle, obstacle.motion);
  for (const Body& body : scene.bodies)
    for (const DrivenSettings& driven : body.driven) add(body, driven.motion);
  return largest;
}

// How far a point may fall onto a plane, where `up` is against gravity [m]; minus infinity for walls and ceilings.
double height_above(const PlaneSettings& plane, const Vec3& x, const Vec3& up) {
  constexpr double kWall = 0.1;  // cosine
  const double slope = plane.normal.normalized().dot(up);
  return slope > kWall ? plane.normal.normalized().dot(x - plane.point) / slope : -std::numeric_limits<double>::infinity();
}

double lowest_of(const std::vector<Vec3>& points, const Vec3& up) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& point : points) lowest = std::min(lowest, point.dot(up));
  return lowest;
}

// The largest height from which a vertex may fall onto an obstacle [m]. Collective.
double largest_fall(const Scene& scene, const DistributedMesh& mesh) {
  if (scene.gravity.norm() == 0) return 0;
  const Vec3 up = -scene.gravity.normalized();
  const std::vector<Vec3> starts = starts_of(mesh);
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, largest = 0;
  for (const Obstacle& obstacle : scene.obstacles)
    std::visit(
        [&](const auto& shape) {
          using Shape = std::decay_t<decltype(shape)>;
          if constexpr (std::is_same_v<Shape, BoxSettings>) lowest = std::min(lowest, lowest_of(box_mesh(shape).vertices, up));
          else if constexpr (std::is_same_v<Shape, SphereSettings>) lowest = std::min(lowest, shape.center.dot(up) - shape.radius);
          else if constexpr (std::is_same_v<Shape, CylinderSettings>) lowest = std::min(lowest, shape.point.dot(up) - shape.radius);
          else if constexpr (std::is_same_v<Shape, MeshObstacleSettings>)
            lowest = std::min(lowest, lowest_of(obstacle_mesh(mesh.halo->communicator(), shape).vertices, up));
          else
            for (const Vec3& start : starts) largest = std::max(largest, height_above(shape, start, up));
        },
        obstacle.shape);
  for (const Vec3& start : starts) highest = std::max(highest, start.dot(up));
  return maximum_over_ranks(mesh.halo->communicator(), std::max(largest, highest - lowest));
}

bool has_unknown_speeds(const Scene& scene) {
  if (!scene.springs.empty()) return true;
  for (const JointSettings& joint : scene.joints)
    if (joint.spring || (joint.motor && !joint.motor->torque && !joint.motor->force)) return true;
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) {
    return !body.volumes.empty() || may_start_strained(body) || std::any_of(body.loads.begin(), body.loads.end(), [&](const LoadSettings& load) {
      return !body.rigid || (load.kind != LoadKind::force && load.kind != LoadKind::torque);
    });
  });
}

}  // namespace

double largest_speed(const Motion& motion, double end, const std::function<double(const Vec3&)>& reach) {
  std::vector<double> speeds;
  for (const MotionSettings& each : motion)
    speeds.push_back(each.velocity.norm() + (each.angular_velocity.isZero(0) ? 0 : each.angular_velocity.norm() * reach(each.about)));
  double largest = 0;
  for (const MotionSettings& last : motion) {  // the one that begins last of those that act together
    if (last.start >= end) continue;
    double speed = 0;
    for (std::size_t i = 0; i < motion.size(); ++i)
      if (motion[i].start <= last.start && motion[i].stop.value_or(end) > last.start) speed += speeds[i];
    largest = std::max(largest, speed);
  }
  return largest;
}

Expected expected_in(const Scene& scene, const DistributedMesh& mesh) {
  const std::vector<Vec3> starts = starts_of(mesh);
  const MPI_Comm communicator = mesh.halo->communicator();
  std::array<double, 4> sums{};  // coordinates of owned vertices, and their number
  for (const Vec3& start : starts) {
    for (int j = 0; j < 3; ++j) sums[j] += start[j];
    sums[3] += 1;
  }
  sum_over_ranks(communicator, sums);
  // The size is the distance from the outermost vertex to the one farthest from it. It depends neither on the axes nor on how fine the mesh is in places.
  const Vec3 outermost = farthest_from(Vec3(sums[0], sums[1], sums[2]) / sums[3], starts, communicator);
  const double size = (farthest_from(outermost, starts, communicator) - outermost).norm();
  double speed = std::sqrt(2 * largest_gravity(scene) * size);
  for (const Body& body : scene.bodies) speed = std::max(speed, body.initial.velocity.norm());
  return {size, speed};
}

std::optional<double> impact_speed(const Scene& scene, const DistributedMesh& mesh, const Expected& expected) {
  if (has_unknown_speeds(scene)) return {};
  const double fall = std::max(expected.size, largest_fall(scene, mesh));
  double speed = std::max(expected.speed, std::sqrt(2 * largest_gravity(scene) * fall)), spin = 0;
  auto frame = mesh.frames.begin();
  for (const Body& body : scene.bodies) {
    const double reach = body.rigid ? frame->reach : expected.size;
    spin = std::max(spin, body.initial.angular_velocity.norm() * reach);
    if (!body.rigid) continue;
    speed = std::max(speed, std::sqrt(2 * known_pull_on(scene, body, reach) * expected.size / frame->mass));
    ++frame;
  }
  const double all = speed + spin + largest_driven_speed(scene, mesh);
  return all > 0 ? std::optional(all) : std::nullopt;
}

}  // namespace traction
