#include "elements/membrane_element.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace traction {

// Newton's method in u = ln l3^2 on g(u) = (1 - 2 nu) (e^u - 1) + nu (u + ln det C). g is convex, so iterates that start above the root
// fall until rounding stops them. A tangent, such as the one at u = 0, crosses zero above the root.
double MembraneMaterial::squared_thickness_stretch(double det_C) const {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  constexpr int most_iterations = 100;
  const double compliance = 1 - 2 * nu_;
  if (!(det_C > 0)) return nowhere;
  if (compliance == 0) return 1 / det_C;
  const double logarithm = std::log(det_C);
  double u = -nu_ * logarithm / (1 - nu_);
  // Where the root is above 0, this bound is the closer one far from rest: (1 - 2 nu) (e^u - 1) = -nu (u + ln det C) <= -nu (extreme + ln det C). From the
  // other bound Newton's method would advance in steps of 1.
  const double extreme = nu_ < 0 ? u : 0;
  if (nu_ * logarithm < 0) u = std::min(u, std::log1p(-nu_ * (extreme + logarithm) / compliance));
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double slope = compliance * std::exp(u) + nu_;
    if (!(slope > 0)) return nowhere;  // no root: the iterate is beyond the minimum of g, which is possible for nu < 0
    const double next = u - (compliance * std::expm1(u) + nu_ * (u + logarithm)) / slope;
    if (!(next < u)) break;
    u = next;
  }
  return std::exp(u);
}

// Uses lambda ln J = mu (1 - l3^2), and ln J = 0 if incompressible.
double MembraneMaterial::energy_density(const Matrix32<double>& F) const {
  const double det_C = MembraneMetric<double>(F).det_C, square = squared_thickness_stretch(det_C);
  return 0.5 * mu_ * (F.squaredNorm() + square - 3 - 0.5 * (1 + square) * std::log(det_C * square));
}

RestTriangle::RestTriangle(const std::array<Vec3, 3>& rest) {
  const Vec3 e1 = rest[1] - rest[0], e2 = rest[2] - rest[0], normal = e1.cross(e2);
  const double length = e1.norm(), doubled_area = normal.norm();
  Eigen::Matrix2d shape;
  shape << length, e1.dot(e2) / length, 0, doubled_area / length;
  inverse_shape = shape.inverse();
  area = 0.5 * doubled_area;
  axes.col(0) = e1 / length;
  axes.col(1) = normal.cross(e1) / (doubled_area * length);
}

}  // namespace traction
