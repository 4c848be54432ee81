#include "elements/rod_element.h"

namespace traction {

Eigen::Matrix<double, 15, 15> RodJoint::derivative(const std::array<Vec3, 5>& x, const std::array<Vec3, 5>& v, double dq, double dv) const {
  constexpr int kParts = 8;  // the vectors of two segments and two twists, on which all forces depend
  using Number = Dual<double, kParts>;
  const auto seeded = [](const std::array<Vec3, 5>& values, double seed) {
    const Parts<double> plain = parts_of(values);
    Parts<Number> parts;
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 3; ++i) {
        parts.segments[j][i] = Number(plain.segments[j][i]);
        parts.segments[j][i].derivative[3 * j + i] = seed;
      }
      parts.twists[j] = Number(plain.twists[j]);
      parts.twists[j].derivative[6 + j] = seed;
    }
    return parts;
  };
  const Parts<Number> pulls = pull(seeded(x, dq), seeded(v, dv));
  Eigen::Matrix<double, kParts, kParts> of_parts;
  for (int k = 0; k < kParts; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 3; ++i) of_parts(3 * j + i, k) = pulls.segments[j][i].derivative[k];
      of_parts(6 + j, k) = pulls.twists[j].derivative[k];
    }
  }
  // A segment's vector is the difference of its ends.
  Eigen::Matrix<double, kParts, 15> rows = Eigen::Matrix<double, kParts, 15>::Zero();
  rows.middleCols<3>(0) = -of_parts.leftCols<3>();
  rows.middleCols<3>(3) = of_parts.leftCols<3>() - of_parts.middleCols<3>(3);
  rows.middleCols<3>(6) = of_parts.middleCols<3>(3);
  rows.col(9) = of_parts.col(6);
  rows.col(12) = of_parts.col(7);
  Eigen::Matrix<double, 15, 15> result = Eigen::Matrix<double, 15, 15>::Zero();
  result.middleRows<3>(0) = -rows.topRows<3>();
  result.middleRows<3>(3) = rows.topRows<3>() - rows.middleRows<3>(3);
  result.middleRows<3>(6) = rows.middleRows<3>(3);
  result.row(9) = rows.row(6);
  result.row(12) = rows.row(7);
  return result;
}

RodStrains RodJoint::strains(const std::array<Vec3, 5>& x) const {
  const Parts<double> parts = parts_of(x);
  const RodKinematics<double> now(frames, radius, reference_twist, parts.segments, parts.twists);
  return {now.curvature[0], now.curvature[1], now.twist};
}

double RodJoint::energy(const std::array<Vec3, 5>& x) const {
  const RodStrains now = strains(x);
  const double a = now.first_curvature - natural.first_curvature, b = now.second_curvature - natural.second_curvature, m = now.twist - natural.twist;
  return (first_bending * a * a + second_bending * b * b + twisting * m * m) / 2;
}

void RodJoint::carry_along(const std::array<Vec3, 5>& x) {
  const Parts<double> parts = parts_of(x);
  const RodKinematics<double> now(frames, radius, reference_twist, parts.segments, parts.twists);
  for (int j = 0; j < 2; ++j) {
    const Vec3 across = now.tangents[j].cross(now.directors[j]);  // orthogonal again, to rounding
    frames[j] = {now.tangents[j], across.cross(now.tangents[j]).normalized()};
  }
  reference_twist = now.reference_twist;
}

}  // namespace traction
