#include "simulation/attachments.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "contact/features.h"
#include "math/barycentric.h"
#include "math/box_tree.h"
#include "mesh/rigid_frame.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

std::string place(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

const Body& body_named(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return body.name == name; });
}

// What may carry a vertex: the corners of a tetrahedron, a triangle or a segment, of which each is repeated by its first one where there are less than four.
struct Carrier {
  std::array<int, 4> corners;
  std::size_t count;
};

// How a carrier holds a place.
struct Hold {
  double distance = std::numeric_limits<double>::infinity();  // from the carrier [m]
  Carrier carrier{};
  std::array<double, 4> weights{};  // by corner; those of a triangle or segment make the point of it that is closest
};

double longest_edge(const Mesh& mesh, const Carrier& carrier) {
  double longest = 0;
  for (std::size_t a = 0; a < carrier.count; ++a)
    for (std::size_t b = 0; b < a; ++b) longest = std::max(longest, (mesh.vertices[carrier.corners[a]] - mesh.vertices[carrier.corners[b]]).norm());
  return longest;
}

Hold hold_of(const Mesh& mesh, const Carrier& carrier, const Vec3& x) {
  std::array<Vec3, 4> corners;
  for (std::size_t i = 0; i < 4; ++i) corners[i] = mesh.vertices[carrier.corners[i]];
  Hold hold{0, carrier, {}};
  if (carrier.count == 4) {
    hold.weights = barycentric(corners, x);
    if (*std::min_element(hold.weights.begin(), hold.weights.end()) >= 0) return hold;
    hold.distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 4; ++i)
      hold.distance = std::min(hold.distance, closest_on_triangle(x, corners[(i + 1) % 4], corners[(i + 2) % 4], corners[(i + 3) % 4]).distance);
    return hold;
  }
  const ClosestPoint closest = carrier.count == 3 ? closest_on_triangle(x, corners[0], corners[1], corners[2]) : closest_on_edge(x, corners[0], corners[1]);
  hold.distance = closest.distance;
  for (std::size_t i = 0; i < carrier.count; ++i) hold.weights[i] = closest.shares[i];
  return hold;
}

// The elements of a body, or of a region of it, that may carry vertices.
std::vector<Carrier> carriers_of(const Mesh& mesh, const BodySurface& to, const std::string& source) {
  const Region& region = *mesh.find_region(to_text(to));
  std::vector<char> is_inside(mesh.vertices.size(), 0);
  for (const int vertex : region_vertices(mesh, region)) is_inside[vertex] = 1;
  // A surface of a solid stands for the tetrahedra behind it.
  const std::ptrdiff_t least = region.dimension == 2 ? 3 : 4;
  std::vector<Carrier> carriers;
  for (const auto& t : mesh.tetrahedra)
    if (region.dimension != 1 && std::count_if(t.begin(), t.end(), [&](int vertex) { return is_inside[vertex] != 0; }) >= least) carriers.push_back({t, 4});
  for (const int shell : mesh.shells) {
    const auto& [a, b, c] = mesh.triangles[shell];
    if (region.dimension != 1 && region.dimension != 3 && is_inside[a] && is_inside[b] && is_inside[c]) carriers.push_back({{a, b, c, a}, 3});
  }
  for (const Rod& rod : mesh.rods) {
    const auto& [a, b, twist] = rod.vertices;
    if (region.dimension < 2 && is_inside[a] && is_inside[b]) carriers.push_back({{a, b, a, a}, 2});
  }
  if (carriers.empty())
    throw InputError(
        fmt::format("{}: '{}' has no elements to carry vertices; name the body, or a region of its tetrahedra, shells, rods or surface", source, to_text(to)));
  return carriers;
}

// Finds the carrier nearest to a place.
class NearestCarrier {
 public:
  NearestCarrier(const Mesh& mesh, std::vector<Carrier> carriers) : mesh_(mesh), carriers_(std::move(carriers)), tree_(boxes()) {}

  Hold find(const Vec3& x) const {
    Hold best;
    for (double reach = typical_; !(best.distance <= reach); reach *= 2) {
      const Vec3 margin = Vec3::Constant(reach);
      int found = 0;
      tree_.for_each_overlap({x - margin, x + margin}, [&](int number) {
        ++found;
        if (const Hold hold = hold_of(mesh_, carriers_[static_cast<std::size_t>(number)], x); hold.distance < best.distance) best = hold;
      });
      if (found == static_cast<int>(carriers_.size())) break;
    }
    return best;
  }

 private:
  std::vector<BoundingBox> boxes() {
    std::vector<BoundingBox> boxes;
    for (const Carrier& carrier : carriers_) {
      Vec3 lower = mesh_.vertices[carrier.corners[0]], upper = lower;
      for (const int corner : carrier.corners) {
        lower = lower.cwiseMin(mesh_.vertices[corner]);
        upper = upper.cwiseMax(mesh_.vertices[corner]);
      }
      boxes.push_back({lower, upper});
      typical_ += (upper - lower).norm() / static_cast<double>(carriers_.size());
    }
    return boxes;
  }

