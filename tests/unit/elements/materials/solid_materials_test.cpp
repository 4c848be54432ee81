// Properties that all solid materials of scenes have in common.

#include "elements/materials/solid_materials.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "elements/elasticity.h"
#include "math/pack.h"

namespace traction {
namespace {

constexpr std::array<std::array<double, 2>, 4> kRubbers = {{{1e5, 0.0}, {6e6, 0.3}, {2e9, 0.45}, {6e6, 0.4995}}};  // E [Pa], nu

template <template <typename> typename M>
struct Of {
  template <typename Real>
  using Material = M<Real>;
};
template <typename List>
struct AsTypes;
template <template <typename> typename... Materials>
struct AsTypes<MaterialList<Materials...>> {
  using Types = testing::Types<Of<Materials>...>;
};
struct AsName {
  template <typename Type>
  static std::string GetName(int) {
    return std::string(Type::template Material<double>::name);
  }
};

// A material of each law with a Young's modulus [Pa] and Poisson's ratio for small strains. Constants of rubber are in proportions that they have in practice.
struct Constants {
  double youngs_modulus, poisson_ratio;
  std::optional<double> c10, c01, c20, c30, shear_modulus, locking_stretch;
  std::vector<double> shear_moduli, exponents;
  double bulk_modulus_for(double mu) const { return bulk_modulus(mu, poisson_ratio); }
};
template <typename Material>
Material rubber(double modulus, double ratio) {
  const double mu = modulus / (2 * (1 + ratio));
  Constants constants{modulus, ratio, 0.5 * mu, 0, -0.02 * mu, 0.003 * mu, mu, 2.8, {}, {1.3, 5.0, -2.0}};
  if (Material::name == "mooney_rivlin") constants.c10 = 0.35 * mu, constants.c01 = 0.15 * mu;
  const double ogden = (6.3 * 1.3 + 0.012 * 5.0 + 0.1 * 2.0) / 2;  // Ogden 1972, in 1e5 Pa
  for (const double term : {6.3, 0.012, -0.1}) constants.shear_moduli.push_back(term / ogden * mu);
  return Material::from(constants);
}

// The same material without its own stress and blocks.
template <typename Material>
struct EnergyAlone {
  Material material;
  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    return material.energy_density(F);
  }
};

template <typename Type>
class EverySolidMaterial : public testing::Test {
 protected:
  template <typename Real>
  using Material = typename Type::template Material<Real>;

  std::mt19937 generator_{5};
  std::uniform_real_distribution<double> number_{-1, 1};

