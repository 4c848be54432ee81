#include "pressure/pressure_body.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pressure/body_thickness.h"
#include "pressure/pressure_pose.h"

namespace traction {

namespace {

LinearFunction linear_through(const FourPoints<double>& x, const std::array<double, 4>& values) {
  const CarryingFrame<double> frame(x);
  LinearFunction f;
  for (int k = 0; k < 3; ++k) f.gradient += (values[k + 1] - values[0]) * frame.gradients[k];
  f.constant = values[0] - f.gradient.dot(x[0]);
  return f;
}

std::array<Vec3, 4> frame_of_plane(const Vec3& point, const Vec3& normal) {
  const Vec3 along = normal.unitOrthogonal();
  return {point, point + along, point + normal.cross(along), point + normal};
}

// Shapes may have faces inside whose two sides are divided differently; the pressure there is not zero.
double thickness_of(const PressureSide& side) {
  std::vector<std::array<int, 3>> outside;
  const std::vector<double>& extent = side.field.extent;
  for (const std::array<int, 3>& triangle : side.surface)
    if (extent.empty() || std::all_of(triangle.begin(), triangle.end(), [&](int vertex) { return extent[vertex] == 0; })) outside.push_back(triangle);
  return thickness_under(side.field.vertices, outside);
}

template <std::size_t N>
std::vector<BoundingBox> boxes_of(const std::vector<Vec3>& vertices, const std::vector<std::array<int, N>>& items) {
  std::vector<BoundingBox> boxes;
  for (const std::array<int, N>& item : items) {
    BoundingBox& box = boxes.emplace_back();
    for (const int vertex : item) box.include(vertices[vertex]);
  }
  return boxes;
}

}  // namespace

BoundingBox mapped(const BoundingBox& box, const Mat3& turn, const Vec3& from, const Vec3& to) {
  const Vec3 center = to + turn * ((box.lower + box.upper) / 2 - from), half = turn.cwiseAbs() * (box.upper - box.lower) / 2;
  BoundingBox result;
  result.lower = center - half;
  result.upper = center + half;
  result.grow(1e-12 * (half.maxCoeff() + center.cwiseAbs().maxCoeff()));
  return result;
}

PressureSide PressureSide::body(const std::array<Vec3, 4>& frame, PressureField field, double modulus, double dissipation) {
  std::vector<std::array<int, 3>> surface = boundary_of(field.tetrahedra);
  return {frame, modulus, dissipation, std::move(field), std::move(surface), {}};
}

PressureSide PressureSide::rigid(const std::array<Vec3, 4>& frame, std::vector<Vec3> vertices, std::vector<std::array<int, 3>> surface) {
  return {frame, std::numeric_limits<double>::infinity(), 0, {std::move(vertices), {}, {}}, std::move(surface), {}};
}

PressureSide PressureSide::plane(const Vec3& point, const Vec3& normal) { return layer(point, normal, 1, std::numeric_limits<double>::infinity()); }

PressureSide PressureSide::layer(const Vec3& point, const Vec3& normal, double thickness, double modulus, double dissipation) {
  return {frame_of_plane(point, normal.normalized()), modulus, dissipation, {}, {}, HalfSpace{point, normal.normalized(), thickness}};
}

PressureBody::PressureBody(PressureSide side) : PressureSide(std::move(side)), thickness(thickness_of(*this)) {
  const CarryingFrame<double> points(frame);
  rest_determinant = points.determinant;
  whole_energy = is_soft() && !half_space ? 0 : std::numeric_limits<double>::infinity();
  const auto note_frame = [&](Cell& cell) {
    for (int i = 0; i < 4; ++i) cell.pressure_at_frame[i] = cell.pressure(frame[i]);
  };
  if (half_space) {
    box.lower.setConstant(-HUGE_VAL);
    box.upper.setConstant(HUGE_VAL);
    if (!is_soft()) return;
    const auto& [point, normal, thickness] = *half_space;
    Cell& cell = cells.emplace_back(Cell{{}, {}, 1, {}, {}});
    cell.inside[0] = {-normal / thickness, normal.dot(point) / thickness};
    cell.pressure = {modulus * cell.inside[0].gradient, modulus * cell.inside[0].constant};
    note_frame(cell);
    return;
  }
  for (const Vec3& x : field.vertices) {
    weights.push_back(points.weights(x));
    box.include(x);
  }
  for (int corner = 0; corner < 8; ++corner)
    corner_weights.push_back(
        points.weights({(corner & 1 ? box.upper : box.lower).x(), (corner & 2 ? box.upper : box.lower).y(), (corner & 4 ? box.upper : box.lower).z()}));
  if (!is_soft()) {
    tree.emplace(boxes_of(field.vertices, surface));
    return;
  }
  tree.emplace(boxes_of(field.vertices, field.tetrahedra));
  for (const auto& t : field.tetrahedra) {
    Cell& cell = cells.emplace_back(Cell{t, {}, 4, {}, {}});
    FourPoints<double> x;
    std::array<double, 4> pressure;
    for (int i = 0; i < 4; ++i) {
      x[i] = field.vertices[t[i]];
      pressure[i] = modulus * field.extent[t[i]];
    }
    for (int i = 0; i < 4; ++i) {
      std::array<double, 4> one{};
      one[i] = 1;
      cell.inside[i] = linear_through(x, one);
    }
    cell.pressure = linear_through(x, pressure);
    note_frame(cell);
    const double volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
    for (const double one : pressure) whole_energy += one * volume / 4;
  }
}

double PressureBody::farthest_motion(const FourPoints<double>& by) const {
  double farthest = 0;
  if (half_space)
    for (const Vec3& motion : by) farthest = std::max(farthest, motion.norm());
  for (const auto& weights_of_corner : corner_weights) farthest = std::max(farthest, carried_to(by, weights_of_corner).norm());
  return farthest;
}

BoundingBox PressureBody::box_at(const FourPoints<double>& x) const {
  const CarryingFrame<double> rest(frame);
  Mat3 turn = Mat3::Zero();
  for (int k = 0; k < 3; ++k) turn += (x[k + 1] - x[0]) * rest.gradients[k].transpose();
  return mapped(box, turn, rest.origin, x[0]);
}

}  // namespace traction
