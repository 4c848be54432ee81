#include "pressure/pressure_pair.h"

#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>

#include "pressure/box_overlaps.h"
#include "pressure/pressure_variation.h"
#include "pressure/tetrahedron_parts.h"

namespace traction {

namespace {

using ByPoints = Dual<double, 24>;

bool is_empty(const BoundingBox& box) { return (box.lower.array() > box.upper.array()).any(); }

}  // namespace

PressurePair::PressurePair(std::shared_ptr<const PressureBody> first, std::shared_ptr<const PressureBody> second)
    : first_(std::move(first)), second_(std::move(second)) {
  if (!first_->is_soft() && !second_->is_soft()) throw std::invalid_argument("two rigid sides have no pressure between them");
  if (first_->half_space && second_->half_space) throw std::invalid_argument("two half-spaces have no limited contact");
  // The base is a soft layer, whose only cell contains all of the other body, or else the first soft side.
  swapped_ = !first_->is_soft() || (second_->is_soft() && second_->half_space);
}

// A piece of the contact surface between a cell and an item of the other body, with its normal into the base.
struct PressurePair::Piece {
  ContactPolygon polygon;
  CornerLog log;
  Vec3 direction, normal;        // the second has the direction of the first and length 1
  std::array<Vec3, 4> given;     // the corners of the element that was cut
  std::array<double, 4> height;  // the difference of pressures, or the height above the plane, at these corners
};

bool PressurePair::cut(const PressureLaw& law, const Pose& pose, int number, int item, Piece& piece) const {
  const PressureBody::Cell& cell = base().cells[number];
  piece.log.size = CornerLog::kGiven;
  if (other().half_space) {
    piece.normal = piece.direction = pose.plane_normal;
    const double offset = piece.normal.dot(pose.y[0]);
    for (int k = 0; k < 4; ++k) {
      piece.given[k] = base().field.vertices[cell.vertices[k]];
      piece.height[k] = piece.normal.dot(piece.given[k]) - offset;
    }
    piece.polygon = slice(piece.given, piece.height, piece.log);
  } else {
    if (other().is_soft()) {
      const auto& t = other().field.tetrahedra[item];
      for (int k = 0; k < 4; ++k) {
        piece.given[k] = carried_to(pose.y, other().weights[t[k]]);
        piece.height[k] = cell.pressure(piece.given[k]) - other().modulus * other().field.extent[t[k]] * pose.compression;
      }
      piece.polygon = slice(piece.given, piece.height, piece.log);
      if (piece.polygon.size == 0) return false;
      piece.direction = cell.pressure.gradient - pose.gradient(other().cells[item].pressure_at_frame);
    } else {
      piece.polygon.size = 0;
      for (int k = 0; k < 3; ++k) {
        piece.given[k] = carried_to(pose.y, other().weights[other().surface[item][k]]);
        piece.polygon.add(piece.given[k], k);
      }
      piece.direction = (piece.given[1] - piece.given[0]).cross(piece.given[2] - piece.given[0]);
    }
    piece.normal = piece.direction;
    if (!normalize(piece.normal)) return false;
    for (int face = 0; face < cell.faces && piece.polygon.size > 0; ++face) clip(piece.polygon, cell.inside[face], face, piece.normal, piece.log);
  }
  return piece.polygon.size >= 3 && is_aligned(law, pose, number, item, piece.normal);
}

bool PressurePair::is_aligned(const PressureLaw& law, const Pose& pose, int cell, int item, const Vec3& normal) const {
  if (law.least_alignment <= -1) return true;
  const Vec3& up = base().cells[cell].pressure.gradient;
  if (normal.dot(up) < law.least_alignment * up.norm()) return false;
  if (other().half_space || !other().is_soft()) return true;
  const Vec3 down = pose.gradient(other().cells[item].pressure_at_frame);
  return -normal.dot(down) >= law.least_alignment * down.norm();
}

BoundingBox PressurePair::common_region(const Pose& pose) const {
  BoundingBox region = other().box_at(pose.y);
  if (base().half_space) {
    const auto& [point, normal, thickness] = *base().half_space;
    const double lowest = normal.dot((region.lower + region.upper) / 2 - point) - normal.cwiseAbs().dot(region.upper - region.lower) / 2;
    return lowest > 0 ? BoundingBox{} : region;
  }
  region.lower = region.lower.cwiseMax(base().box.lower);
  region.upper = region.upper.cwiseMin(base().box.upper);
  return region;
}

std::vector<int> PressurePair::items_in(const BoundingBox& region, const Pose& pose) const {
  Mat3 turn = Mat3::Zero();
  for (int k = 0; k < 3; ++k) turn += (other().frame[k + 1] - other().frame[0]) * pose.frame.gradients[k].transpose();
  std::vector<int> items;
  other().tree->for_each_overlap(mapped(region, turn, pose.y[0], other().frame[0]), [&](int item) { items.push_back(item); });
  return items;
}

bool PressurePair::may_reach_plane(const Pose& pose) const {
  const BoundingBox& box = base().box;
  return pose.plane_normal.dot((box.lower + box.upper) / 2 - pose.y[0]) <= pose.plane_normal.cwiseAbs().dot(box.upper - box.lower) / 2;
}

template <std::size_t N, typename Action>
void PressurePair::for_each_overlap_with(const std::vector<int>& numbers, const std::vector<std::array<Vec3, N>>& items, BoundingBox region,
                                         Action action) const {
  if (base().half_space) {
    for (const int number : numbers) action(0, number);
    return;
  }
  BoundingBox around;
  for (const auto& item : items)
    for (const Vec3& corner : item) around.include(corner);
  region.lower = region.lower.cwiseMax(around.lower);
  region.upper = region.upper.cwiseMin(around.upper);
  if (is_empty(region)) return;
  std::vector<int> cells;
  base().tree->for_each_overlap(region, [&](int cell) { cells.push_back(cell); });
  std::vector<BoundingBox> boxes, others;
  for (const int cell : cells) {
    std::array<Vec3, 4> corners;
    for (int k = 0; k < 4; ++k) corners[k] = base().field.vertices[base().cells[cell].vertices[k]];
    boxes.push_back(box_within(corners, region));
  }
  for (const auto& item : items) others.push_back(box_within(item, region));
  for_each_overlap(boxes, others, [&](int cell, int item) { action(cells[cell], numbers[item]); });
}

template <typename Action>
void PressurePair::for_each_candidate(const Pose& pose, Action action) const {
  if (other().half_space) {
    if (may_reach_plane(pose))
      for (std::size_t cell = 0; cell < base().cells.size(); ++cell) action(static_cast<int>(cell), 0);
    return;
  }
  const BoundingBox region = common_region(pose);
  if (is_empty(region)) return;
  const std::vector<int> numbers = items_in(region, pose);
  const auto search = [&]<std::size_t N>(const std::vector<std::array<int, N>>& items) {
    std::vector<std::array<Vec3, N>> corners;
    for (const int number : numbers) {
      std::array<Vec3, N>& own = corners.emplace_back();
      for (std::size_t k = 0; k < N; ++k) own[k] = carried_to(pose.y, other().weights[items[number][k]]);
    }
    for_each_overlap_with(numbers, corners, region, action);
  };
  if (other().is_soft()) search(other().field.tetrahedra);
  else search(other().surface);
}

RelativeMotion<double> PressurePair::motion_of(const Points& x, const Points& v) const {
  const auto side = [](const Points& points, bool second) {
    const int start = second ? 4 : 0;
    return FourPoints<double>{points[start], points[start + 1], points[start + 2], points[start + 3]};
  };
  return RelativeMotion<double>(base().frame, side(x, swapped_), side(v, swapped_), side(x, !swapped_), side(v, !swapped_));
}

// Integrals of the traction t and its moment x t, with x from the pose's center.
struct PressurePair::Sums {
  Vec3 force = Vec3::Zero();
  Mat3 moment = Mat3::Zero();