  // Calls action(material, size of its stresses [Pa]) for each material.
  template <typename Action>
  void for_each_rubber(Action action) {
    for (const auto& [modulus, ratio] : kRubbers) {
      const auto moduli = LameParameters<double>::from_engineering(modulus, ratio);
      action(rubber<Material<double>>(modulus, ratio), moduli.mu + moduli.lambda);
    }
  }
  Mat3 random_matrix(double size) {
    Mat3 result;
    for (int k = 0; k < 9; ++k) result(k) = size * number_(generator_);
    return result;
  }
  Mat3 random_deformation(double size) { return Mat3::Identity() + random_matrix(size); }
  std::array<Vec3, 4> moved(std::array<Vec3, 4> x, double size) {
    for (Vec3& point : x) point += size * Vec3(number_(generator_), number_(generator_), number_(generator_));
    return x;
  }
};

TYPED_TEST_SUITE(EverySolidMaterial, typename AsTypes<SolidMaterials>::Types, AsName);

TYPED_TEST(EverySolidMaterial, ZeroAtRestAndUnderRotation) {
  const Mat3 rotation = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  this->for_each_rubber([&](const auto& material, double scale) {
    EXPECT_EQ(material.energy_density(Mat3(Mat3::Identity())), 0);
    EXPECT_EQ(first_piola_stress<double>(material, Mat3(Mat3::Identity())).norm(), 0);
    if (material.name == LinearElastic<double>::name) return;  // this material is for small rotations
    EXPECT_NEAR(material.energy_density(rotation), 0, 1e-14 * scale);
    EXPECT_LT(first_piola_stress<double>(material, rotation).norm(), 1e-13 * scale);
  });
}

// dP = lambda tr(dF) I + mu (dF + dF^T) at rest.
TYPED_TEST(EverySolidMaterial, IsLinearWithItsModuliAtRest) {
  const auto& [modulus, ratio] = kRubbers[1];
  // K = E / (3 (1 - 2 nu)) = lambda + 2 mu / 3
  const double mu = modulus / (2 * (1 + ratio)), lambda = modulus / (3 * (1 - 2 * ratio)) - 2 * mu / 3;
  const auto material = rubber<typename TestFixture::template Material<double>>(modulus, ratio);
  EXPECT_NEAR(material.linear_moduli().mu, mu, 1e-14 * mu);
  EXPECT_NEAR(material.linear_moduli().lambda, lambda, 1e-14 * lambda);
  const Mat3 dF = this->random_matrix(1);
  Matrix3<Dual<double>> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = make_dual(i == j, dF(i, j));
  const auto stress = first_piola_stress<Dual<double>>(material, F);
  const Mat3 expected = lambda * dF.trace() * Mat3::Identity() + mu * (dF + dF.transpose());
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(stress(k).derivative[0], expected(k), 1e-13 * expected.norm());
}

// A bar stretched by 1 + e with free sides: bisection for the lateral stretch that leaves them free of stress. The error of P/e against E is of first
// order in e, so two strains of opposite sign cancel it.
TYPED_TEST(EverySolidMaterial, SmallUniaxialStretchShowsYoungsModulusAndPoissonsRatio) {
  const double e = 1e-4;
  for (const auto& [youngs_modulus, poisson_ratio] : kRubbers) {
    const auto material = rubber<typename TestFixture::template Material<double>>(youngs_modulus, poisson_ratio);
    double modulus = 0, ratio = 0;
    for (const double strain : {e, -e}) {
      const auto stress = [&](double lateral) { return first_piola_stress<double>(material, Mat3(Vec3(1 + strain, lateral, lateral).asDiagonal())); };
      double low = 1 - 2 * e, high = 1 + 2 * e;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (stress(middle)(1, 1) < 0 ? low : high) = middle;
      }
      modulus += 0.5 * stress(low)(0, 0) / strain;
      ratio += 0.5 * (1 - low) / strain;
    }
    EXPECT_NEAR(modulus, youngs_modulus, 1e-6 * youngs_modulus);
    EXPECT_NEAR(ratio, poisson_ratio, 1e-6);
  }
}

// Richardson-extrapolated central differences of the energy; and its exact gradient by dual numbers.
TYPED_TEST(EverySolidMaterial, StressIsTheEnergysGradient) {
  this->for_each_rubber([&](const auto& material, double scale) {
    for (int sample = 0; sample < 10; ++sample) {
      const Mat3 F = this->random_deformation(0.25), stress = first_piola_stress<double>(material, F);
      Mat3 numerical;
      for (int i = 0; i < 9; ++i) {
        auto central = [&](double h) {
          Mat3 plus = F, minus = F;
          plus(i) += h, minus(i) -= h;
          return (material.energy_density(plus) - material.energy_density(minus)) / (2 * h);
        };
        numerical(i) = (4 * central(5e-4) - central(1e-3)) / 3;
      }
      EXPECT_LT((stress - numerical).norm(), 1e-8 * scale);
      EXPECT_LT((stress - first_piola_stress<double>(EnergyAlone{material}, F)).norm(), 1e-13 * (stress.norm() + scale));
    }
  });
}

