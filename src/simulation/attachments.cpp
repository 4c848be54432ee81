#include "simulation/attachments.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "contact/features.h"
#include "math/barycentric.h"
#include "math/box_tree.h"
#include "math/position_text.h"
#include "mesh/rigid_frame.h"
#include "parallel/collective.h"
#include "simulation/attachment_springs.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// An element that may carry a vertex: the corners of a tetrahedron, a triangle or a segment. The first corner fills the places of missing ones.
struct Carrier {
  std::array<int, 4> corners;
  std::size_t count;
};

// The weights with which a carrier holds a place.
struct Hold {
  double distance = std::numeric_limits<double>::infinity();  // from the carrier [m]
  Carrier carrier{};
  std::array<double, 4> weights{};  // weights by corner; in a triangle or segment they make its closest point
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

// An order of places by their coordinates, so that choices do not depend on the mesh's numbers.
bool is_before(const Vec3& one, const Vec3& other) { return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end()); }

// The elements of a body, or of a region of it, that may carry vertices. Corners of triangles, from which clamps have their axes, are in the order of their
// places.
std::vector<Carrier> carriers_of(const Mesh& mesh, const BodySurface& to, const std::string& source) {
  const Region& region = *mesh.find_region(to_text(to));
  std::vector<char> is_inside(mesh.vertices.size(), 0);
  for (const int vertex : region_vertices(mesh, region)) is_inside[vertex] = 1;
  // A region of a solid's surface means the tetrahedra behind it.
  const std::ptrdiff_t least = region.dimension == 2 ? 3 : 4;
  std::vector<Carrier> carriers;
  for (const auto& t : mesh.tetrahedra)
    if (region.dimension != 1 && std::count_if(t.begin(), t.end(), [&](int vertex) { return is_inside[vertex] != 0; }) >= least) carriers.push_back({t, 4});
  for (const int shell : mesh.shells) {
    std::array<int, 3> corners = mesh.triangles[shell];
    std::sort(corners.begin(), corners.end(), [&](int one, int other) { return is_before(mesh.vertices[one], mesh.vertices[other]); });
    const auto& [a, b, c] = corners;
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

// Finds the carrier nearest to a place, and among equally near ones, as at a vertex that triangles share, the one whose center is first in order.
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
        if (const Hold hold = hold_of(mesh_, carriers_[static_cast<std::size_t>(number)], x); is_better(hold, best)) best = hold;
      });
      if (found == static_cast<int>(carriers_.size())) break;
    }
    return best;
  }

 private:
  bool is_better(const Hold& hold, const Hold& best) const {
    constexpr double kRounding = 1e-9;  // relative to the size of a carrier
    if (std::isinf(best.distance) || std::abs(hold.distance - best.distance) > kRounding * typical_) return hold.distance < best.distance;
    return is_before(center_of(hold.carrier), center_of(best.carrier));
  }

  Vec3 center_of(const Carrier& carrier) const {
    std::vector<Vec3> places;  // sorted, so that rounding does not depend on the numbers either
    for (std::size_t i = 0; i < carrier.count; ++i) places.push_back(mesh_.vertices[carrier.corners[i]]);
    std::sort(places.begin(), places.end(), is_before);
    return std::accumulate(places.begin(), places.end(), Vec3(Vec3::Zero())) / static_cast<double>(places.size());
  }

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

constexpr double kDefaultGap = 0.25;  // in multiples of the longest edge of the element that carries the vertex
constexpr double kFlatGap = 1e-3;     // the same for shells and rods, which cannot carry what lies beside them

[[noreturn]] void refuse_gap(const AttachmentSettings& attachment, const Vec3& x, double distance, double allowed) {
  throw InputError(
      fmt::format("{}: the vertex of '{}' at {} is {:.3g} m away from '{}', more than {:.3g} m; move the bodies together, name a region that lies on '{}', or "
                  "allow a larger largest_gap",
                  attachment.source.text, to_text(attachment.vertices), position_text(x), distance, to_text(attachment.to), allowed, to_text(attachment.to)));
}

