#include "elements/shell_curvature.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <vector>

namespace traction {

namespace {

using Vec2 = Eigen::Vector2d;

// A symmetric tensor of the plane as (xx, yy, sqrt(2) xy), so that the inner product of such triples is that of the tensors.
Vec3 symmetric_product(const Vec2& a, const Vec2& b) { return {a.x() * b.x(), a.y() * b.y(), (a.x() * b.y() + a.y() * b.x()) / std::numbers::sqrt2}; }

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

double height(const Vec2& a, const Vec2& b, const Vec2& apex) { return std::abs(cross(b - a, apex - a)) / (b - a).norm(); }

// The height of the parabola w = x.H x/2 at the apex above the straight line through its values at a and b, divided by the apex's height. Returns t with t : H
// for any H.
Vec3 rise(const Vec2& a, const Vec2& b, const Vec2& apex) {
  const Vec2 edge = b - a, side = apex - a;
  const double along = side.dot(edge) / edge.squaredNorm();
  return (symmetric_product(side, side) - along * symmetric_product(edge, edge)) / (2 * height(a, b, apex));
}

// The angle that this parabola forms at the edge from a to b.
Vec3 angle_of_parabola(const Vec2& a, const Vec2& b, const Vec2& left, const Vec2& right) { return rise(a, b, left) + rise(a, b, right); }

// Unit vector to the right of the edge from a to b, which points out of a triangle whose corners are listed counterclockwise.
Vec2 outward_of(const Vec2& a, const Vec2& b) { return Vec2(b.y() - a.y(), a.x() - b.x()).normalized(); }

// Turns a triangle beyond the edge from a to b into the plane in which that edge leads from `flat_a` to `flat_b`; returns the apex.
Vec2 unfolded(const Vec2& flat_a, const Vec2& flat_b, const Vec3& a, const Vec3& b, const Vec3& apex) {
  const Vec3 edge = b - a, side = apex - a;
  const double along = side.dot(edge) / edge.squaredNorm();
  return flat_a + along * (flat_b - flat_a) + (side - along * edge).norm() * outward_of(flat_a, flat_b);
}

struct FlatAngle {
  const PatchEdge* edge;
  Vec3 of_parabola;
};

using Row = Eigen::Matrix<double, 1, ShellPatch::kAngles>;

// The outward slope across the edge i at its middle, minus that of the triangle, as a sum of angles. Neighbours share the angle by their heights over
// stiffness, which is exact for a moment across the edge. The least-squares combination of the nearby angles makes it exact for all parabolas.
Row slope_at_edge(const ShellPatch& patch, const std::array<Vec2, 3>& corners, int i) {
  constexpr double kRegularization = 0.05;  // limits the factors where only few angles are near, at the cost of some accuracy
  const auto& neighbour = *patch.neighbours[i];
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec2 &a = corners[i], &b = corners[j], &own = corners[k];
  Row slope = Row::Zero();
  if (patch.plate.clamped != neighbour.plate.clamped) {
    if (!patch.plate.clamped) slope[neighbour.edge.angle] = neighbour.edge.sign;
    return slope;
  }
  const Vec2 other = unfolded(a, b, patch.corners[i], patch.corners[j], neighbour.edge.apex);
  const double own_part = height(a, b, own) * neighbour.plate.stiffness, other_part = height(a, b, other) * patch.plate.stiffness;
  const double share = own_part / (own_part + other_part);
  slope[neighbour.edge.angle] = share * neighbour.edge.sign;
  if (patch.plate.stiffness != neighbour.plate.stiffness || patch.plate.poisson_ratio != neighbour.plate.poisson_ratio) return slope;

  std::vector<FlatAngle> angles{{&neighbour.edge, angle_of_parabola(a, b, own, other)}};
  for (const auto& [from, to, opposite] : {std::array{j, k, i}, std::array{k, i, j}})  // the triangle's other edges
    if (const auto& beyond = patch.neighbours[from]) {
      const Vec2 apex = unfolded(corners[from], corners[to], patch.corners[from], patch.corners[to], beyond->edge.apex);
      angles.push_back({&beyond->edge, angle_of_parabola(corners[from], corners[to], corners[opposite], apex)});
    }
  if (const auto& beyond = neighbour.beyond[0]) {
    const Vec2 apex = unfolded(a, other, patch.corners[i], neighbour.edge.apex, beyond->apex);
    angles.push_back({&*beyond, angle_of_parabola(a, other, b, apex)});
  }
  if (const auto& beyond = neighbour.beyond[1]) {
    const Vec2 apex = unfolded(other, b, neighbour.edge.apex, patch.corners[j], beyond->apex);
    angles.push_back({&*beyond, angle_of_parabola(other, b, a, apex)});
  }
  const Vec3 exact = 0.5 * symmetric_product(outward_of(a, b), b - a) + rise(a, b, own);
  Mat3 gram = Mat3::Zero();
  for (const FlatAngle& angle : angles) gram += angle.of_parabola * angle.of_parabola.transpose();
  gram.diagonal().array() += kRegularization * kRegularization * gram.trace();
  const Vec3 multipliers = gram.ldlt().solve(exact - share * angles[0].of_parabola);
  for (const FlatAngle& angle : angles) slope[angle.edge->angle] += angle.edge->sign * angle.of_parabola.dot(multipliers);
  return slope;
}

// S with S^T S = stiffness, which is positive semidefinite.
Mat3 square_root(const Mat3& stiffness) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(stiffness);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * solver.eigenvectors().transpose();
}

// The tensor of a triple.
Mat3 tensor_of(const Vec3& triple) {
  const double mixed = triple[2] / std::numbers::sqrt2;
  Mat3 tensor;
  tensor << triple[0], mixed, 0, mixed, triple[1], 0, 0, 0, 0;
  return tensor;
}

}  // namespace

