// The motion of the surfaces of shells and rods beside their middles and axes.

#include "contact/surface_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "math/dual.h"

namespace traction {
namespace {

const Vec3 kArm(0.3, -0.2, 0.5);
const std::vector<Vec3> kCorners{{0.1, 0.2, -0.3}, {1.2, 0.1, 0.2}, {0.3, 0.9, 0.4}};

SurfaceMotion<double> motion_of_triangle(const std::array<int, 3>& points) {
  SurfaceTurn turn;
  turn.points = points;
  return {turn, kCorners, kArm};
}

TEST(SurfaceTurn, ATriangleTurnsAsTheRigidBodyWithWhichItMoves) {
  const Vec3 angular(0.7, -1.1, 0.4), velocity(3, 2, 1);
  std::vector<Vec3> v(kCorners.size());
  std::transform(kCorners.begin(), kCorners.end(), v.begin(), [&](const Vec3& x) -> Vec3 { return velocity + angular.cross(x); });
  for (const std::array<int, 3>& points : {std::array{0, 1, 2}, std::array{0, 2, 1}})  // whatever its orientation
    EXPECT_LT((motion_of_triangle(points).velocity<double>(v) - angular.cross(kArm)).norm(), 1e-14);
}

// The end of an arm along the normal moves with the rate of the normal, as its change over a short time has it.
TEST(SurfaceTurn, AnArmAlongTheNormalTurnsWithIt) {
  const std::vector<Vec3> v{{0.4, -0.7, 1.1}, {-0.2, 0.5, 0.8}, {0.9, 0.3, -0.6}};
  using Rate = Dual<double>;
  std::array<Vector3<Rate>, 3> x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = make_dual(kCorners[i], v[i]);
  const Vector3<Rate> twice_area = (x[1] - x[0]).cross(x[2] - x[0]);
  using std::sqrt;
  const Vector3<Rate> normal = twice_area * (1.0 / sqrt(twice_area.squaredNorm()));
  Vec3 at;
  for (int axis = 0; axis < 3; ++axis) at[axis] = normal[axis].value;
  SurfaceTurn turn;
  turn.points = {0, 1, 2};
  EXPECT_LT((SurfaceMotion<double>(turn, kCorners, at).velocity<double>(v) - derivative_of(normal)).norm(), 1e-14);
}

TEST(SurfaceTurn, PowerOfAForceIsThatOfTheForcesOnItsPoints) {
  const std::vector<Vec3> v{{0.4, -0.7, 1.1}, {-0.2, 0.5, 0.8}, {0.9, 0.3, -0.6}};
  const Vec3 force(1.3, 0.6, -0.9);
  SurfaceTurn segment;
  segment.points = {0, 1, 2};
  segment.twist_radius = 0.02;
  for (const SurfaceMotion<double>& motion : {motion_of_triangle({0, 1, 2}), SurfaceMotion<double>(segment, kCorners, kArm)}) {
    std::vector<Vec3> forces(3, Vec3::Zero());
    motion.add_transpose<double>(force, forces);
    double power = 0;
    for (std::size_t i = 0; i < 3; ++i) power += forces[i].dot(v[i]);
    EXPECT_NEAR(power, force.dot(motion.velocity<double>(v)), 1e-14 * std::abs(power) + 1e-14);
  }
  std::vector<Vec3> forces(3, Vec3::Zero());
  motion_of_triangle({0, 1, 2}).add_transpose<double>(force, forces);
  EXPECT_LT((forces[0] + forces[1] + forces[2]).norm(), 1e-14);
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) moment += kCorners[i].cross(forces[i]);
  EXPECT_LT((moment - kArm.cross(force)).norm(), 1e-14);
}

}  // namespace
}  // namespace traction