Hold require_near(const Mesh& mesh, const AttachmentSettings& attachment, const Hold& hold, const Vec3& x) {
  const double edge = longest_edge(mesh, hold.carrier);
  if (hold.carrier.count < 4 && hold.distance > kFlatGap * edge)
    throw InputError(
        fmt::format("{}: the vertex of '{}' at {} lies {:.3g} m beside '{}', and a shell or rod carries only what lies in it; move the vertex there, or attach "
                    "the shell or rod to the other body instead",
                    attachment.source.text, to_text(attachment.vertices), position_text(x), hold.distance, to_text(attachment.to)));
  const double allowed = attachment.largest_gap.value_or(kDefaultGap * edge);
  if (hold.distance > allowed) refuse_gap(attachment, x, hold.distance, allowed);
  return hold;
}

// Refuses vertices that are far from the surface of the rigid body that shall carry them. The particles could carry them anywhere, but this is a mistake in the
// scene.
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

// Refuses vertices that are attached and also held.
void refuse_held(const Mesh& mesh, const Scene& scene, const AttachmentSettings& attachment, const std::vector<int>& vertices) {
  for (const DrivenSettings& driven : scene.body(attachment.vertices.body).driven) {
    const std::vector<int> held = region_vertices(mesh, *mesh.find_region(attachment.vertices.body + "." + driven.region));
    const auto both = std::find_first_of(vertices.begin(), vertices.end(), held.begin(), held.end());
    if (both != vertices.end())
      throw InputError(
          fmt::format("{}: the vertex at {} is in region '{}' of body '{}' too, which is held, and a vertex cannot follow both; hold '{}' instead, or name "
                      "regions without common vertices",
                      attachment.source.text, position_text(mesh.vertices[*both]), driven.region, attachment.vertices.body, attachment.to.body));
  }
}

// Refuses directions of vertices without a rod, and carriers without axes of their own.
void refuse_without_tangent(const Mesh& mesh, const AttachmentSettings& attachment, const std::vector<int>& vertices, const std::vector<Hold>& holds) {
  std::vector<char> is_rod(mesh.vertices.size(), 0);
  for (const Rod& rod : mesh.rods) is_rod[rod.vertices[0]] = is_rod[rod.vertices[1]] = 1;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const std::string where =
        fmt::format("{}: the vertex of '{}' at {}", attachment.source.text, to_text(attachment.vertices), position_text(mesh.vertices[vertices[v]]));
    if (is_rod[vertices[v]] == 0)
      throw InputError(fmt::format("{} is on no rod and has no tangent to be attached by; name vertices of rods, or remove 'tangent'", where));
    if (!holds.empty() && holds[v].carrier.count == 2)
      throw InputError(
          fmt::format("{} lies on a rod, which carries the place of a vertex but not its tangent; attach it to a solid, a shell or a rigid body, or "
                      "remove 'tangent'",
                      where));
  }
}

// Moves a vertex to the place to which its masters carry it. The vertex must start at the same place.
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
                                 attachment.source.text, to_text(attachment.vertices), position_text(start), (start - there).norm(), to_text(attachment.to)));
  start = there;
  mesh.start_velocities[dependent.vertex] = carried(mesh.start_velocities);
}

}  // namespace

