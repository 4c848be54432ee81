// Contact whose vertex lives on one rank and whose triangles live on two or more others, and one that slides from the triangles of one rank to those of the
// next.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "contact/pair_force.h"
#include "contact/vertex_surface.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/force_evaluation.h"
#include "support/shared_folder.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr int kCells = 6;
constexpr double kGap = 0.02;
constexpr double kReach =
    1.5 * 0.7453559924999299 / kCells;  // 1.5 times the distance from centroid to farthest corner of a right triangle with legs 1 / kCells

// The upper box belongs to rank 0; the lower one is cut across x into a slice for every other rank.
Partition sliced(const Mesh& mesh, int parts) {
  Partition partition{parts, {}};
  for (const auto& t : mesh.tetrahedra) {
    const Vec3 middle = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]] + mesh.vertices[t[3]]) / 4;
    partition.element_part.push_back(middle.z() > 1 ? 0 : std::min(parts - 1, 1 + static_cast<int>(middle.x() * (parts - 1))));
  }
  return partition;
}

// Both boxes bent, the upper one `shift` [m] to the side and sliding.
State shifted(const DistributedMesh& mesh, double shift) {
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    const bool upper = x.z() > 1.001;
    state.q[i] = x + 0.01 * Vec3(std::sin(3 * x.y()), x.x() * x.z(), 0.5 * std::cos(2 * x.x() + x.y())) + Vec3(upper ? shift : 0, 0, 0);
    state.v[i] = 0.05 * Vec3(x.z(), -x.x(), x.y() * x.x()) + (upper ? Vec3(0.8, 0.6, 0.1) : Vec3::Zero());
  }
  return state;
}

class ContactAcrossRanks : public testing::Test {
 protected:
  void SetUp() override {
    const std::string file = folder_.path("slices.h5");
    on_first_rank(PETSC_COMM_WORLD, [&] { write_partition(file, whole_, sliced(whole_, ranks_)); });
    owners_ = vertex_owners(whole_, sliced(whole_, ranks_));
    Scene scene = scene_;
    alone_ = build_simulation(PETSC_COMM_SELF, scene, whole_);
    scene.partition.file = file;
    together_ = build_simulation(PETSC_COMM_WORLD, scene, whole_);
  }

  // Owners of the corners of triangles that count for each vertex in contact, by the vertex's number in the undistributed mesh.
  std::map<int, std::set<int>> owners_of_contacts(const State& state) {
    ContactGroup& contact = *alone_.contacts[0];
    const std::vector<int>& ids = alone_.mesh->vertex_ids;
    std::map<int, std::set<int>> result;
    for (const ContactPoint& point : contact.points(state)) {
      std::set<int>& owners = result[ids[point.vertex]];
      for (int t : alone_.mesh->region("lower.surface").members) {
        const auto& triangle = alone_.mesh->triangles[t];
        const Vec3 centroid = (state.q[triangle[0]] + state.q[triangle[1]] + state.q[triangle[2]]) / 3;
        if ((centroid - state.q[point.vertex]).norm() > kReach) continue;
        for (int vertex : triangle) owners.insert(owners_[ids[vertex]]);
      }
    }
    return result;
  }

  const int ranks_ = test::size_of(PETSC_COMM_WORLD);
  const Mesh whole_ = test::two_boxes(kGap, kCells);
  const Scene scene_ = test::two_boxes_scene(false);
  test::SharedFolder folder_{PETSC_COMM_WORLD};
  std::vector<int> owners_;
  Simulation alone_, together_;
};

// At every place force and product equal those of one rank, after the search that finds the triangles on the next rank has been repeated.
TEST_F(ContactAcrossRanks, ForceAndProductAreThoseOfOneRank) {
  std::map<int, std::set<int>> met;  // by vertex, over all places
  bool three_at_once = false;
  for (const double shift : {-0.1, 0.0, 0.1, 0.2, 0.3}) {
    const State whole_state = shifted(*alone_.mesh, shift), state = shifted(*together_.mesh, shift);
    const auto owners = owners_of_contacts(whole_state);
    EXPECT_GT(owners.size(), 10u);
    for (const auto& [vertex, ranks] : owners) {
      if (ranks_ > 1) {
        EXPECT_EQ(owners_[vertex], 0);
        EXPECT_FALSE(ranks.contains(0));
      }
      three_at_once = three_at_once || ranks.size() >= 2;  // other ranks than the vertex's own
      met[vertex].insert(ranks.begin(), ranks.end());
    }
    ContactGroup &one = *alone_.contacts[0], &many = *together_.contacts[0];
    EXPECT_LT(difference(by_id(*together_.mesh, test::force_of(many, state)), by_id(*alone_.mesh, test::force_of(one, whole_state))), 1e-12) << shift;
    const State whole_direction = test::direction_for(*alone_.mesh), direction = test::direction_for(*together_.mesh);
    EXPECT_LT(
        difference(by_id(*together_.mesh, test::product_of(many, state, direction)), by_id(*alone_.mesh, test::product_of(one, whole_state, whole_direction))),
        1e-12)
        << shift;
  }
  if (ranks_ >= 4) {
    EXPECT_TRUE(three_at_once);
    // Some vertex has slid over the triangles of three ranks.
    EXPECT_TRUE(std::any_of(met.begin(), met.end(), [](const auto& item) { return item.second.size() >= 3; }));
  }
  together_.contacts[0]->for_each_term(
      [](const auto& term) { EXPECT_GE(dynamic_cast<const PairForce<VertexSurface>&>(*term).family().search().searches(), 3); });
}

}  // namespace
}  // namespace traction
