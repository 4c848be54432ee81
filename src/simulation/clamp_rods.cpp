#include "simulation/clamp_rods.h"

#include <algorithm>
#include <map>

#include "math/barycentric.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// How a body carries a vertex. It consists of numbers alone, because ranks exchange it.
struct Carried {
  double vertex = 0, attachment = 0;
  std::array<double, 4> masters{}, weights{};
};
static_assert(sizeof(Carried) == 10 * sizeof(double));

// The carriers of all vertices that are carried with their direction, by the vertices' global numbers. Collective.
std::map<PetscInt, Carried> carried_vertices(const System& system, const Scene& scene) {
  const DistributedMesh& mesh = system.mesh();
  std::map<int, std::size_t> attachments;  // by local vertex
  for (std::size_t a = 0; a < scene.attachments.size(); ++a)
    if (scene.attachments[a].tangent)
      for (const int vertex : mesh.region(to_text(scene.attachments[a].vertices)).vertices) attachments[vertex] = a;
  std::vector<double> numbers;
  for (const LocalDependent& dependent : mesh.dependents)
    if (const auto found = attachments.find(dependent.vertex); found != attachments.end()) {
      numbers.push_back(static_cast<double>(system.halo().to_global(dependent.vertex)));
      numbers.push_back(static_cast<double>(found->second));
      for (const PetscInt master : dependent.masters) numbers.push_back(static_cast<double>(master));
      numbers.insert(numbers.end(), dependent.weights.begin(), dependent.weights.end());
    }
  numbers = concatenated_over_ranks(system.communicator(), numbers);
  std::map<PetscInt, Carried> result;
  for (std::size_t n = 0; n < numbers.size(); n += 10) {
    Carried carried{numbers[n], numbers[n + 1], {}, {}};
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n) + 2, 4, carried.masters.begin());
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n) + 6, 4, carried.weights.begin());
    result[static_cast<PetscInt>(numbers[n])] = carried;
  }
  return result;
}

// Sets how the body holds the element: by its masters, which are at `corners` at rest, and by a segment in the body along the rod's own.
void hold_by(RodClampElement& element, const Carried& carried, const std::array<Vec3, 4>& corners) {
  std::array<Vec3, 3> places;
  std::array<PetscInt, 4> masters{};
  for (int m = 0; m < 4; ++m) masters[m] = static_cast<PetscInt>(carried.masters[m]);
  const bool is_triangle = masters[3] == masters[0];
  if (is_triangle) {
    for (int p = 0; p < 3; ++p) {
      places[p] = corners[p];
      element.points[3 + p] = BodyPoint::vertex(masters[p]);
    }
  } else {  // places along the segment and along its first director
    double size = 0;
    Vec3 place = Vec3::Zero();
    for (int m = 0; m < 4; ++m) {
      size = std::max(size, (corners[m] - corners[0]).norm());
      place += carried.weights[m] * corners[m];
    }
    places = {place, place + size * element.frame.tangent, place + size * element.frame.director};
    for (int p = 0; p < 3; ++p) element.points[3 + p] = BodyPoint::sum(masters, barycentric(corners, places[p]));
  }
  const Mat3 axes = RodClampElement::axes<double>(places[1] - places[0], places[2] - places[0]);
  element.tangent = axes.transpose() * element.frame.tangent;
  element.director = axes.transpose() * element.frame.director;
}

}  // namespace

std::vector<char> clamped_vertices(const DistributedMesh& mesh, const Scene& scene) {
  std::vector<char> marks(mesh.vertices.size(), 0);
  for (const AttachmentSettings& attachment : scene.attachments)
    if (attachment.tangent)
      for (const int vertex : mesh.region(to_text(attachment.vertices)).vertices) marks[vertex] = 1;
  return marks;
}

std::shared_ptr<const RodClamps> add_clamps(System& system, const Scene& scene) {
  if (std::none_of(scene.attachments.begin(), scene.attachments.end(), [](const AttachmentSettings& attachment) { return attachment.tangent; })) return nullptr;
  const DistributedMesh& mesh = system.mesh();
  const Halo& halo = system.halo();
  const std::map<PetscInt, Carried> carried = carried_vertices(system, scene);
  std::vector<RodClampElement> elements;
  std::vector<const Carried*> holds;
  for (const Body& body : scene.bodies)
    for (const auto& [name, material] : body.rod)
      for (const int r : mesh.region(body.name + "." + name).rods) {
        const auto& [a, b, twist] = mesh.rods[r].vertices;
        if (twist >= halo.owned()) continue;
        for (const int end : {a, b}) {
          const auto found = carried.find(halo.to_global(end));
          if (found == carried.end()) continue;
          const Vec3 segment = mesh.vertices[b] - mesh.vertices[a];
          const double half = segment.norm() / 2;
          RodClampElement& element = elements.emplace_back();
          element.points[0] = BodyPoint::vertex(halo.to_global(a));
          element.points[1] = BodyPoint::vertex(halo.to_global(b));
          element.points[2] = BodyPoint::vertex(halo.to_global(twist));
          element.attachment = static_cast<int>(found->second.attachment);
          element.twist = twist;
          element.begins = end == a;
          element.radius = material.twist_radius();
          element.first_bending = material.first_bending_stiffness() / half;
          element.second_bending = material.second_bending_stiffness() / half;
          element.twisting = material.twisting_stiffness() / half;
          element.viscous_time = body.damping.stiffness;
          element.frame = {segment.normalized(), mesh.vertices[twist]};
          holds.push_back(&found->second);
        }
      }
  std::vector<PetscInt> wanted;
  for (const Carried* hold : holds)
    for (const double master : hold->masters) wanted.push_back(static_cast<PetscInt>(master));
  Field rest(halo.local()), corners(static_cast<int>(wanted.size()));
  for (int i = 0; i < halo.local(); ++i) rest[i] = mesh.vertices[i];
  Scatter(halo, wanted, 3).forward(rest.values(), corners.values());
  std::vector<int> sets;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const int first = static_cast<int>(4 * e);
    hold_by(elements[e], *holds[e], {corners[first], corners[first + 1], corners[first + 2], corners[first + 3]});
    sets.push_back(elements[e].attachment);
  }
  const auto clamps = std::make_shared<RodClamps>(mesh.halo, std::move(elements), sets, static_cast<int>(scene.attachments.size()), "bending");
  system.add(clamps);
  return clamps;
}

}  // namespace traction
