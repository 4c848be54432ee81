#include "elements/stress_measures.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace traction {

Mat3 cauchy_stress(const Mat3& F, const Mat3& P) {
  const Mat3 stress = P * F.transpose() / F.determinant();
  return (stress + stress.transpose()) / 2;
}

double von_mises_stress(const Mat3& stress) {
  const Mat3 deviator = stress - stress.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5 * deviator.squaredNorm());
}

Mat3 logarithmic_strain(const Mat3& F) {
  const Eigen::SelfAdjointEigenSolver<Mat3> squared_stretch(F * F.transpose());
  const Vec3 strains = squared_stretch.eigenvalues().array().log() / 2;
  return squared_stretch.eigenvectors() * strains.asDiagonal() * squared_stretch.eigenvectors().transpose();
}

Mat3 tension(const Matrix32<double>& F, const Matrix32<double>& P) { return P * F.transpose() / F.col(0).cross(F.col(1)).norm(); }

Mat3 logarithmic_strain(double squared_thickness_stretch, const Matrix32<double>& F) {
  const Vec3 normal = F.col(0).cross(F.col(1));
  const double det_C = normal.squaredNorm();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> squared_stretch(F.transpose() * F);
  Mat3 strain = std::log(squared_thickness_stretch) / 2 * normal * normal.transpose() / det_C;
  for (int i = 0; i < 2; ++i) {
    const double square = squared_stretch.eigenvalues()[i];
    const Vec3 direction = F * squared_stretch.eigenvectors().col(i);  // as long as its stretch
    strain += std::log(square) / (2 * square) * direction * direction.transpose();
  }
  return strain;
}

}  // namespace traction
