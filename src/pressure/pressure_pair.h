// Two bodies that press on each other with their pressure fields: forces, their derivatives, and the stored energy (docs/theory/pressure.md, "Energy").
#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "math/bounding_box.h"
#include "pressure/contact_polygon.h"
#include "pressure/pressure_field.h"
#include "pressure/pressure_traction.h"

namespace traction {

// One side of a pair, carried by four points: a body with its field, a rigid body with its surface, or half of space.
struct PressureSide {
  struct HalfSpace {
    Vec3 point, normal;    // a point of its surface, and the normal out of it
    double thickness = 1;  // the soft layer on a rigid foundation has this [m]
  };

  std::array<Vec3, 4> frame;                                 // the points at rest [m]
  double modulus = std::numeric_limits<double>::infinity();  // [Pa]; infinite for rigid ones
  double dissipation = 0;                                    // [s/m]
  PressureField field;                                       // a rigid body needs the surface only
  std::vector<std::array<int, 3>> surface;                   // a rigid body has this: closed, normals outward
  std::optional<HalfSpace> half_space;                       // instead of field and surface

  bool is_soft() const { return std::isfinite(modulus); }

  // A soft body, or with an infinite modulus the rigid one with the field's boundary.
  static PressureSide body(const std::array<Vec3, 4>& frame, PressureField field, double modulus, double dissipation = 0);
  // A rigid body with any closed surface.
  static PressureSide rigid(const std::array<Vec3, 4>& frame, std::vector<Vec3> vertices, std::vector<std::array<int, 3>> surface);
  // Carried by a point, two along its surface and one along its normal, each 1 m away.
  static PressureSide plane(const Vec3& point, const Vec3& normal);
  static PressureSide layer(const Vec3& point, const Vec3& normal, double thickness, double modulus, double dissipation = 0);
};

// A triangle of the contact surface, with what acts on the first side.
struct ContactTriangle {
  std::array<Vec3, 3> corners;     // [m]
  std::array<double, 3> pressure;  // where the fields meet [Pa]
  Vec3 traction;                   // at its center [Pa]
  Vec3 slip;                       // sliding velocity of the first side there [m/s]
};

class PressurePair {
 public:
  using Points = std::array<Vec3, 8>;                // the four points of the first side, then those of the second
  using Derivative = Eigen::Matrix<double, 24, 24>;  // the forces on them, by their positions or velocities

  struct Result {
    Points forces{};              // [N]
    int pieces = 0;               // polygons of the contact surface
    double area = 0;              // [m^2]
    double largest_pressure = 0;  // where the fields meet [Pa]
    double friction_power = 0;    // not positive [W]
    double damping_power = 0;     // what the dissipation takes; not positive [W]

    Vec3 on_first() const { return forces[0] + forces[1] + forces[2] + forces[3]; }
  };

  // At least one side is soft, and at most one is half of space. Throws std::invalid_argument otherwise.
  PressurePair(PressureSide first, PressureSide second);

  double modulus() const { return combined_modulus(first_.modulus, second_.modulus); }                                                   // [Pa]
  double dissipation() const { return combined_dissipation(first_.modulus, first_.dissipation, second_.modulus, second_.dissipation); }  // [s/m]

  const std::array<Vec3, 4>& frame(int side) const { return side == 0 ? first_.frame : second_.frame; }  // at rest

  Result evaluate(const PressureLaw& law, const Points& x, const Points& v) const;
  // The same with both derivatives.
  Result linearize(const PressureLaw& law, const Points& x, const Points& v, Derivative& by_position, Derivative& by_velocity) const;
  // The integral of the pressures over the volume that each body gives up [J].
  double energy(const Points& x) const;
  // What the base, a soft side, stores if all of it lies in a rigid body [J]; infinite for half of space.
  double whole_energy() const;
  // How often the motion from one place to another must be looked at, so that in between the bodies move by less than half of the thinner one: 1 if they move
  // by no more than that in all.
  int places_between(const Points& from, const Points& to) const;
  // The contact surface, each piece divided into triangles around its center.
  std::vector<ContactTriangle> surface(const PressureLaw& law, const Points& x, const Points& v) const;

 private:
  // The base is a soft side, in whose coordinates everything is computed.
  const PressureSide& base() const { return swapped_ ? second_ : first_; }
  const PressureSide& other() const { return swapped_ ? first_ : second_; }

  // A convex part of the base body, on which its pressure is linear.
  struct Cell {
    std::array<int, 4> vertices;           // none for half of space
    std::array<LinearFunction, 4> inside;  // barycentric coordinates, or for half of space the depth over the thickness
    int faces;
    LinearFunction pressure;  // [Pa]
  };
  // A tetrahedron of the other body, if it is soft.
  struct Carried {
    std::array<double, 4> pressure;           // at its corners [Pa]
    std::array<double, 4> pressure_at_frame;  // the linear function at the points that carry the body [Pa]
  };
  template <typename T>
  struct Pose;

  template <typename T>
  ContactPolygon<T> polygon(const Pose<T>& pose, int cell, int item, Vector3<T>& normal) const;
  // Calls action(cell, item) for cells and convex items whose boxes meet.
  template <std::size_t N, typename Action>
  void for_each_overlap_with(const std::vector<std::array<Vec3, N>>& items, Action action) const;
  // Calls action(cell, item) for cells and items of the other body (tetrahedra, triangles or one half of space) whose boxes meet.
  template <typename Action>
  void for_each_candidate(const FourPoints<double>& y, Action action) const;
  bool is_aligned(const PressureLaw& law, const Pose<double>& pose, int cell, int item, const Vec3& normal) const;
  template <typename T, typename Action>
  T integrate(const Pose<T>& pose, int cell, const ContactPolygon<T>& polygon, const Vector3<T>& normal, Action action) const;
  template <bool kDerivative>
  Result run(const PressureLaw& law, const Points& x, const Points& v, Derivative* by_position, Derivative* by_velocity) const;
  void differentiate(const Points& x, const Points& v, const FourPoints<double>& conjugate, const Eigen::Matrix<double, 12, 12>& by_pose,
                     const Eigen::Matrix<double, 12, 12>& by_rate, bool by_velocity, Derivative& derivative) const;
  FourPoints<double> pose_of(const Points& x) const;
  std::vector<Vec3> carried(const FourPoints<double>& y) const;  // the other body's vertices

  PressureSide first_, second_;
  bool swapped_;  // whether the base is the second side
  std::vector<Cell> cells_;
  BoundingBox box_;                             // around all cells
  std::vector<std::array<double, 4>> weights_;  // each of the other body's vertices has these
  std::vector<Carried> carried_;
  double rest_determinant_;  // the volume that the other body's points span at rest, times six
  double thickness_;         // the least extent of the thinner body [m]
};

}  // namespace traction
