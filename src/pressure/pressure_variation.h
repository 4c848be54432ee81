// Derivatives of a piece of the contact surface, and of its traction, by the 12 numbers that place one body in the coordinates of the other
// (docs/theory/pressure.md, "Relative motion").
#pragma once

#include "math/dual.h"
#include "pressure/contact_polygon.h"
#include "pressure/pressure_pose.h"
#include "pressure/pressure_traction.h"

namespace traction {

using ByPose = Dual<double, 12>;
using Variation = Eigen::Matrix<double, 12, 1>;        ///< derivatives of a number
using VectorVariation = Eigen::Matrix<double, 12, 3>;  ///< derivatives of a vector

inline Variation variation_of(const ByPose& number) { return Eigen::Map<const Variation>(number.derivative.data()); }
inline VectorVariation variation_of(const Vector3<ByPose>& vector) {
  VectorVariation result;
  for (int c = 0; c < 3; ++c) result.col(c) = variation_of(vector[c]);
  return result;
}

/// Derivatives of a pose's numbers.
struct PoseVariation {
  Variation compression;
  std::array<VectorVariation, 3> frame_gradients, pressure_gradients, separation_slope;
  VectorVariation plane_normal, separation_at_center;

  explicit PoseVariation(const PressurePose<ByPose>& pose)
      : compression(variation_of(pose.compression)),
        plane_normal(variation_of(pose.plane_normal)),
        separation_at_center(variation_of(pose.separation_at_center)) {
    for (int k = 0; k < 3; ++k) {
      frame_gradients[k] = variation_of(pose.frame.gradients[k]);
      pressure_gradients[k] = variation_of(pose.pressure_gradients[k]);
      separation_slope[k] = variation_of(pose.separation_slope[k]);
    }
  }

  /// The variation of PressurePose::gradient.
  VectorVariation gradient(const std::array<double, 4>& pressure) const {
    return (pressure[1] - pressure[0]) * pressure_gradients[0] + (pressure[2] - pressure[0]) * pressure_gradients[1] +
           (pressure[3] - pressure[0]) * pressure_gradients[2];
  }
  /// The variation of a point that the four points carry.
  static VectorVariation carried(const std::array<double, 4>& w) {
    VectorVariation result = VectorVariation::Zero();
    for (int i = 0; i < 4; ++i)
      for (int c = 0; c < 3; ++c) result(3 * i + c, c) = w[i];
    return result;
  }
};

/// The variation of v/|v|, from those of v.
inline VectorVariation of_unit(const Vec3& v, const VectorVariation& change) {
  const double inverse = 1 / v.norm();
  const Vec3 unit = inverse * v;
  const Variation along = change * unit;
  return inverse * (change - along * unit.transpose());
}
inline VectorVariation of_cross(const Vec3& a, const VectorVariation& da, const Vec3& b, const VectorVariation& db) {
  VectorVariation result;
  for (int c = 0; c < 3; ++c) {
    const int i = (c + 1) % 3, j = (c + 2) % 3;
    result.col(c) = da.col(i) * b[j] + db.col(j) * a[i] - da.col(j) * b[i] - db.col(i) * a[j];
  }
  return result;
}

/// The corners of a polygon with their variations, made from the polygon's log. Kept from piece to piece, because it is large.
class CornerVariations {
 public:
  std::array<Vec3, CornerLog::kGiven> given;              ///< corners of the element that was cut
  std::array<double, CornerLog::kGiven> height;           ///< at these corners, the function that vanishes on the contact surface
  std::array<VectorVariation, CornerLog::kGiven> moved;   ///< variations of the corners
  std::array<Variation, CornerLog::kGiven> height_moved;  ///< variations of the function

  /// `inside`: the barycentric coordinates that cut it.
  void follow(const ContactPolygon& polygon, const CornerLog& log, const std::array<LinearFunction, 4>& inside) {
    done_.fill(false);
    for (int i = 0; i < CornerLog::kGiven; ++i) {
      x_[i] = given[i];
      change_[i] = moved[i];
      done_[i] = true;
    }
    for (int i = 0; i < polygon.size; ++i) make(polygon.origin[i], log, inside);
  }

  const VectorVariation& change(int origin) const { return change_[origin]; }

