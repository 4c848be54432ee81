#include "elements/rod_element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

using test::random_vector;
using Places = std::array<Vec3, 5>;

Places random_places(std::mt19937& generator, double bend) {
  Places x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3::Zero(), Vec3::Zero()};
  for (int a = 0; a < 3; ++a) x[a] += random_vector(generator, bend);
  for (int a = 3; a < 5; ++a) x[a].x() = random_vector(generator, bend).x();
  return x;
}

// A joint with natural strains, of an elliptic section, whose frames were carried along to `old`.
RodJoint joint_at(const Places& old, std::mt19937& generator) {
  RodJoint joint;
  joint.vertices = {0, 1, 2, 3, 4};
  joint.radius = {0.3, 0.4};
  for (int j = 0; j < 2; ++j) {
    const Vec3 tangent = (old[j + 1] - old[j]).normalized(), director = random_vector(generator, 1);
    joint.frames[j] = {tangent, (director - director.dot(tangent) * tangent).normalized()};
  }
  joint.reference_twist = 0;
  joint.carry_along(old);
  joint.natural = {0.2, -0.3, 0.1};
  joint.first_bending = 2;
  joint.second_bending = 3;
  joint.twisting = 1.5;
  joint.viscous_time = 0;
  return joint;
}

Places still() {
  Places v;
  v.fill(Vec3::Zero());
  return v;
}

// Forces against central differences of the energy, after finite turns since the frames were carried along: without the frames' own turning the error is of the
// order of the turn.
TEST(RodJoint, ForcesAreTheEnergysGradient) {
  std::mt19937 generator(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Places old = random_places(generator, 0.3), x = random_places(generator, 0.3);
    const RodJoint joint = joint_at(old, generator);
    const auto forces = joint.forces<double>(x, still());
    for (int a = 0; a < 5; ++a)
      for (int i = 0; i < (a < 3 ? 3 : 1); ++i) {
        constexpr double kStep = 1e-4;
        const auto energy = [&](double by) {
          Places moved = x;
          moved[a][i] += by;
          return joint.energy(moved);
        };
        const double difference = (8 * (energy(kStep) - energy(-kStep)) - (energy(2 * kStep) - energy(-2 * kStep))) / (12 * kStep);
        EXPECT_NEAR(forces[a][i], -difference, 1e-8 * (1 + std::abs(difference))) << trial << " " << a << " " << i;
      }
  }
}

// Against dual numbers along random directions.
TEST(RodJoint, ProductsAreTheForcesDerivative) {
  std::mt19937 generator(2);
  for (int trial = 0; trial < 50; ++trial) {
    RodJoint joint = joint_at(random_places(generator, 0.3), generator);
    joint.viscous_time = trial % 2 == 0 ? 0 : 0.3;
    joint.spin = {0.7, -0.2};
    const Places x = random_places(generator, 0.3), v = random_places(generator, 0.5), dx = random_places(generator, 1), dv = random_places(generator, 1);
    std::array<Vector3<Dual<double>>, 5> x_dual, v_dual;
    for (int a = 0; a < 5; ++a) x_dual[a] = make_dual(x[a], dx[a]), v_dual[a] = make_dual(v[a], dv[a]);
    const auto forces = joint.forces<Dual<double>>(x_dual, v_dual);
    const auto at = [&](double by) {
      Places moved_x = x, moved_v = v;
      for (int a = 0; a < 5; ++a) moved_x[a] += by * dx[a], moved_v[a] += by * dv[a];
      return joint.forces<double>(moved_x, moved_v);
    };
    constexpr double kStep = 1e-4;
    const auto p = at(kStep), m = at(-kStep), pp = at(2 * kStep), mm = at(-2 * kStep);
    Eigen::Matrix<double, 15, 1> changes, rates;
    for (int a = 0; a < 5; ++a) {
      changes.segment<3>(3 * a) = a < 3 ? dx[a] : Vec3(dx[a].x(), 7, 8);  // twists have one component
      rates.segment<3>(3 * a) = a < 3 ? dv[a] : Vec3(dv[a].x(), 9, 6);
    }
    const Eigen::Matrix<double, 15, 1> product = joint.derivative(x, v, 0.7, 0) * changes / 0.7 + joint.derivative(x, v, 0, 0.4) * rates / 0.4;
    for (int a = 0; a < 5; ++a)
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(product[3 * a + i], forces[a][i].derivative[0], 1e-11 * (1 + product.norm()));
    for (int a = 0; a < 5; ++a)
      for (int i = 0; i < 3; ++i) {
        const double difference = (8 * (p[a][i] - m[a][i]) - (pp[a][i] - mm[a][i])) / (12 * kStep);
        EXPECT_NEAR(forces[a][i].derivative[0], difference, 1e-6 * (1 + std::abs(difference)));
      }
  }
}

