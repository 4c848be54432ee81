// Dual numbers: forward-mode automatic differentiation (docs/theory/balance.md, "Derivatives by dual numbers"). A kernel written once over its scalar gives its
// value with double, one directional derivative with Dual<double>, N at once with Dual<double, N>, and second derivatives with Dual<Dual<double>>.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <type_traits>

#include "math/tensor.h"

namespace traction {

/// A dual number value + sum_k derivative[k] e_k with e_j e_k = 0.
template <typename T, int N = 1>
struct Dual {
  T value{};
  std::array<T, N> derivative{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  ///< implicit, so that kernels may mix constants and duals
  Dual(const T& constant) requires(!std::is_same_v<T, double>) : value(constant) {}
  Dual(const T& v, const std::array<T, N>& d) : value(v), derivative(d) {}

  /// The dual number f(value) whose derivative is slope * derivative: the chain rule, written once.
  Dual chain(const T& function, const T& slope) const {
    Dual result;
    result.value = function;
    for (int k = 0; k < N; ++k) result.derivative[k] = slope * derivative[k];
    return result;
  }

  Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int k = 0; k < N; ++k) derivative[k] += b.derivative[k];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int k = 0; k < N; ++k) derivative[k] -= b.derivative[k];
    return *this;
  }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator-(const Dual& a) { return a.chain(-a.value, T(-1.0)); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result;
    result.value = a.value * b.value;
    for (int k = 0; k < N; ++k) result.derivative[k] = a.derivative[k] * b.value + a.value * b.derivative[k];
    return result;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual result;
    const T inverse = T(1.0) / b.value;
    result.value = a.value * inverse;
    for (int k = 0; k < N; ++k) result.derivative[k] = (a.derivative[k] - result.value * b.derivative[k]) * inverse;
    return result;
  }

  /// Operations with constants skip the products with a zero derivative.
  friend Dual operator+(Dual a, double b) {
    a.value += b;
    return a;
  }
  friend Dual operator+(double a, Dual b) {
    b.value += a;
    return b;
  }
  friend Dual operator-(Dual a, double b) {
    a.value -= b;
    return a;
  }
  friend Dual operator-(double a, const Dual& b) { return b.chain(a - b.value, T(-1.0)); }
  friend Dual operator*(const Dual& a, double b) { return a.chain(a.value * b, T(b)); }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator*(const Dual& a, const T& b) requires(!std::is_same_v<T, double>) { return a.chain(a.value * b, b); }
  friend Dual operator*(const T& a, const Dual& b) requires(!std::is_same_v<T, double>) { return b * a; }
  friend Dual operator-(Dual a, const T& b) requires(!std::is_same_v<T, double>) {
    a.value -= b;
    return a;
  }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return b.value < a.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return !(b.value < a.value); }
  friend bool operator>=(const Dual& a, const Dual& b) { return !(a.value < b.value); }

  friend Dual log(const Dual& x) {
    using std::log;
    return x.chain(log(x.value), T(1.0) / x.value);
  }
  friend Dual exp(const Dual& x) {
    using std::exp;
    const T value = exp(x.value);
    return x.chain(value, value);
  }
  friend Dual sqrt(const Dual& x) {
    using std::sqrt;
    const T root = sqrt(x.value);
    return x.chain(root, T(0.5) / root);
  }
  friend Dual sin(const Dual& x) {
    using std::cos;
    using std::sin;
    return x.chain(sin(x.value), cos(x.value));
  }
  friend Dual cos(const Dual& x) {
    using std::cos;
    using std::sin;
    return x.chain(cos(x.value), -sin(x.value));
  }
  /// The angle of the point (x, y).
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    Dual result;
    result.value = atan2(y.value, x.value);
    const T inverse = T(1.0) / (x.value * x.value + y.value * y.value);
    const T along_y = x.value * inverse, along_x = y.value * inverse;
    for (int k = 0; k < N; ++k) result.derivative[k] = along_y * y.derivative[k] - along_x * x.derivative[k];
    return result;
  }
};

/// The number with all derivatives removed.
inline double real_part(double x) { return x; }
template <typename T, int N>
double real_part(const Dual<T, N>& x) {
  return real_part(x.value);
}

/// A dual number with one direction.
inline Dual<double> make_dual(double value, double derivative) { return {value, {derivative}}; }

}  // namespace traction

namespace Eigen {

/// Makes dual numbers a scalar type of Eigen.
template <typename T, int N>
struct NumTraits<traction::Dual<T, N>> : GenericNumTraits<double> {
  using Real = traction::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1, ReadCost = N + 1, AddCost = N + 1, MulCost = 3 * N + 1 };
};

/// Makes Eigen accept products of dual numbers and doubles.
template <typename T, int N, typename Operation>
struct ScalarBinaryOpTraits<traction::Dual<T, N>, double, Operation> {
  using ReturnType = traction::Dual<T, N>;
};
/// Lets Eigen multiply doubles by dual numbers.
template <typename T, int N, typename Operation>
struct ScalarBinaryOpTraits<double, traction::Dual<T, N>, Operation> {
  using ReturnType = traction::Dual<T, N>;
};

}  // namespace Eigen

namespace traction {

/// A vector with its derivative along a direction, and that derivative again.
inline Vector3<Dual<double>> make_dual(const Vec3& value, const Vec3& derivative) {
  return {make_dual(value[0], derivative[0]), make_dual(value[1], derivative[1]), make_dual(value[2], derivative[2])};
}
inline Vec3 derivative_of(const Vector3<Dual<double>>& x) { return {x[0].derivative[0], x[1].derivative[0], x[2].derivative[0]}; }

}  // namespace traction