  const Mesh& mesh_;
  std::vector<Carrier> carriers_;
  double typical_ = 0;  // size of a carrier [m]
  BoxTree tree_;
};

constexpr double kDefaultGap = 0.25;  // in multiples of the longest edge of what carries the vertex
constexpr double kFlatGap = 1e-3;     // the same for shells and rods, which cannot carry what lies beside them

[[noreturn]] void refuse_gap(const AttachmentSettings& attachment, const Vec3& x, double distance, double allowed) {
  throw InputError(
      fmt::format("{}: the vertex of '{}' at {} is {:.3g} m away from '{}', more than {:.3g} m; move the bodies together, name a region that lies on '{}', or "
                  "allow a larger largest_gap",
                  attachment.source.text, to_text(attachment.vertices), place(x), distance, to_text(attachment.to), allowed, to_text(attachment.to)));
}

Hold require_near(const Mesh& mesh, const AttachmentSettings& attachment, const Hold& hold, const Vec3& x) {
  const double edge = longest_edge(mesh, hold.carrier);
  if (hold.carrier.count < 4 && hold.distance > kFlatGap * edge)
    throw InputError(
        fmt::format("{}: the vertex of '{}' at {} lies {:.3g} m beside '{}', and a shell or rod carries only what lies in it; move the vertex there, or attach "
                    "the shell or rod to the other body instead",
                    attachment.source.text, to_text(attachment.vertices), place(x), hold.distance, to_text(attachment.to)));
  const double allowed = attachment.largest_gap.value_or(kDefaultGap * edge);
  if (hold.distance > allowed) refuse_gap(attachment, x, hold.distance, allowed);
  return hold;
}

// Rigid bodies carry vertices by their particles, wherever these are; but vertices that are far from the surface are a mistake.
void require_near_rigid(const Mesh& mesh, const AttachmentSettings& attachment, const std::vector<int>& vertices) {
  const Region& boundary = *mesh.find_region(contact_region({attachment.to.body, ""}));
  std::vector<Carrier> faces;
  std::vector<std::array<int, 3>> surface;
  for (const int t : boundary.members) {
    const auto& [a, b, c] = surface.emplace_back(mesh.triangles[t]);
    faces.push_back({{a, b, c, a}, 3});
  }
  const NearestCarrier nearest(mesh, std::move(faces));
  for (const int vertex : vertices) {
    const Vec3& x = mesh.vertices[vertex];
    const Hold hold = nearest.find(x);
    const double allowed = attachment.largest_gap.value_or(kDefaultGap * longest_edge(mesh, hold.carrier));
    if (hold.distance > allowed && !(deepest_overlap(mesh.vertices, surface, {x}).depth > 0)) refuse_gap(attachment, x, hold.distance, allowed);
  }
}

const RigidFrame& frame_of(const Mesh& mesh, const Scene& scene, const std::string& name) {
  auto frame = mesh.frames.begin();
  for (const Body& body : scene.bodies) {
    if (body.name == name) break;
    if (body.rigid) ++frame;
  }
  return *frame;
}

// Vertices that are attached are not held besides.
void refuse_held(const Mesh& mesh, const Scene& scene, const AttachmentSettings& attachment, const std::vector<int>& vertices) {
  for (const DrivenSettings& driven : body_named(scene, attachment.vertices.body).driven) {
    const std::vector<int> held = region_vertices(mesh, *mesh.find_region(attachment.vertices.body + "." + driven.region));
    const auto both = std::find_first_of(vertices.begin(), vertices.end(), held.begin(), held.end());
    if (both != vertices.end())
      throw InputError(
          fmt::format("{}: the vertex at {} is in region '{}' of body '{}' too, which is held, and a vertex cannot follow both; hold '{}' instead, or name "
                      "regions without common vertices",
                      attachment.source.text, place(mesh.vertices[*both]), driven.region, attachment.vertices.body, attachment.to.body));
  }
}

// Moves a vertex to where its masters carry it. Where it starts must be there, too.
void settle(Mesh& mesh, const AttachmentSettings& attachment, const DependentVertex& dependent, double allowed) {
  const auto carried = [&](const std::vector<Vec3>& field) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t m = 0; m < 4; ++m) sum += dependent.weights[m] * field[dependent.masters[m]];
    return sum;
  };
  mesh.vertices[dependent.vertex] = carried(mesh.vertices);
  if (mesh.start_positions.empty()) return;
  Vec3& start = mesh.start_positions[dependent.vertex];
  const Vec3 there = carried(mesh.start_positions);
  if ((start - there).norm() > allowed)
    throw InputError(fmt::format("{}: at the start the vertex of '{}' at {} is {:.3g} m away from where '{}' carries it; start both from frames of one run",
                                 attachment.source.text, to_text(attachment.vertices), place(start), (start - there).norm(), to_text(attachment.to)));
  start = there;
  mesh.start_velocities[dependent.vertex] = carried(mesh.start_velocities);
}

}  // namespace

