// Two bodies that press on each other with their pressure fields: forces, their derivatives, and the stored energy (docs/theory/pressure.md, "Energy").
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "pressure/pressure_body.h"
#include "pressure/pressure_pose.h"
#include "pressure/pressure_traction.h"

namespace traction {

/// A triangle of the contact surface, with the traction on the first side.
struct ContactTriangle {
  std::array<Vec3, 3> corners;     ///< [m]
  std::array<double, 3> pressure;  ///< where the fields meet [Pa]
  Vec3 traction;                   ///< at its center [Pa]
  Vec3 slip;                       ///< sliding velocity of the first side at the triangle [m/s]
};

/// Computes the contact of two bodies by their pressure fields.
class PressurePair {
 public:
  using Points = std::array<Vec3, 8>;                ///< the four points of the first side, then those of the second
  using Derivative = Eigen::Matrix<double, 24, 24>;  ///< derivatives of the forces on these points by their positions or velocities

  /// Forces of the pair, and its numbers for the history.
  struct Result {
    Points forces{};              ///< [N]
    int pieces = 0;               ///< polygons of the contact surface
    double area = 0;              ///< [m^2]
    double largest_pressure = 0;  ///< where the fields meet [Pa]
    double friction_power = 0;    ///< not positive [W]
    double damping_power = 0;     ///< power of the dissipation; not positive [W]

    Vec3 on_first() const { return forces[0] + forces[1] + forces[2] + forces[3]; }
  };

  /// At least one side is soft, and at most one is half of space. Throws std::invalid_argument otherwise. A body may be shared by any number of pairs.
  PressurePair(std::shared_ptr<const PressureBody> first, std::shared_ptr<const PressureBody> second);
  PressurePair(PressureSide first, PressureSide second)
      : PressurePair(std::make_shared<const PressureBody>(std::move(first)), std::make_shared<const PressureBody>(std::move(second))) {}

  double modulus() const { return combined_modulus(first_->modulus, second_->modulus); }                                                     ///< [Pa]
  double dissipation() const { return combined_dissipation(first_->modulus, first_->dissipation, second_->modulus, second_->dissipation); }  ///< [s/m]

  const std::array<Vec3, 4>& frame(int side) const { return side == 0 ? first_->frame : second_->frame; }  ///< at rest

  Result evaluate(const PressureLaw& law, const Points& x, const Points& v) const;
  /// The same with both derivatives.
  Result linearize(const PressureLaw& law, const Points& x, const Points& v, Derivative& by_position, Derivative& by_velocity) const;
  /// The integral of the pressures over the volume that each body gives up [J].
  double energy(const Points& x) const;
  /// The lesser of the energies that the two sides store if they lie wholly in a rigid body [J]; infinite for rigid sides and half of space.
  double whole_energy() const { return std::min(first_->whole_energy, second_->whole_energy); }
  /// The number of parts into which a motion must be divided, so that in each the bodies move by less than half of the thinner one's thickness: 1 if the whole
  /// motion is no larger.
  int places_between(const Points& from, const Points& to) const;
  /// The contact surface, each piece divided into triangles around its center.
  std::vector<ContactTriangle> surface(const PressureLaw& law, const Points& x, const Points& v) const;

 private:
  using Pose = PressurePose<double>;

  /// The base is a soft side, in whose coordinates everything is computed.
  const PressureBody& base() const { return swapped_ ? *second_ : *first_; }
  const PressureBody& other() const { return swapped_ ? *first_ : *second_; }

  struct Piece;
  struct Sums;
  struct VariedSums;

  /// The piece of the contact surface in a cell and an item; false if they have none, or if its normal lies farther from the gradients than the law allows.
  bool cut(const PressureLaw& law, const Pose& pose, int cell, int item, Piece& piece) const;
  bool is_aligned(const PressureLaw& law, const Pose& pose, int cell, int item, const Vec3& normal) const;
  void add_variation(const PressureLaw& law, const Pose& pose, int cell, int item, const Piece& piece, const PolygonQuadrature& rule, VariedSums& sums) const;
  /// Calls action(cell, item) for cells and items of the other body (tetrahedra, triangles or one half of space) whose boxes meet.
  template <typename Action>
  void for_each_candidate(const Pose& pose, Action action) const;
  /// Calls action(cell, number) for cells and convex items with these numbers and corners whose boxes meet in the region.
  template <std::size_t N, typename Action>
  void for_each_overlap_with(const std::vector<int>& numbers, const std::vector<std::array<Vec3, N>>& items, BoundingBox region, Action action) const;
  /// The box of both bodies' common part, and the other's tetrahedra or triangles that may reach into it.
  BoundingBox common_region(const Pose& pose) const;
  std::vector<int> items_in(const BoundingBox& region, const Pose& pose) const;
  bool may_reach_plane(const Pose& pose) const;

  template <bool kDerivative>
  Result run(const PressureLaw& law, const Points& x, const Points& v, Derivative* by_position, Derivative* by_velocity) const;
  void differentiate(const Points& x, const Points& v, const FourPoints<double>& conjugate, const Eigen::Matrix<double, 12, 12>& by_pose,
                     const Eigen::Matrix<double, 12, 12>& by_rate, bool by_velocity, Derivative& derivative) const;
  RelativeMotion<double> motion_of(const Points& x, const Points& v) const;

  std::shared_ptr<const PressureBody> first_, second_;
  bool swapped_;  ///< whether the base is the second side
};

}  // namespace traction