 private:
  void make(int number, const CornerLog& log, const std::array<LinearFunction, 4>& inside) {
    if (done_[number]) return;
    const auto [a, b, face] = log.corners[number];
    make(a, log, inside);
    make(b, log, inside);
    double h_a, h_b;
    Variation dh_a, dh_b;
    if (face == CornerLog::kContact) {
      h_a = height[a];
      h_b = height[b];
      dh_a = height_moved[a];
      dh_b = height_moved[b];
    } else {
      h_a = rounded_coordinate(inside[face](x_[a]));
      h_b = rounded_coordinate(inside[face](x_[b]));
      // A corner that lies in the face stays there.
      dh_a = h_a == 0 ? Variation(Variation::Zero()) : Variation(change_[a] * inside[face].gradient);
      dh_b = h_b == 0 ? Variation(Variation::Zero()) : Variation(change_[b] * inside[face].gradient);
    }
    const double inverse = 1 / (h_a - h_b), part = h_a * inverse;
    const Vec3 along = x_[b] - x_[a];
    const Variation moves = inverse * ((1 - part) * dh_a + part * dh_b);
    x_[number] = x_[a] + part * along;
    change_[number] = (1 - part) * change_[a] + part * change_[b] + moves * along.transpose();
    done_[number] = true;
  }

  std::array<Vec3, CornerLog::kMost> x_;
  std::array<VectorVariation, CornerLog::kMost> change_;
  std::array<bool, CornerLog::kMost> done_;
};

/// Calls action(point, variation of its place, variation of its area) for every point of the rule.
template <typename Action>
void vary(const PolygonQuadrature& rule, const ContactPolygon& polygon, const Vec3& normal, const CornerVariations& corners, Action action) {
  const int n = polygon.size;
  const auto moved = [&](int i) -> const VectorVariation& { return corners.change(polygon.origin[i < n ? i : 0]); };
  const auto corner = [&](int i) -> const Vec3& { return polygon.corners[i < n ? i : 0]; };
  // The variation of a parallelogram's area, whose sides stay in the plane to first order.
  const auto of_area = [&](const Vec3& a, const VectorVariation& da, const Vec3& b, const VectorVariation& db) -> Variation {
    return da * b.cross(normal) + db * normal.cross(a);
  };
  Variation twice = Variation::Zero();
  VectorVariation moment = VectorVariation::Zero();
  for (int i = 1; i + 1 < n; ++i) {
    const Vec3 a = corner(i) - corner(0), b = corner(i + 1) - corner(0);
    const VectorVariation da = moved(i) - moved(0), db = moved(i + 1) - moved(0);
    const Variation part = of_area(a, da, b, db);
    twice += part;
    moment += part * (a + b).transpose() + a.cross(b).dot(normal) * (da + db);
  }
  const VectorVariation center = moved(0) + (moment / 3 - twice * rule.offset.transpose()) * (rule.sign / (2 * rule.area));
  const auto third = [&](int i) -> Variation {
    return rule.sign / 6 * of_area(corner(i) - rule.center, moved(i) - center, corner(i + 1) - rule.center, moved(i + 1) - center);
  };
  Variation before = third(n - 1);
  for (int i = 0; i < n; ++i) {
    const Variation here = third(i);
    action(rule.points[2 * i], VectorVariation((moved(i) + moved(i + 1)) / 2), here);
    action(rule.points[2 * i + 1], VectorVariation((moved(i) + center) / 2), Variation(here + before));
    before = here;
  }
}

/// The traction, and its derivatives by the normal, the pressure and the separation velocity.
struct VariedTraction {
  Vec3 value, by_pressure;
  Mat3 by_normal, by_separation;

  VariedTraction(const PressureLaw& law, const Vec3& normal, double pressure, const Vec3& separation) {
    using Local = Dual<double, 7>;
    Vector3<Local> n = normal.cast<Local>(), s = separation.cast<Local>();
    Local p = pressure;
    for (int c = 0; c < 3; ++c) n[c].derivative[c] = s[c].derivative[4 + c] = 1;
    p.derivative[3] = 1;
    const Vector3<Local> sum = traction_of<Local, Local>(law, n, p, s).sum();
    for (int r = 0; r < 3; ++r) {
      value[r] = sum[r].value;
      by_pressure[r] = sum[r].derivative[3];
      for (int c = 0; c < 3; ++c) {
        by_normal(r, c) = sum[r].derivative[c];
        by_separation(r, c) = sum[r].derivative[4 + c];
      }
    }
  }
};

}  // namespace traction
