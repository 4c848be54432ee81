#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/implicit_driver.h"
#include "errors.h"
#include "forces/gravity.h"
#include "mesh/mesh_plan.h"
#include "parallel/collective.h"
#include "simulation/build_asynchronous.h"
#include "simulation/build_contact.h"
#include "simulation/build_meetings.h"
#include "simulation/build_pressure_contacts.h"
#include "simulation/build_rod.h"
#include "simulation/build_shell.h"
#include "simulation/build_solid.h"
#include "simulation/build_springs.h"
#include "simulation/doubts_about_build.h"
#include "simulation/flush_bodies.h"
#include "simulation/free_motions.h"
#include "simulation/held_regions.h"
#include "simulation/load_times.h"
#include "simulation/lumped_mass.h"
#include "simulation/region_shares.h"
#include "simulation/rigid_bodies.h"
#include "simulation/scene_materials.h"
#include "simulation/scene_partition.h"
#include "simulation/simulation.h"
#include "simulation/stiff_bending.h"

namespace traction {

namespace {

std::vector<int> owned_only(const std::vector<int>& vertices, int owned) {
  std::vector<int> result;
  std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(result), [&](int vertex) { return vertex < owned; });
  return result;
}

std::shared_ptr<VolumePenalty> make_volume(System& system, const Body& body, const VolumePenaltySettings& settings, const Field& rest) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<std::array<int, 3>> triangles;
  std::vector<char> owned;
  for (int t : mesh.region(body.name + "." + closed_region(settings.region.empty() ? settings.surface : settings.region)).members) {
    triangles.push_back(mesh.triangles[t]);
    owned.push_back(mesh.owns(mesh.triangles[t]));
  }
  // The law needs the volume at rest, and measuring that needs the surface.
  const VolumePenalty probe(mesh.halo, triangles, owned, {}, {}, settings.excluded_volume, settings.sparse);
  const double volume = probe.volume(rest);
  if (!(volume > 0))
    throw InputError(fmt::format("{}: the surface encloses {:.4g} m^3, no more than the excluded volume of {:.4g} m^3; lower excluded_volume",
                                 settings.source.text, volume + settings.excluded_volume, settings.excluded_volume));
  const VolumeLaw law = VolumeLaw::with_pressure(settings.model, volume, settings.gauge_pressure, settings.compressibility, settings.adiabatic_index);
  return std::make_shared<VolumePenalty>(mesh.halo, std::move(triangles), std::move(owned), law, settings.inflation, settings.excluded_volume, settings.sparse);
}

void set_initial_velocities(const System& system, const AttachedMasses& attached, const Body& body, State& state) {
  const LocalRegion& region = system.mesh().region(body.name);
  if (body.initial.angular_velocity.isZero(0)) {
    for (int vertex : region.vertices) state.v[vertex] += body.initial.velocity;
    return;
  }
  std::array<double, 4> sums{};  // mass, first moments
  for (const auto& [vertex, mass] : masses_of_body(system, region, attached)) {
    sums[0] += mass;
    for (int i = 0; i < 3; ++i) sums[1 + i] += mass * state.q[vertex][i];
  }
  sum_over_ranks(system.communicator(), sums);
  const Vec3 centroid = Vec3(sums[1], sums[2], sums[3]) / sums[0];
  for (int vertex : region.vertices) state.v[vertex] += body.initial.velocity + body.initial.angular_velocity.cross(state.q[vertex] - centroid);
}

void add_driven_vertices(System& system, const Body& body, const SceneMaterials& materials, const State& state) {
  for (const DrivenSettings& driven : body.driven) {
    DrivenGroup group{body.name + "." + driven.region, driven.motion, {}, {}, driven.directions()};
    const std::vector<int>& vertices = system.mesh().region(group.name).vertices;
    // A region of a rigid body has the whole body's motion.
    group.vertices = body.rigid ? owned_particles(system.mesh(), body.name) : owned_only(vertices, system.halo().owned());
    for (int vertex : group.vertices) group.starts.push_back(state.q[vertex]);
    if (driven.until) group.until = *driven.until;
    const bool clamps = !body.rod.empty() && group.directions.empty();
    DrivenGroup twists = clamps ? twists_driven_by(system, materials, group, vertices) : DrivenGroup{};
    system.drive(std::move(group));
    if (clamps) system.drive(std::move(twists));
  }
}

// The sum of the squared distances of points from their mean; it changes with nearly every change of a mesh but a rigid motion.
double spread_of(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& point : points) sum += point;
  double spread = 0;
  for (const Vec3& point : points) spread += (point - sum / static_cast<double>(points.size())).squaredNorm();
  return spread;
}

