// Rods that touch solids and shells: derivatives of forces and energy, and the balance of forces and moments, where a rod is nearly parallel to edges of the
// mesh, where its end touches a face, and where it crosses the rim.

#include <gtest/gtest.h>

#include <fstream>

#include "contact/contact_group.h"
#include "parallel/collective.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"
#include "support/force_evaluation.h"
#include "support/moving_rods.h"
#include "support/shared_folder.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

constexpr double kRodRadius = 0.03, kGapOfRod = 0.015, kShellThickness = 0.02;  // all in [m]
constexpr double kRowOfEdges = 1.0 / 3;                                         // distance of the surface's rows of edges [m]

// Where a rod touches the surface, which is the unit square.
enum class RodPlace { along_edges, end_on_face, end_at_rim };

struct RodOnSurfaceCase {
  const char* body;  // "solid" or "shell"
  RodPlace place;
  const char *potential, *coupling = "implicit";
};

// The surface is at z = 0: the top of a box, or the upper side of a shell.
class RodOnSurface : public testing::TestWithParam<RodOnSurfaceCase> {
 protected:
  RodOnSurface() {
    on_first_rank(PETSC_COMM_WORLD, [&] {
      write_surface();
      std::ofstream rod(folder_.path("rod.txt"));
      for (const Vec3& x : rod_points()) rod << x.transpose() << "\n";
    });
  }

  static std::vector<Vec3> rod_points() {
    const double above = kRodRadius + kGapOfRod;
    std::vector<Vec3> points;
    for (int i = 0; i <= 8; ++i) {
      const double s = 0.09 * i;
      switch (GetParam().place) {
        case RodPlace::along_edges:
          points.emplace_back(s - 0.2, kRowOfEdges + 0.004 + 0.01 * s, above + 0.02 * s * s);
          break;  // over the rim and over a row of edges
        case RodPlace::end_on_face: points.emplace_back(0.55 + 0.2 * s, 0.4, above + s); break;
        case RodPlace::end_at_rim:
          points.emplace_back(1 + above + s, 0.45 + 0.3 * s, GetParam().body == std::string("shell") ? -0.5 * kShellThickness : -0.004);
          break;
      }
    }
    return points;
  }

  void write_surface() const {
    const bool is_solid = GetParam().body == std::string("solid");
    Mesh mesh;
    if (is_solid) mesh = test::box_mesh("block", Vec3(0, 0, -0.3), Vec3(1, 1, 0), {3, 3, 1});
    else mesh = test::shell_mesh("block", test::moved(test::irregular_sheet(3, 0), 1, Vec3(0, 0, -0.5 * kShellThickness)));
    std::ofstream file(folder_.path("block.msh"));
    file << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n" << (is_solid ? "3 1 \"part\"" : "2 1 \"part\"") << "\n$EndPhysicalNames\n$Nodes\n";
    file << mesh.vertices.size() << "\n";
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) file << i + 1 << " " << mesh.vertices[i].transpose() << "\n";
    file << "$EndNodes\n$Elements\n" << (is_solid ? mesh.tetrahedra.size() : mesh.shells.size()) << "\n";
    int number = 0;
    if (is_solid)
      for (const auto& [a, b, c, d] : mesh.tetrahedra) file << ++number << " 4 2 1 1 " << a + 1 << " " << b + 1 << " " << c + 1 << " " << d + 1 << "\n";
    else
      for (const int shell : mesh.shells) {
        const auto& [a, b, c] = mesh.triangles[shell];
        file << ++number << " 2 2 1 1 " << a + 1 << " " << b + 1 << " " << c + 1 << "\n";
      }
    file << "$EndElements\n";
  }

  Scene read() const {
    const std::string part = GetParam().body == std::string("solid")
                                 ? "solid: {part: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}"
                                 : "shell: {part: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000, thickness: 0.02}}";
    return read_scene("time: {step: 1e-3, end: 1}\nbodies:\n  block: {mesh: block.msh, " + part +
                          "}\n  rod: {mesh: rod.txt, rod: {rod: {radius: 0.03, youngs_modulus: 1e5, density: 1000}}}\n"
                          "contacts:\n  pair: {vertices: rod, against: block, thickness: 0.03, stiffness: 100, potential: " +
                          GetParam().potential + ", friction: {static: 0.7, dynamic: 0.5, tolerance: 0.05, viscous: 3, coupling: " + GetParam().coupling +
                          "}}\n",
                      folder_.path("scene.yaml"), {});
  }
  Simulation build(const Scene& scene) const { return build_simulation(PETSC_COMM_WORLD, scene, load_scene_mesh(scene, folder_.path(""))); }

  test::SharedFolder folder_{PETSC_COMM_WORLD};
};