TEST(RodJoint, ForcesAndMomentsBalance) {
  std::mt19937 generator(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Places x = random_places(generator, 0.3);
    RodJoint joint = joint_at(x, generator);  // carried along to x: spins are then about the present segments
    const auto forces = joint.forces<double>(x, still());
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    for (int a = 0; a < 3; ++a) {
      force += forces[a];
      moment += x[a].cross(forces[a]);
      size += forces[a].norm();
    }
    for (int j = 0; j < 2; ++j) moment += joint.radius[j] * forces[3 + j].x() * (x[j + 1] - x[j]).normalized();
    EXPECT_LT(force.norm(), 1e-12 * size);
    EXPECT_LT(moment.norm(), 1e-12 * size);
  }
}

// A curved, twisted joint is turned about once in many steps, with its frames carried along: its strains do not change.
TEST(RodJoint, RigidMotionsAreFreeOfStress) {
  std::mt19937 generator(4);
  const Places rest = random_places(generator, 0.3);
  RodJoint joint = joint_at(rest, generator);
  joint.natural = joint.strains(rest);
  Places x = rest;
  std::array<double, 2> angle = {rest[3].x() / joint.radius[0], rest[4].x() / joint.radius[1]};
  constexpr int kSteps = 50;
  const Vec3 axis = Vec3(1, 2, -0.7).normalized();
  std::array<Vec3, 2> material;  // the first director of the material, which turns with the body
  for (int j = 0; j < 2; ++j) material[j] = Eigen::AngleAxisd(angle[j], joint.frames[j].tangent) * joint.frames[j].director;
  for (int step = 1; step <= kSteps; ++step) {
    const Mat3 rotation = Eigen::AngleAxisd(2.3 * 2 * std::numbers::pi * step / kSteps, axis).toRotationMatrix();
    for (int a = 0; a < 3; ++a) x[a] = rotation * rest[a];
    for (int j = 0; j < 2; ++j) {
      const Vec3 tangent = (x[j + 1] - x[j]).normalized(), director = carried_without_twist<double>(joint.frames[j].director, joint.frames[j].tangent, tangent);
      const Vec3 now = rotation * material[j];
      const double reduced = std::atan2(tangent.dot(director.cross(now)), director.dot(now));
      angle[j] = reduced + 2 * std::numbers::pi * std::round((angle[j] - reduced) / (2 * std::numbers::pi));
      x[3 + j].x() = joint.radius[j] * angle[j];
    }
    EXPECT_LT(joint.energy(x), 1e-25);
    joint.carry_along(x);
  }
}

// kappa = 2 tan(phi/2) for two segments that meet at an angle phi, about the second director where they turn towards the first.
TEST(RodJoint, CurvatureOfAnArc) {
  const double phi = 0.4;
  const Places x{Vec3(-1, 0, 0), Vec3(0, 0, 0), Vec3(std::cos(phi), std::sin(phi), 0), Vec3::Zero(), Vec3::Zero()};
  RodJoint joint;
  joint.radius = {1, 1};
  joint.reference_twist = 0;
  joint.frames = {RodFrame{Vec3::UnitX(), Vec3::UnitY()}, RodFrame{Vec3(std::cos(phi), std::sin(phi), 0), Vec3(-std::sin(phi), std::cos(phi), 0)}};
  const RodStrains strains = joint.strains(x);
  EXPECT_NEAR(strains.first_curvature, 2 * std::tan(phi / 2), 1e-14);
  EXPECT_NEAR(strains.second_curvature, 0, 1e-14);
  EXPECT_NEAR(strains.twist, 0, 1e-14);
}

// One end turns about the rod three times in small steps: the twist is counted, not reduced.
TEST(RodJoint, TwistCountsTurnsOfAFrame) {
  Places x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3::Zero(), Vec3::Zero()};
  RodJoint joint;
  joint.radius = {1, 1};
  joint.reference_twist = 0;
  joint.frames = {RodFrame{Vec3::UnitX(), Vec3::UnitY()}, RodFrame{Vec3::UnitX(), Vec3::UnitY()}};
  for (int step = 1; step <= 60; ++step) {
    joint.frames[1].director = Eigen::AngleAxisd(0.1 * step * std::numbers::pi, Vec3::UnitX()) * Vec3::UnitY();
    joint.carry_along(x);
  }
  EXPECT_NEAR(joint.strains(x).twist, 6 * std::numbers::pi, 1e-12);
}

