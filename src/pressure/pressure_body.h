// One side of a pair whose pressure fields meet, with the data that all of its pairs need, computed once.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "math/bounding_box.h"
#include "math/box_tree.h"
#include "pressure/contact_polygon.h"
#include "pressure/pressure_field.h"

namespace traction {

/// The box around another box after a linear map of offsets from one point to offsets from another.
BoundingBox mapped(const BoundingBox& box, const Mat3& turn, const Vec3& from, const Vec3& to);

/// A body with its field, a rigid body with its surface, or half of space, carried by four points.
struct PressureSide {
  /// The half-space below a plane, with a soft layer on top.
  struct HalfSpace {
    Vec3 point, normal;    ///< a point of its surface, and the normal out of it
    double thickness = 1;  ///< thickness of the soft layer on a rigid foundation [m]
  };

  std::array<Vec3, 4> frame;                                 ///< the points at rest [m]
  double modulus = std::numeric_limits<double>::infinity();  ///< [Pa]; infinite for rigid ones
  double dissipation = 0;                                    ///< [s/m]
  PressureField field;                                       ///< a rigid body needs the surface only
  std::vector<std::array<int, 3>> surface;                   ///< the surface of a rigid body: closed, normals outward
  std::optional<HalfSpace> half_space;                       ///< instead of field and surface

  bool is_soft() const { return std::isfinite(modulus); }

  /// A soft body. With an infinite modulus it is a rigid body with the field's boundary as its surface.
  static PressureSide body(const std::array<Vec3, 4>& frame, PressureField field, double modulus, double dissipation = 0);
  /// A rigid body with any closed surface.
  static PressureSide rigid(const std::array<Vec3, 4>& frame, std::vector<Vec3> vertices, std::vector<std::array<int, 3>> surface);
  /// Half of space, carried by a point, two points along its surface and one along its normal, each 1 m away.
  static PressureSide plane(const Vec3& point, const Vec3& normal);
  static PressureSide layer(const Vec3& point, const Vec3& normal, double thickness, double modulus, double dissipation = 0);
};

/// A side with its cells and the data for the search for overlaps.
struct PressureBody : PressureSide {
  explicit PressureBody(PressureSide side);

  /// A convex part of a soft body, on which its pressure is linear.
  struct Cell {
    std::array<int, 4> vertices;           ///< none for half of space
    std::array<LinearFunction, 4> inside;  ///< barycentric coordinates, or for half of space the depth over the thickness
    int faces;
    LinearFunction pressure;                  ///< [Pa]
    std::array<double, 4> pressure_at_frame;  ///< values of the pressure's linear function at the points that carry the body [Pa]
  };
  std::vector<Cell> cells;                            ///< none for rigid bodies
  BoundingBox box;                                    ///< around all vertices at rest; all of space for half of it
  std::vector<std::array<double, 4>> weights;         ///< weights with which the four points carry each vertex
  std::vector<std::array<double, 4>> corner_weights;  ///< the same for the corners of the box
  std::optional<BoxTree> tree;                        ///< holds the tetrahedra of a soft body, or the surface of a rigid one; none for half of space
  /// The box around the body where its four points are at x; it must not be half of space.
  BoundingBox box_at(const FourPoints<double>& x) const;
  /// The farthest that a corner of the box at rest moves while the four points move by so much [m], which no point of the body exceeds. For half of space it is
  /// the motion of its points.
  double farthest_motion(const FourPoints<double>& by) const;

  double rest_determinant = 0;  ///< the volume that the four points span at rest, times six
  double thickness = 0;         ///< `thickness_under` its surface [m]; infinite for half of space
  double whole_energy = 0;      ///< energy that is stored if the whole body lies in a rigid one [J]; infinite for half of space and rigid bodies
};

}  // namespace traction
