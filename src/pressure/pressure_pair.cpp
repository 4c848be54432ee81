#include "pressure/pressure_pair.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "pressure/box_overlaps.h"
#include "pressure/pressure_pose.h"
#include "pressure/tetrahedron_parts.h"

namespace traction {

namespace {

using ByPose = Dual<double, 12>;
using ByPoints = Dual<double, 24>;

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

// The least of the extents along the principal axes of a body's vertices [m]; infinite for half of space.
double least_extent(const PressureSide& side) {
  const std::vector<Vec3>& vertices = side.field.vertices;
  if (vertices.empty()) return std::numeric_limits<double>::infinity();
  Vec3 mean = Vec3::Zero();
  for (const Vec3& x : vertices) mean += x / static_cast<double>(vertices.size());
  Mat3 second = Mat3::Zero();
  for (const Vec3& x : vertices) second += (x - mean) * (x - mean).transpose();
  const Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(second).eigenvectors();
  BoundingBox box;
  for (const Vec3& x : vertices) box.include(axes.transpose() * (x - mean));
  return (box.upper - box.lower).minCoeff();
}

}  // namespace

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

PressurePair::PressurePair(PressureSide first, PressureSide second) : first_(std::move(first)), second_(std::move(second)) {
  if (!first_.is_soft() && !second_.is_soft()) throw std::invalid_argument("two rigid sides have no pressure between them");
  if (first_.half_space && second_.half_space) throw std::invalid_argument("two half-spaces have no limited contact");
  // A soft layer has all of the other body in one cell; else the first soft side is the base.
  swapped_ = !first_.is_soft() || (second_.is_soft() && second_.half_space);
  if (base().half_space) {
    const auto& [point, normal, thickness] = *base().half_space;
    Cell cell{{}, {}, 1, {}};
    cell.inside[0] = {-normal / thickness, normal.dot(point) / thickness};
    cell.pressure = {base().modulus * cell.inside[0].gradient, base().modulus * cell.inside[0].constant};
    cells_.push_back(cell);
    box_.lower.setConstant(-HUGE_VAL);
    box_.upper.setConstant(HUGE_VAL);
  } else {
    const PressureField& field = base().field;
    for (const auto& t : field.tetrahedra) {
      Cell cell{t, {}, 4, {}};
      FourPoints<double> x;
      std::array<double, 4> pressure;
      BoundingBox box;
      for (int i = 0; i < 4; ++i) {
        x[i] = field.vertices[t[i]];
        pressure[i] = base().modulus * field.extent[t[i]];
        box.include(x[i]);
      }
      for (int i = 0; i < 4; ++i) {
        std::array<double, 4> one{};
        one[i] = 1;
        cell.inside[i] = linear_through(x, one);
      }
      cell.pressure = linear_through(x, pressure);
      cells_.push_back(cell);
      box_.include(box.lower);
      box_.include(box.upper);
    }
  }
  thickness_ = std::min(least_extent(first_), least_extent(second_));
  const CarryingFrame<double> frame(other().frame);
  rest_determinant_ = frame.determinant;
  for (const Vec3& x : other().field.vertices) weights_.push_back(frame.weights(x));
  if (!other().is_soft()) return;
  for (const auto& t : other().field.tetrahedra) {
    FourPoints<double> x;
    Carried carried;
    for (int i = 0; i < 4; ++i) {
      x[i] = other().field.vertices[t[i]];
      carried.pressure[i] = other().modulus * other().field.extent[t[i]];
    }
    const LinearFunction pressure = linear_through(x, carried.pressure);
    for (int i = 0; i < 4; ++i) carried.pressure_at_frame[i] = pressure(other().frame[i]);
    carried_.push_back(carried);
  }
}

// The corners of the piece of the contact surface between a cell and an item of the other body, and its normal into the base.
template <typename T>
ContactPolygon<T> PressurePair::polygon(const Pose<T>& pose, int number, int item, Vector3<T>& normal) const {
  const Cell& cell = cells_[number];
  if (other().half_space) {
    normal = pose.plane_normal;
    std::array<Vector3<T>, 4> x;
    std::array<T, 4> h;
    const T offset = dot<T, T>(normal, pose.y[0]);
    for (int k = 0; k < 4; ++k) {
      const Vec3& corner = base().field.vertices[cell.vertices[k]];
      h[k] = normal[0] * corner[0] + normal[1] * corner[1] + normal[2] * corner[2] - offset;
      x[k] = corner.template cast<T>();
    }
    return slice<T>(x, h);
  }
  ContactPolygon<T> result;
  if (other().is_soft()) {
    const auto& t = other().field.tetrahedra[item];
    const Carried& carried = carried_[item];
    std::array<Vector3<T>, 4> x;
    std::array<T, 4> h;
    for (int k = 0; k < 4; ++k) {
      x[k] = pose.place(weights_[t[k]]);
      h[k] = cell.pressure(x[k]) - carried.pressure[k] * pose.compression;
    }
    result = slice<T>(x, h);
    if (result.size == 0) return result;
    normal = cell.pressure.gradient.template cast<T>() - pose.gradient(carried.pressure_at_frame);
  } else {
    const auto& triangle = other().surface[item];
    for (const int vertex : triangle) result.add(pose.place(weights_[vertex]));
    normal = cross<T, T>(result.corners[1] - result.corners[0], result.corners[2] - result.corners[0]);
  }
  if (!normalize(normal)) return {};
  const Vec3 direction(real_part(normal[0]), real_part(normal[1]), real_part(normal[2]));
  for (int face = 0; face < cell.faces && result.size > 0; ++face) clip<T>(result, cell.inside[face], direction);
  return result;
}

template <std::size_t N, typename Action>
void PressurePair::for_each_overlap_with(const std::vector<std::array<Vec3, N>>& items, Action action) const {
  BoundingBox region;
  for (const auto& item : items)
    for (const Vec3& corner : item) region.include(corner);
  region.lower = region.lower.cwiseMax(box_.lower);
  region.upper = region.upper.cwiseMin(box_.upper);
  if ((region.lower.array() > region.upper.array()).any()) return;
  if (base().half_space) {
    for (std::size_t item = 0; item < items.size(); ++item) action(0, static_cast<int>(item));
    return;
  }
  std::vector<BoundingBox> cells, others;
  for (const Cell& cell : cells_) {
    std::array<Vec3, 4> corners;
    for (int k = 0; k < 4; ++k) corners[k] = base().field.vertices[cell.vertices[k]];
    cells.push_back(box_within(corners, region));
  }
  for (const auto& item : items) others.push_back(box_within(item, region));
  for_each_overlap(cells, others, action);
}

template <typename Action>
void PressurePair::for_each_candidate(const FourPoints<double>& y, Action action) const {
  if (other().half_space) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) action(static_cast<int>(cell), 0);
    return;
  }
  const std::vector<Vec3> x = carried(y);
  const auto search = [&]<std::size_t N>(const std::vector<std::array<int, N>>& items) {
    std::vector<std::array<Vec3, N>> corners;
    for (const std::array<int, N>& item : items) {
      std::array<Vec3, N>& own = corners.emplace_back();
      for (std::size_t k = 0; k < N; ++k) own[k] = x[item[k]];
    }
    for_each_overlap_with(corners, action);
  };
  if (other().is_soft()) search(other().field.tetrahedra);
  else search(other().surface);
}