// Most laws subtract numbers of the size of their moduli, so that the energy of solids without strain is rounded by this much [J]. Collective.
double rounding_of_stresses(const Scene& scene, const DistributedMesh& mesh, const SceneMaterials& materials) {
  const std::vector<char> is_frame = frame_marks(mesh, scene);  // what keeps a rigid body's particles apart is computed from its strain
  double sum = 0;                                               // Young's modulus integrated over the volume
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto& t = mesh.tetrahedra[e];
    const Vec3& x = mesh.vertices[t[0]];
    if (!is_frame[e] && mesh.owns(t))
      sum += materials.solid[e]->sudden_moduli().first * std::abs((mesh.vertices[t[1]] - x).cross(mesh.vertices[t[2]] - x).dot(mesh.vertices[t[3]] - x)) / 6;
  }
  return std::numeric_limits<double>::epsilon() * sum_over_ranks(mesh.halo->communicator(), sum);
}

// Partitions the mesh, which rank 0 has, and distributes it. `mesh` remains whole there.
void distribute_mesh(MPI_Comm communicator, const Mesh& mesh, const std::vector<double>& contacts_per_step, Simulation& simulation) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const Scene& scene = simulation.scene;
  Partition partition;  // on rank 0
  on_first_rank(communicator, [&] {
    partition = partition_for(scene, mesh, ranks, contacts_per_step);
    simulation.quality = measure_quality(mesh, partition);
    simulation.add_warnings(doubts_about_free_motions(scene, mesh));
    const std::vector<char> held = held_vertices(scene, mesh);
    simulation.add_warnings(doubts_about_bending(scene, mesh, held));
    simulation.add_warnings(doubts_about_flush_bodies(scene, mesh, held));
  });
  simulation.mesh = std::make_shared<const DistributedMesh>(distribute(communicator, mesh, partition));
  constexpr std::uint64_t kExactInDouble = (1ull << 53) - 1;
  simulation.mesh_fingerprint = static_cast<double>(fingerprint(mesh) & kExactInDouble);
  simulation.mesh_spread = spread_of(mesh.vertices);
  MPI_Bcast(&simulation.mesh_fingerprint, 1, MPI_DOUBLE, 0, communicator);
  MPI_Bcast(&simulation.mesh_spread, 1, MPI_DOUBLE, 0, communicator);
}

std::unique_ptr<System> make_system(const Simulation& simulation, const SceneMaterials& materials) {
  const Scene& scene = simulation.scene;
  auto system = std::make_unique<System>(simulation.mesh, lumped_mass(*simulation.mesh, materials));
  if (!(system->total_mass() > 0 && std::isfinite(system->total_mass())))
    throw InputError(fmt::format("{}: the mass of all bodies is {:.3g} kg, too little or too much to compute with; check coordinates, 'scale' and densities",
                                 scene.file, system->total_mass()));
  if (scene.gravity_over.empty()) system->set_reference_acceleration(scene.gravity.norm());
  system->set_inertia(scene.time.inertia);
  return system;
}

Field places_at_rest(const System& system) {
  Field rest(system.halo().local());
  for (int i = 0; i < system.halo().local(); ++i) rest[i] = system.mesh().vertices[i];
  return rest;
}

// Where the bodies start, and the velocities that their files have.
State state_at_start(const System& system) {
  const DistributedMesh& mesh = system.mesh();
  State initial(system.halo().local());
  initial.q = places_at_rest(system);
  for (std::size_t i = 0; i < mesh.start_positions.size(); ++i) {
    initial.q[i] = mesh.start_positions[i];
    initial.v[i] = mesh.start_velocities[i];
  }
  for (const int twist : mesh.twists) initial.q[twist] = initial.v[twist] = Vec3::Zero();
  return initial;
}

void add_gravity(System& system, const Scene& scene) {
  if (scene.gravity.isZero()) return;
  std::vector<double> owned_mass(system.mass().begin(), system.mass().begin() + system.halo().owned());
  for (const int twist : system.mesh().twists)
    if (twist < system.halo().owned()) owned_mass[twist] = 0;
  TimeTable over;
  for (const LoadPoint& point : scene.gravity_over) over.push_back({point.time, point.factor});
  system.add(std::make_shared<Gravity>(owned_mass, scene.gravity, std::move(over)));
}

void add_body(System& system, const Body& body, const SceneMaterials& materials, const State& initial) {
  std::vector<int> vertices = owned_only(system.mesh().region(body.name).vertices, system.halo().owned()), dependents;
  const auto is_independent = [&](int vertex) { return system.dependents().marks()[vertex] == 0; };
  const auto first_dependent = std::stable_partition(vertices.begin(), vertices.end(), is_independent);
  dependents.assign(first_dependent, vertices.end());
  vertices.erase(first_dependent, vertices.end());
  system.add_body(std::move(vertices), body.name, twists_of(system.mesh(), body), dependents);
  add_driven_vertices(system, body, materials, initial);
}

