// Moments of mass in closed form, and particles that have them.

#include "mesh/rigid_frame.h"

#include <Eigen/Geometry>

#include "errors.h"
#include "support/box_mesh.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

constexpr double kDensity = 800;
const Vec3 kSides(0.3, 0.2, 0.1);
const Mat3 kTurn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
const Vec3 kPlace(5, -3, 2);

// A box that is turned and lies far from the origin.
Mesh box() {
  Mesh mesh = box_mesh("box", -0.5 * kSides, 0.5 * kSides, {3, 2, 1});
  for (Vec3& x : mesh.vertices) x = kPlace + kTurn * x;
  return mesh;
}

double mass() { return kDensity * kSides.prod(); }
Mat3 second_moments() { return kTurn * Vec3(mass() / 12 * kSides.cwiseProduct(kSides)).asDiagonal() * kTurn.transpose(); }

TEST(RigidFrame, MomentsOfABox) {
  const MassMoments moments = moments_of_tetrahedra(box(), kDensity);
  EXPECT_NEAR(moments.mass, mass(), 1e-12 * mass());
  EXPECT_LT((moments.center - kPlace).norm(), 1e-13);
  EXPECT_LT((moments.second - second_moments()).norm(), 1e-12 * second_moments().norm());
}

TEST(RigidFrame, ParticlesHaveTheMoments) {
  Mesh mesh = box();
  add_particles(mesh, moments_of_tetrahedra(mesh, kDensity));
  const RigidFrame& frame = mesh.frames.front();
  Vec3 center = Vec3::Zero();
  for (const int particle : frame.particles) center += mesh.vertices[particle] / 4;
  Mat3 second = Mat3::Zero();
  for (const int particle : frame.particles) second += mass() / 4 * (mesh.vertices[particle] - center) * (mesh.vertices[particle] - center).transpose();
  EXPECT_LT((center - kPlace).norm(), 1e-13);
  EXPECT_LT((second - second_moments()).norm(), 1e-12 * second_moments().norm());
}

TEST(RigidFrame, VerticesFollowAnyAffineMotionOfTheParticles) {
  Mesh mesh = box();
  add_particles(mesh, moments_of_tetrahedra(mesh, kDensity));
  make_rigid(mesh);
  ASSERT_EQ(mesh.tetrahedra.size(), 1U);
  const auto& t = mesh.tetrahedra[0];
  const auto& x = mesh.vertices;
  EXPECT_GT((x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]), 0);
  Mat3 shear = kTurn;
  shear(0, 1) += 0.5;
  const auto move = [&](const Vec3& at) -> Vec3 { return shear * at + Vec3(1, 2, 3); };
  EXPECT_EQ(mesh.dependents.size(), mesh.vertices.size() - 4);
  for (const DependentVertex& dependent : mesh.dependents) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t m = 0; m < 4; ++m) sum += dependent.weights[m] * move(x[dependent.masters[m]]);
    EXPECT_LT((sum - move(x[dependent.vertex])).norm(), 1e-13 * move(x[dependent.vertex]).norm());
  }
}

TEST(RigidFrame, RefusesMomentsThatNoBodyHas) {
  Mesh mesh = box();
  for (const Vec3& inertia : {Vec3(1, 1, 3), Vec3(1, 1, 2), Vec3(1, 1, -0.1)})
    EXPECT_THROW(add_particles(mesh, MassMoments::from_inertia(2, kPlace, inertia.asDiagonal())), InputError);
  EXPECT_NO_THROW(add_particles(mesh, MassMoments::from_inertia(2, kPlace, Vec3(1, 1, 1.9).asDiagonal())));
}

}  // namespace
}  // namespace traction::test
