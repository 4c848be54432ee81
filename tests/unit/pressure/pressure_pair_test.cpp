// Forces between pressure fields: closed forms, the energy's gradient, derivatives, continuity and balance.

#include "pressure/pressure_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/closed_forms.h"
#include "support/pressure_bodies.h"

namespace traction {
namespace {

using test::at_rest;
using test::bent_body;
using test::carrying_points;
using test::place;
using Points = PressurePair::Points;

constexpr double kModulus = 1e5, kRadius = 0.05, kDepth = 0.005;
const PressureLaw kElastic;

PressureSide sphere(int subdivisions, double modulus = kModulus) {
  return PressureSide::body(carrying_points(kRadius), sphere_field(Vec3::Zero(), kRadius, subdivisions), modulus);
}
PressureSide cube(double modulus = kModulus) {
  return PressureSide::body(carrying_points(0.05), box_field(Vec3::Zero(), Mat3::Identity(), Vec3::Constant(0.1)), modulus);
}
PressureSide plane() { return PressureSide::plane(Vec3::Zero(), Vec3::UnitZ()); }

// The first side's origin at this height above the second's.
Points above(const PressurePair& pair, double height) {
  Points x;
  place(x, 0, pair, Mat3::Identity(), height * Vec3::UnitZ());
  place(x, 1, pair, Mat3::Identity(), Vec3::Zero());
  return x;
}

TEST(PressurePair, SphereOnARigidPlane) {
  const PressurePair pair(sphere(5), plane());
  const Points x = above(pair, kRadius - kDepth);
  const Vec3 force = pair.evaluate(kElastic, x, at_rest()).on_first();
  test::expect_closed_form({"contact", "pressure field of a sphere on a plane", "pi/3 E d^2 (3 - 2 d/R)",
                            EIGEN_PI / 3 * kModulus * kDepth * kDepth * (3 - 2 * kDepth / kRadius), force.z(), 1e-3, "20480 facets", "static"});
  EXPECT_NEAR(force.z(), 7.330383, 1e-3 * 7.33);
  EXPECT_LT(force.head<2>().norm(), 1e-3 * force.z());
}

TEST(PressurePair, CubeOnARigidPlane) {
  const PressurePair pair(cube(), plane());
  const PressurePair::Result result = pair.evaluate(kElastic, above(pair, 0.045), at_rest());
  test::expect_closed_form({"contact", "pressure field of a cube on a plane", "depth d, edge a: E int min(d, distance to the sides) dA / (a/2)", 90.0 + 1.0 / 3,
                            result.on_first().z(), 1e-12, "12 tetrahedra", "static"});
  EXPECT_NEAR(result.area, 0.01, 1e-14);
  EXPECT_NEAR(result.largest_pressure, 1e4, 1e-8);
  // The other way round, with a rigid box instead of a half-space, and on a soft layer under a rigid cube.
  PressureSide block =
      PressureSide::body(carrying_points(0.5), box_field(Vec3(0, 0, -0.5), Mat3::Identity(), Vec3::Constant(1)), std::numeric_limits<double>::infinity());
  const PressurePair on_block(cube(), block), under(block, cube());
  EXPECT_NEAR(on_block.evaluate(kElastic, above(on_block, 0.045), at_rest()).on_first().z(), 90.0 + 1.0 / 3, 1e-9);
  EXPECT_NEAR(under.evaluate(kElastic, above(under, -0.045), at_rest()).on_first().z(), -90.0 - 1.0 / 3, 1e-9);
  EXPECT_NEAR(on_block.energy(above(on_block, 0.045)), pair.energy(above(pair, 0.045)), 1e-12);
}

TEST(PressurePair, RigidCubeOnASoftLayer) {
  PressureSide rigid = cube(std::numeric_limits<double>::infinity());
  const PressurePair pair(rigid, PressureSide::layer(Vec3::Zero(), Vec3::UnitZ(), 0.02, kModulus));
  const Points x = above(pair, 0.045);
  EXPECT_NEAR(pair.evaluate(kElastic, x, at_rest()).on_first().z(), kModulus * 0.01 * kDepth / 0.02, 1e-9);
  EXPECT_NEAR(pair.energy(x), kModulus * 0.01 * kDepth * kDepth / 0.02 / 2, 1e-12);
}

// The pressure is linear, so the traction at a triangle's center is its mean.
TEST(PressurePair, TrianglesOfTheSurfaceCarryTheForce) {
  const std::vector<std::pair<PressurePair, double>> pairs{
      {PressurePair(sphere(3), sphere(3)), 0.095}, {PressurePair(plane(), sphere(3)), -0.045}, {PressurePair(cube(), plane()), 0.045}};
  for (const auto& [pair, height] : pairs) {
    Points x = above(pair, height);
    for (int i = 0; i < 4; ++i) x[i] += Vec3(0.005, 0.002, 0);
    const PressurePair::Result result = pair.evaluate(kElastic, x, at_rest());
    Vec3 force = Vec3::Zero();
    double area = 0, pressure = 0;
    for (const ContactTriangle& triangle : pair.surface(kElastic, x, at_rest())) {
      const double own = (triangle.corners[1] - triangle.corners[0]).cross(triangle.corners[2] - triangle.corners[0]).norm() / 2;
      area += own;
      force += own * triangle.traction;
      for (const double p : triangle.pressure) pressure = std::max(pressure, p);
    }
    EXPECT_GT(result.area, 0);
    EXPECT_NEAR(area, result.area, 1e-9 * area);
    EXPECT_LT((force - result.on_first()).norm(), 1e-9 * force.norm());
    EXPECT_NEAR(pressure, result.largest_pressure, 1e-3 * pressure);
  }
}

// A rigid sinusoid of amplitude eta and wavelength 2 pi / 3, pressed 0.4 into a layer of thickness 1 (P2 Fig. 6): the force over that of a flat face.
TEST(PressurePair, SinusoidOnASoftLayer) {
  constexpr int kPieces = 400;
  constexpr double kLength = 2 * EIGEN_PI / 3, kPressed = 0.4;
  for (const auto& [amplitude, expected] : {std::pair{0.0, 1.0}, std::pair{0.166, 0.585}, std::pair{0.333, 0.354}}) {
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> surface;  // only its lower side, which is all that the layer meets but for sides whose normals are level
    for (int i = 0; i <= kPieces; ++i)
      for (int side = 0; side < 2; ++side)
        vertices.emplace_back(kLength * i / kPieces, side, amplitude * (1 - std::cos(2 * EIGEN_PI * i / kPieces)) - kPressed);
    for (int i = 0; i < 2 * kPieces; i += 2) {
      surface.push_back({i, i + 1, i + 3});
      surface.push_back({i, i + 3, i + 2});
    }
    const PressurePair pair(PressureSide::rigid(carrying_points(1), vertices, surface), PressureSide::layer(Vec3::Zero(), Vec3::UnitZ(), 1, kModulus));
    const PressurePair::Result result = pair.evaluate(kElastic, above(pair, 0), at_rest());
    const double ratio = result.on_first().z() / (kModulus * kPressed * kLength);
    EXPECT_NEAR(ratio, expected, 5e-4);  // as P2 has them
    const double steepness = amplitude / kPressed, edge = 2 * steepness > 1 ? std::acos(1 - 1 / steepness) : EIGEN_PI;
    test::expect_closed_form({"contact", "pressure field under a sinusoid, amplitude " + std::to_string(amplitude).substr(0, 5) + ": force",
                              "mean of max(0, d - eta (1 - cos)) / d (P2 Fig. 6)", (edge * (1 - steepness) + steepness * std::sin(edge)) / std::acos(-1.0),
                              ratio, 1e-4, "400 pieces of a wave", "static"});
    EXPECT_NEAR(result.largest_pressure, kModulus * kPressed, 1e-6);
  }
}

TEST(PressurePair, TwoSpheresAreOneOnAPlane) {
  const PressurePair fine(sphere(4), sphere(4));
  test::expect_closed_form({"contact", "pressure fields of two spheres that overlap by 2 d", "pi/3 E d^2 (3 - 2 d/R)",
                            EIGEN_PI / 3 * kModulus * kDepth * kDepth * (3 - 2 * kDepth / kRadius),
                            fine.evaluate(kElastic, above(fine, 2 * (kRadius - kDepth)), at_rest()).on_first().z(), 5e-3, "5120 facets", "static"});
  const PressurePair two(sphere(3), sphere(3)), one(sphere(3), plane());
  const double force = one.evaluate(kElastic, above(one, kRadius - kDepth), at_rest()).on_first().z();
  EXPECT_NEAR(two.evaluate(kElastic, above(two, 2 * (kRadius - kDepth)), at_rest()).on_first().z(), force, 1e-6 * force);
}

// Two sides are springs in series.
TEST(PressurePair, ModuliAndDissipationsCombine) {
  EXPECT_NEAR(combined_modulus(2, 8), 1.6, 1e-15);
  EXPECT_NEAR(combined_dissipation(2, 0.5, 8, 1), (8 * 0.5 + 2 * 1) / 10, 1e-15);
  EXPECT_EQ(combined_dissipation(2, 0.5, std::numeric_limits<double>::infinity(), 0), 0.5);
  // The harmonic mean of two coefficients of friction.
  EXPECT_NEAR(combined_friction(0.2, 0.6), 0.3, 1e-15);
  EXPECT_NEAR(combined_friction(0.5, 0.5), 0.5, 1e-15);
  EXPECT_NEAR(combined_friction(0.1, 1e6), 0.2, 1e-7);
  EXPECT_EQ(combined_friction(0, 0), 0);
  EXPECT_EQ(combined_friction(0, 0.7), 0);
  const PressurePair pair(cube(2), cube(8));
  EXPECT_NEAR(pair.evaluate(kElastic, above(pair, 0.1 - kDepth), at_rest()).largest_pressure, 1.6 * kDepth / 0.05, 1e-14);
}

// Pairs of bodies that are not convex, or of one with a layer or a plane, at random poses in which they overlap by little and by much.
struct RandomPair {
  PressurePair pair;
  Points x, v;
};
std::vector<RandomPair> random_pairs() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  const std::array<Vec3, 4> frame = carrying_points(0.6);
  const PressureSide soft = PressureSide::body(frame, bent_body(1, 1), 1, 0.3), other = PressureSide::body(frame, bent_body(0.8, 2), 3, 0.1);
  const PressureSide rigid = PressureSide::body(frame, bent_body(0.7, 3), std::numeric_limits<double>::infinity());
  const PressureSide flat = PressureSide::plane(Vec3(0.1, 0.2, -0.3), Vec3(1, 2, 3)), layer = PressureSide::layer(Vec3(0.1, 0, 0), Vec3(0, 1, 3), 0.5, 2, 0.2);
  std::vector<RandomPair> pairs;
  const std::vector<std::pair<PressureSide, PressureSide>> sides{{soft, other}, {soft, rigid},  {rigid, other}, {soft, flat},
                                                                 {flat, soft},  {layer, rigid}, {soft, layer}};
  for (const auto& [first, second] : sides)
    for (int i = 0; i < 2; ++i) {
      RandomPair one{PressurePair(first, second), {}, {}};
      for (int side = 0; side < 2; ++side)
        place(one.x, side, one.pair, Eigen::AngleAxisd(3 * number(random), vector().normalized()).toRotationMatrix(), 0.5 * vector());
      for (int k = 0; k < 8; ++k) {
        one.x[k] += 0.01 * vector();  // frames are never quite rigid
        one.v[k] = vector();
      }
      if (one.pair.evaluate(kElastic, one.x, at_rest()).pieces > 0) pairs.push_back(one);
    }
  EXPECT_GT(pairs.size(), 8u);
  return pairs;
}

double largest(const Points& forces) {
  double most = 0;
  for (const Vec3& force : forces) most = std::max(most, force.norm());
  return most;
}

// All 24 directions, of which 6 are the relative pose of rigid bodies.
TEST(PressurePair, ForceIsTheGradientOfTheEnergy) {
  constexpr double kStep = 1e-4;
  for (const RandomPair& one : random_pairs()) {
    const Points forces = one.pair.evaluate(kElastic, one.x, at_rest()).forces;
    const double scale = largest(forces);
    for (int k = 0; k < 24; ++k) {
      const auto energy_at = [&](double by) {
        Points x = one.x;
        x[k / 3][k % 3] += by;
        return one.pair.energy(x);
      };
      // The difference is of fourth order, because the energy is smooth only by pieces
      const double slope = (8 * (energy_at(kStep) - energy_at(-kStep)) - energy_at(2 * kStep) + energy_at(-2 * kStep)) / (12 * kStep);
      EXPECT_NEAR(forces[k / 3][k % 3], -slope, 1e-6 * scale) << k;
    }
  }
}

PressureLaw rough_law(double dissipation, bool from_table = false) {
  PressureLaw law;
  law.dissipation = dissipation;
  law.friction = true;
  law.curve.dynamic = 0.4;
  law.curve.static_ = 0.6;
  law.curve.tolerance = 0.3;
  law.curve.stribeck_velocity = 2;
  law.curve.viscous = 0.05;
  if (from_table) law.curve.table = FrictionTable{{0, 0.7, 2}, {0, 0.3, 3}, {0.9, 0.8, 0.6, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1}};
  return law;
}

class PressurePairFriction : public testing::TestWithParam<bool> {};

TEST_P(PressurePairFriction, HasDerivativesThatAgreeWithDifferences) {
  const double kStep = GetParam() ? 1e-6 : 1e-5;  // the second derivatives of a table jump on many lines of the contact surface
  for (const RandomPair& one : random_pairs()) {
    const PressureLaw law = rough_law(0.2, GetParam());
    PressurePair::Derivative by_position, by_velocity;
    const PressurePair::Result result = one.pair.linearize(law, one.x, one.v, by_position, by_velocity);
    const Points plain = one.pair.evaluate(law, one.x, one.v).forces;
    for (int i = 0; i < 8; ++i) EXPECT_EQ(result.forces[i], plain[i]);
    for (int k = 0; k < 24; ++k)
      for (const bool is_velocity : {false, true}) {
        const auto forces_at = [&](double by) {
          Points x = one.x, v = one.v;
          (is_velocity ? v : x)[k / 3][k % 3] += by;
          const Points forces = one.pair.evaluate(law, x, v).forces;
          Eigen::Matrix<double, 24, 1> column;
          for (int i = 0; i < 24; ++i) column[i] = forces[i / 3][i % 3];
          return column;
        };
        const Eigen::Matrix<double, 24, 1> slope = (forces_at(kStep) - forces_at(-kStep)) / (2 * kStep);
        const PressurePair::Derivative& derivative = is_velocity ? by_velocity : by_position;
        EXPECT_LT((derivative.col(k) - slope).norm(), 1e-6 * std::max(derivative.norm(), largest(plain))) << k << is_velocity;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(FromTable, PressurePairFriction, testing::Bool());

// The field's pressure decides on the coefficient, without the weight that a scheme gives to contact.
TEST(PressureTractionFromTable, HasTheCoefficientOfTheFieldsPressure) {
  PressureLaw law = rough_law(0, true);
  law.curve.viscous = 0;
  for (const double factor : {1.0, 0.3})
    for (const double pressure : {0.1, 0.8, 2.5}) {
      law.factor = factor;
      const auto traction = traction_of<double, double>(law, Vec3::UnitZ(), pressure, Vec3(1.2, 0.5, 0));
      EXPECT_NEAR(traction.friction.norm(), law.curve.table->at(1.3, pressure) * factor * pressure, 1e-14);
      EXPECT_NEAR(traction.normal_part.z(), factor * pressure, 1e-15);
    }
}

TEST(PressurePair, ForcesAndMomentsBalance) {
  for (const RandomPair& one : random_pairs()) {
    const PressurePair::Result result = one.pair.evaluate(rough_law(0.2), one.x, one.v);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double power = 0;
    for (int i = 0; i < 8; ++i) {
      force += result.forces[i];
      moment += one.x[i].cross(result.forces[i]);
    }
    EXPECT_LT(force.norm(), 1e-12 * largest(result.forces));
    EXPECT_LT(moment.norm(), 1e-12 * largest(result.forces));
    EXPECT_LE(result.friction_power, 0);
    EXPECT_LE(result.damping_power, 0);
    // What the forces do beyond the elastic ones is the work of friction and dissipation.
    const Points elastic = one.pair.evaluate(kElastic, one.x, one.v).forces;
    for (int i = 0; i < 8; ++i) power += (result.forces[i] - elastic[i]).dot(one.v[i]);
    EXPECT_NEAR(power, result.friction_power + result.damping_power, 1e-12 * (1 + std::abs(power)));
  }
}

// Random motions of a pair of bodies that are not convex, so short that forces hardly change unless they jump.
class ShortMotions {
 public:
  static constexpr double kStep = 1e-7;

  explicit ShortMotions(unsigned seed) : random_(seed) {
    law.curve.viscous = 0;  // drag per area begins at once where parallel faces meet
    for (Vec3& one : v) one = vector();
  }
  // Places the points at the start and at the end of a motion. In an aligned pose faces and vertices of the two bodies meet.
  void next(bool aligned, Points& x, Points& y) {
    const Mat3 rotation = aligned ? Mat3::Identity() : Eigen::AngleAxisd(3 * number_(random_), vector().normalized()).toRotationMatrix();
    const Vec3 offset = aligned ? Vec3((vector() * 4).array().round() * 0.4) : vector();
    place(x, 0, pair, Mat3::Identity(), Vec3::Zero());
    place(x, 1, pair, rotation, offset - 0.5 * kStep * vector());
    y = x;
    const Vec3 turn = vector();
    for (int i = 4; i < 8; ++i) y[i] += kStep * turn.cross(x[i]) + kStep * vector();
  }

  const PressurePair pair{PressureSide::body(carrying_points(0.6), bent_body(1, 1), 1), PressureSide::body(carrying_points(0.6), bent_body(0.8, 2, 1), 3)};
  PressureLaw law = rough_law(0.2);
  Points v;

 private:
  Vec3 vector() { return {number_(random_), number_(random_), number_(random_)}; }

  std::mt19937 random_;
  std::uniform_real_distribution<double> number_{-1, 1};
};

// Short motions through vertices, edges and faces of the meshes: the force changes by no more than its steepest slope allows. A jump would be of the order of
// the pressure on one element, here some 0.1 N.
TEST(PressurePair, ForceIsContinuous) {
  constexpr double kStep = ShortMotions::kStep, kSteepest = 1e3;
  ShortMotions motions(11);
  const auto force_at = [&](const Points& x) { return motions.pair.evaluate(motions.law, x, motions.v); };
  int touching = 0;
  for (int motion = 0; motion < 10000; ++motion) {
    Points x, y;
    motions.next(motion % 2 == 0, x, y);
    const PressurePair::Result at_start = force_at(x);
    touching += at_start.pieces > 0;
    Points before = at_start.forces, after = force_at(y).forces;
    const auto change = [](const Points& a, const Points& b) {
      Points difference;
      for (int i = 0; i < 8; ++i) difference[i] = b[i] - a[i];
      return largest(difference);
    };
    // Where gradients are nearly equal the force is steep, but it changes little in the steepest thousandth of the motion.
    for (int halved = 0; change(before, after) > kSteepest * kStep && halved < 10; ++halved) {
      Points middle;
      for (int i = 0; i < 8; ++i) middle[i] = (x[i] + y[i]) / 2;
      const Points between = force_at(middle).forces;
      const bool is_first = change(before, between) > change(between, after);
      (is_first ? y : x) = middle;
      (is_first ? after : before) = between;
    }
    ASSERT_LE(change(before, after), kSteepest * kStep) << motion;
  }
  EXPECT_GT(touching, 5000);
}

// The same for the derivative: pieces begin with an area that is of second order in the motion, so that nothing jumps at poses that are not aligned. In 5,000
// such motions it changed by 4e-5 of its size at most. Where faces of both bodies are parallel it stays bounded.
TEST(PressurePair, DerivativeIsContinuous) {
  constexpr double kMost = 1e-3, kBound = 100;
  constexpr int kMotions = 500;
  ShortMotions motions(13);
  using Both = std::pair<PressurePair::Derivative, PressurePair::Derivative>;
  const auto derivative_at = [&](const Points& x, Both& both) { return motions.pair.linearize(motions.law, x, motions.v, both.first, both.second).pieces; };
  const auto change = [](const Both& a, const Both& b) { return (b.first - a.first).norm() + (b.second - a.second).norm(); };
  int touching = 0;
  double largest = 0;
  for (int motion = 0; motion < kMotions; ++motion) {
    Points x, y;
    const bool aligned = motion % 2 == 0;
    motions.next(aligned, x, y);
    Both before, after;
    touching += derivative_at(x, before) > 0;
    derivative_at(y, after);
    const double size = 1 + before.first.norm() + before.second.norm();
    largest = std::max(largest, size);
    if (aligned) continue;
    for (int halved = 0; change(before, after) > kMost * size && halved < 10; ++halved) {
      Points middle;
      for (int i = 0; i < 8; ++i) middle[i] = (x[i] + y[i]) / 2;
      Both between;
      derivative_at(middle, between);
      const bool is_first = change(before, between) > change(between, after);
      (is_first ? y : x) = middle;
      (is_first ? after : before) = between;
    }
    ASSERT_LE(change(before, after), kMost * size) << motion;
  }
  EXPECT_GT(2 * touching, kMotions);
  EXPECT_LT(largest, kBound);
}

TEST(PressurePair, DissipationFollowsHuntAndCrossley) {
  const PressurePair pair(cube(), plane());
  const Points x = above(pair, 0.045);
  PressureLaw law;
  law.dissipation = 0.5;
  const double rest = pair.evaluate(law, x, at_rest()).on_first().z();
  for (const double speed : {-1.0, -0.1, 0.3, 1.9, 2.1, 10.0}) {
    Points v = at_rest();
    for (int i = 0; i < 4; ++i) v[i] = speed * Vec3::UnitZ();
    const PressurePair::Result result = pair.evaluate(law, x, v);
    const double expected = rest * std::max(0.0, 1 - 0.5 * speed);
    EXPECT_NEAR(result.on_first().z(), expected, 1e-12 * rest);
    EXPECT_NEAR(result.damping_power, (expected - rest) * speed, 1e-10 * rest);
  }
}

TEST(PressurePair, FrictionStaysInTheCone) {
  const PressurePair pair(cube(), plane());
  const Points x = above(pair, 0.045);
  PressureLaw law;
  law.friction = true;
  law.curve.dynamic = law.curve.static_ = 0.5;
  law.curve.tolerance = 1e-3;
  for (const double speed : {0.0, 2e-4, 5e-4, 1e-3, 1.0}) {
    Points v = at_rest();
    for (int i = 0; i < 4; ++i) v[i] = speed * Vec3(0.6, 0.8, 0);
    const PressurePair::Result result = pair.evaluate(law, x, v);
    const double part = std::min(speed / 1e-3, 1.0), friction = 0.5 * (2 * part - part * part) * result.on_first().z();
    EXPECT_NEAR((result.on_first().head<2>() + friction * Eigen::Vector2d(0.6, 0.8)).norm(), 0, 1e-10);
    EXPECT_NEAR(result.friction_power, -friction * speed, 1e-10);
  }
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 normal = Vec3(number(random), number(random), number(random)).normalized(), separation(number(random), number(random), number(random));
    const double pressure = 1 + number(random);
    const PressureTraction<double> traction = traction_of<double, double>(law, normal, pressure, separation);
    EXPECT_LE(traction.friction.norm(), 0.5 * pressure * (1 + 1e-12));
    EXPECT_NEAR(traction.friction.dot(normal), 0, 1e-12);
    EXPECT_LE(traction.friction.dot(separation), 0);
  }
}

// Bodies that coincide, or touch in a face, an edge or a vertex, have no contact surface or a finite force.
TEST(PressurePair, DegenerateContactIsFinite) {
  for (const PressureSide& other : {cube(), cube(3 * kModulus), cube(std::numeric_limits<double>::infinity()), sphere(1)}) {
    const PressurePair pair(cube(), other);
    for (const Vec3& offset : {Vec3(0, 0, 0), Vec3(0, 0, 0.1), Vec3(0.1, 0.1, 0), Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0.05), Vec3(0, 0, 0.1 - 1e-13)}) {
      Points x;
      place(x, 0, pair, Mat3::Identity(), offset);
      place(x, 1, pair, Mat3::Identity(), Vec3::Zero());
      PressurePair::Derivative by_position, by_velocity;
      const PressurePair::Result result = pair.linearize(rough_law(0.1), x, at_rest(), by_position, by_velocity);
      for (const Vec3& force : result.forces) EXPECT_TRUE(force.allFinite());
      EXPECT_TRUE(by_position.allFinite() && by_velocity.allFinite() && std::isfinite(pair.energy(x)));
    }
  }
}

// Pieces whose normal turns away from a pressure's gradient by more than the limit are dropped.
TEST(PressurePair, DropsPiecesThatFaceAway) {
  const PressurePair pair(sphere(2), sphere(2));
  const Points deep = above(pair, 0.2 * kRadius);
  PressureLaw limited;
  limited.least_alignment = std::cos(5 * EIGEN_PI / 8);
  const PressurePair::Result all = pair.evaluate(kElastic, deep, at_rest()), rest = pair.evaluate(limited, deep, at_rest());
  EXPECT_LE(rest.pieces, all.pieces);
  EXPECT_EQ(pair.evaluate(limited, above(pair, 1.9 * kRadius), at_rest()).pieces, pair.evaluate(kElastic, above(pair, 1.9 * kRadius), at_rest()).pieces);
}

}  // namespace
}  // namespace traction
