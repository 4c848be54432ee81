// The force over stencils on a sheet that ranks share: products against central differences and exact blocks, sums against a single rank's.

#include "forces/stencil_force.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "elements/membrane_element.h"
#include "parallel/collective.h"
#include "support/force_evaluation.h"
#include "support/sheets.h"

namespace traction {
namespace {

using test::Sheet;

// One rank's part of the elements of N vertices: those that touch the vertices it owns.
template <int N>
struct Part {
  std::shared_ptr<const Halo> halo;
  std::vector<std::array<int, N>> global, local;  // interior ones first
  int interior = 0;
  std::vector<char> owned;
  std::shared_ptr<const BlockPattern> pattern;

  Part(int vertices, std::vector<std::array<int, N>> elements, MPI_Comm communicator) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const int begin = vertices * rank / ranks, end = vertices * (rank + 1) / ranks;
    const auto is_ghost = [&](int vertex) { return vertex < begin || vertex >= end; };
    std::erase_if(elements, [&](const auto& element) { return std::all_of(element.begin(), element.end(), is_ghost); });
    const auto middle =
        std::stable_partition(elements.begin(), elements.end(), [&](const auto& element) { return std::none_of(element.begin(), element.end(), is_ghost); });
    interior = static_cast<int>(middle - elements.begin());
    global = elements;
    std::set<PetscInt> ghosts;
    for (const auto& element : global)
      for (int vertex : element)
        if (is_ghost(vertex)) ghosts.insert(vertex);
    halo = std::make_shared<const Halo>(communicator, end - begin, std::vector<PetscInt>(ghosts.begin(), ghosts.end()));
    std::vector<std::array<int, 4>> coupled;
    for (const auto& element : global) {
      std::array<int, N>& renumbered = local.emplace_back();
      for (int a = 0; a < N; ++a)
        renumbered[a] = is_ghost(element[a]) ? end - begin + static_cast<int>(std::distance(ghosts.begin(), ghosts.find(element[a]))) : element[a] - begin;
      coupled.push_back({renumbered[0], renumbered[1], renumbered[2], renumbered[N - 1]});
      owned.push_back(!is_ghost(*std::min_element(element.begin(), element.end())));
    }
    pattern = std::make_shared<const BlockPattern>(halo, coupled);
  }
};

class StencilForces : public testing::TestWithParam<double> {
 protected:
  const Sheet sheet_ = test::irregular_sheet(6, 0.2);
  const double viscous_time_ = GetParam();

  StencilForce<MembraneElement, 3> membrane(const Part<3>& part) const {
    std::vector<MembraneElement> elements;
    for (std::size_t e = 0; e < part.local.size(); ++e)
      elements.emplace_back(part.local[e], test::corners(sheet_.vertices, part.global[e]), MembraneMaterial(900, 0.4), viscous_time_);
    return {part.halo->communicator(), std::move(elements), part.interior, part.owned, "elastic"};
  }
  Part<3> triangles(MPI_Comm communicator) const { return Part<3>(vertices(), sheet_.triangles, communicator); }
  int vertices() const { return static_cast<int>(sheet_.vertices.size()); }

  // The sheet bent and stretched, in motion; ghosts valid.
  State deformed(const Halo& halo) const {
    return filled(halo, [&](int vertex, std::mt19937& generator, Vec3& q, Vec3& v) {
      const Vec3& x = sheet_.vertices[vertex];
      q = x + Vec3(0.1 * x.y(), 0.2 * x.x() * x.y(), 0.3 * std::sin(3 * x.x()) * std::cos(2 * x.y())) + test::random_vector(generator, 0.01);
      v = test::random_vector(generator, 1);
    });
  }
  State random_direction(const Halo& halo) const {
    return filled(halo, [&](int, std::mt19937& generator, Vec3& q, Vec3& v) { q = test::random_vector(generator, 1), v = test::random_vector(generator, 1); });
  }