// A ring of joints that share segments turns about once, with all frames carried along and the material turning with it: no joint bends or twists, and the sum
// of the reference twists, which a closed ring could lose or gain a turn of, is kept.
TEST(RodJoint, AClosedRingTurnsRigidlyWithoutStress) {
  constexpr int kSegments = 24, kSteps = 60;
  std::mt19937 generator(6);
  std::array<Vec3, kSegments> rest, x;
  std::array<RodFrame, kSegments> frames;
  std::array<double, kSegments> angle;
  for (int k = 0; k < kSegments; ++k) {  // no plane holds it
    const double phi = 2 * std::numbers::pi * k / kSegments;
    rest[k] = Vec3(std::cos(phi), std::sin(phi), 0.3 * std::sin(3 * phi));
    angle[k] = random_vector(generator, 1).x();
  }
  const auto next = [](int k) { return (k + 1) % kSegments; };
  for (int k = 0; k < kSegments; ++k) {
    const Vec3 tangent = (rest[next(k)] - rest[k]).normalized(), director = random_vector(generator, 1);
    frames[k] = {tangent, (director - director.dot(tangent) * tangent).normalized()};
  }
  const double radius = 0.1;
  const auto places = [&](int k, const std::array<Vec3, kSegments>& at) {  // the joint of the segments k and k + 1
    return Places{at[k], at[next(k)], at[next(next(k))], Vec3(radius * angle[k], 0, 0), Vec3(radius * angle[next(k)], 0, 0)};
  };
  std::array<RodJoint, kSegments> joints;
  std::array<Vec3, kSegments> material;  // the first director of the material in each segment
  for (int k = 0; k < kSegments; ++k) {
    RodJoint& joint = joints[k];
    joint.radius = {radius, radius};
    joint.frames = {frames[k], frames[next(k)]};
    joint.reference_twist = 0;
    joint.carry_along(places(k, rest));
    joint.natural = joint.strains(places(k, rest));
    joint.first_bending = 2, joint.second_bending = 3, joint.twisting = 1.5, joint.viscous_time = 0;
    material[k] = Eigen::AngleAxisd(angle[k], frames[k].tangent) * frames[k].director;
  }
  const auto total_twist = [&] {  // the material against the frames, and the frames against each other
    double total = 0;
    for (int k = 0; k < kSegments; ++k) total += joints[k].strains(places(k, x)).twist;
    return total;
  };
  const auto reference_twist = [&] {
    double total = 0;
    for (const RodJoint& joint : joints) total += joint.reference_twist;
    return total;
  };
  x = rest;
  const double twist = total_twist(), reference = reference_twist();
  for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(Vec3(1, 2, -0.7).normalized())})
    for (int step = 1; step <= kSteps; ++step) {
      const Mat3 rotation = Eigen::AngleAxisd(2 * std::numbers::pi * step / kSteps, axis).toRotationMatrix();
      for (int k = 0; k < kSegments; ++k) x[k] = rotation * rest[k];
      for (int k = 0; k < kSegments; ++k) {
        const RodFrame& frame = joints[k].frames[0];
        const Vec3 tangent = (x[next(k)] - x[k]).normalized(), director = carried_without_twist<double>(frame.director, frame.tangent, tangent);
        const Vec3 now = rotation * material[k];
        const double reduced = std::atan2(tangent.dot(director.cross(now)), director.dot(now));
        angle[k] = reduced + 2 * std::numbers::pi * std::round((angle[k] - reduced) / (2 * std::numbers::pi));
      }
      for (int k = 0; k < kSegments; ++k) {
        EXPECT_LT(joints[k].energy(places(k, x)), 1e-22);
        EXPECT_LT(joints[k].forces<double>(places(k, x), still())[3].norm(), 1e-11);
        joints[k].carry_along(places(k, x));
      }
      for (int k = 0; k < kSegments; ++k) {  // neighbours carry the segment that they share alike
        EXPECT_LT((joints[k].frames[1].director - joints[next(k)].frames[0].director).norm(), 1e-12);
      }
      EXPECT_NEAR(total_twist(), twist, 1e-11);
    }
  // After whole turns the ring lies where it began, and its frames differ from those of the start by what the material's angles have taken up.
  EXPECT_NEAR(reference_twist(), reference, 1e-11);
}

TEST(RodStretch, ForcesAreTheEnergysGradient) {
  const RodStretch segment{{0, 1}, 1.1, 50, 0};
  std::mt19937 generator(5);
  for (int trial = 0; trial < 10; ++trial) {
    std::array<Vec3, 2> x = {random_vector(generator, 1), random_vector(generator, 1)};
    const auto forces = segment.forces<double>(x, {Vec3::Zero(), Vec3::Zero()});
    EXPECT_EQ(forces[0], -forces[1]);
    const double length = (x[1] - x[0]).norm();
    EXPECT_NEAR(forces[0].norm(), std::abs(50 * (length / 1.1 - 1)), 1e-12 * 50);
    for (int i = 0; i < 3; ++i) {
      constexpr double kStep = 1e-5;
      std::array<Vec3, 2> plus = x, minus = x;
      plus[0][i] += kStep, minus[0][i] -= kStep;
      EXPECT_NEAR(forces[0][i], -(segment.energy(plus) - segment.energy(minus)) / (2 * kStep), 1e-6);
    }
  }
}

}  // namespace
}  // namespace traction
