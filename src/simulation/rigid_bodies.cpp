#include "simulation/rigid_bodies.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "elements/materials/saint_venant_kirchhoff.h"
#include "mesh/rigid_frame.h"
#include "parallel/collective.h"
#include "simulation/expected_speeds.h"
#include "simulation/known_pulls.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// The edges from a frame's first particle to the others, as columns.
Mat3 edges_of(const std::array<Vec3, 4>& x) {
  Mat3 edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = x[i + 1] - x[0];
  return edges;
}

// The modulus at which rounded positions of a frame cause a velocity error v in a step h: a stress acts on particles through gradients of the inverse of the
// frame's least width.
double modulus_that_rounds(const RigidFrame& frame, double volume, double size, double v, double step) {
  const double width = Eigen::JacobiSVD<Mat3>(edges_of(frame.positions)).singularValues()[2];
  double distance = size;
  for (const Vec3& position : frame.positions) distance = std::max(distance, position.norm());
  return v * (frame.mass / 4) * width * width / (step * volume * std::numeric_limits<double>::epsilon() * distance);
}

Vec3 center_of(const RigidFrame& frame) { return (frame.positions[0] + frame.positions[1] + frame.positions[2] + frame.positions[3]) / 4; }

// The force of each spring at the start, between the middles of the vertices of its ends [N]. Collective.
std::vector<double> spring_pulls(const Scene& scene, const DistributedMesh& mesh) {
  std::vector<double> pulls;
  const std::vector<Vec3>& starts = mesh.start_positions.empty() ? mesh.vertices : mesh.start_positions;
  const auto middle = [&](const BodySurface& end) {
    std::array<double, 4> sums{};
    for (const int vertex : mesh.region(to_text(end)).vertices) {
      if (vertex >= mesh.halo->owned()) continue;
      for (int axis = 0; axis < 3; ++axis) sums[axis] += starts[vertex][axis];
      sums[3] += 1;
    }
    sum_over_ranks(mesh.halo->communicator(), sums);
    return Vec3(Vec3(sums[0], sums[1], sums[2]) / sums[3]);
  };
  for (const SpringSettings& spring : scene.springs) {
    const double length = (middle(spring.from) - (spring.anchor ? *spring.anchor : middle(spring.to))).norm();
    pulls.push_back(spring.stiffness * std::abs(length - spring.rest_length.value_or(length)));
  }
  return pulls;
}

}  // namespace

// The modulus at which none of the following strains the tetrahedron beyond the bound: the body's own weight, rotation, loads, motors and springs, and, as far
// as rounding allows, the acceleration by a contact of one step's length and the weight of the heaviest rigid body on this one. A force F at the arm s of a
// tetrahedron of volume V strains it by about F s / (E V). Loads that strain the tetrahedron by its bound press at about a hundredth of the contact's pressure
// at zero gap. That of impacts follows from the way on which they are stopped, and not from the step, so that impacts last longer than short steps.
std::map<std::string, RigidMaterial> rigid_materials(const Scene& scene, const DistributedMesh& mesh) {
  constexpr double kHeaviest = 100;   // a body is designed for weights up to this multiple of its own
  constexpr double kLeast = 0.01;     // a body is designed for at least this fraction of the force that moves it by its own size in one step
  constexpr double kHardness = 0.01;  // modulus of contact over that of the tetrahedron
  constexpr double kStoppingWay = 2;  // on which a constant force stops an impact, in thicknesses
  std::map<std::string, RigidMaterial> materials;
  if (mesh.frames.empty()) return materials;
  const Expected expected = expected_in(scene, mesh);
  const std::optional<double> impact = impact_speed(scene, mesh, expected);
  const std::vector<double> springs = spring_pulls(scene, mesh);
  constexpr double kRoundingError = 1e-6;  // error of velocities [m/s]
  double step = 0, heaviest = 0;
  for (const StepSettings& piece : scene.time.steps) step = std::max(step, piece.step);
  for (const RigidFrame& frame : mesh.frames) heaviest = std::max(heaviest, frame.mass);
  auto frame = mesh.frames.begin();
  for (const Body& body : scene.bodies) {
    if (!body.rigid) continue;
    const double volume = std::abs(edges_of(frame->positions).determinant()) / 6, arm = (frame->positions[0] - center_of(*frame)).norm();
    const auto modulus_for = [&](double force) { return force * arm / (volume * body.rigid->largest_strain); };
    double pull = known_pull_on(scene, body, arm), spring_stop = 0;  // the latter stops the body on its springs
    for (const LoadSettings& load : body.loads)
      if (load.kind == LoadKind::body_force) pull += largest_factor(load.over) * load.vector.norm() * frame->own_mass;
    for (std::size_t s = 0; s < springs.size(); ++s) {
      const SpringSettings& spring = scene.springs[s];
      if (spring.from.body != body.name && (spring.anchor || spring.to.body != body.name)) continue;
      pull += springs[s];
      spring_stop += expected.speed * std::sqrt(spring.stiffness * frame->mass);
    }
    const double spin = body.initial.angular_velocity.norm(), gravity = largest_gravity(scene);
    const double steady = frame->mass * std::max(gravity, spin * spin * frame->reach), stop = frame->mass * expected.speed / step;
    const double weight = std::min(heaviest, kHeaviest * frame->mass) * gravity, least = kLeast * frame->mass * arm / (step * step);
    const double rounded = modulus_that_rounds(*frame, volume, expected.size, kRoundingError, step);
    const double wanted = modulus_for(std::max({steady, stop, weight, least, pull + spring_stop}));
    RigidMaterial& material = materials[body.name];
    material.tetrahedron.youngs_modulus = body.rigid->youngs_modulus.value_or(std::max(modulus_for(std::max(steady, pull)), std::min(wanted, rounded)));
    material.tetrahedron.poisson_ratio = 0;
    material.tetrahedron.density = frame->mass / volume;
    const double most = kHardness * material.tetrahedron.youngs_modulus;
    if (body.rigid->youngs_modulus || !impact) material.hardness = {most, 0, most};
    else
      material.hardness = {kHardness * modulus_for(std::max(weight, pull)), kHardness * modulus_for(frame->mass * *impact * *impact / (2 * kStoppingWay)),
                           most};
    ++frame;
  }
  return materials;
}