std::vector<Vec3> PressurePair::carried(const FourPoints<double>& y) const {
  std::vector<Vec3> x;
  for (const auto& w : weights_) x.emplace_back(w[0] * y[0] + w[1] * y[1] + w[2] * y[2] + w[3] * y[3]);
  return x;
}

bool PressurePair::is_aligned(const PressureLaw& law, const Pose<double>& pose, int cell, int item, const Vec3& normal) const {
  if (law.least_alignment <= -1) return true;
  const Vec3& up = cells_[cell].pressure.gradient;
  if (normal.dot(up) < law.least_alignment * up.norm()) return false;
  if (other().half_space || !other().is_soft()) return true;
  const Vec3 down = pose.gradient(carried_[item].pressure_at_frame);
  return -normal.dot(down) >= law.least_alignment * down.norm();
}

// Calls action(area, pressure, weights of the other body's points, separation velocity) at every quadrature point. Returns the area.
template <typename T, typename Action>
T PressurePair::integrate(const Pose<T>& pose, int cell, const ContactPolygon<T>& polygon, const Vector3<T>& normal, Action action) const {
  std::array<QuadraturePoint<T>, 2 * ContactPolygon<T>::kMost> points;
  T area(0.0);
  const int count = quadrature<T>(polygon, normal, points, area);
  for (int q = 0; q < count; ++q) {
    const std::array<T, 4> w = pose.frame.weights(points[q].x);
    Vector3<T> separation(T(0.0), T(0.0), T(0.0));
    for (int i = 0; i < 4; ++i)
      for (int c = 0; c < 3; ++c) separation[c] -= w[i] * pose.rate[i][c];
    action(points[q].area, cells_[cell].pressure(points[q].x), w, separation);
  }
  return count > 0 ? area : T(0.0);
}