void add_attached_mass(const Scene& scene, MeshPlan& plan, const std::vector<std::vector<double>>& vertex_mass) {
  std::map<std::string, std::size_t> number;
  for (std::size_t b = 0; b < plan.bodies.size(); ++b) number[plan.bodies[b].name] = b;
  for (const AttachmentSettings& attachment : scene.attachments) {
    if (attachment.stiffness || !scene.body(attachment.to.body).rigid) continue;
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
    if (!attachment.stiffness && scene.body(attachment.vertices.body).rigid)
      throw InputError(fmt::format("{}: body '{}' is rigid, and its vertices follow it already; attach the other body's vertices to it instead", source,
                                   attachment.vertices.body));
    const std::vector<int> vertices = region_vertices(mesh, *mesh.find_region(to_text(attachment.vertices)));
    std::vector<Hold> holds;  // none by a rigid body
    if (scene.body(attachment.to.body).rigid) {
      require_near_rigid(mesh, attachment, vertices);
    } else {
      const NearestCarrier nearest(mesh, carriers_of(mesh, attachment.to, source));
      for (const int vertex : vertices) holds.push_back(require_near(mesh, attachment, nearest.find(mesh.vertices[vertex]), mesh.vertices[vertex]));
    }
    if (attachment.stiffness) continue;  // springs only need the vertices to be near
    for (const int vertex : vertices)
      if (const auto [other, is_new] = attached.emplace(vertex, &attachment); !is_new)
        throw InputError(fmt::format("{}: attachment '{}' holds the vertex at {} already; name regions without common vertices", source, other->second->name,
                                     position_text(mesh.vertices[vertex])));
    refuse_held(mesh, scene, attachment, vertices);
    if (attachment.tangent) refuse_without_tangent(mesh, attachment, vertices, holds);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      double allowed = 0;
      if (holds.empty()) {
        const RigidFrame& frame = frame_of(mesh, scene, attachment.to.body);
        dependents.push_back({vertices[v], frame.particles, barycentric(frame.positions, mesh.vertices[vertices[v]])});
        allowed = kDefaultGap * frame.reach;
      } else {
        dependents.push_back({vertices[v], holds[v].carrier.corners, holds[v].weights});
        allowed = kDefaultGap * longest_edge(mesh, holds[v].carrier);
      }
      settle(mesh, attachment, dependents.back(), attachment.largest_gap.value_or(allowed));
    }
  }
  for (const DependentVertex& dependent : dependents)
    for (const int master : dependent.masters)
      if (const auto found = attached.find(master); found != attached.end()) {
        const AttachmentSettings& attachment = *attached.at(dependent.vertex);
        throw InputError(
            fmt::format("{}: at {} '{}' is itself attached to '{}' by '{}', so that it cannot carry '{}'; attach '{}' to '{}' there, or name regions that are "
                        "farther apart",
                        attachment.source.text, position_text(mesh.vertices[dependent.vertex]), attachment.to.body, to_text(found->second->to),
                        found->second->name, to_text(attachment.vertices), to_text(attachment.vertices), to_text(found->second->to)));
      }
  mesh.dependents.insert(mesh.dependents.end(), dependents.begin(), dependents.end());
}

namespace {

// [m/s^2]
Vec3 gravity_at(const Scene& scene, double time) {
  TimeTable over;
  for (const LoadPoint& point : scene.gravity_over) over.push_back({point.time, point.factor});
  return factor_at(over, time) * scene.gravity;
}

}  // namespace

AttachmentMonitor add_attachments(System& system, const Scene& scene, const SceneMaterials& materials, const Field& start) {
  AttachmentMonitor monitor;
  monitor.clamps = add_clamps(system, scene);
  std::vector<PinElement> pins;
  bool any = false;
  for (std::size_t a = 0; a < scene.attachments.size(); ++a) {
    const AttachmentSettings& attachment = scene.attachments[a];
    std::vector<int>& vertices = monitor.vertices.emplace_back();
    if (attachment.stiffness) {
      any = true;
      add_attachment_springs(system, scene, materials, start, static_cast<int>(a), pins);
      continue;
    }
    vertices = system.mesh().region(to_text(attachment.vertices)).vertices;
    std::erase_if(vertices, [&](int vertex) { return vertex >= system.halo().owned(); });
  }
  if (!any) return monitor;
  std::vector<int> sets;
  for (const PinElement& pin : pins) sets.push_back(pin.joint);
  const auto springs =
      std::make_shared<PointLinks<PinElement, 2>>(system.mesh().halo, std::move(pins), sets, static_cast<int>(scene.attachments.size()), "spring");
  system.add(springs);
  monitor.springs = springs;
  return monitor;
}

std::vector<std::string> doubts_about_attached_velocities(const System& system, const Scene& scene, const AttachmentMonitor& monitor, const Field& given,
                                                          const Field& start) {
  constexpr double kNotable = 0.05;  // relative to the larger speed
  std::vector<std::string> doubts;
  for (std::size_t a = 0; a < monitor.vertices.size(); ++a) {
    double lost = 0, largest = 0;
    for (const int vertex : monitor.vertices[a]) {
      lost = std::max(lost, (given[vertex] - start[vertex]).norm());
      largest = std::max({largest, given[vertex].norm(), start[vertex].norm()});
    }
    lost = maximum_over_ranks(system.communicator(), lost);
    if (!(lost > kNotable * maximum_over_ranks(system.communicator(), largest))) continue;
    const AttachmentSettings& attachment = scene.attachments[a];
    doubts.push_back(fmt::format(
        "attachment '{}': the vertices of '{}' start with the velocities of '{}', which carries them. These differ by up to {:.3g} m/s from the velocities "
        "that the body was given, so that momentum and energy at the start differ, too; give both bodies the same motion at the start ('initial', 'driven')",
        attachment.name, to_text(attachment.vertices), to_text(attachment.to), lost));
  }
  return doubts;
}