Mat3 PatchBending::moment(const Eigen::Matrix<double, ShellPatch::kAngles, 1>& turn) const { return tensor_of(stiffness * (curvature * turn) / area); }

Mat3 PatchBending::moment_of(const Vec3& strain) const { return tensor_of(square_root(stiffness).transpose() * strain / area); }

PatchBending bending_of(const ShellPatch& patch) {
  const Vec3 first = patch.corners[1] - patch.corners[0], second = patch.corners[2] - patch.corners[0];
  const double length = first.norm(), doubled_area = first.cross(second).norm();
  const std::array<Vec2, 3> corners{Vec2(0, 0), Vec2(length, 0), Vec2(first.dot(second) / length, doubled_area / length)};

  // Curvature of Morley's triangle: the sum over edges of length / area, times the slope beyond that of the triangle, times the tensor nu nu^T.
  Eigen::Matrix<double, 3, ShellPatch::kAngles> curvature = Eigen::Matrix<double, 3, ShellPatch::kAngles>::Zero();
  std::vector<Vec3> free;
  for (int i = 0; i < 3; ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % 3], outward = outward_of(a, b);
    const Vec3 across = symmetric_product(outward, outward);
    if (patch.neighbours[i]) curvature += across * (2 * (b - a).norm() / doubled_area) * slope_at_edge(patch, corners, i);
    else free.push_back(across);
  }

  const double nu = patch.plate.poisson_ratio;
  Mat3 stiffness;
  stiffness << 1, nu, 0, nu, 1, 0, 0, 0, 1 - nu;
  stiffness *= patch.plate.stiffness * doubled_area / 2;
  // The slope across a free edge minimises the energy: no moment acts there.
  for (const Vec3& across : free) {
    const Vec3 moment = stiffness * across;
    stiffness -= moment * moment.transpose() / across.dot(moment);
  }
  return {curvature, stiffness, doubled_area / 2};
}

Eigen::Matrix<double, 3, ShellPatch::kAngles> bending_strains(const ShellPatch& patch) {
  const PatchBending bending = bending_of(patch);
  return square_root(bending.stiffness) * bending.curvature;
}

}  // namespace traction