TEST_P(RodOnSurface, ProductIsTheDerivativeOfTheForce) {
  Simulation simulation = build(read());
  ContactGroup& contact = *simulation.contacts.at(0);
  const State state = test::begin_with_moving_rods(simulation, contact);
  EXPECT_GT(contact.summarize(state).active, 0);
  EXPECT_LT(test::difference_from_central(contact, *simulation.mesh->halo, state, test::change_of_rods(simulation), 1e-6), 1e-6);
}

TEST_P(RodOnSurface, ForceIsMinusTheGradientOfTheEnergy) {
  Scene scene = read();
  scene.contacts[0].friction.reset();
  Simulation simulation = build(scene);
  ContactGroup& contact = *simulation.contacts.at(0);
  const State state = test::begin_with_moving_rods(simulation, contact);
  EXPECT_GT(test::norm(*simulation.mesh->halo, test::force_of(contact, state)), 0);
  EXPECT_LT(test::error_of_gradient(contact, *simulation.mesh->halo, state, test::change_of_rods(simulation)), 1e-7);
}

// Forces on points add up to nothing, and so do their moments with those on twists.
TEST_P(RodOnSurface, ForcesAndMomentsBalance) {
  Simulation simulation = build(read());
  const DistributedMesh& mesh = *simulation.mesh;
  ContactGroup& contact = *simulation.contacts.at(0);
  const State state = test::begin_with_moving_rods(simulation, contact);
  contact.summarize(state);
  const Field forces = test::force_of(contact, state);
  std::vector<char> is_twist(mesh.vertices.size(), 0);
  std::array<double, 8> sums{};
  const auto add = [&](int first, const Vec3& value) {
    for (int axis = 0; axis < 3; ++axis) sums[first + axis] += value[axis];
  };
  for (const Rod& rod : mesh.rods) {
    const auto& [a, b, twist] = rod.vertices;
    is_twist[twist] = 1;
    if (twist < mesh.halo->owned()) add(3, kRodRadius * forces[twist].x() * (state.q[b] - state.q[a]).normalized());
  }
  for (int i = 0; i < mesh.halo->owned(); ++i) {
    if (is_twist[i]) continue;
    const Vec3 moment = state.q[i].cross(Vec3(forces[i]));
    add(0, forces[i]);
    add(3, moment);
    sums[6] += forces[i].norm();
    sums[7] += moment.norm();
  }
  sum_over_ranks(PETSC_COMM_WORLD, sums);
  EXPECT_GT(sums[6], 0);
  EXPECT_LT(Vec3(sums[0], sums[1], sums[2]).norm(), 1e-12 * sums[6]);
  EXPECT_LT(Vec3(sums[3], sums[4], sums[5]).norm(), 1e-12 * sums[7]);
}

std::vector<RodOnSurfaceCase> rod_on_surface_cases() {
  std::vector<RodOnSurfaceCase> cases;
  for (const char* body : {"solid", "shell"})
    for (const RodPlace place : {RodPlace::along_edges, RodPlace::end_on_face, RodPlace::end_at_rim}) {
      for (const char* potential : {"cubic_penalty", "log_barrier"}) cases.push_back({body, place, potential});
      cases.push_back({body, place, "cubic_penalty", "lagged"});
    }
  return cases;
}
std::string rod_on_surface_name(const testing::TestParamInfo<RodOnSurfaceCase>& info) {
  const char* const places[] = {"along_edges", "end_on_face", "end_at_rim"};
  return std::string(info.param.body) + "_" + places[static_cast<int>(info.param.place)] + "_" + info.param.potential + "_" + info.param.coupling;
}
INSTANTIATE_TEST_SUITE_P(Cases, RodOnSurface, testing::ValuesIn(rod_on_surface_cases()), rod_on_surface_name);

}  // namespace
}  // namespace traction
