#include "simulation/flush_bodies.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <unordered_map>

#include "mesh/mesh_plan.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

constexpr double kSamePlace = 1e-6;       // relative to the larger body
constexpr double kSameNormal = 1 - 1e-6;  // cosine
constexpr int kNamed = 3;                 // number of pairs that are described one by one

struct HeldFace {
  Vec3 at, normal;
  Eigen::AlignedBox3d box;
};

struct HeldBody {
  const Body* body;
  std::vector<HeldFace> faces;
  Eigen::AlignedBox3d box;
};

Eigen::AlignedBox3d inflated(const Eigen::AlignedBox3d& box, double by) { return {box.min() - Vec3::Constant(by), box.max() + Vec3::Constant(by)}; }

// Whether faces of two bodies lie in one plane and meet along more than a point.
bool are_flush(const HeldBody& one, const HeldBody& two) {
  const double rounding = kSamePlace * std::max(one.box.sizes().maxCoeff(), two.box.sizes().maxCoeff());
  const Eigen::AlignedBox3d common = inflated(one.box, rounding).intersection(two.box);
  if (common.isEmpty()) return false;
  int axis = 0;  // along which faces are sorted
  common.sizes().maxCoeff(&axis);
  std::vector<const HeldFace*> near;  // faces of the second body
  double longest = 0;
  for (const HeldFace& face : two.faces) {
    if (!inflated(face.box, rounding).intersects(common)) continue;
    near.push_back(&face);
    longest = std::max(longest, face.box.sizes()[axis]);
  }
  const auto begins = [axis](const HeldFace* face) { return face->box.min()[axis]; };
  std::ranges::sort(near, {}, begins);
  return std::any_of(one.faces.begin(), one.faces.end(), [&](const HeldFace& face) {
    if (!inflated(face.box, rounding).intersects(common)) return false;
    const auto first = std::ranges::lower_bound(near, face.box.min()[axis] - longest - rounding, {}, begins);
    const auto last = std::ranges::upper_bound(near, face.box.max()[axis] + rounding, {}, begins);
    return std::any_of(first, last, [&](const HeldFace* other) {
      const Eigen::AlignedBox3d both = inflated(face.box, rounding).intersection(other->box);
      return !both.isEmpty() && both.sizes().maxCoeff() > 10 * rounding && face.normal.dot(other->normal) > kSameNormal &&
             std::abs(face.normal.dot(other->at - face.at)) < rounding;
    });
  });
}

// Whether all regions of both bodies that are held or driven have the same motion, so that the bodies stay side by side.
bool stay_together(const Body& one, const Body& two) {
  const Motion& motion = one.driven.front().motion;
  const auto has_it = [&](const DrivenSettings& driven) { return driven.motion == motion; };
  return std::all_of(one.driven.begin(), one.driven.end(), has_it) && std::all_of(two.driven.begin(), two.driven.end(), has_it);
}

// A region of a rigid body holds the whole body.
bool is_held_whole(const Body& body, const std::vector<int>& vertices, const std::vector<char>& held) {
  const auto is_held = [&](int vertex) { return held[static_cast<std::size_t>(vertex)] != 0; };
  return body.rigid ? std::any_of(vertices.begin(), vertices.end(), is_held) : std::all_of(vertices.begin(), vertices.end(), is_held);
}

void add_face(HeldBody& solid, const Mesh& mesh, const std::array<int, 3>& corners) {
  const auto at = [&](std::size_t corner) { return mesh.start()[static_cast<std::size_t>(corners[corner])]; };
  const Vec3 a = at(0), b = at(1), c = at(2);
  HeldFace face{a, (b - a).cross(c - a).normalized(), Eigen::AlignedBox3d(a)};
  face.box.extend(b).extend(c);
  solid.box.extend(face.box);
  solid.faces.push_back(face);
}

}  // namespace

std::vector<std::string> doubts_about_flush_bodies(const Scene& scene, const Mesh& mesh, const std::vector<char>& held) {
  std::unordered_map<std::string, const Region*> regions;
  for (const Region& region : mesh.regions) regions.emplace(region.name, &region);
  std::vector<int> bodies(mesh.vertices.size(), -1);
  std::vector<HeldBody> solids;
  for (const Body& body : scene.bodies) {
    const bool touches = std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) { return contact.names(body.name); });
    if ((body.solid.empty() && !body.rigid) || !touches) continue;
    const std::vector<int>& members = regions.at(body.name)->members;
    if (!is_held_whole(body, members, held)) continue;
    solids.push_back({&body, {}, {}});
    if (body.rigid) {  // its tetrahedra are no longer elements
      for (const int t : regions.at(body.name + "." + outward_region(""))->members) add_face(solids.back(), mesh, mesh.triangles[static_cast<std::size_t>(t)]);
      continue;
    }
    for (const int vertex : members) bodies[static_cast<std::size_t>(vertex)] = static_cast<int>(solids.size()) - 1;
  }
  if (solids.size() < 2) return {};
  for (const auto& corners : boundary_faces(mesh)) {
    const int body = bodies[static_cast<std::size_t>(corners[0])];
    if (body >= 0) add_face(solids[static_cast<std::size_t>(body)], mesh, corners);
  }
  std::vector<std::string> doubts;
  int more = 0;
  for (std::size_t one = 0; one < solids.size(); ++one)
    for (std::size_t two = one + 1; two < solids.size(); ++two) {
      if (!stay_together(*solids[one].body, *solids[two].body) || !are_flush(solids[one], solids[two])) continue;
      if (static_cast<int>(doubts.size()) == kNamed) {
        ++more;
        continue;
      }
      doubts.push_back(fmt::format(
          "bodies '{}' and '{}' are held, and faces of them lie flush side by side: what slides from one to the other feels an edge there, as high as the "
          "contact gives way. Make one mesh of them, or boxes among the surfaces if they are boxes",
          solids[one].body->name, solids[two].body->name));
    }
  if (more > 0) doubts.push_back(fmt::format("faces of {} more pairs of held bodies lie flush side by side", more));
  return doubts;
}

}  // namespace traction