  // The forces conjugate to the positions of the points that carry the other body.
  FourPoints<double> conjugate(const Pose& pose) const {
    FourPoints<double> result;
    result[0] = -force;
    for (int k = 0; k < 3; ++k) {
      result[k + 1] = -moment.transpose() * pose.frame.gradients[k];
      result[0] -= result[k + 1];
    }
    return result;
  }
};

struct PressurePair::VariedSums {
  PoseVariation pose;
  CornerVariations corners{};
  VectorVariation force = VectorVariation::Zero();
  std::array<VectorVariation, 3> moment{force, force, force};  // for each component of x
  // Integrals of the derivative of t by the separation velocity, one column for each of its entries, with the products of 1, x, y, z as weights.
  Eigen::Matrix<double, 10, 9> by_separation = Eigen::Matrix<double, 10, 9>::Zero();

  explicit VariedSums(const PressurePose<ByPose>& varied) : pose(varied) {}

  Eigen::Matrix<double, 12, 12> by_pose(const Pose& at, const Sums& sums) const {
    Eigen::Matrix<double, 12, 12> result;
    VectorVariation first = -force;
    for (int k = 0; k < 3; ++k) {
      VectorVariation change = VectorVariation::Zero();
      for (int a = 0; a < 3; ++a) {
        change -= pose.frame_gradients[k].col(a) * sums.moment.row(a) + at.frame.gradients[k][a] * moment[a];
        change.row(a) += at.frame.gradients[k][a] * sums.force.transpose();  // x is measured from the first point, which moves
      }
      result.block<3, 12>(3 * (k + 1), 0) = change.transpose();
      first -= change;
    }
    result.topRows<3>() = first.transpose();
    return result;
  }
  Eigen::Matrix<double, 12, 12> by_rate(const Pose& at) const {
    Eigen::Matrix4d weights = Eigen::Matrix4d::Zero();  // a row of weights of the points for each of 1, x, y, z
    weights(0, 0) = 1;
    for (int k = 0; k < 3; ++k) {
      weights.block<1, 3>(k + 1, 1) = at.frame.gradients[k].transpose();
      weights.block<1, 3>(0, 1) -= at.frame.gradients[k].transpose();
    }
    Eigen::Matrix<double, 12, 12> result;
    for (int entry = 0; entry < 9; ++entry) {
      Eigen::Matrix4d integrals;
      for (int a = 0, number = 0; a < 4; ++a)
        for (int b = a; b < 4; ++b) integrals(a, b) = integrals(b, a) = by_separation(number++, entry);
      const Eigen::Matrix4d points = weights * integrals * weights.transpose();
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) result(3 * i + entry % 3, 3 * j + entry / 3) = points(i, j);
    }
    return result;
  }
};

