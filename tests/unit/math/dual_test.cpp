// Every operator of the dual numbers against the derivative known in closed form.

#include "math/dual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/tensor.h"

namespace traction {
namespace {

using Single = Dual<double>;
using Nested = Dual<Dual<double>>;

constexpr double kRounding = 4e-16;  // relative, a few operations deep

void expect_dual(const Single& actual, double value, double derivative) {
  EXPECT_NEAR(actual.value, value, kRounding * std::abs(value));
  EXPECT_NEAR(actual.derivative[0], derivative, kRounding * std::abs(derivative));
}

// x with both derivatives seeded: f(x) then carries f, f' (twice) and f''.
Nested seeded_twice(double x) { return {make_dual(x, 1), {make_dual(1, 0)}}; }

void expect_second(const Nested& actual, double value, double first, double second) {
  EXPECT_NEAR(actual.value.value, value, 4 * kRounding * std::abs(value));
  EXPECT_NEAR(actual.value.derivative[0], first, 4 * kRounding * std::abs(first));
  EXPECT_NEAR(actual.derivative[0].value, first, 4 * kRounding * std::abs(first));
  EXPECT_NEAR(actual.derivative[0].derivative[0], second, 8 * kRounding * std::abs(second));
}

TEST(DualNumber, DefaultAndConstantsHaveNoDerivative) {
  const Dual<double, 3> zero, constant = 2.5;
  EXPECT_EQ(zero.value, 0);
  EXPECT_EQ(constant.value, 2.5);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(zero.derivative[k], 0);
    EXPECT_EQ(constant.derivative[k], 0);
  }
}

TEST(DualNumber, OperatorsBetweenDuals) {
  const Single a = make_dual(3, 0.7), b = make_dual(-1.25, 2);
  expect_dual(a + b, 1.75, 2.7);
  expect_dual(a - b, 4.25, -1.3);
  expect_dual(a * b, -3.75, 0.7 * -1.25 + 3 * 2);
  expect_dual(a / b, -2.4, (0.7 * -1.25 - 3 * 2) / (1.25 * 1.25));
  expect_dual(-a, -3, -0.7);
}

TEST(DualNumber, AssigningOperatorsDoTheSame) {
  const Single a = make_dual(3, 0.7), b = make_dual(-1.25, 2);
  Single sum = a, difference = a, product = a, quotient = a;
  sum += b, difference -= b, product *= b, quotient /= b;
  expect_dual(sum, 1.75, 2.7);
  expect_dual(difference, 4.25, -1.3);
  expect_dual(product, -3.75, 0.7 * -1.25 + 3 * 2);
  expect_dual(quotient, -2.4, (0.7 * -1.25 - 3 * 2) / (1.25 * 1.25));
}

TEST(DualNumber, MultipliedByItselfInPlace) {
  Single a = make_dual(3, 0.7);
  a *= a;
  expect_dual(a, 9, 2 * 3 * 0.7);
  Single b = make_dual(3, 0.7);
  b /= b;
  EXPECT_NEAR(b.value, 1, kRounding);
  EXPECT_NEAR(b.derivative[0], 0, kRounding);
}

TEST(DualNumber, OperatorsWithConstantsOnEitherSide) {
  const Single a = make_dual(3, 0.7);
  expect_dual(a + 2.0, 5, 0.7);
  expect_dual(2.0 + a, 5, 0.7);
  expect_dual(a - 2.0, 1, 0.7);
  expect_dual(2.0 - a, -1, -0.7);
  expect_dual(a * -4.0, -12, -2.8);
  expect_dual(-4.0 * a, -12, -2.8);
  expect_dual(a / 4.0, 0.75, 0.175);
  expect_dual(4.0 / a, 4.0 / 3, -4.0 / 9 * 0.7);
}

TEST(DualNumber, LogarithmAndRoot) {
  for (const double x : {1e-6, 0.3, 1.0, 2.0, 1e7}) {
    expect_dual(log(make_dual(x, 2)), std::log(x), 2 / x);
    expect_dual(sqrt(make_dual(x, 2)), std::sqrt(x), 1 / std::sqrt(x));
  }
}

// The angle of (cos t, sin t) r has the derivative t', whatever r' is; on the axes and across the jump at pi too.
TEST(DualNumber, Angle) {
  for (const double t : {0.0, 0.4, 1.5707963267948966, 2.9, 3.2, -0.1, -2.0}) {
    const double r = 1.7, x = r * std::cos(t), y = r * std::sin(t);
    const Single angle = atan2(make_dual(y, 0.3 * x + 2 * y), make_dual(x, -0.3 * y + 2 * x));
    EXPECT_EQ(angle.value, std::atan2(y, x));
    EXPECT_NEAR(angle.derivative[0], 0.3, 4 * kRounding);
  }
}

TEST(DualNumber, ComparesByValueAlone) {
  const Single small = make_dual(1, 100), large = make_dual(2, -100), same = make_dual(1, 0);
  EXPECT_TRUE(small < large && small <= large && large > small && large >= small);
  EXPECT_FALSE(large < small || large <= small || small > large || small >= large);
  EXPECT_TRUE(small <= same && small >= same);
  EXPECT_FALSE(small < same || small > same);
}

TEST(DualNumber, RealPartRemovesEveryLevel) {
  EXPECT_EQ(real_part(1.5), 1.5);
  EXPECT_EQ(real_part(make_dual(1.5, 3)), 1.5);
  EXPECT_EQ(real_part(seeded_twice(1.5)), 1.5);
}

TEST(NestedDualNumber, SecondDerivatives) {
  for (const double x : {0.2, 1.7, 5.0}) {
    const Nested X = seeded_twice(x);
    expect_second(X * X * X, x * x * x, 3 * x * x, 6 * x);
    expect_second(log(X), std::log(x), 1 / x, -1 / (x * x));
    expect_second(sqrt(X), std::sqrt(x), 0.5 / std::sqrt(x), -0.25 * std::pow(x, -1.5));
    expect_second(2.0 / X, 2 / x, -2 / (x * x), 4 / (x * x * x));
    const double square = 1 + x * x;  // arctan x, and pi/2 less it
    expect_second(atan2(X, Nested(1.0)), std::atan(x), 1 / square, -2 * x / (square * square));
    expect_second(atan2(Nested(1.0), X), std::atan2(1, x), -1 / square, 2 * x / (square * square));
    expect_second(X * log(X), x * std::log(x), std::log(x) + 1, 1 / x);
    expect_second(3.0 - X / 2.0, 3 - x / 2, -0.5, 0);
  }
}

// f(x, y) = x^2 / y: the inner derivative follows x, the outer y, so that the last entry is the mixed derivative -2 x / y^2.
TEST(NestedDualNumber, MixedDerivative) {
  const double x = 1.3, y = -0.7;
  const Nested X{make_dual(x, 1), {make_dual(0, 0)}}, Y{make_dual(y, 0), {make_dual(1, 0)}};
  const Nested f = X * X / Y;
  EXPECT_NEAR(f.value.value, x * x / y, 1e-15);
  EXPECT_NEAR(f.value.derivative[0], 2 * x / y, 1e-14);
  EXPECT_NEAR(f.derivative[0].value, -x * x / (y * y), 1e-14);
  EXPECT_NEAR(f.derivative[0].derivative[0], -2 * x / (y * y), 1e-14);
}

// f = x y / z + sqrt(x) log(z)
TEST(DualNumberOfThreeDirections, CarriesTheGradient) {
  using Dual3 = Dual<double, 3>;
  const double x = 2.5, y = -0.4, z = 1.75;
  const Dual3 X(x, {1, 0, 0}), Y(y, {0, 1, 0}), Z(z, {0, 0, 1});
  const Dual3 f = X * Y / Z + sqrt(X) * log(Z);
  EXPECT_NEAR(f.value, x * y / z + std::sqrt(x) * std::log(z), 1e-15);
  EXPECT_NEAR(f.derivative[0], y / z + 0.5 / std::sqrt(x) * std::log(z), 1e-15);
  EXPECT_NEAR(f.derivative[1], x / z, 1e-15);
  EXPECT_NEAR(f.derivative[2], -x * y / (z * z) + std::sqrt(x) / z, 1e-15);
}

// d (a x b) = da x b + a x db and d |a|^2 = 2 a . da, through Eigen.
TEST(DualNumber, WorksInsideEigenVectors) {
  const Vec3 a(1, -2, 0.5), da(0.3, 0.1, -0.7), b(2, 0.25, -1), db(-0.4, 1, 0.6);
  Vector3<Single> A, B;
  for (int i = 0; i < 3; ++i) {
    A[i] = make_dual(a[i], da[i]);
    B[i] = make_dual(b[i], db[i]);
  }
  const Vector3<Single> product = A.cross(B), scaled = A * 3.0;
  const Vec3 value = a.cross(b), derivative = da.cross(b) + a.cross(db);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(product[i].value, value[i], 1e-15);
    EXPECT_NEAR(product[i].derivative[0], derivative[i], 1e-15);
    expect_dual(scaled[i], 3 * a[i], 3 * da[i]);
  }
  expect_dual(A.squaredNorm(), a.squaredNorm(), 2 * a.dot(da));
  expect_dual(A.dot(B), a.dot(b), da.dot(b) + a.dot(db));
}

}  // namespace
}  // namespace traction