std::vector<Reaction> attachment_forces(const System& system, const Scene& scene, const AttachmentMonitor& monitor, const State& state) {
  std::vector<Reaction> forces = system.carried(monitor.vertices, gravity_at(scene, state.time), state);
  if (!monitor.springs && !monitor.clamps) return forces;
  std::vector<Reaction> of_links(forces.size());
  if (monitor.springs)
    monitor.springs->for_each(state, [&](std::size_t e, const auto& x, const auto&, const auto& f) {
      Reaction& force = of_links[static_cast<std::size_t>(monitor.springs->elements()[e].joint)];
      force.force += f[0];
      force.moment += Vec3(x[0]).cross(f[0]);
    });
  if (monitor.clamps)
    monitor.clamps->for_each(state, [&](std::size_t e, const auto& x, const auto&, const auto& f) {
      Vec3& moment = of_links[static_cast<std::size_t>(monitor.clamps->elements()[e].attachment)].moment;
      for (std::size_t place = 3; place < 6; ++place) moment -= Vec3(x[place]).cross(f[place]);  // minus the moment on the body
    });
  sum_over_ranks(system.communicator(), {of_links.front().force.data(), 6 * of_links.size()});
  for (std::size_t a = 0; a < forces.size(); ++a) {
    forces[a].force += of_links[a].force;
    forces[a].moment += of_links[a].moment;
  }
  return forces;
}

std::vector<std::string> doubts_about_attachments(const System& system, const Scene& scene) {
  std::vector<std::string> doubts;
  const DistributedMesh& mesh = system.mesh();
  const std::vector<char>& is_dependent = system.dependents().marks();
  const std::vector<char> is_clamped = clamped_vertices(mesh, scene);
  std::vector<double> held(scene.bodies.size(), 0.0);  // segments of each body's rods whose ends are both carried, none with its direction
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (const auto& [name, material] : scene.bodies[b].rod)
      for (const int rod : mesh.region(scene.bodies[b].name + "." + name).rods)
        if (const auto& [a, end, twist] = mesh.rods[rod].vertices; is_dependent[a] && is_dependent[end] && !is_clamped[a] && !is_clamped[end]) ++held[b];
  if (!held.empty()) sum_over_ranks(system.communicator(), held);
  for (std::size_t b = 0; b < held.size(); ++b)
    if (held[b] > 0)
      doubts.push_back(
          fmt::format("body '{}': an attachment carries the ends of segments of its rods, which fixes their direction but not their twist: they turn freely "
                      "about their axes and pass on no torque; attach them with 'tangent: true' where twist matters",
                      scene.bodies[b].name));

  // First moments of the mass with which vertices accelerate, minus those of the elements' mass.
  std::vector<PetscInt> particles;
  for (const RigidFrame& frame : mesh.frames) particles.insert(particles.end(), frame.particles.begin(), frame.particles.end());
  std::sort(particles.begin(), particles.end());
  std::vector<char> is_on_frame(mesh.vertices.size(), 0);
  for (const LocalDependent& dependent : mesh.dependents)
    is_on_frame[dependent.vertex] = std::binary_search(particles.begin(), particles.end(), dependent.masters[0]) ? 1 : 0;
  std::array<double, 4> sums{};  // the moments, then the mass of the attached vertices
  for (int i = 0; i < system.halo().owned(); ++i) {
    if (is_on_frame[i]) continue;
    const Vec3 moment = (system.mass()[i] - system.own_mass()[i]) * mesh.vertices[i];
    for (int k = 0; k < 3; ++k) sums[k] += moment[k];
    if (is_dependent[i]) sums[3] += system.own_mass()[i];
  }
  sum_over_ranks(system.communicator(), sums);
  constexpr double kNotable = 1e-6;  // relative to the distance of the farthest vertex from the origin
  double farthest = 0;
  for (const Vec3& x : mesh.vertices) farthest = std::max(farthest, x.norm());
  farthest = maximum_over_ranks(system.communicator(), farthest);
  if (const double shift = sums[3] > 0 ? Vec3(sums[0], sums[1], sums[2]).norm() / sums[3] : 0; shift > kNotable * farthest)
    doubts.push_back(
        fmt::format("attachments leave gaps: the weight and inertia of the attached vertices act on what carries them, {:.3g} m away on average; move the "
                    "bodies together, or attach the lighter one to the heavier",
                    shift));
  return doubts;
}

}  // namespace traction
