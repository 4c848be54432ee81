#include "elements/solid_element.h"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>

namespace traction {

SolidElement::SolidElement(const std::array<int, 4>& element_vertices, const std::array<Vec3, 4>& rest) {
  std::array<int, 4> order;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return element_vertices[a] < element_vertices[b]; });
  Mat3 shape;
  for (int a = 0; a < 4; ++a) {
    vertices[a] = element_vertices[order[a]];
    if (a > 0) shape.col(a - 1) = rest[order[a]] - rest[order[0]];
  }
  inverse_rest_shape = shape.inverse();
  volume = std::abs(shape.determinant()) / 6;
}

}  // namespace traction
