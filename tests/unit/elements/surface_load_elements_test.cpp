#include "elements/surface_load_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

using test::at_rest;
using test::random_vector;
using Triangle = std::array<Vec3, 3>;

Vec3 force_on(const Triangle& x, const auto& element) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& share : element.template forces<double>(x, at_rest(x))) sum += share;
  return sum;
}

// -p A n: a triangle of area 3 m^2 in the plane z = 1.
TEST(PressureElement, PushesAgainstTheNormal) {
  const Triangle x = {Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0, 3, 1)};
  EXPECT_LT((force_on(x, PressureElement{{0, 1, 2}, 5}) - Vec3(0, 0, -15)).norm(), 1e-14);
  EXPECT_LT((force_on(x, PressureElement{{0, 1, 2}, -5}) - Vec3(0, 0, 15)).norm(), 1e-14);
}

// The forces on a closed surface of any shape have neither sum nor moment, and obey x . f = -3 p V.
TEST(PressureElement, HasNeitherForceNorMomentOnAClosedSurface) {
  test::Sheet sheet = test::sphere(2);
  std::mt19937 generator(3);
  for (Vec3& x : sheet.vertices) x = Vec3(1.3 * x.x() + 0.4 * x.y(), 0.8 * x.y(), x.z()) + Vec3(3, -2, 5) + random_vector(generator, 0.05);
  constexpr double kPressure = 7;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double scale = 0, virial = 0, volume = 0;
  for (const auto& triangle : sheet.triangles) {
    const Triangle x = test::corners(sheet.vertices, triangle);
    const auto shares = PressureElement{triangle, kPressure}.forces<double>(x, at_rest(x));
    for (int a = 0; a < 3; ++a) {
      force += shares[a], moment += x[a].cross(shares[a]), virial += x[a].dot(shares[a]);
      scale += shares[a].norm();
    }
    volume += x[0].cross(x[1]).dot(x[2]) / 6;
  }
  EXPECT_LT(force.norm(), 1e-12 * scale);
  EXPECT_LT(moment.norm(), 1e-12 * scale);
  EXPECT_NEAR(virial, -3 * kPressure * volume, 1e-11 * kPressure * volume);
}

// F = R U with U symmetric in the plane of the triangle takes the traction to R t, whatever the order of the vertices.
TEST(TurningTractionElement, TurnsWithTheRotationOfThePolarDecomposition) {
  std::mt19937 generator(5);
  for (int sample = 0; sample < 20; ++sample) {
    const Triangle rest = {random_vector(generator, 1), random_vector(generator, 1), random_vector(generator, 1)};
    const Vec3 normal = (rest[1] - rest[0]).cross(rest[2] - rest[0]), traction = random_vector(generator, 3);
    const Vec3 first = (rest[2] - rest[1]).normalized(), second = normal.cross(first).normalized();
    const Mat3 stretch = Mat3::Identity() + 0.6 * first * first.transpose() - 0.3 * second * second.transpose() +
                         0.25 * (first * second.transpose() + second * first.transpose());
    const Mat3 rotation = Eigen::AngleAxisd(2.9 * sample, random_vector(generator, 1).normalized()).toRotationMatrix();
    const Vec3 shift = random_vector(generator, 4);
    Triangle x;
    for (int a = 0; a < 3; ++a) x[a] = rotation * stretch * rest[a] + shift;
    const Vec3 expected = rotation * traction * normal.norm() / 2;
    const TurningTractionElement element({0, 1, 2}, rest, traction);
    EXPECT_LT((force_on(rest, element) - traction * normal.norm() / 2).norm(), 1e-13 * expected.norm());
    EXPECT_LT((force_on(x, element) - expected).norm(), 1e-12 * expected.norm());
    const TurningTractionElement flipped({1, 0, 2}, {rest[1], rest[0], rest[2]}, traction);
    EXPECT_LT((force_on({x[1], x[0], x[2]}, flipped) - expected).norm(), 1e-12 * expected.norm());
  }
}

// Flat, each vertex in the middle of an edge bears a third of -p A n, and corners bear nothing.
TEST(QuadraticPressureElement, LoadsTheMiddlesOfEdgesOfAFlatFace) {
  const std::array<Vec3, 6> x = {Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0, 3, 1), Vec3(1, 0, 1), Vec3(1, 1.5, 1), Vec3(0, 1.5, 1)};
  const auto f = QuadraticPressureElement{{0, 1, 2, 3, 4, 5}, 5}.forces<double>(x, {});
  for (std::size_t a = 0; a < 6; ++a) EXPECT_LT((f[a] - Vec3(0, 0, a < 3 ? 0 : -5)).norm(), 1e-13);
}

