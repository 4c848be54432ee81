// The parts of a force: a class that adds blocks must also provide the rest of its product, or it does not compile.

#include "system/force.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace traction {
namespace {

class OnlyBlocks : public Assembly {
 public:
  void add_blocks(const Linearization&, BlockMatrix&) const override {}
};

class OnlyRest : public Assembly {
 public:
  void add_product_beyond_blocks(const Linearization&, const State&, Zone, Field&) const override {}
};

// A spring of one vertex, whose blocks hold all of its derivative.
class Spring : public Force, private ExactBlocks {
 public:
  void add_force(const State& state, Zone zone, Field& force) const override {
    if (zone == Zone::interior) force[0] -= 3 * state.q[0];
  }
  void add_product(const Linearization&, const State& direction, Zone zone, Field& change) const override {
    if (zone == Zone::interior) change[0] -= 3 * direction.q[0];
  }
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization& at, BlockMatrix& matrix) const override { matrix.add_diagonal(0, -3 * at.dq * Mat3::Identity()); }
};

// An assembly that added blocks without the rest would count its Jacobian twice; one with the rest but no blocks, not at all.
TEST(Assembly, MustSayBoth) {
  EXPECT_TRUE(std::is_abstract_v<OnlyBlocks>);
  EXPECT_TRUE(std::is_abstract_v<OnlyRest>);
  EXPECT_FALSE(std::is_abstract_v<Spring>);
}

TEST(Assembly, BlocksAndRestAreTheProduct) {
  const Spring spring;
  State state(1), direction(1);
  direction.q[0] = Vec3(1, -2, 4);
  direction.v[0] = Vec3(5, 6, 7);
  const auto halo = std::make_shared<const Halo>(PETSC_COMM_SELF, 1, std::vector<PetscInt>{});
  BlockMatrix blocks(std::make_shared<const BlockPattern>(halo, std::vector<std::array<int, 4>>{}, std::vector<std::array<int, 3>>{}, std::vector<Hinge>{}));
  spring.add_blocks({state, 1, 0}, blocks);
  Field assembled(1), product(1);
  for (const Zone zone : {Zone::interior, Zone::boundary}) {
    blocks.multiply(zone, direction.q, assembled);
    spring.assembly()->add_product_beyond_blocks(state, direction, zone, assembled);
    spring.add_product(state, direction, zone, product);
  }
  EXPECT_EQ(Vec3(assembled[0]), Vec3(-3, 6, -12));
  EXPECT_EQ(Vec3(product[0]), Vec3(-3, 6, -12));
}

}  // namespace
}  // namespace traction
