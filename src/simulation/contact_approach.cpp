#include "simulation/contact_approach.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "parallel/collective.h"

namespace traction {

namespace {

// The largest difference between the vertices' velocities and a given one, on this rank [m/s].
double largest_departure(const std::vector<int>& vertices, const Field& velocities, const Vec3& from) {
  double largest = 0;
  for (int vertex : vertices) largest = std::max(largest, (velocities[vertex] - from).norm());
  return largest;
}

// Whether an obstacle has segments or points that belong to no triangle. Round obstacles do not count, although their middles are segments or points.
bool has_wires(const ContactSurface& surface) {
  return surface.is_obstacle && surface.offset == 0 &&
         (surface.triangles.empty() || std::any_of(surface.edges.begin(), surface.edges.end(), [](const SurfaceEdge& edge) { return edge.is_lone; }));
}

}  // namespace

ContactFace contact_face(const System& system, const SceneMaterials& materials, std::vector<int> vertices) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<char> touches(static_cast<std::size_t>(system.halo().local()), 0);
  ContactFace face{std::move(vertices)};
  for (int vertex : face.vertices) {
    touches[vertex] = 1;
    face.mass = std::max(face.mass, system.effective_mass()[vertex]);
  }
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const SolidMaterialSettings& material = *materials.solid[e];
    if (std::any_of(mesh.tetrahedra[e].begin(), mesh.tetrahedra[e].end(), [&](int vertex) { return touches[vertex] != 0; })) {
      const auto [youngs_modulus, poisson_ratio] = material.sudden_moduli();
      face.impedance = std::max(face.impedance, wave_impedance(youngs_modulus, poisson_ratio, material.density));
    }
  }
  face.impedance = maximum_over_ranks(system.communicator(), face.impedance);
  face.mass = maximum_over_ranks(system.communicator(), face.mass);
  return face;
}

StiffnessAhead ahead_of_obstacle(const System& system, double thickness, double area, ContactFace face, std::vector<GapFunction> obstacle, Motion motion) {
  const ApproachingSides sides{thickness, area, face.mass, face.impedance};
  // The speed along the normals; the whole speed if a mesh is out of reach.
  const auto closing_speed = [communicator = system.communicator(), vertices = std::move(face.vertices), obstacle = std::move(obstacle),
                              motion = std::move(motion)](const State& state) {
    const Pose pose(motion, state.time);
    double largest = 0;
    for (int vertex : vertices) {
      const Vec3 x = state.q[vertex], relative = state.v[vertex] - pose.velocity_at<double>(x), at_rest = pose.to_rest<double>(x);
      for (const GapFunction& shape : obstacle) {
        const GapSample<double> sample = std::visit([&](const auto& gap) { return gap(at_rest); }, shape);
        largest = std::max(largest, std::isfinite(sample.gap) ? -relative.dot(pose.rotation * sample.normal) : relative.norm());
      }
    }
    return maximum_over_ranks(communicator, largest);
  };
  return {sides, closing_speed};
}

StiffnessAhead ahead_of_body(const System& system, double thickness, double area, ContactFace first, ContactFace second, bool both) {
  const double sum = first.impedance + second.impedance;
  const ApproachingSides sides{thickness, area, both ? std::max(first.mass, second.mass) : first.mass, sum > 0 ? first.impedance * second.impedance / sum : 0};
  // Two velocities differ by at most the sum of their differences from a third one.
  const auto closing_speed = [communicator = system.communicator(), first = std::move(first.vertices),
                              second = std::move(second.vertices)](const State& state) {
    std::array<double, 4> sums{static_cast<double>(second.size())};
    for (int vertex : second)
      for (int i = 0; i < 3; ++i) sums[1 + i] += state.v[vertex][i];
    sum_over_ranks(communicator, sums);
    const Vec3 mean = Vec3(sums[1], sums[2], sums[3]) / sums[0];
    return maximum_over_ranks(communicator, largest_departure(first, state.v, mean)) +
           maximum_over_ranks(communicator, largest_departure(second, state.v, mean));
  };
  return {sides, closing_speed};
}

void look_ahead_of_wires(ContactGroup& group, const System& system, const SceneMaterials& materials, double area, const std::vector<ContactSurface>& surfaces) {
  std::vector<Motion> motions;
  std::vector<int> vertices;
  for (const ContactSurface& surface : surfaces) {
    if (has_wires(surface)) motions.push_back(surface.motion);
    if (!surface.is_obstacle && !surface.triangles.empty())
      for (const SurfaceVertex& vertex : surface.vertices) vertices.push_back(vertex.vertex);
  }
  if (motions.empty()) return;
  ContactFace face = contact_face(system, materials, std::move(vertices));
  if (face.impedance == 0) return;  // shells wrap around a wire
  const ApproachingSides sides{group.thickness(), area, face.mass, face.impedance};
  // A wire has no normal, so that speed in any direction counts.
  const auto speed = [communicator = system.communicator(), vertices = std::move(face.vertices), motions = std::move(motions)](const State& state) {
    double largest = 0;
    for (const Motion& motion : motions) {
      const Pose pose(motion, state.time);
      for (const int vertex : vertices) largest = std::max(largest, (state.v[vertex] - pose.velocity_at<double>(state.q[vertex])).norm());
    }
    return maximum_over_ranks(communicator, largest);
  };
  group.look_ahead({sides, speed});
}

}  // namespace traction