// Adds the forces within a body and the loads on it, and sets its velocity. Shells bend from their clamps, which other bodies may hold, so all driven vertices
// are known before.
void add_forces_of(const Body& body, const SceneMaterials& materials, const MemoryPlaces& places, Simulation& simulation, State& initial) {
  System& system = *simulation.system;
  BodyMonitor monitor{body.name, {}, {}, body.rigid ? materials.rigid->at(body.name).tetrahedron.youngs_modulus : 0};
  SolidMonitor solids = add_solid(system, body, materials, places);
  std::ranges::move(solids.averaged, std::back_inserter(simulation.averaged));
  std::ranges::move(solids.softened, std::back_inserter(simulation.softened));
  if (const auto bending = add_shell(system, body, materials)) simulation.yielding_shells.push_back(bending);
  const Field rest = body.volumes.empty() ? Field() : places_at_rest(system);
  for (const VolumePenaltySettings& volume : body.volumes) {
    monitor.volumes.push_back(make_volume(system, body, volume, rest));
    system.add(monitor.volumes.back());
  }
  monitor.loads = add_loads(system, body, materials, initial.q);
  simulation.bodies.push_back(std::move(monitor));
}

// Adds what connects bodies: the particles of rigid ones, rods, springs, attachments and joints.
void add_connections(const SceneMaterials& materials, Simulation& simulation, const State& initial) {
  System& system = *simulation.system;
  const Scene& scene = simulation.scene;
  if (!simulation.mesh->frames.empty()) add_frames(system, scene, materials);
  simulation.rods = add_rods(system, scene, materials);
  simulation.springs = add_springs(system, scene, materials, initial.q);
  simulation.attachments = add_attachments(system, scene, materials, initial.q);
  simulation.joints = add_joints(system, scene, initial.q);
}

void add_contacts(const SceneMaterials& materials, Simulation& simulation, const State& initial) {
  const bool is_asynchronous = simulation.scene.time.integrator == Integrator::asynchronous;
  simulation.contact_area.assign(simulation.system->halo().owned(), 0.0);
  simulation.contact_counts = ContactCounts(std::vector<double>(simulation.system->halo().local(), 0.0), 0);
  for (const ContactSettings& contact : simulation.scene.contacts) {
    if (!is_asynchronous) {
      simulation.contacts.push_back(build_contact(simulation, contact, materials, initial));
      simulation.contacts.back()->for_each_term([&](const auto& term) { simulation.system->add(term); });
    }
    add_meetings(simulation, contact);
  }
}

}  // namespace

void Simulation::add_warnings(std::vector<std::string> sentences) { std::ranges::move(sentences, std::back_inserter(warnings)); }

Simulation build_simulation(MPI_Comm communicator, const Scene& scene, Mesh mesh, const std::vector<double>& contacts_per_step) {
  Simulation simulation;
  simulation.scene = scene;
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const bool is_asynchronous = scene.time.integrator == Integrator::asynchronous, shares_events = is_asynchronous && ranks > 1;
  if (is_asynchronous) refuse_what_has_no_clock(scene);
  else refuse_asynchronous_settings(scene);

  distribute_mesh(communicator, mesh, contacts_per_step, simulation);
  const std::vector<RigidInside> insides = std::move(mesh.insides);
  if (!shares_events) mesh = {};

  const auto materials = materials_of(scene, *simulation.mesh);
  simulation.system = make_system(simulation, materials);
  System& system = *simulation.system;
  State initial = state_at_start(system);
  add_gravity(system, scene);
  for (const Body& body : scene.bodies) add_body(system, body, materials, initial);
  const MemoryPlaces places = memory_places(*simulation.mesh, scene, materials);
  for (const Body& body : scene.bodies) add_forces_of(body, materials, places, simulation, initial);
  const AttachedMasses attached(system);
  for (const Body& body : scene.bodies) {
    set_initial_velocities(system, attached, body, initial);
    set_twist_velocities(*simulation.mesh, materials, body, initial);
  }
  add_connections(materials, simulation, initial);
  const Field given = initial.v;
  system.exchange(initial.v);
  if (scene.time.inertia) system.set_driven_velocities(initial);
  else initial.mean = MeanVelocity{initial.time};  // bodies and obstacles come from nowhere
  simulation.add_warnings(doubts_about_build(simulation, materials, given, initial));
  add_contacts(materials, simulation, initial);
  add_pressure_contacts(simulation, insides, initial);
  // A body may start so bent that it yields. It counts as having yielded before.
  for (const auto& force : system.forces())
    if (force->flowing_terms()) force->memory()->commit(initial);
  system.relax(initial);
  if (shares_events) simulation.loop = shared_asynchronous_driver(communicator, simulation, std::move(mesh));
  else if (is_asynchronous) simulation.loop = asynchronous_driver(simulation, materials, std::move(initial));
  else
    simulation.loop = std::make_unique<ImplicitDriver>(system, simulation.contacts, scene.time, scene.solver, std::move(initial), corners_of_loads(scene),
                                                       rounding_of_stresses(scene, *simulation.mesh, materials));
  return simulation;
}

}  // namespace traction
