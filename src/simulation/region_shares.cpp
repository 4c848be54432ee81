#include "simulation/region_shares.h"

#include <algorithm>
#include <optional>

#include "elements/surface_load_elements.h"
#include "math/triangle_area.h"
#include "parallel/collective.h"
#include "simulation/lumped_mass.h"
#include "simulation/make_stencil_force.h"
#include "simulation/six_node_faces.h"

namespace traction {

namespace {

// The frame that a vertex is a particle of.
std::optional<std::size_t> frame_of(const std::vector<RigidFrame>& frames, PetscInt vertex) {
  for (std::size_t f = 0; f < frames.size(); ++f)
    if (std::find(frames[f].particles.begin(), frames[f].particles.end(), vertex) != frames[f].particles.end()) return f;
  return std::nullopt;
}

// Whether the region contains each rigid body. Collective.
std::vector<double> whole_frames(const System& system, const LocalRegion& region) {
  const std::vector<RigidFrame>& frames = system.mesh().frames;
  std::vector<double> is_whole(frames.size(), 0.0);
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (const int vertex : region.vertices)
      if (vertex < system.halo().owned() && system.halo().to_global(vertex) == frames[f].particles[0]) is_whole[f] = 1;
  sum_over_ranks(system.communicator(), is_whole);
  return is_whole;
}

// Whether the region is a whole body: names of bodies have no dots.
bool is_body(const LocalRegion& region) { return region.name.find('.') == std::string::npos; }

// The integrals of the shape functions of owned vertices over the area at rest [m^2]. Collective.
std::map<int, double> areas_of_vertices(const System& system, const LocalRegion& region) {
  const DistributedMesh& mesh = system.mesh();
  const int owned = system.halo().owned();
  std::map<int, double> areas;
  const auto faces = six_node_faces(mesh, region);
  if (sum_over_ranks(system.communicator(), static_cast<double>(faces.size())) == 0) {
    for (int t : region.members)
      for (int vertex : mesh.triangles[t])
        if (vertex < owned) areas[vertex] += triangle_area(mesh.vertices, mesh.triangles[t]) / 3;
    return areas;
  }
  for (const auto& face : faces)
    QuadraticFace::for_each_point<double>(places(mesh, face), [&](double weight, const std::array<double, 6>& shapes, const Vec3& area) {
      for (std::size_t a = 0; a < face.size(); ++a)
        if (face[a] < owned) areas[face[a]] += weight * shapes[a] * area.norm();
    });
  return areas;
}

// Moves the shares of vertices that rigid bodies of the region carry to the particles of these bodies, which a force on such a vertex acts on in the same way.
// On the vertex it would count among the forces that its attachment transmits. Collective.
void move_to_particles(const System& system, const LocalRegion& region, std::map<int, double>& shares) {
  const AttachedMasses attached(system);
  if (!attached.is_any) return;
  const std::vector<RigidFrame>& frames = system.mesh().frames;
  const std::vector<double> is_whole = whole_frames(system, region);
  std::map<PetscInt, std::size_t> numbers;  // particles of whole bodies
  for (std::size_t f = 0; f < frames.size(); ++f)
    if (is_whole[f] > 0)
      for (const int particle : frames[f].particles) numbers.emplace(particle, numbers.size());
  std::vector<double> moved(numbers.size(), 0.0);
  for (const LocalDependent& dependent : attached.vertices) {
    const auto found = shares.find(dependent.vertex);
    if (found == shares.end() || !numbers.contains(dependent.masters[0])) continue;
    for (std::size_t m = 0; m < dependent.masters.size(); ++m) moved[numbers.at(dependent.masters[m])] += dependent.weights[m] * found->second;
    shares.erase(found);
  }
  if (!moved.empty()) sum_over_ranks(system.communicator(), moved);
  for (auto& [vertex, share] : shares)
    if (const auto number = numbers.find(system.halo().to_global(vertex)); number != numbers.end()) share += moved[number->second];
}

}  // namespace

AttachedMasses::AttachedMasses(const System& system) {
  for (const LocalDependent& dependent : system.mesh().dependents)
    if (system.own_mass()[dependent.vertex] > 0) vertices.push_back(dependent);
  is_any = sum_over_ranks(system.communicator(), static_cast<double>(vertices.size())) > 0;
}

std::map<int, double> masses_of_body(const System& system, const LocalRegion& body, const AttachedMasses& attached) {
  std::map<int, double> masses;
  for (int vertex : body.vertices)
    if (vertex < system.halo().owned()) masses[vertex] = system.own_mass()[vertex];
  if (!attached.is_any) return masses;
  const std::vector<double> is_whole = whole_frames(system, body);
  for (const LocalDependent& dependent : attached.vertices) {
    const auto frame = frame_of(system.mesh().frames, dependent.masters[0]);
    if (frame && is_whole[*frame] > 0) masses[dependent.vertex] -= system.own_mass()[dependent.vertex];
  }
  return masses;
}

std::map<int, double> masses_of_body(const System& system, const LocalRegion& body) { return masses_of_body(system, body, AttachedMasses(system)); }

std::map<int, double> masses_of_region(const System& system, const SceneMaterials& materials, const LocalRegion& region) {
  const std::vector<double> is_whole = whole_frames(system, region);
  if (is_body(region) || std::any_of(is_whole.begin(), is_whole.end(), [](double whole) { return whole > 0; })) return masses_of_body(system, region);
  const std::vector<double> of_elements = lumped_mass(system.mesh(), materials, region);
  std::map<int, double> masses;
  for (int vertex : region.vertices)
    if (vertex < system.halo().owned()) masses[vertex] = of_elements[vertex];
  return masses;
}

std::map<int, double> shares_of_vertices(const System& system, const SceneMaterials& materials, const LocalRegion& region, bool by_area) {
  if (by_area) return areas_of_vertices(system, region);
  std::map<int, double> shares = masses_of_region(system, materials, region);
  const auto total = [&] {
    double sum = 0;
    for (const auto& [vertex, share] : shares) sum += share;
    return sum_over_ranks(system.communicator(), sum);
  };
  if (total() > 0) {
    move_to_particles(system, region, shares);
    return shares;
  }
  for (auto& [vertex, share] : shares) share = system.own_mass()[vertex];
  if (total() > 0) return shares;
  for (auto& [vertex, share] : shares) share = 1;
  return shares;
}

}  // namespace traction
