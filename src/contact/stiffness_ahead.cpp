#include "contact/stiffness_ahead.h"

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

constexpr double kMargin = 2;  // factor on pressure and on energy

}  // namespace

double wave_impedance(double youngs_modulus, double poisson_ratio, double density) {
  const double modulus = youngs_modulus * (1 - poisson_ratio) / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));  // lambda + 2 mu
  return std::sqrt(modulus * density);
}

double stiffness_for_approach(const ApproachingSides& sides, double speed) {
  const double front = sides.impedance * speed * sides.area / (3 * sides.thickness);
  const double vertex = sides.mass * speed * speed / (2 * sides.thickness * sides.thickness);
  return kMargin * std::max(front, vertex);
}

}  // namespace traction
