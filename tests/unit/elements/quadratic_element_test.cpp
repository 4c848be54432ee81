#include "elements/quadratic_element.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "elements/materials/linear_elastic.h"
#include "elements/materials/mooney_rivlin.h"
#include "elements/materials/neo_hookean.h"
#include "math/pack.h"

namespace traction {
namespace {

using Vectors = Corner10<double>;

Vec3 noise(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  const double x = number(generator), y = number(generator);
  return {x, y, number(generator)};
}

// A tetrahedron with straight sides, or with vertices beside the middle of its edges.
Vectors rest(bool is_curved) {
  Vectors x = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1), Vec3(0.3, 0.2, 1.4)};
  std::mt19937 generator(3);
  for (std::size_t e = 0; e < 6; ++e) {
    x[4 + e] = (x[kTetrahedronEdges[e][0]] + x[kTetrahedronEdges[e][1]]) / 2;
    if (is_curved) x[4 + e] += noise(generator, 0.06);
  }
  return x;
}

Vectors moved(Vectors x, double size) {
  std::mt19937 generator(9);
  for (Vec3& place : x) place += noise(generator, size);
  return x;
}

template <template <typename> typename Material>
QuadraticMaterialOf<Material, double> split(const Material<double>& law) {
  return quadratic_material(law).first;
}

const NeoHookean<double> kNeoHookean{LameParameters<double>::from_engineering(1e5, 0.45)};
const MooneyRivlin<double> kMooneyRivlin{2e4, 1e4, 3e5};
const LinearElastic<double> kLinearElastic{LameParameters<double>::from_engineering(1e5, 0.45)};
constexpr auto kLogarithmic = VolumetricLaw::Form::logarithmic, kRational = VolumetricLaw::Form::rational;

// x(X) = c + A X + Q(X), which ten nodes have exactly where sides are straight.
Vec3 quadratic_place(const Vec3& X) {
  return Vec3(0.2, -0.1, 0.3) + Vec3(1.1 * X.x() + 0.2 * X.y(), X.y() - 0.1 * X.z(), 0.05 * X.x() + 0.9 * X.z()) +
         0.1 * Vec3(X.x() * X.y(), X.z() * X.z() - X.x() * X.x(), X.y() * X.z() + 2 * X.x() * X.z());
}
Mat3 quadratic_gradient(const Vec3& X) {
  Mat3 F;
  F << 1.1 + 0.1 * X.y(), 0.2 + 0.1 * X.x(), 0, -0.2 * X.x(), 1, -0.1 + 0.2 * X.z(), 0.05 + 0.2 * X.z(), 0.1 * X.z(), 0.9 + 0.1 * X.y() + 0.2 * X.x();
  return F;
}

