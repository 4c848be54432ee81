// A few modes of vibration: s motions x_k, orthonormal in the mass, x_k^T M x_l = 1 where k = l, else 0.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "system/state.h"
#include "system/system.h"

namespace traction {

/// Some modes, and the coordinates of positions and velocities in them.
class ModalBasis {
 public:
  /// `shapes`: the columns of X [kg^-1/2], ghosts valid, zero on driven vertices.
  ModalBasis(const System& system, std::vector<Field> shapes) : system_(system), shapes_(std::move(shapes)) {}

  int count() const { return static_cast<int>(shapes_.size()); }
  const Field& shape(int k) const { return shapes_[k]; }

  /// X^T M motion. @collective
  Eigen::VectorXd coordinates(const Field& motion) const;
  /// X^T force. @collective
  Eigen::VectorXd loads(const Field& force) const;
  /// motion += X coordinates, ghosts too.
  void add_motion(const Eigen::VectorXd& coordinates, Field& motion) const;
  /// force += M X loads, on owned vertices.
  void add_force(const Eigen::VectorXd& loads, Field& force) const;

 private:
  const System& system_;
  std::vector<Field> shapes_;
};

}  // namespace traction