void PressurePair::add_variation(const PressureLaw& law, const Pose& pose, int number, int item, const Piece& piece, const PolygonQuadrature& rule,
                                 VariedSums& sums) const {
  const PressureBody::Cell& cell = base().cells[number];
  CornerVariations& corners = sums.corners;
  corners.given = piece.given;
  corners.height = piece.height;
  VectorVariation turned;  // the variation of the normal
  if (other().half_space) {
    turned = sums.pose.plane_normal;
    for (int k = 0; k < 4; ++k) {
      corners.moved[k].setZero();
      corners.height_moved[k] = turned * (piece.given[k] - pose.y[0]);
      corners.height_moved[k].head<3>() -= piece.normal;
    }
  } else if (other().is_soft()) {
    const auto& t = other().field.tetrahedra[item];
    for (int k = 0; k < 4; ++k) {
      corners.moved[k] = PoseVariation::carried(other().weights[t[k]]);
      corners.height_moved[k] = corners.moved[k] * cell.pressure.gradient - other().modulus * other().field.extent[t[k]] * sums.pose.compression;
    }
    turned = of_unit(piece.direction, -sums.pose.gradient(other().cells[item].pressure_at_frame));
  } else {
    for (int k = 0; k < 3; ++k) corners.moved[k] = PoseVariation::carried(other().weights[other().surface[item][k]]);
    turned = of_unit(piece.direction, of_cross(piece.given[1] - piece.given[0], corners.moved[1] - corners.moved[0], piece.given[2] - piece.given[0],
                                               corners.moved[2] - corners.moved[0]));
  }
  corners.follow(piece.polygon, piece.log, cell.inside);
  const bool depends_on_velocity = law.friction || law.dissipation > 0;
  vary(rule, piece.polygon, piece.normal, corners, [&](const PolygonQuadrature::Point& point, const VectorVariation& moved, const Variation& widened) {
    const Vec3 arm = point.x - pose.center;
    const double pressure = cell.pressure(point.x);
    Vec3 traction;
    VectorVariation change;
    if (depends_on_velocity) {
      const Vec3 separation = pose.separation_at(arm);
      const VariedTraction varied(law, piece.normal, pressure, separation);
      VectorVariation faster = sums.pose.separation_at_center;
      for (int a = 0; a < 3; ++a) faster += arm[a] * sums.pose.separation_slope[a] + moved.col(a) * pose.separation_slope[a].transpose();
      traction = varied.value;
      change =
          turned * varied.by_normal.transpose() + (moved * cell.pressure.gradient) * varied.by_pressure.transpose() + faster * varied.by_separation.transpose();
      const std::array<double, 4> w{1, arm[0], arm[1], arm[2]};
      Eigen::Matrix<double, 10, 1> products;
      for (int a = 0, place = 0; a < 4; ++a)
        for (int b = a; b < 4; ++b) products[place++] = point.area * w[a] * w[b];
      sums.by_separation += products * varied.by_separation.reshaped<Eigen::ColMajor>(9, 1).transpose();
    } else {
      traction = law.factor * pressure * piece.normal;
      change = law.factor * (pressure * turned + (moved * cell.pressure.gradient) * piece.normal.transpose());
    }
    change = point.area * change + widened * traction.transpose();
    sums.force += change;
    for (int a = 0; a < 3; ++a) sums.moment[a] += arm[a] * change + point.area * (moved.col(a) * traction.transpose());
  });
}