TEST(QuadraticElement, HasTheGradientsOfAQuadraticMotionAtItsPoints) {
  const Vectors X = rest(false);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  Vectors x;
  for (std::size_t a = 0; a < 10; ++a) x[a] = quadratic_place(X[a]);
  const PointTensors<double> F = deformation_gradients(element, x);
  for (std::size_t q = 0; q < kQuadraturePoints; ++q) {
    Vec3 place = Vec3::Zero();
    for (std::size_t c = 0; c < 4; ++c) place += (c == q ? kNearCorner : kFarCorner) * X[c];
    EXPECT_LT((F[q] - quadratic_gradient(place)).norm(), 1e-14);
  }
  const double volume = (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
  EXPECT_NEAR(element.whole, volume, 1e-15);
  for (const double part : element.volume) EXPECT_NEAR(part, volume / 4, 1e-15);
}

// The gradients of all ten functions sum to zero and give x its own gradient, so that an affine motion has the same F everywhere, however sides are curved.
TEST(QuadraticElement, HasTheGradientOfAnAffineMotionWithCurvedSides) {
  const Vectors X = rest(true);
  Mat3 A;
  A << 1.2, 0.3, -0.1, 0.1, 0.8, 0.2, 0, -0.2, 1.1;
  Vectors x;
  for (std::size_t a = 0; a < 10; ++a) x[a] = A * X[a] + Vec3(3, -2, 5);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  const PointTensors<double> F = deformation_gradients(element, x);
  for (const Mat3& at_point : F) EXPECT_LT((at_point - A).norm(), 1e-14);
  EXPECT_NEAR(mean_volume_ratio(element, F), A.determinant(), 1e-14);
}

// The energy of a quadratic displacement in linear elasticity is a polynomial of degree 2, which the four points integrate exactly: against the integral by
// products of barycentric coordinates, int l_i l_j = V (1 + delta_ij) / 20.
TEST(QuadraticElement, IntegratesTheEnergyOfALinearStrainExactly) {
  const Vectors X = rest(false);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  Vectors x;
  for (std::size_t a = 0; a < 10; ++a) x[a] = quadratic_place(X[a]);
  const auto [lambda, mu] = kLinearElastic.moduli;
  std::array<Mat3, 4> strain;  // at corners
  for (std::size_t c = 0; c < 4; ++c) {
    const Mat3 F = quadratic_gradient(X[c]);
    strain[c] = (F + F.transpose()) / 2 - Mat3::Identity();
  }
  double expected = 0;
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t d = 0; d < 4; ++d)
      expected += element.whole * (c == d ? 2 : 1) / 20 * (mu * strain[c].cwiseProduct(strain[d]).sum() + lambda / 2 * strain[c].trace() * strain[d].trace());
  EXPECT_NEAR(elastic_energy(element, split(kLinearElastic), kRational, x), expected, 1e-13 * expected);
}

template <template <typename> typename Material>
void expect_gradient_of_energy(const Material<double>& whole, VolumetricLaw::Form form) {
  const auto element = QuadraticElementOf<double>::at_rest(rest(true));
  const auto material = split(whole);
  const Vectors x = moved(rest(true), 0.05);
  const Vectors f = elastic_forces<double>(element, material, form, x);
  double size = 0;
  for (const Vec3& force : f) size = std::max(size, force.norm());
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t a = 0; a < 10; ++a) {
    sum += f[a], torque += x[a].cross(f[a]);
    for (int i = 0; i < 3; ++i) {
      const auto central = [&](double h) {
        Vectors plus = x, minus = x;
        plus[a][i] += h, minus[a][i] -= h;
        return (elastic_energy(element, material, form, plus) - elastic_energy(element, material, form, minus)) / (2 * h);
      };
      EXPECT_NEAR(f[a][i], -(4 * central(1e-4) - central(2e-4)) / 3, 1e-8 * size);
    }
  }
  EXPECT_LT(sum.norm(), 1e-14 * size);
  EXPECT_LT(torque.norm(), (std::is_same_v<Material<double>, LinearElastic<double>> ? INFINITY : 1e-13 * size));
}

TEST(QuadraticElement, ForcesAreMinusTheEnergysGradient) {
  expect_gradient_of_energy(kNeoHookean, kLogarithmic);
  expect_gradient_of_energy(kMooneyRivlin, kRational);
  expect_gradient_of_energy(kLinearElastic, kRational);
}

TEST(QuadraticElement, RigidMotionsDoNothingAndForcesTurnWithTheElement) {
  const Mat3 R = Eigen::AngleAxisd(1.9, Vec3(1, 1, -3).normalized()).toRotationMatrix();
  const Vectors X = rest(true), x = moved(X, 0.05);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  const auto material = split(kNeoHookean);
  Vectors rigid, turned;
  for (std::size_t a = 0; a < 10; ++a) rigid[a] = R * X[a] + Vec3(5, -7, 2), turned[a] = R * x[a] + Vec3(5, -7, 2);
  const Vectors none = elastic_forces<double>(element, material, kLogarithmic, rigid), f = elastic_forces<double>(element, material, kLogarithmic, x),
                g = elastic_forces<double>(element, material, kLogarithmic, turned);
  double size = 0;
  for (const Vec3& force : f) size = std::max(size, force.norm());
  for (std::size_t a = 0; a < 10; ++a) {
    EXPECT_LT(none[a].norm(), 1e-12 * size);
    EXPECT_LT((g[a] - R * f[a]).norm(), 1e-12 * size);
  }
}