void add_attached_mass(const Scene& scene, MeshPlan& plan, const std::vector<std::vector<double>>& vertex_mass) {
  std::map<std::string, std::size_t> number;
  for (std::size_t b = 0; b < plan.bodies.size(); ++b) number[plan.bodies[b].name] = b;
  for (const AttachmentSettings& attachment : scene.attachments) {
    if (!body_named(scene, attachment.to.body).rigid) continue;
    const Mesh& mesh = plan.bodies[number.at(attachment.vertices.body)].mesh;
    std::vector<int> vertices;
    if (!attachment.vertices.region.empty()) vertices = region_vertices(mesh, require_region(mesh, attachment.vertices.region, attachment.source.text));
    else
      for (int v = 0; v < static_cast<int>(mesh.vertices.size() - mesh.rods.size()); ++v) vertices.push_back(v);
    std::vector<Vec3> places;
    std::vector<double> masses;
    for (const int vertex : vertices) {
      places.push_back(mesh.vertices[vertex]);
      masses.push_back(vertex_mass[number.at(attachment.vertices.body)][vertex]);
    }
    add_carried_mass(plan.bodies[number.at(attachment.to.body)].mesh, places, masses);
  }
}

void attach(Mesh& mesh, const Scene& scene) {
  std::map<int, const AttachmentSettings*> attached;
  std::vector<DependentVertex> dependents;
  for (const AttachmentSettings& attachment : scene.attachments) {
    const std::string& source = attachment.source.text;
    if (body_named(scene, attachment.vertices.body).rigid)
      throw InputError(fmt::format("{}: body '{}' is rigid, and its vertices follow it already; attach the other body's vertices to it instead", source,
                                   attachment.vertices.body));
    const std::vector<int> vertices = region_vertices(mesh, *mesh.find_region(to_text(attachment.vertices)));
    for (const int vertex : vertices)
      if (const auto [other, is_new] = attached.emplace(vertex, &attachment); !is_new)
        throw InputError(fmt::format("{}: attachment '{}' holds the vertex at {} already; name regions without common vertices", source, other->second->name,
                                     place(mesh.vertices[vertex])));
    refuse_held(mesh, scene, attachment, vertices);
    const bool is_rigid = body_named(scene, attachment.to.body).rigid.has_value();
    if (is_rigid) require_near_rigid(mesh, attachment, vertices);
    std::optional<NearestCarrier> nearest;
    if (!is_rigid) nearest.emplace(mesh, carriers_of(mesh, attachment.to, source));
    for (const int vertex : vertices) {
      const Vec3 x = mesh.vertices[vertex];
      if (is_rigid) {
        const RigidFrame& frame = frame_of(mesh, scene, attachment.to.body);
        dependents.push_back({vertex, frame.particles, barycentric(frame.positions, x)});
        settle(mesh, attachment, dependents.back(), attachment.largest_gap.value_or(kDefaultGap * frame.reach));
      } else {
        const Hold hold = require_near(mesh, attachment, nearest->find(x), x);
        dependents.push_back({vertex, hold.carrier.corners, hold.weights});
        settle(mesh, attachment, dependents.back(), attachment.largest_gap.value_or(kDefaultGap * longest_edge(mesh, hold.carrier)));
      }
    }
  }
  for (const DependentVertex& dependent : dependents)
    for (const int master : dependent.masters)
      if (const auto found = attached.find(master); found != attached.end()) {
        const AttachmentSettings& attachment = *attached.at(dependent.vertex);
        throw InputError(
            fmt::format("{}: at {} '{}' is itself attached to '{}' by '{}', so that it cannot carry '{}'; attach '{}' to '{}' there, or name regions that are "
                        "farther apart",
                        attachment.source.text, place(mesh.vertices[dependent.vertex]), attachment.to.body, to_text(found->second->to), found->second->name,
                        to_text(attachment.vertices), to_text(attachment.vertices), to_text(found->second->to)));
      }
  mesh.dependents.insert(mesh.dependents.end(), dependents.begin(), dependents.end());
}

std::vector<std::vector<int>> attached_vertices(const System& system, const Scene& scene) {
  std::vector<std::vector<int>> result;
  for (const AttachmentSettings& attachment : scene.attachments) {
    std::vector<int>& vertices = result.emplace_back(system.mesh().region(to_text(attachment.vertices)).vertices);
    std::erase_if(vertices, [&](int vertex) { return vertex >= system.halo().owned(); });
  }
  return result;
}

}  // namespace traction
