#include "simulation/free_motions.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <unordered_map>

#include "math/position_text.h"
#include "mesh/connected_vertices.h"
#include "mesh/mesh_plan.h"

namespace traction {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr double kFree = 1e-9;         // a motion is free if its stiffness, relative to that of the stiffest of a part's rigid motions, is below this
constexpr std::size_t kListed = 3;     // number of bodies that are described one by one
constexpr double kRoundedAxis = 1e-6;  // smaller components of directions are zero

// Whether anything but its supports may hold the body.
bool may_be_held_otherwise(const Scene& scene, const std::string& body) {
  const auto some = [](const auto& items, const auto& names) { return std::any_of(items.begin(), items.end(), names); };
  return some(scene.contacts, [&](const ContactSettings& contact) { return contact.names(body); }) || scene.has_pressure_contact(body) ||
         some(scene.springs, [&](const SpringSettings& spring) { return spring.from.body == body || (!spring.anchor && spring.to.body == body); }) ||
         some(scene.attachments, [&](const AttachmentSettings& attachment) { return attachment.vertices.body == body || attachment.to.body == body; }) ||
         some(scene.joints, [&](const JointSettings& joint) { return std::find(joint.between.begin(), joint.between.end(), body) != joint.between.end(); });
}

// A part's supports as springs of stiffness 1 against its six rigid motions: three displacements, and three turns about its middle, in parts of its size.
struct Part {
  Eigen::AlignedBox3d extent;
  std::vector<std::pair<int, Vec3>> holds;  // vertices, and directions in which they are held
};

struct FreeMotions {
  std::vector<Vec3> slides, turns;  // orthogonal directions, and axes
};

FreeMotions free_motions(const Part& part, const std::vector<Vec3>& positions) {
  FreeMotions free;
  const double size = part.extent.diagonal().norm();
  Mat6 stiffness = Mat6::Zero();
  for (const auto& [vertex, direction] : part.holds) {
    Vec6 wrench;
    wrench << direction, (positions[vertex] - part.extent.center()).cross(direction) / size;
    stiffness += wrench * wrench.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Mat6> motions(stiffness);
  Mat3 turning = Mat3::Zero();  // the axes about which free motions turn
  for (int k = 0; k < 6; ++k)
    if (motions.eigenvalues()[k] <= kFree * motions.eigenvalues()[5]) {
      const Vec3 turn = motions.eigenvectors().col(k).tail<3>();
      turning += turn * turn.transpose();
    }
  const Eigen::SelfAdjointEigenSolver<Mat3> against_slides(Mat3(stiffness.topLeftCorner<3, 3>())), turns(turning);
  for (int k = 0; k < 3; ++k) {
    if (against_slides.eigenvalues()[k] <= kFree * std::max(motions.eigenvalues()[5], 1e-300)) free.slides.push_back(against_slides.eigenvectors().col(k));
    if (turns.eigenvalues()[k] > kFree) free.turns.push_back(turns.eigenvectors().col(k));
  }
  return free;
}

// "along (1, 0, 0)", "along every direction across (0, 0, 1)", "along every direction"; of turns "about ...".
std::string text_of(const std::vector<Vec3>& directions, const char* preposition, const char* every) {
  const auto text = [](Vec3 direction) {
    for (double& component : direction)
      if (std::abs(component) < kRoundedAxis) component = 0;
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction = Vec3::Zero() - direction;
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", direction.x(), direction.y(), direction.z());
  };
  if (directions.size() == 1) return fmt::format("{} {}", preposition, text(directions[0]));
  if (directions.size() == 2) return fmt::format("{} every {} across {}", preposition, every, text(directions[0].cross(directions[1])));
  return fmt::format("{} every {}", preposition, every);
}

}  // namespace

std::vector<std::string> doubts_about_free_motions(const Scene& scene, const Mesh& mesh) {
  std::vector<std::string> doubts;
  if (scene.time.inertia) return doubts;
  std::unordered_map<std::string, const Region*> regions;
  for (const Region& region : mesh.regions) regions.emplace(region.name, &region);
  ConnectedVertices connected(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (const int vertex : mesh.corners(e)) connected.connect(vertex, mesh.corners(e)[0]);
  for (const DependentVertex& dependent : mesh.dependents) connected.connect(dependent.vertex, dependent.masters[0]);
  std::size_t bodies = 0;
  for (const Body& body : scene.bodies) {
    if (may_be_held_otherwise(scene, body.name)) continue;
    const std::vector<int>& vertices = regions.at(body.name)->members;
    std::map<int, Part> parts;  // by root
    for (const int vertex : vertices) parts[connected.root(vertex)].extent.extend(mesh.start()[vertex]);
    for (const DrivenSettings& driven : body.driven) {
      if (driven.until && *driven.until < scene.time.end) continue;
      const std::vector<Vec3> given = driven.directions();
      const Mat3 all = Mat3::Identity();
      for (const int vertex : body.rigid ? vertices : region_vertices(mesh, *regions.at(body.name + "." + driven.region))) {
        Part& part = parts.at(connected.root(vertex));
        for (int k = 0; given.empty() && k < 3; ++k) part.holds.emplace_back(vertex, all.col(k));
        for (const Vec3& direction : given) part.holds.emplace_back(vertex, direction);
      }
    }
    const bool may_swing = !scene.gravity.isZero() || !body.loads.empty();
    for (const auto& [root, part] : parts) {
      FreeMotions free = free_motions(part, mesh.start());
      if (!body.rod.empty()) free.turns.clear();  // a rod may twist where it is held at points
      if (free.slides.empty() && (free.turns.empty() || may_swing)) continue;
      if (++bodies > kListed) break;
      std::string motion = free.slides.empty() ? "" : "sliding " + text_of(free.slides, "along", "direction");
      if (!free.turns.empty()) motion += (motion.empty() ? "turning " : " and turning ") + text_of(free.turns, "about", "axis");
      const std::string what = parts.size() == 1 ? "" : "the part of it at " + position_text(part.extent.center()) + " ";
      doubts.push_back(fmt::format(
          "body '{}': without inertia nothing holds {} against {}. Forces along these motions have no equilibrium. Without such forces it nearly stays in "
          "place, but steps take many iterations. Hold a region along them (fixed: {{region: ..., components: ...}}), or run it with inertia",
          body.name, what.empty() ? "it" : what.substr(0, what.size() - 1), motion));
      break;
    }
  }
  if (bodies > kListed) doubts.push_back(fmt::format("without inertia {} more bodies can slide or turn as these do, and nothing holds them", bodies - kListed));
  return doubts;
}

}  // namespace traction
