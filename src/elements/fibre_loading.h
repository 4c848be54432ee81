// Tests of reinforced solids in which a whole specimen is deformed alike, along and across their fibres (docs/materials.md, "Look at the curves").
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "elements/fibres.h"
#include "elements/homogeneous_loading.h"

namespace traction {

/// A law with its families of fibres.
template <typename Material>
struct Reinforced {
  Material matrix;
  std::vector<FibreFamily<double>> families;

  double energy_density(const Mat3& F) const {
    double sum = matrix.energy_density(F);
    for (const FibreFamily<double>& family : families) sum += family.energy_density(F);
    return sum;
  }
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    Matrix3<T> stress = traction::first_piola_stress<T>(matrix, F);
    for (const FibreFamily<double>& family : families) stress += family.template first_piola_stress<T>(F);
    return stress;
  }
};

/// The directions of fibre families in the axes of a specimen. x lies between the families, where these enclose acute angles; y lies across in their plane.
inline std::vector<Vec3> specimen_directions(const std::vector<Vec3>& families) {
  Vec3 along = Vec3::Zero(), across = Vec3::Zero();
  for (const Vec3& family : families) along += family.dot(families.front()) < 0 ? Vec3(-family) : family;
  along.normalize();
  for (const Vec3& family : families)
    if (const Vec3 part = family - family.dot(along) * along; part.norm() > across.norm()) across = part;
  constexpr double kParallel = 1e-9;
  across = across.norm() > kParallel ? Vec3(across.normalized()) : along.unitOrthogonal();
  Mat3 axes;
  axes << along, across, along.cross(across);
  std::vector<Vec3> turned;
  turned.reserve(families.size());
  for (const Vec3& family : families) turned.push_back(axes.transpose() * family);
  return turned;
}

/// The state in which no normal stress acts on free sides, while the specimen keeps its right angles. `guess`: the state under a similar load, from which
/// Newton's method starts.
template <typename Material>
HomogeneousState loaded_state(const Reinforced<Material>& material, Loading loading, double stretch, const Mat3& guess = Mat3::Identity()) {
  constexpr int kMostIterations = 200;
  constexpr double kConverged = 1e-11, kMostChange = 0.05;  // changes of the logarithms of stretches
  const Mat3 given = loaded(loading, stretch, 1);
  std::vector<int> free;
  for (int i = 0; i < 3; ++i)
    if (is_free(loading, i)) free.push_back(i);
  Mat3 F = given;
  for (const int i : free) F(i, i) = guess(i, i);
  Eigen::VectorXd change = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(free.size()), 1);
  for (int iteration = 0; iteration < kMostIterations && !free.empty() && change.lpNorm<Eigen::Infinity>() > kConverged; ++iteration) {
    const auto count = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd slope(count, count);
    Eigen::VectorXd stress(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      Matrix3<Dual<double>> moved;
      for (int n = 0; n < 9; ++n) moved(n) = make_dual(F(n), n == 4 * free[static_cast<std::size_t>(k)] ? F(n) : 0);
      const Matrix3<Dual<double>> P = material.template first_piola_stress<Dual<double>>(moved);
      for (Eigen::Index i = 0; i < count; ++i) {
        const int side = 4 * free[static_cast<std::size_t>(i)];
        const Dual<double> kirchhoff = P(side) * moved(side);  // its derivative by the logarithms is symmetric
        slope(i, k) = kirchhoff.derivative[0];
        stress[i] = kirchhoff.value;
      }
    }
    if (!(slope.determinant() > 0) || !(slope(0, 0) > 0)) change.setConstant(std::numeric_limits<double>::quiet_NaN());
    else change = -slope.partialPivLu().solve(stress);
    if (!change.allFinite()) break;
    const double most = change.lpNorm<Eigen::Infinity>();
    for (Eigen::Index k = 0; k < count; ++k) F(4 * free[static_cast<std::size_t>(k)]) *= std::exp(change[k] * std::min(1.0, kMostChange / most));
  }
  HomogeneousState state;
  state.F = !free.empty() && !(change.lpNorm<Eigen::Infinity>() <= kConverged) ? Mat3(Mat3::Constant(std::numeric_limits<double>::quiet_NaN())) : F;
  state.stress = stress_along(loading, material.template first_piola_stress<double>(state.F));
  state.energy = material.energy_density(state.F);
  return state;
}

}  // namespace traction