// A flat face that deforms alike everywhere has the force of a triangle, a third of it in the middle of each edge.
TEST(QuadraticTurningTractionElement, LoadsTheMiddlesOfEdgesOfAFlatFace) {
  std::mt19937 generator(7);
  Triangle rest, now;
  for (int a = 0; a < 3; ++a) rest[a] = random_vector(generator, 1), now[a] = random_vector(generator, 1);
  const auto with_middles = [](const Triangle& x) { return std::array<Vec3, 6>{x[0], x[1], x[2], (x[0] + x[1]) / 2, (x[1] + x[2]) / 2, (x[2] + x[0]) / 2}; };
  const Vec3 traction = random_vector(generator, 3), expected = force_on(now, TurningTractionElement({0, 1, 2}, rest, traction));
  const auto f = QuadraticTurningTractionElement({0, 1, 2, 3, 4, 5}, with_middles(rest), traction).forces<double>(with_middles(now), {});
  for (std::size_t a = 0; a < 6; ++a) EXPECT_LT((f[a] - (a < 3 ? Vec3(Vec3::Zero()) : Vec3(expected / 3))).norm(), 1e-13 * expected.norm());
}

// A curved face that turns takes along its forces, which at rest are the traction times the integrals of the shape functions over the area.
TEST(QuadraticTurningTractionElement, TurnsWithACurvedFace) {
  std::mt19937 generator(11);
  std::array<Vec3, 6> rest = {Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0, 3, 1), Vec3(1, 0, 1), Vec3(1, 1.5, 1), Vec3(0, 1.5, 1)};
  for (Vec3& x : rest) x += random_vector(generator, 0.1);
  const Vec3 traction = random_vector(generator, 3);
  const Mat3 rotation = Eigen::AngleAxisd(2, Vec3(1, 2, -3).normalized()).toRotationMatrix();
  std::array<Vec3, 6> turned, expected;
  for (std::size_t a = 0; a < 6; ++a) turned[a] = rotation * rest[a] + Vec3(4, 5, 6), expected[a].setZero();
  QuadraticFace::for_each_point<double>(rest, [&](double weight, const std::array<double, 6>& shapes, const Vec3& area) {
    for (std::size_t a = 0; a < 6; ++a) expected[a] += weight * shapes[a] * area.norm() * traction;
  });
  const QuadraticTurningTractionElement element({0, 1, 2, 3, 4, 5}, rest, traction);
  const auto at_first = element.forces<double>(rest, {}), later = element.forces<double>(turned, {});
  for (std::size_t a = 0; a < 6; ++a) {
    EXPECT_LT((at_first[a] - expected[a]).norm(), 1e-12 * traction.norm());
    EXPECT_LT((later[a] - rotation * expected[a]).norm(), 1e-12 * traction.norm());
  }
}

// On a closed surface of curved faces the forces have neither sum nor moment and are -p times the gradient of the volume, of which x . f is three times.
TEST(QuadraticPressureElement, IsTheGradientOfTheVolume) {
  const test::Sheet sheet = test::sphere(1);
  std::mt19937 generator(3);
  std::vector<Vec3> vertices = sheet.vertices;
  for (Vec3& x : vertices) x = Vec3(1.3 * x.x() + 0.4 * x.y(), 0.8 * x.y(), x.z()) + Vec3(3, -2, 5) + random_vector(generator, 0.05);
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
    if (is_new) vertices.emplace_back((vertices[a] + vertices[b]) / 2 + random_vector(generator, 0.1));
    return place->second;
  };
  std::vector<std::array<int, 6>> faces;
  for (const auto& [a, b, c] : sheet.triangles) faces.push_back({a, b, c, middle(a, b), middle(b, c), middle(c, a)});
  constexpr double kPressure = 7;
  std::vector<Vec3> forces(vertices.size(), Vec3::Zero());
  const auto volume = [&](const std::vector<Vec3>& places) {
    double sum = 0;
    for (const auto& face : faces) {
      std::array<Vec3, 6> x;
      for (std::size_t a = 0; a < 6; ++a) x[a] = places[face[a]];
      QuadraticFace::for_each_point<double>(x, [&](double weight, const std::array<double, 6>& shapes, const Vec3& area) {
        for (std::size_t a = 0; a < 6; ++a) sum += weight * shapes[a] * x[a].dot(area) / 3;
      });
    }
    return sum;
  };
  for (const auto& face : faces) {
    std::array<Vec3, 6> x;
    for (std::size_t a = 0; a < 6; ++a) x[a] = vertices[face[a]];
    const auto shares = QuadraticPressureElement{face, kPressure}.forces<double>(x, {});
    for (std::size_t a = 0; a < 6; ++a) forces[face[a]] += shares[a];
  }
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  double virial = 0, scale = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    sum += forces[v], moment += vertices[v].cross(forces[v]), virial += vertices[v].dot(forces[v]), scale += forces[v].norm();
  EXPECT_LT(sum.norm(), 1e-13 * scale);
  EXPECT_LT(moment.norm(), 1e-12 * scale);
  EXPECT_NEAR(virial, -3 * kPressure * volume(vertices), 1e-12 * scale);
  for (const std::size_t v : {std::size_t{0}, vertices.size() - 1}) {
    constexpr double kStep = 1e-3;  // the volume is a polynomial of degree 1 in each coordinate of one vertex
    for (int i = 0; i < 3; ++i) {
      auto plus = vertices, minus = vertices;
      plus[v][i] += kStep, minus[v][i] -= kStep;
      EXPECT_NEAR(forces[v][i], -kPressure * (volume(plus) - volume(minus)) / (2 * kStep), 1e-9 * scale);
    }
  }
}

}  // namespace
}  // namespace traction
