#include <fmt/format.h>

#include <algorithm>

#include "errors.h"
#include "forces/gravity.h"
#include "forces/neo_hookean_solid.h"
#include "forces/rayleigh_damping.h"
#include "parallel/collective.h"
#include "simulation/build_contact.h"
#include "simulation/build_shell.h"
#include "simulation/scene_materials.h"
#include "simulation/scene_mesh.h"
#include "simulation/scene_partition.h"
#include "simulation/simulation.h"

namespace traction {

namespace {

std::array<Vec3, 4> corners(const DistributedMesh& mesh, const std::array<int, 4>& t) {
  return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]};
}

std::vector<int> owned_only(const std::vector<int>& vertices, int owned) {
  std::vector<int> result;
  std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(result), [&](int vertex) { return vertex < owned; });
  return result;
}

// With the damping of the body's mass; that of its shells' stiffness is theirs.
void add_solid(System& system, const Body& body, const SceneMaterials& materials) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<int> members;
  for (const auto& [name, material] : body.solid) {
    const std::vector<int>& region = mesh.region(body.name + "." + name).members;
    members.insert(members.end(), region.begin(), region.end());
  }
  std::sort(members.begin(), members.end());
  std::vector<SolidElement> elements;
  std::vector<char> owned;
  int interior = 0;
  for (int e : members) {
    const auto& tetrahedron = mesh.tetrahedra[e];
    const SolidMaterial& material = *materials.solid[e];
    elements.emplace_back(tetrahedron, corners(mesh, tetrahedron), NeoHookean::from_engineering(material.youngs_modulus, material.poisson_ratio));
    owned.push_back(mesh.owns(tetrahedron));
    if (e < mesh.interior_tetrahedra) ++interior;
  }
  const auto batches = std::make_shared<const SolidBatches>(elements, interior, owned, system.pattern());
  if (!body.solid.empty()) system.add(std::make_shared<NeoHookeanSolid>(batches));
  const double stiffness_damping = body.solid.empty() ? 0 : body.damping.stiffness;
  if (body.damping.mass == 0 && stiffness_damping == 0) return;
  std::vector<double> mass_damping(mesh.vertices.size(), 0.0);
  for (int vertex : mesh.region(body.name).vertices) mass_damping[vertex] = body.damping.mass * system.mass()[vertex];
  system.add(std::make_shared<RayleighDamping>(batches, std::move(mass_damping), stiffness_damping, mesh.halo->owned()));
}

std::shared_ptr<VolumePenalty> make_volume(System& system, const Body& body, const VolumePenaltySettings& settings, const Field& positions) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<std::array<int, 3>> triangles;
  std::vector<char> owned;
  for (int t : mesh.region(body.name + "." + volume_region(settings)).members) {
    triangles.push_back(mesh.triangles[t]);
    owned.push_back(mesh.owns(mesh.triangles[t]));
  }
  // The law needs the initial volume, and measuring that needs the surface.
  const VolumePenalty probe(mesh.halo, triangles, owned, {}, {}, settings.excluded_volume, settings.sparse);
  const double volume = probe.volume(positions);
  if (!(volume > 0))
    throw InputError(fmt::format("{}: the surface encloses {:.4g} m^3, no more than the excluded volume of {:.4g} m^3; lower that", settings.source.text,
                                 volume + settings.excluded_volume, settings.excluded_volume));
  const VolumeLaw law = VolumeLaw::with_pressure(settings.model, volume, settings.gauge_pressure, settings.compressibility);
  return std::make_shared<VolumePenalty>(mesh.halo, std::move(triangles), std::move(owned), law, settings.inflation, settings.excluded_volume, settings.sparse);
}

void set_initial_velocities(const System& system, const Body& body, State& state) {
  const LocalRegion& region = system.mesh().region(body.name);
  std::array<double, 4> sums{};  // mass, first moments
  for (int vertex : owned_only(region.vertices, system.halo().owned())) {
    sums[0] += system.mass()[vertex];
    for (int i = 0; i < 3; ++i) sums[1 + i] += system.mass()[vertex] * state.q[vertex][i];
  }
  sum_over_ranks(system.communicator(), sums);
  const Vec3 centroid = Vec3(sums[1], sums[2], sums[3]) / sums[0];
  for (int vertex : region.vertices) state.v[vertex] = body.initial.velocity + body.initial.angular_velocity.cross(state.q[vertex] - centroid);
}

void add_driven_vertices(System& system, const Body& body, const State& state) {
  for (const DrivenVertices& driven : body.driven) {
    DrivenGroup group{body.name + "." + driven.region, driven.motion, {}, {}};
    for (int vertex : owned_only(system.mesh().region(group.name).vertices, system.halo().owned())) {
      if (system.is_driven()[vertex]) continue;  // where regions with the same motion meet
      group.vertices.push_back(vertex);
      group.starts.push_back(state.q[vertex]);
    }
    system.drive(std::move(group));
  }
}

}  // namespace

Simulation build_simulation(MPI_Comm communicator, const Scene& scene, Mesh mesh, const std::vector<double>& contacts_per_step) {
  Simulation simulation;
  simulation.scene = scene;
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);

  Partition partition;  // on rank 0
  on_first_rank(communicator, [&] {
    partition = partition_for(scene, mesh, ranks, contacts_per_step);
    simulation.quality = measure_quality(mesh, partition);
  });
  simulation.mesh = std::make_shared<const DistributedMesh>(distribute(communicator, mesh, partition));
  constexpr std::uint64_t kExactInDouble = (1ull << 53) - 1;
  simulation.mesh_fingerprint = static_cast<double>(fingerprint(mesh) & kExactInDouble);
  MPI_Bcast(&simulation.mesh_fingerprint, 1, MPI_DOUBLE, 0, communicator);
  mesh = {};

  const auto materials = materials_of(scene, *simulation.mesh);
  simulation.system = std::make_unique<System>(simulation.mesh, lumped_mass(*simulation.mesh, materials));
  System& system = *simulation.system;
  State initial(system.halo().local());
  for (int i = 0; i < system.halo().local(); ++i) initial.q[i] = simulation.mesh->vertices[i];

  if (!scene.gravity.isZero()) {
    const std::vector<double> owned_mass(system.mass().begin(), system.mass().begin() + system.halo().owned());
    system.add(std::make_shared<Gravity>(owned_mass, scene.gravity));
  }
  for (const Body& body : scene.bodies) {
    BodyMonitor monitor{body.name, owned_only(simulation.mesh->region(body.name).vertices, system.halo().owned()), {}, {}};
    system.add_body(monitor.vertices);
    add_solid(system, body, materials);
    add_shell(system, body, materials);
    for (const VolumePenaltySettings& volume : body.volumes) {
      monitor.volumes.push_back(make_volume(system, body, volume, initial.q));
      system.add(monitor.volumes.back());
    }
    monitor.loads = add_loads(system, body, initial.q);
    set_initial_velocities(system, body, initial);
    add_driven_vertices(system, body, initial);
    simulation.bodies.push_back(std::move(monitor));
  }
  system.halo().exchange(initial.v.values());
  system.set_driven_velocities(initial);
  simulation.contact_area.assign(system.halo().owned(), 0.0);
  simulation.contact_counts = ContactCounts(Field(system.halo().local()), 0);
  for (const ContactSettings& contact : scene.contacts) {
    simulation.contacts.push_back(build_contact(simulation, contact, materials, initial));
    system.add(simulation.contacts.back());
  }
  simulation.loop = std::make_unique<TimeLoop>(system, simulation.contacts, scene.time, scene.solver, std::move(initial));
  return simulation;
}

}  // namespace traction