// What changes no mean volume is not resisted by the bulk modulus: a bending motion of the points alone costs no more at nu = 0.49999 than at 0.45.
TEST(QuadraticElement, OnlyTheMeanVolumeIsStiff) {
  const Vectors X = rest(false);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  Vectors x = X;
  const Vec3 center = (X[0] + X[1] + X[2] + X[3]) / 4;
  for (Vec3& place : x) place += 1e-3 * Vec3((place - center).x() * (place - center).x(), 0, 0);
  double change = 0;  // mean volume ratio, taken back by a uniform stretch
  const PointTensors<double> F = deformation_gradients(element, x);
  change = mean_volume_ratio(element, F);
  for (Vec3& place : x) place /= std::cbrt(change);
  double largest = 0;
  for (const Mat3& at_point : deformation_gradients(element, x)) largest = std::max(largest, std::abs(at_point.determinant() - 1));
  EXPECT_GT(largest, 3e-4);
  const auto energy = [&](double poisson_ratio) {
    const NeoHookean<double> law{LameParameters<double>::from_engineering(2e5 * (1 + poisson_ratio), poisson_ratio)};  // the same shear modulus for both
    return elastic_energy(element, split(law), kLogarithmic, x);
  };
  EXPECT_NEAR(energy(0.49999), energy(0.45), 1e-6 * energy(0.45));
}

// Viscous forces dissipate, and rigid rates do nothing.
TEST(QuadraticElement, ViscousForcesVanishInRigidMotion) {
  const Vectors X = rest(true), x = moved(X, 0.05);
  const auto element = QuadraticElementOf<double>::at_rest(X);
  Vectors spin, rate;
  std::mt19937 generator(5);
  for (std::size_t a = 0; a < 10; ++a) spin[a] = Vec3(0.3, -0.2, 0.9).cross(x[a]) + Vec3(1, 2, 3), rate[a] = noise(generator, 1);
  const auto& moduli = kNeoHookean.moduli;
  const Vectors none = viscous_forces<double>(element, moduli, x, spin), f = viscous_forces<double>(element, moduli, x, rate);
  double power = 0, size = 0;
  for (std::size_t a = 0; a < 10; ++a) power += f[a].dot(rate[a]), size = std::max(size, f[a].norm());
  EXPECT_LT(power, -0.1 * size);
  for (const Vec3& force : none) EXPECT_LT(force.norm(), 1e-13 * size);
}

// A pack computes what doubles do.
TEST(QuadraticElement, PacksAgreeWithDoubles) {
  const Vectors X = rest(true), x = moved(X, 0.05);
  Corner10<Pack> packed_rest, packed;
  for (std::size_t a = 0; a < 10; ++a)
    for (int i = 0; i < 3; ++i) packed_rest[a][i] = Pack(X[a][i]), packed[a][i] = Pack(x[a][i]);
  const auto [law, mean] = split(kNeoHookean);
  const QuadraticMaterialOf<NeoHookean, Pack> material{NeoHookean<Pack>{{Pack(law.moduli.lambda), Pack(law.moduli.mu)}}, {Pack(mean.modulus)}};
  const auto f = elastic_forces<double>(QuadraticElementOf<double>::at_rest(X), split(kNeoHookean), kLogarithmic, x);
  const auto g = elastic_forces<Pack>(QuadraticElementOf<Pack>::at_rest(packed_rest), material, kLogarithmic, packed);
  for (std::size_t a = 0; a < 10; ++a)
    for (int i = 0; i < 3; ++i)
      for (int lane = 0; lane < kPackWidth; ++lane) EXPECT_NEAR(g[a][i][lane], f[a][i], 1e-12 * f[0].norm());
}

}  // namespace
}  // namespace traction