template <bool kDerivative>
PressurePair::Result PressurePair::run(const PressureLaw& law, const Points& x, const Points& v, Derivative* by_position, Derivative* by_velocity) const {
  const auto side = [&](const Points& points, bool base) {
    const int start = base == swapped_ ? 4 : 0;
    return FourPoints<double>{points[start], points[start + 1], points[start + 2], points[start + 3]};
  };
  const RelativeMotion<double> motion(base().frame, side(x, true), side(v, true), side(x, false), side(v, false));
  const Pose<double> pose(motion.y, motion.rate, rest_determinant_);
  Result result;
  FourPoints<double> conjugate{};
  for (Vec3& force : conjugate) force.setZero();
  Eigen::Matrix<double, 12, 12> by_pose = Eigen::Matrix<double, 12, 12>::Zero(), by_rate = by_pose;
  std::optional<Pose<ByPose>> varied;
  if constexpr (kDerivative) {
    FourPoints<ByPose> y, rate;
    for (int i = 0; i < 12; ++i) {
      y[i / 3][i % 3] = motion.y[i / 3][i % 3];
      y[i / 3][i % 3].derivative[i] = 1;
      rate[i / 3][i % 3] = motion.rate[i / 3][i % 3];
    }
    varied.emplace(y, rate, rest_determinant_);
  }
  FourPoints<ByPose> varied_conjugate{};
  const bool depends_on_velocity = law.friction || law.dissipation > 0;

  for_each_candidate(motion.y, [&](int cell, int item) {
    Vec3 normal;
    const ContactPolygon<double> piece = polygon<double>(pose, cell, item, normal);
    if (piece.size < 3 || !is_aligned(law, pose, cell, item, normal)) return;
    const double area = integrate<double>(pose, cell, piece, normal, [&](double part, double pressure, const std::array<double, 4>& w, const Vec3& separation) {
      const PressureTraction<double> traction = traction_of<double, double>(law, normal, pressure, separation);
      const Vec3 force = part * traction.sum();
      for (int i = 0; i < 4; ++i) conjugate[i] -= w[i] * force;
      result.friction_power += part * traction.friction.dot(separation);
      result.damping_power += part * (traction.normal_part - law.factor * pressure * normal).dot(separation);
      if (kDerivative && depends_on_velocity) {
        using BySeparation = Dual<double, 3>;
        Vector3<BySeparation> moved = separation.cast<BySeparation>();
        for (int c = 0; c < 3; ++c) moved[c].derivative[c] = 1;
        const Vector3<BySeparation> changed = traction_of<BySeparation, double>(law, normal, pressure, moved).sum();
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            for (int r = 0; r < 3; ++r)
              for (int c = 0; c < 3; ++c) by_rate(3 * i + r, 3 * j + c) += part * w[i] * w[j] * changed[r].derivative[c];
      }
    });
    if (area == 0) return;
    ++result.pieces;
    result.area += area;
    for (int i = 0; i < piece.size; ++i) result.largest_pressure = std::max(result.largest_pressure, cells_[cell].pressure(piece.corners[i]));
    if constexpr (kDerivative) {
      Vector3<ByPose> turned;
      const ContactPolygon<ByPose> moved = polygon<ByPose>(*varied, cell, item, turned);
      if (moved.size < 3) return;
      integrate<ByPose>(*varied, cell, moved, turned,
                        [&](const ByPose& part, const ByPose& pressure, const std::array<ByPose, 4>& w, const Vector3<ByPose>& separation) {
                          const Vector3<ByPose> traction = traction_of<ByPose, ByPose>(law, turned, pressure, separation).sum();
                          for (int c = 0; c < 3; ++c) {
                            const ByPose force = part * traction[c];
                            for (int i = 0; i < 4; ++i) varied_conjugate[i][c] -= w[i] * force;
                          }
                        });
    }
  });
  FourPoints<double> on_base, on_other;
  for (int i = 0; i < 4; ++i) on_base[i] = on_other[i] = Vec3::Zero();
  motion.add_forces(conjugate, on_base, on_other);
  for (int i = 0; i < 4; ++i) {
    result.forces[i] = swapped_ ? on_other[i] : on_base[i];
    result.forces[4 + i] = swapped_ ? on_base[i] : on_other[i];
  }
  if constexpr (kDerivative) {
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) by_pose(i, j) = varied_conjugate[i / 3][i % 3].derivative[j];
    differentiate(x, v, conjugate, by_pose, by_rate, false, *by_position);
    differentiate(x, v, conjugate, by_pose, by_rate, true, *by_velocity);
  }
  return result;
}