template <bool kDerivative>
PressurePair::Result PressurePair::run(const PressureLaw& law, const Points& x, const Points& v, Derivative* by_position, Derivative* by_velocity) const {
  const RelativeMotion<double> motion = motion_of(x, v);
  const Pose pose(motion.y, motion.rate, other().rest_determinant);
  Result result;
  Sums sums;
  std::optional<VariedSums> varied;
  Piece piece;
  for_each_candidate(pose, [&](int cell, int item) {
    if (!cut(law, pose, cell, item, piece)) return;
    const PolygonQuadrature rule(piece.polygon, piece.normal);
    if (rule.count == 0) return;
    const LinearFunction& field = base().cells[cell].pressure;
    for (int q = 0; q < rule.count; ++q) {
      const PolygonQuadrature::Point& point = rule.points[q];
      const Vec3 arm = point.x - pose.center, separation = pose.separation_at(arm);
      const double pressure = field(point.x);
      const PressureTraction<double> traction = traction_of<double, double>(law, piece.normal, pressure, separation);
      const Vec3 force = point.area * traction.sum();
      sums.force += force;
      sums.moment += arm * force.transpose();
      result.friction_power += point.area * traction.friction.dot(separation);
      result.damping_power += point.area * (traction.normal_part - law.factor * pressure * piece.normal).dot(separation);
    }
    ++result.pieces;
    result.area += rule.area;
    for (int i = 0; i < piece.polygon.size; ++i) result.largest_pressure = std::max(result.largest_pressure, field(piece.polygon.corners[i]));
    if constexpr (kDerivative) {
      if (!varied) {
        FourPoints<ByPose> y, rate;
        for (int i = 0; i < 12; ++i) {
          y[i / 3][i % 3] = motion.y[i / 3][i % 3];
          y[i / 3][i % 3].derivative[i] = 1;
          rate[i / 3][i % 3] = motion.rate[i / 3][i % 3];
        }
        varied.emplace(PressurePose<ByPose>(y, rate, other().rest_determinant));
      }
      add_variation(law, pose, cell, item, piece, rule, *varied);
    }
  });
  const FourPoints<double> conjugate = sums.conjugate(pose);
  FourPoints<double> on_base, on_other;
  for (int i = 0; i < 4; ++i) on_base[i] = on_other[i] = Vec3::Zero();
  motion.add_forces(conjugate, on_base, on_other);
  for (int i = 0; i < 4; ++i) {
    result.forces[i] = swapped_ ? on_other[i] : on_base[i];
    result.forces[4 + i] = swapped_ ? on_base[i] : on_other[i];
  }
  if constexpr (kDerivative) {
    if (varied) {
      const Eigen::Matrix<double, 12, 12> by_pose = varied->by_pose(pose, sums), by_rate = varied->by_rate(pose);
      differentiate(x, v, conjugate, by_pose, by_rate, false, *by_position);
      differentiate(x, v, conjugate, by_pose, by_rate, true, *by_velocity);
    } else {
      by_position->setZero();
      by_velocity->setZero();
    }
  }
  return result;
}

