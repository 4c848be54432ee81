#include "simulation/build_rod.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "parallel/collective.h"
#include "parallel/scatter.h"
#include "simulation/clamp_rods.h"
#include "simulation/contact_pairs.h"
#include "simulation/make_stencil_force.h"

namespace traction {

namespace {

Vec3 segment_at_rest(const DistributedMesh& mesh, const Rod& rod) { return mesh.vertices[rod.vertices[1]] - mesh.vertices[rod.vertices[0]]; }

// Calls action(rod, material, viscous time) for each segment of a rod.
template <typename Action>
void for_each_rod(const DistributedMesh& mesh, const Scene& scene, Action action) {
  for (const Body& body : scene.bodies)
    for (const auto& [name, material] : body.rod)
      for (const int rod : mesh.region(body.name + "." + name).rods) action(rod, material, body.damping.stiffness);
}

// The frames that are driven, by the twists of their segments.
std::map<int, std::shared_ptr<const RodBendingElement::Driven>> driven_frames(const System& system) {
  const DistributedMesh& mesh = system.mesh();
  // One more than the number of the group that holds a twist for the longest time; ghosts get it from their owners. Groups that share one have one motion.
  const std::vector<DrivenGroup>& given = system.given();
  std::vector<double> groups(mesh.vertices.size(), 0.0);
  for (std::size_t g = 0; g < given.size(); ++g)
    if (given[g].holds_twists)
      for (const int twist : given[g].vertices)
        if (groups[twist] == 0 || given[g].until > given[static_cast<std::size_t>(groups[twist]) - 1].until) groups[twist] = static_cast<double>(g + 1);
  Scatter(system.halo(), 1).forward(groups);
  std::map<int, std::shared_ptr<const RodBendingElement::Driven>> frames;
  for (const Rod& rod : mesh.rods) {
    const int twist = rod.vertices[2];
    if (groups[twist] == 0) continue;
    const auto g = static_cast<std::size_t>(groups[twist]) - 1;
    const DrivenFrame frame{given[g - 1].motion, segment_at_rest(mesh, rod).normalized(), mesh.vertices[twist]};
    frames[twist] = std::make_shared<const RodBendingElement::Driven>(RodBendingElement::Driven{frame, given[g].until, &system});
  }
  return frames;
}

// The stiffness of half of each segment in series, where both bear the same moment [N m].
double in_series(double one, double length, double other, double other_length) { return 1 / (length / (2 * one) + other_length / (2 * other)); }

// The strains of a joint of this length [m] that has curvatures and a twist per length [1/m].
RodStrains strains_of(const Vec3& per_length, double length) {
  const double curvature = std::hypot(per_length.x(), per_length.y());
  const double factor = curvature > 0 ? 2 * std::tan(curvature * length / 2) / curvature : length;  // a polygon around an arc
  return {factor * per_length.x(), factor * per_length.y(), length * per_length.z()};
}

RodStrains natural_strains(const RodMaterialSettings& material, double length, const RodStrains& as_meshed) {
  if (material.natural_curvature) return strains_of(*material.natural_curvature, length);
  return material.natural == NaturalShape::straight ? RodStrains{} : as_meshed;
}

RodStrains mean(const RodStrains& a, const RodStrains& b) {
  return {(a.first_curvature + b.first_curvature) / 2, (a.second_curvature + b.second_curvature) / 2, (a.twist + b.twist) / 2};
}

RodBendingElement element_of(const DistributedMesh& mesh, const Joint& joint, const SceneMaterials& materials, double viscous_time) {
  RodBendingElement element;
  element.vertices = joint.vertices;
  const RodMaterialSettings &one = *materials.rod[joint.rods[0]], &other = *materials.rod[joint.rods[1]];
  const double length = segment_at_rest(mesh, mesh.rods[joint.rods[0]]).norm(), other_length = segment_at_rest(mesh, mesh.rods[joint.rods[1]]).norm();
  for (int j = 0; j < 2; ++j) {
    const Rod& rod = mesh.rods[joint.rods[j]];
    element.radius[j] = materials.rod[joint.rods[j]]->twist_radius();
    element.frames[j] = {segment_at_rest(mesh, rod).normalized(), mesh.vertices[rod.vertices[2]]};
  }
  element.reference_twist = 0;
  std::array<Vec3, 5> rest = places(mesh, joint.vertices);
  rest[3].setZero();  // the mesh has directors there
  rest[4].setZero();
  element.carry_along(rest);
  const RodStrains as_meshed = element.strains(rest);
  const double joint_length = (length + other_length) / 2;
  element.natural = mean(natural_strains(one, joint_length, as_meshed), natural_strains(other, joint_length, as_meshed));
  element.first_bending = in_series(one.first_bending_stiffness(), length, other.first_bending_stiffness(), other_length);
  element.second_bending = in_series(one.second_bending_stiffness(), length, other.second_bending_stiffness(), other_length);
  element.twisting = in_series(one.twisting_stiffness(), length, other.twisting_stiffness(), other_length);
  element.viscous_time = viscous_time;
  return element;
}

// The vertices of a region among those that this rank has; the elements of ghosts may be on other ranks. Collective.
std::set<int> local_vertices_of(const DistributedMesh& mesh, const std::string& region) {
  Field marks(mesh.halo->local());
  for (const int vertex : mesh.region(region).vertices)
    if (vertex < mesh.halo->owned()) marks[vertex].x() = 1;
  mesh.halo->exchange(marks.values());
  std::set<int> vertices;
  for (int vertex = 0; vertex < mesh.halo->local(); ++vertex)
    if (marks[vertex].x() > 0) vertices.insert(vertex);
  return vertices;
}

// The number of segments that turn about themselves, although supports hold both of their ends along all directions together, or turn them along some alone.
// Collective.
double segments_without_twist(const DistributedMesh& mesh, const Body& body) {
  constexpr double kHeld = 1e-6;  // squared sine of an angle between directions
  std::map<int, Mat3> held;       // sums of d d^T over the directions d that are held, by vertex
  std::vector<std::set<int>> whole, turning;
  for (const DrivenSettings& driven : body.driven) {
    const std::set<int> vertices = local_vertices_of(mesh, body.name + "." + driven.region);
    const std::vector<Vec3> directions = driven.directions();
    Mat3 sum = directions.empty() ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
    for (const Vec3& direction : directions) sum += direction * direction.transpose();
    for (const int vertex : vertices) held.try_emplace(vertex, Mat3::Zero()).first->second += sum;
    const bool turns = std::any_of(driven.motion.begin(), driven.motion.end(), [](const MotionSettings& motion) { return !motion.angular_velocity.isZero(0); });
    if (directions.empty()) whole.push_back(vertices);
    else if (turns) turning.push_back(vertices);
  }
  double count = 0;
  for (const auto& [name, material] : body.rod)
    for (const int r : mesh.region(body.name + "." + name).rods) {
      const auto& [a, b, twist] = mesh.rods[r].vertices;
      if (twist >= mesh.halo->owned()) continue;
      const auto holds_both = [first = a, second = b](const std::set<int>& vertices) { return vertices.contains(first) && vertices.contains(second); };
      const auto is_held = [&](int end) {
        const auto found = held.find(end);
        return found != held.end() && Eigen::SelfAdjointEigenSolver<Mat3>(found->second, Eigen::EigenvaluesOnly).eigenvalues()[0] > kHeld;
      };
      if (std::any_of(whole.begin(), whole.end(), holds_both)) continue;
      if (std::any_of(turning.begin(), turning.end(), holds_both) || (is_held(a) && is_held(b))) ++count;
    }
  return sum_over_ranks(mesh.halo->communicator(), count);
}

}  // namespace

std::vector<std::string> doubts_about_rods(const DistributedMesh& mesh, const Scene& scene) {
  std::vector<std::string> doubts;
  for (const Body& body : scene.bodies) {
    if (body.rod.empty()) continue;
    double shortest = 1e300;  // segment, in radii
    for (const auto& [name, material] : body.rod)
      for (const int r : mesh.region(body.name + "." + name).rods)
        shortest = std::min(shortest, segment_at_rest(mesh, mesh.rods[r]).norm() / std::max(material.radius, material.second_radius));
    shortest = minimum_over_ranks(mesh.halo->communicator(), shortest);
    if (shortest < 1)
      doubts.push_back(
          fmt::format("body '{}' has rod segments of {:.2g} radii: shorter ones than a radius add nothing to a rod's accuracy, and the solver takes "
                      "long or gives up; mesh it more coarsely",
                      body.name, shortest));
    if (const double free = segments_without_twist(mesh, body); free > 0)
      doubts.push_back(fmt::format(
          "body '{}': several entries of 'fixed' and 'driven' hold both ends of {:.0f} of its rods' segments, or one with 'components' or 'normal' turns "
          "them. Such entries neither hold nor turn the twist of a segment, which turns freely about itself; name a region with both of its ends in one entry "
          "without 'components' and 'normal'",
          body.name, free));
    const auto touches = [&](const BodySurface& side) { return side.body == body.name && has_rods(body, side.region); };
    if (!scene.contacts.empty() && std::none_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) {
          const auto* other = std::get_if<BodySurface>(&contact.against);
          return contact.all || touches(contact.vertices) || (other && touches(*other));
        }))
      doubts.push_back(fmt::format("no contact names the rods of body '{}': they pass through everything", body.name));
  }
  return doubts;
}