void add_frames(System& system, const Scene& scene, const SceneMaterials& materials) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<int> members;
  for (const Body& body : scene.bodies) {
    if (!body.rigid) continue;
    const std::vector<int>& frame = mesh.region(body.name + "." + kFrameRegion).members;
    members.insert(members.end(), frame.begin(), frame.end());
  }
  std::sort(members.begin(), members.end());
  std::vector<SolidElement> elements;
  std::vector<SaintVenantKirchhoff<double>> laws;
  std::vector<char> owned;
  int interior = 0;
  for (const int e : members) {
    const auto& t = mesh.tetrahedra[e];
    const SolidMaterialSettings& material = *materials.solid[e];
    elements.emplace_back(t, std::array<Vec3, 4>{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]});
    laws.push_back({LameParameters<double>::from_engineering(material.youngs_modulus, material.poisson_ratio)});
    owned.push_back(mesh.owns(t));
    if (e < mesh.interior_tetrahedra) ++interior;
  }
  const auto batches = std::make_shared<const SolidBatches>(elements, interior, owned, system.pattern());
  // An iterate that turns a body strains its frame to second order in the angle. Foretold stresses save steps where joints turn bodies, but slow down the
  // search for equilibrium of stacks.
  const bool has_foretold = !scene.joints.empty() || (!scene.time.inertia && !scene.attachments.empty());
  system.add(std::make_shared<ElasticSolid<SaintVenantKirchhoff>>(batches, laws, has_foretold));
}

std::vector<char> frame_marks(const DistributedMesh& mesh, const Scene& scene) {
  std::vector<char> marks(mesh.tetrahedra.size(), 0);
  for (const Body& body : scene.bodies)
    if (body.rigid)
      for (const int frame : mesh.region(body.name + "." + kFrameRegion).members) marks[frame] = 1;
  return marks;
}

std::vector<int> shown_triangles(const DistributedMesh& mesh, const Scene& scene) {
  std::vector<int> triangles = mesh.shells;
  for (const Body& body : scene.bodies) {
    if (!body.rigid) continue;
    const std::vector<int>& surface = mesh.region(contact_region({body.name, ""})).members;
    triangles.insert(triangles.end(), surface.begin(), surface.end());
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

std::vector<int> owned_particles(const DistributedMesh& mesh, const std::string& body) {
  std::vector<int> particles;
  for (const int vertex : mesh.region(body + "." + kFrameRegion).vertices)
    if (vertex < mesh.halo->owned()) particles.push_back(vertex);
  return particles;
}

std::vector<RigidPose> rigid_poses(const System& system, const Field& q) {
  const DistributedMesh& mesh = system.mesh();
  const std::size_t frames = mesh.frames.size();
  if (frames == 0) return {};
  std::vector<double> positions(12 * frames, 0.0);
  const PetscInt first = mesh.halo->first_owned(), last = first + mesh.halo->owned();
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t p = 0; p < 4; ++p) {
      const PetscInt particle = mesh.frames[f].particles[p];
      if (particle >= first && particle < last) Eigen::Map<Vec3>(positions.data() + 12 * f + 3 * p) = q[static_cast<int>(particle - first)];
    }
  sum_over_ranks(mesh.halo->communicator(), positions);
  std::vector<RigidPose> poses;
  for (std::size_t f = 0; f < frames; ++f) {
    std::array<Vec3, 4> x;
    for (std::size_t p = 0; p < 4; ++p) x[p] = Eigen::Map<const Vec3>(positions.data() + 12 * f + 3 * p);
    const Mat3 F = edges_of(x) * edges_of(mesh.frames[f].positions).inverse();
    const Eigen::JacobiSVD<Mat3> parts(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Quaterniond orientation(Mat3(parts.matrixU() * parts.matrixV().transpose()));
    if (orientation.w() < 0) orientation.coeffs() *= -1;
    poses.push_back({orientation, (parts.singularValues().array() - 1).abs().maxCoeff()});
  }
  return poses;
}

}  // namespace traction