  void expect_exact_products(Force&& force, const std::shared_ptr<const BlockPattern>& pattern) const {
    const Halo& halo = pattern->halo();
    const State state = deformed(halo), direction = random_direction(halo);
    EXPECT_LT(test::difference_from_central(force, halo, state, direction, 1e-4), 1e-7);
    Field left = test::product_of(force, state, direction);
    const double scale = test::norm(halo, left);
    BlockMatrix blocks(pattern);
    for (const bool positions : {true, false}) {
      blocks.set_zero();
      force.assembly()->add_blocks({state, positions ? 1. : 0., positions ? 0. : 1.}, blocks);
      for (const Zone zone : {Zone::interior, Zone::boundary}) {
        Field change(halo.local());
        blocks.multiply(zone, positions ? direction.q : direction.v, change);
        left.array() -= change.array();
      }
    }
    EXPECT_EQ(blocks.is_general(), viscous_time_ != 0);
    for (const Zone zone : {Zone::interior, Zone::boundary}) {
      Field beyond(halo.local());
      force.assembly()->add_product_beyond_blocks(state, direction, zone, beyond);
      left.array() -= beyond.array();
    }
    EXPECT_LT(test::norm(halo, left), 1e-12 * scale);

    // Both at once, in a matrix that is general already.
    blocks.make_general();
    blocks.set_zero();
    force.assembly()->add_blocks({state, 0.7, 0.2}, blocks);
    State scaled = direction;
    scaled.q.array() = 0.7 * direction.q.array(), scaled.v.array() = 0.2 * direction.q.array();
    Field product = test::product_of(force, state, scaled), change(halo.local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, direction.q, change);
    product.array() -= change.array();
    EXPECT_LT(test::norm(halo, product), 1e-12 * scale);
  }

  // Compares owned forces and all ranks' energy with those of one rank alone.
  template <typename Make, typename Divide>
  void expect_as_on_one_rank(const Make& make, const Divide& divide) const {
    const auto part = divide(PETSC_COMM_WORLD), whole = divide(PETSC_COMM_SELF);
    auto force = make(part), alone = make(whole);
    const State state = deformed(*part.halo), state_alone = deformed(*whole.halo);
    State unread = state;  // the interior's forces are computed while ghosts are being exchanged
    for (int i = part.halo->owned(); i < part.halo->local(); ++i) unread.q[i].setConstant(std::nan("")), unread.v[i].setConstant(std::nan(""));
    Field f(part.halo->local());
    force.add_force(unread, Zone::interior, f);
    force.add_force(state, Zone::boundary, f);
    const Field expected = test::force_of(alone, state_alone);
    for (int i = 0; i < part.halo->owned(); ++i) EXPECT_LT((f[i] - expected[static_cast<int>(part.halo->to_global(i))]).norm(), 1e-11);
    EXPECT_GT(test::norm(*whole.halo, expected), 1);
    const double energy = alone.energy(state_alone);
    EXPECT_GT(energy, 0.1);
    EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, force.energy(state)), energy, 1e-13 * energy);
  }

 private:
  template <typename Action>
  State filled(const Halo& halo, const Action& action) const {
    State state(halo.local());
    for (int i = 0; i < halo.local(); ++i) {
      const int vertex = static_cast<int>(halo.to_global(i));
      std::mt19937 generator(static_cast<unsigned>(7919 * vertex + 3));
      Vec3 q, v;
      action(vertex, generator, q, v);
      state.q[i] = q, state.v[i] = v;
    }
    return state;
  }
};

TEST_P(StencilForces, ProductsOfMembranes) {
  const auto part = triangles(PETSC_COMM_WORLD);
  expect_exact_products(membrane(part), part.pattern);
}

TEST_P(StencilForces, MembranesAsOnOneRank) {
  expect_as_on_one_rank([&](const Part<3>& part) { return membrane(part); }, [&](MPI_Comm communicator) { return triangles(communicator); });
}

INSTANTIATE_TEST_SUITE_P(Viscosities, StencilForces, testing::Values(0.0, 0.02));

}  // namespace
}  // namespace traction