// W(R F) = W(F), P(R F) = R P(F), but for Hooke's law, which is for small rotations; and isotropic: P(R F R^T) = R P(F) R^T.
TYPED_TEST(EverySolidMaterial, FrameIndifferentAndIsotropic) {
  const Mat3 R = Eigen::AngleAxisd(-1.1, Vec3(0.3, 1, 2).normalized()).toRotationMatrix();
  this->for_each_rubber([&](const auto& material, double scale) {
    const Mat3 F = this->random_deformation(0.3), RF = R * F;
    const Mat3 P = first_piola_stress<double>(material, F);
    EXPECT_LT((first_piola_stress<double>(material, Mat3(RF * R.transpose())) - R * P * R.transpose()).norm(), 1e-12 * scale);
    if constexpr (std::is_same_v<std::decay_t<decltype(material)>, LinearElastic<double>>) return;
    EXPECT_NEAR(material.energy_density(RF), material.energy_density(F), 1e-12 * scale);
    EXPECT_LT((first_piola_stress<double>(material, RF) - R * P).norm(), 1e-12 * scale);
  });
}

// The material's own blocks, those by dual numbers from its stress, and those from its energy alone, in packs of elements that differ, against dual numbers
// through one element's forces.
TYPED_TEST(EverySolidMaterial, BlocksAreTheForcesDerivatives) {
  using Material = typename TestFixture::template Material<Pack>;
  const std::array<Vec3, 4> corners = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1), Vec3(0.3, 0.2, 1.4)};
  const double factor = -0.7;
  std::array<std::array<Mat3, 12>, kPackWidth> expected;
  SolidElementOf<Pack> elements;
  constexpr std::size_t kNumbers = sizeof(typename TestFixture::template Material<double>) / sizeof(double);
  std::array<Pack, kNumbers> packed;
  std::array<Vector3<Pack>, 4> positions;
  for (int lane = 0; lane < kPackWidth; ++lane) {
    const auto material = rubber<typename TestFixture::template Material<double>>(kRubbers[lane % 4][0] / kRubbers[0][0], kRubbers[lane % 4][1]);
    const auto numbers = std::bit_cast<std::array<double, kNumbers>>(material);
    for (std::size_t k = 0; k < kNumbers; ++k) packed[k].set(lane, numbers[k]);
    const SolidElement element({0, 1, 2, 3}, this->moved(corners, 0.1));
    const std::array<Vec3, 4> x = this->moved(corners, 0.1);
    elements.volume.set(lane, element.volume);
    for (int k = 0; k < 9; ++k) elements.inverse_rest_shape(k).set(lane, element.inverse_rest_shape(k));
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) positions[a][i].set(lane, x[a][i]);
    for (int b = 0; b < 4; ++b)
      for (int k = 0; k < 3; ++k) {
        std::array<Vector3<Dual<double>>, 4> seeded;
        for (int a = 0; a < 4; ++a)
          for (int i = 0; i < 3; ++i) seeded[a][i] = make_dual(x[a][i], a == b && i == k ? factor : 0);
        const auto forces = elastic_forces<Dual<double>>(element, material, seeded);
        for (int a = 0; a < 4; ++a)
          for (int i = 0; i < 3 && a != b; ++i) expected[lane][3 * a + (b > a ? b - 1 : b)](i, k) = forces[a][i].derivative[0];
      }
  }
  const auto material = std::bit_cast<Material>(packed);
  const EnergyAlone<Material> energy_alone{material};
  const auto expect_derivatives = [&](const auto& blocks) {
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        if (a == b) continue;
        const Matrix3<Pack> block = blocks(a, b);
        for (int lane = 0; lane < kPackWidth; ++lane) {
          const Mat3& exact = expected[lane][3 * a + (b > a ? b - 1 : b)];
          for (int k = 0; k < 9; ++k) EXPECT_NEAR(block(k)[lane], exact(k), 1e-12 * exact.norm()) << a << b << " lane " << lane;
        }
      }
  };
  expect_derivatives(elastic_blocks(elements, material, positions, factor));
  expect_derivatives(DualBlocks<Pack, Material>(elements, material, positions, factor));
  // Powers of matrices have derivatives of one level only.
  if constexpr (!std::is_same_v<Material, Ogden<Pack>>) expect_derivatives(elastic_blocks(elements, energy_alone, positions, factor));
}

}  // namespace
}  // namespace traction