// The derivative of the forces on the points by their positions or velocities, from those of the conjugate forces by the pose and its rate.
void PressurePair::differentiate(const Points& x, const Points& v, const FourPoints<double>& conjugate, const Eigen::Matrix<double, 12, 12>& by_pose,
                                 const Eigen::Matrix<double, 12, 12>& by_rate, bool by_velocity, Derivative& derivative) const {
  std::array<FourPoints<ByPoints>, 2> places, speeds;  // on the first side and on the second
  for (int i = 0; i < 24; ++i) {
    const int point = i / 3, c = i % 3;
    ByPoints &place = places[point / 4][point % 4][c], &speed = speeds[point / 4][point % 4][c];
    place = x[point][c];
    speed = v[point][c];
    (by_velocity ? speed : place).derivative[i] = 1;
  }
  const int own = swapped_ ? 1 : 0;
  const RelativeMotion<ByPoints> motion(base().frame, places[own], speeds[own], places[1 - own], speeds[1 - own]);
  Eigen::Matrix<double, 12, 24> pose, rate;
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 24; ++k) {
      pose(i, k) = motion.y[i / 3][i % 3].derivative[k];
      rate(i, k) = motion.rate[i / 3][i % 3].derivative[k];
    }
  const Eigen::Matrix<double, 12, 24> change = by_pose * pose + by_rate * rate;
  FourPoints<ByPoints> forces;
  for (int i = 0; i < 12; ++i) {
    forces[i / 3][i % 3] = conjugate[i / 3][i % 3];
    for (int k = 0; k < 24; ++k) forces[i / 3][i % 3].derivative[k] = change(i, k);
  }
  std::array<FourPoints<ByPoints>, 2> on;
  motion.add_forces(forces, on[own], on[1 - own]);
  for (int i = 0; i < 24; ++i)
    for (int k = 0; k < 24; ++k) derivative(i, k) = on[i / 12][i / 3 % 4][i % 3].derivative[k];
}

PressurePair::Result PressurePair::evaluate(const PressureLaw& law, const Points& x, const Points& v) const { return run<false>(law, x, v, nullptr, nullptr); }

PressurePair::Result PressurePair::linearize(const PressureLaw& law, const Points& x, const Points& v, Derivative& by_position, Derivative& by_velocity) const {
  return run<true>(law, x, v, &by_position, &by_velocity);
}

FourPoints<double> PressurePair::pose_of(const Points& x) const {
  const Vec3 *own = x.data() + (swapped_ ? 4 : 0), *others = x.data() + (swapped_ ? 0 : 4);
  FourPoints<double> still;
  for (Vec3& v : still) v.setZero();
  return RelativeMotion<double>(base().frame, {own[0], own[1], own[2], own[3]}, still, {others[0], others[1], others[2], others[3]}, still).y;
}

// In the base's coordinates at rest, the pressure of the other body is divided by its change of volume, so that its integral is that over the body at rest.
double PressurePair::whole_energy() const {
  if (base().half_space) return std::numeric_limits<double>::infinity();
  const PressureField& field = base().field;
  double sum = 0;
  for (const auto& t : field.tetrahedra) {
    const Vec3& x = field.vertices[t[0]];
    const double volume = (field.vertices[t[1]] - x).cross(field.vertices[t[2]] - x).dot(field.vertices[t[3]] - x) / 6;
    for (const int vertex : t) sum += base().modulus * field.extent[vertex] * volume / 4;
  }
  return sum;
}

int PressurePair::places_between(const Points& from, const Points& to) const {
  constexpr double kReach = 2;  // how much farther than the points that carry a body its surface may move
  constexpr int kMost = 1000;
  Vec3 common = Vec3::Zero();  // motion of the first side
  for (int point = 0; point < 4; ++point) common += (to[point] - from[point]) / 4;
  double farthest = 0;
  for (int point = 0; point < 8; ++point) farthest = std::max(farthest, (to[point] - from[point] - common).norm());
  return std::clamp(static_cast<int>(std::ceil(kReach * farthest / (thickness_ / 2))), 1, kMost);
}

