// Vectors and matrices of three dimensions, over any scalar (double, packs, dual numbers of either).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace traction {

template <typename T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <typename T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

using Vec3 = Vector3<double>;
using Mat3 = Matrix3<double>;

}  // namespace traction
