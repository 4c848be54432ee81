// Powers of symmetric positive matrices of three dimensions, over doubles, packs, and dual numbers of one level.
#pragma once

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "math/dual.h"
#include "math/pack.h"
#include "math/tensor.h"

namespace traction {

/// Eigenvalues, and eigenvectors as columns, of a symmetric matrix.
struct SymmetricSpectrum {
  Vec3 values = Vec3::Ones();
  Mat3 vectors = Mat3::Identity();

  SymmetricSpectrum() = default;
  explicit SymmetricSpectrum(const Mat3& matrix) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(matrix);
    values = solver.eigenvalues();
    vectors = solver.eigenvectors();
  }
};

/// (a^p - b^p) / (a - b), or p a^(p-1) if both are equal. It is also exact if they are nearly equal.
inline double divided_difference_of_power(double a, double b, double p) {
  constexpr double kClose = 1e-2;
  const double x = b / a - 1;
  if (std::abs(x) > kClose) return (std::pow(a, p) - std::pow(b, p)) / (a - b);
  // ((1 + x)^p - 1) / x as a series
  double sum = 0, term = p;
  for (int k = 2; k <= 9; ++k) {
    sum += term;
    term *= (p - k + 1) * x / k;
  }
  return std::pow(a, p - 1) * (sum + term);
}

/// C^p and its derivative along another symmetric matrix, for one matrix.
inline Mat3 power(const SymmetricSpectrum& C, double p) {
  const Vec3 powers(std::pow(C.values[0], p), std::pow(C.values[1], p), std::pow(C.values[2], p));
  return C.vectors * powers.asDiagonal() * C.vectors.transpose();
}
inline Mat3 power_change(const SymmetricSpectrum& C, double p, const Mat3& change) {
  Mat3 turned = C.vectors.transpose() * change * C.vectors;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) turned(i, j) *= divided_difference_of_power(C.values[i], C.values[j], p);
  return C.vectors * turned * C.vectors.transpose();
}

/// The numbers in a scalar: one, or the lanes of a pack.
inline double lane_of(double x, int) { return x; }
inline double lane_of(const Pack& x, int lane) { return x[lane]; }
inline bool is_zero(double x) { return x == 0; }
inline bool is_zero(const Pack& x) {
  for (int lane = 0; lane < kPackWidth; ++lane)
    if (x[lane] != 0) return false;
  return true;
}
inline void set_lane(double& x, int, double value) { x = value; }
inline void set_lane(Pack& x, int lane, double value) { x.set(lane, value); }

/// The powers of a matrix C. A matrix of packs has one matrix in each lane. T is Real or Dual<Real, N>. NaN where C is not positive.
template <typename T, typename Real>
class SymmetricPower {
 public:
  explicit SymmetricPower(const Matrix3<T>& C) : C_(C) {
    for (int lane = 0; lane < kLanes; ++lane) {
      Mat3 matrix;
      for (int k = 0; k < 9; ++k) matrix(k) = lane_of(value_of(C(k)), lane);
      spectra_[lane] = SymmetricSpectrum(matrix);
    }
  }

  Matrix3<T> power(const Real& p) const {
    Matrix3<T> result;
    for (int lane = 0; lane < kLanes; ++lane) {
      const Mat3 value = traction::power(spectra_[lane], lane_of(p, lane));
      for (int k = 0; k < 9; ++k) set_lane(value_of(result(k)), lane, value(k));
      for_each_derivative([&](auto n) {
        const Mat3 change = power_change(spectra_[lane], lane_of(p, lane), derivative_of(n, lane));
        for (int k = 0; k < 9; ++k) set_lane(part_of(result(k), n), lane, change(k));
      });
    }
    return result;
  }

  /// tr(C^p), whose derivative is p C^(p-1) : dC.
  T trace_of_power(const Real& p) const {
    T result;
    for (int lane = 0; lane < kLanes; ++lane) {
      const double exponent = lane_of(p, lane);
      double sum = 0;
      for (const double value : spectra_[lane].values) sum += std::pow(value, exponent);
      set_lane(value_of(result), lane, sum);
      if constexpr (kDerivatives > 0) {
        const Mat3 slope = traction::power(spectra_[lane], exponent - 1) * exponent;
        for_each_derivative([&](auto n) { set_lane(part_of(result, n), lane, slope.cwiseProduct(derivative_of(n, lane)).sum()); });
      }
    }
    return result;
  }

 private:
  static constexpr int kLanes = std::is_same_v<Real, Pack> ? kPackWidth : 1;
  template <typename>
  struct Derivatives {
    static constexpr int kCount = 0;
  };
  template <int N>
  struct Derivatives<Dual<Real, N>> {
    static constexpr int kCount = N;
  };
  static constexpr int kDerivatives = Derivatives<T>::kCount;
  static_assert(kDerivatives > 0 || std::is_same_v<T, Real>, "dual numbers of one level");

  template <typename Number>
  static auto& value_of(Number& x) {
    if constexpr (kDerivatives > 0) return x.value;
    else return x;
  }
  template <typename Number>
  static auto& part_of(Number& x, int n) {
    return x.derivative[n];
  }
  template <typename Action>
  static void for_each_derivative(Action action) {
    if constexpr (kDerivatives > 0)
      for (int n = 0; n < kDerivatives; ++n) action(n);
  }
  Mat3 derivative_of(int n, int lane) const {
    Mat3 result;
    for (int k = 0; k < 9; ++k) result(k) = lane_of(part_of(C_(k), n), lane);
    return result;
  }

  Matrix3<T> C_;
  std::array<SymmetricSpectrum, kLanes> spectra_;
};

}  // namespace traction