// The derivative of the forces on the points by their positions or velocities, from those of the conjugate forces by the pose and its rate.
void PressurePair::differentiate(const Points& x, const Points& v, const FourPoints<double>& conjugate, const Eigen::Matrix<double, 12, 12>& by_pose,
                                 const Eigen::Matrix<double, 12, 12>& by_rate, bool by_velocity, Derivative& derivative) const {
  std::array<FourPoints<ByPoints>, 2> places, speeds;  // forces on the first side and on the second
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

int PressurePair::places_between(const Points& from, const Points& to) const {
  constexpr int kMost = 1000;
  Vec3 common = Vec3::Zero();  // motion of the first side
  for (int point = 0; point < 4; ++point) common += (to[point] - from[point]) / 4;
  std::array<FourPoints<double>, 2> by;
  for (int point = 0; point < 8; ++point) by[point / 4][point % 4] = to[point] - from[point] - common;
  const double farthest = std::max(first_->farthest_motion(by[0]), second_->farthest_motion(by[1]));
  return std::clamp(static_cast<int>(std::ceil(2 * farthest / std::min(first_->thickness, second_->thickness))), 1, kMost);
}

// In the base's coordinates at rest, the pressure of the other body is divided by its change of volume, so that its integral is that over the body at rest.
double PressurePair::energy(const Points& x) const {
  Points still;
  still.fill(Vec3::Zero());
  const RelativeMotion<double> motion = motion_of(x, still);
  const Pose pose(motion.y, motion.rate, other().rest_determinant);
  TetrahedronParts parts;
  double sum = 0;
  if (other().half_space) {
    if (!may_reach_plane(pose)) return 0;
    for (const PressureBody::Cell& cell : base().cells) {
      parts.start({base().field.vertices[cell.vertices[0]], base().field.vertices[cell.vertices[1]], base().field.vertices[cell.vertices[2]],
                   base().field.vertices[cell.vertices[3]]});
      parts.clip({-pose.plane_normal, pose.plane_normal.dot(pose.y[0])});
      sum += parts.integral(cell.pressure);
    }
    return sum;
  }
  const BoundingBox region = common_region(pose);
  if (is_empty(region)) return 0;
  std::vector<int> numbers;
  std::vector<std::array<Vec3, 4>> items;
  // Calls action(cell, position among the items), with the part of the item that lies in the cell in `parts`.
  const auto for_each_part = [&](auto action) {
    std::vector<int> places(items.size());
    std::iota(places.begin(), places.end(), 0);
    for_each_overlap_with(places, items, region, [&](int number, int place) {
      const PressureBody::Cell& cell = base().cells[number];
      parts.start(items[place]);
      for (int face = 0; face < cell.faces && !parts.empty(); ++face) parts.clip(cell.inside[face]);
      if (!parts.empty()) action(cell, place);
    });
  };
  if (!other().is_soft()) {
    // The inside of a closed surface, as a sum of tetrahedra between its triangles and one point, some of them negative.
    std::vector<Vec3> place;
    for (const auto& w : other().weights) place.push_back(carried_to(pose.y, w));
    Vec3 center = Vec3::Zero();
    for (const Vec3& corner : place) center += corner / static_cast<double>(place.size());
    std::vector<double> signs;
    for (const auto& [a, b, c] : other().surface) {
      items.push_back({center, place[a], place[b], place[c]});
      signs.push_back((place[a] - center).cross(place[b] - center).dot(place[c] - center) < 0 ? -1 : 1);
    }
    for_each_part([&](const PressureBody::Cell& cell, int item) { sum += signs[item] * parts.integral(cell.pressure); });
    return sum;
  }
  numbers = items_in(region, pose);
  for (const int number : numbers) {
    const auto& t = other().field.tetrahedra[number];
    auto& item = items.emplace_back();
    for (int k = 0; k < 4; ++k) item[k] = carried_to(pose.y, other().weights[t[k]]);
  }
  for_each_part([&](const PressureBody::Cell& cell, int place) {
    const std::array<double, 4>& at_frame = other().cells[numbers[place]].pressure_at_frame;
    const Vec3 gradient = pose.gradient(at_frame);
    const LinearFunction pressure{gradient, at_frame[0] * pose.compression - gradient.dot(pose.y[0])};
    sum += parts.integral(pressure);  // minus the part above the base's pressure
    const LinearFunction excess{pressure.gradient - cell.pressure.gradient, pressure.constant - cell.pressure.constant};
    parts.clip(excess);
    sum -= parts.integral(excess);
  });
  return sum;
}

std::vector<ContactTriangle> PressurePair::surface(const PressureLaw& law, const Points& x, const Points& v) const {
  const RelativeMotion<double> motion = motion_of(x, v);
  const Pose pose(motion.y, motion.rate, other().rest_determinant);
  const int start = swapped_ ? 4 : 0;
  const FourPoints<double> base_x{x[start], x[start + 1], x[start + 2], x[start + 3]};
  const CarryingFrame<double> rest(base().frame);
  const double sign = swapped_ ? -1 : 1;
  std::vector<ContactTriangle> triangles;
  Piece piece;
  for_each_candidate(pose, [&](int cell, int item) {
    if (!cut(law, pose, cell, item, piece)) return;
    const ContactPolygon& polygon = piece.polygon;
    const LinearFunction& field = base().cells[cell].pressure;
    Vec3 center = Vec3::Zero();
    for (int i = 0; i < polygon.size; ++i) center += polygon.corners[i] / polygon.size;
    for (int i = 0; i < polygon.size; ++i) {
      const std::array<Vec3, 3> corners{center, polygon.corners[i], polygon.corners[(i + 1) % polygon.size]};
      const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3, separation = pose.separation_at(middle - pose.center);
      const Vec3 pull = traction_of<double, double>(law, piece.normal, field(middle), separation).sum();
      const Vec3 sliding = separation - separation.dot(piece.normal) * piece.normal;
      ContactTriangle triangle;
      triangle.traction.setZero();
      for (int k = 0; k < 3; ++k) {
        triangle.corners[k] = carried_to(base_x, rest.weights(corners[k]));
        triangle.pressure[k] = field(corners[k]);
        triangle.traction += sign * motion.edges[k].dot(pull) * motion.rows[k];
      }
      triangle.slip = sign * (carried_to(base_x, rest.weights(middle + sliding)) - carried_to(base_x, rest.weights(middle)));
      triangles.push_back(triangle);
    }
  });
  return triangles;
}

}  // namespace traction