double PressurePair::energy(const Points& x) const {
  const FourPoints<double> y = pose_of(x);
  const Pose<double> pose(y, y, rest_determinant_);
  double sum = 0;
  if (other().half_space) {
    for (const Cell& cell : cells_) {
      TetrahedronParts parts({base().field.vertices[cell.vertices[0]], base().field.vertices[cell.vertices[1]], base().field.vertices[cell.vertices[2]],
                              base().field.vertices[cell.vertices[3]]});
      parts.clip({-pose.plane_normal, pose.plane_normal.dot(y[0])});
      sum += parts.integral(cell.pressure);
    }
    return sum;
  }
  const std::vector<Vec3> place = carried(y);
  const auto for_each_part = [&](const std::vector<std::array<Vec3, 4>>& items, auto action) {
    for_each_overlap_with(items, [&](int number, int item) {
      TetrahedronParts parts(items[item]);
      const Cell& cell = cells_[number];
      for (int face = 0; face < cell.faces; ++face) parts.clip(cell.inside[face]);
      if (!parts.empty()) action(cell, item, parts);
    });
  };
  std::vector<std::array<Vec3, 4>> items;
  if (!other().is_soft()) {
    // The inside of a closed surface, as a sum of tetrahedra between its triangles and one point, some of them negative.
    Vec3 center = Vec3::Zero();
    for (const Vec3& corner : place) center += corner / static_cast<double>(place.size());
    std::vector<double> signs;
    for (const auto& [a, b, c] : other().surface) {
      items.push_back({center, place[a], place[b], place[c]});
      signs.push_back((place[a] - center).cross(place[b] - center).dot(place[c] - center) < 0 ? -1 : 1);
    }
    for_each_part(items, [&](const Cell& cell, int item, const TetrahedronParts& parts) { sum += signs[item] * parts.integral(cell.pressure); });
    return sum;
  }
  for (const auto& t : other().field.tetrahedra) items.push_back({place[t[0]], place[t[1]], place[t[2]], place[t[3]]});
  for_each_part(items, [&](const Cell& cell, int item, TetrahedronParts& parts) {
    const std::array<double, 4>& at_frame = carried_[item].pressure_at_frame;
    const Vec3 gradient = pose.gradient(at_frame);
    const LinearFunction pressure{gradient, at_frame[0] * pose.compression - gradient.dot(y[0])};
    sum += parts.integral(pressure);  // less what is above the base's pressure
    const LinearFunction excess{pressure.gradient - cell.pressure.gradient, pressure.constant - cell.pressure.constant};
    parts.clip(excess);
    sum -= parts.integral(excess);
  });
  return sum;
}

std::vector<ContactTriangle> PressurePair::surface(const PressureLaw& law, const Points& x, const Points& v) const {
  const int start = swapped_ ? 4 : 0, behind = 4 - start;
  const FourPoints<double> base_x{x[start], x[start + 1], x[start + 2], x[start + 3]};
  const RelativeMotion<double> motion(base().frame, base_x, {v[start], v[start + 1], v[start + 2], v[start + 3]},
                                      {x[behind], x[behind + 1], x[behind + 2], x[behind + 3]}, {v[behind], v[behind + 1], v[behind + 2], v[behind + 3]});
  const Pose<double> pose(motion.y, motion.rate, rest_determinant_);
  const CarryingFrame<double> rest(base().frame), now(base_x);
  const auto to_world = [&](const Vec3& y) {
    const std::array<double, 4> w = rest.weights(y);
    return Vec3(w[0] * base_x[0] + w[1] * base_x[1] + w[2] * base_x[2] + w[3] * base_x[3]);
  };
  const double sign = swapped_ ? -1 : 1;
  std::vector<ContactTriangle> triangles;
  for_each_candidate(motion.y, [&](int cell, int item) {
    Vec3 normal;
    const ContactPolygon<double> piece = polygon<double>(pose, cell, item, normal);
    if (piece.size < 3 || !is_aligned(law, pose, cell, item, normal)) return;
    Vec3 center = Vec3::Zero();
    for (int i = 0; i < piece.size; ++i) center += piece.corners[i] / piece.size;
    for (int i = 0; i < piece.size; ++i) {
      const std::array<Vec3, 3> corners{center, piece.corners[i], piece.corners[(i + 1) % piece.size]};
      const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3;
      const std::array<double, 4> w = pose.frame.weights(middle);
      const Vec3 separation = -(w[0] * motion.rate[0] + w[1] * motion.rate[1] + w[2] * motion.rate[2] + w[3] * motion.rate[3]);
      const Vec3 pull = traction_of<double, double>(law, normal, cells_[cell].pressure(middle), separation).sum();
      const Vec3 sliding = separation - separation.dot(normal) * normal;
      ContactTriangle triangle;
      triangle.traction.setZero();
      for (int k = 0; k < 3; ++k) {
        triangle.corners[k] = to_world(corners[k]);
        triangle.pressure[k] = cells_[cell].pressure(corners[k]);
        triangle.traction += sign * motion.edges[k].dot(pull) * motion.rows[k];
      }
      triangle.slip = sign * (to_world(middle + sliding) - to_world(middle));
      triangles.push_back(triangle);
    }
  });
  return triangles;
}

}  // namespace traction
