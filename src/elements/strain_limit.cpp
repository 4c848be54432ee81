#include "elements/strain_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace traction {

namespace {

constexpr double kBeyond = std::numeric_limits<double>::quiet_NaN();

// The principal stretches for C = p I + [[a, b], [b, -a]], the larger one first.
std::pair<double, double> principal_stretches(double p, double r) { return {std::sqrt(p + r), std::sqrt(std::max(0.0, p - r))}; }

std::pair<double, double> principal_stretches(const Matrix32<double>& F) {
  const double c11 = F.col(0).squaredNorm(), c22 = F.col(1).squaredNorm();
  return principal_stretches((c11 + c22) / 2, std::hypot((c11 - c22) / 2, F.col(0).dot(F.col(1))));
}

// ln(1 + z) / z
double relative_logarithm(double z) { return z == 0 ? 1 : std::log1p(z) / z; }

}  // namespace

double StrainBarrier::energy(double stretch) const {
  const double x = stretch - 1 - from, y = 1 - x / width;
  if (!(x > 0)) return x <= 0 ? 0 : kBeyond;
  return y > 0 ? -stiffness * x * x * std::log(y) : kBeyond;
}

double StrainBarrier::force(double stretch) const {
  const double x = stretch - 1 - from, y = 1 - x / width;
  if (!(x > 0)) return x <= 0 ? 0 : kBeyond;
  return y > 0 ? stiffness * x * (x / (width * y) - 2 * std::log(y)) : kBeyond;
}

double StrainBarrier::slope(double stretch) const {
  const double x = stretch - 1 - from, y = 1 - x / width, z = x / (width * y);
  if (!(x > 0)) return x <= 0 ? 0 : kBeyond;
  return y > 0 ? stiffness * (z * (4 + z) - 2 * std::log(y)) : kBeyond;
}

double StrainBarrier::force_per_stretch(double stretch) const { return stretch <= 1 + from ? 0 : force(stretch) / stretch; }

// With both strains above e0, the divided differences of x ln y and of x^2 / y are
//   ln y_a - x_b L(-(x_a - x_b) / (w y_b)) / (w y_b)   and   (x_a + x_b - x_a x_b / w) / (y_a y_b),   L(z) = ln(1 + z) / z.
double StrainBarrier::force_difference(double a, double b) const {
  const double x_a = a - 1 - from, x_b = b - 1 - from;
  if (x_a <= 0) return 0;
  if (x_b <= 0) return force(a) / (a - b);
  const double y_a = 1 - x_a / width, y_b = 1 - x_b / width;
  if (!(y_a > 0)) return kBeyond;
  const double logarithms = std::log(y_a) - x_b * relative_logarithm(-(x_a - x_b) / (width * y_b)) / (width * y_b);
  return stiffness * ((x_a + x_b - x_a * x_b / width) / (width * y_a * y_b) - 2 * logarithms);
}

double StrainLimit::energy_density(const Matrix32<double>& F) const {
  const auto [first, second] = principal_stretches(F);
  return barrier_.energy(first) + barrier_.energy(second);
}

StrainLimit::Slopes StrainLimit::slopes_at(double p, double a, double b) const {
  const double r = std::hypot(a, b);
  const auto [first, second] = principal_stretches(p, r);
  if (first <= 1 + barrier_.from) return {0, 0, 0, Eigen::Vector2d(1, 0)};
  const auto slope = [&](double stretch) { return (barrier_.slope(stretch) - barrier_.force_per_stretch(stretch)) / (2 * stretch * stretch); };
  const double first_slope = slope(first), second_slope = second > 1 ? slope(second) : 0;
  const double divided = (barrier_.force_difference(first, second) - barrier_.force_per_stretch(second)) / (first * (first + second));
  return {divided, (first_slope + second_slope) / 2, (first_slope - second_slope) / 2, r > 0 ? Eigen::Vector2d(a / r, b / r) : Eigen::Vector2d(1, 0)};
}

StrainLimit::Plane<double> StrainLimit::second_piola_stress(const Plane<double>& C) const {
  const auto [first, second] = principal_stretches(C.p, std::hypot(C.a, C.b));
  const double divided = slopes_at(C.p, C.a, C.b).divided;
  return {(barrier_.force_per_stretch(first) + barrier_.force_per_stretch(second)) / 2, divided * C.a, divided * C.b};
}

double largest_strain(const Matrix32<double>& F) { return principal_stretches(F).first - 1; }

}  // namespace traction