std::shared_ptr<const RodBending> add_rods(System& system, const Scene& scene, const SceneMaterials& materials) {
  if (std::all_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.rod.empty(); })) return nullptr;
  const DistributedMesh& mesh = system.mesh();
  std::vector<double> viscous_time(mesh.rods.size(), 0.0);
  std::vector<RodStretch> stretches;
  for_each_rod(mesh, scene, [&](int r, const RodMaterialSettings& material, double time) {
    const Rod& rod = mesh.rods[r];
    viscous_time[r] = time;
    stretches.push_back({{rod.vertices[0], rod.vertices[1]}, segment_at_rest(mesh, rod).norm(), material.stretching_stiffness(), time});
  });
  system.add(make_stencil_force<2>(mesh, std::move(stretches), "elastic"));
  const auto driven = driven_frames(system);
  const std::vector<char> is_clamped = clamped_vertices(mesh, scene);
  std::vector<RodBendingElement> elements;
  for (const Joint& joint : mesh.joints) {
    if (is_clamped[joint.vertices[1]]) continue;
    RodBendingElement& element = elements.emplace_back(element_of(mesh, joint, materials, viscous_time[joint.rods[0]]));
    for (int j = 0; j < 2; ++j)
      if (const auto found = driven.find(joint.vertices[3 + j]); found != driven.end()) element.driven[j] = found->second;
  }
  const auto bending = make_stencil_force<5, RodBending>(mesh, std::move(elements), "bending");
  system.add(bending);
  return bending;
}

DrivenGroup twists_driven_by(const System& system, const SceneMaterials& materials, const DrivenGroup& group, const std::vector<int>& region) {
  const DistributedMesh& mesh = system.mesh();
  const auto holds = [&](int vertex) { return std::binary_search(region.begin(), region.end(), vertex); };
  DrivenGroup result{group.name, {}, {}, {}};
  result.until = group.until;
  result.holds_twists = true;
  for (std::size_t r = 0; r < mesh.rods.size(); ++r) {
    const auto& [a, b, twist] = mesh.rods[r].vertices;
    if (twist >= mesh.halo->owned() || !holds(a) || !holds(b)) continue;
    result.vertices.push_back(twist);
    result.starts.push_back(Vec3::Zero());
    result.twists.push_back({{a, b}, materials.rod[r]->twist_radius(), {group.motion, segment_at_rest(mesh, mesh.rods[r]).normalized(), mesh.vertices[twist]}});
  }
  return result;
}

std::vector<int> twists_of(const DistributedMesh& mesh, const Body& body) {
  std::vector<int> twists;
  for (const auto& [name, material] : body.rod)
    for (const int rod : mesh.region(body.name + "." + name).rods)
      if (const int twist = mesh.rods[rod].vertices[2]; twist < mesh.halo->owned()) twists.push_back(twist);
  return twists;
}

void set_twist_velocities(const DistributedMesh& mesh, const SceneMaterials& materials, const Body& body, State& state) {
  for (const auto& [name, material] : body.rod)
    for (const int r : mesh.region(body.name + "." + name).rods) {
      const Rod& rod = mesh.rods[r];
      state.v[rod.vertices[2]].x() = materials.rod[r]->twist_radius() * body.initial.angular_velocity.dot(segment_at_rest(mesh, rod).normalized());
    }
}

}  // namespace traction
