// The nested quadratic potentials of a contact (docs/theory/asynchronous.md, "Layers").
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace traction {

/// Layer l = 1, 2, ... stores r(l) (eta(l) - g)^2 / 2 where the gap g is below eta(l): P4 Sec. 5 with the powers of Harmon et al. 2009. The sum over all layers
/// diverges as the gap closes.
struct LayeredLaw {
  std::string name;        ///< the contact's
  double thickness = 0;    ///< eta(1) [m]
  double stiffness = 0;    ///< r(1) [N/m]
  double restitution = 1;  ///< speed of separation over speed of approach
  double friction = 0;     ///< coefficient of kinetic friction
  double safety = 0.1;     ///< the layers' steps relative to the largest stable ones

  static constexpr int kMostLayers = 1000000;

  double eta(int layer) const { return thickness / std::sqrt(std::sqrt(static_cast<double>(layer))); }
  double r(int layer) const { return stiffness * std::pow(static_cast<double>(layer), 3); }
  /// h(l) of a pair with this effective mass [kg]: a part of 2 / sqrt(r / m), the largest stable step of one layer alone [s].
  double step(int layer, double mass) const { return safety * 2 * std::sqrt(mass / stiffness) / (layer * std::sqrt(static_cast<double>(layer))); }
  /// The energy of all layers at a gap [J].
  double energy(double gap) const {
    double sum = 0;
    for (int l = layers(gap); l > 0 && gap > 0; --l) sum += 0.5 * r(l) * (eta(l) - gap) * (eta(l) - gap);
    return sum;
  }
  /// The number of layers thicker than the gap; kMostLayers if there are more, as at no gap at all.
  int layers(double gap) const {
    const double count = gap > 0 ? std::pow(thickness / gap, 4) : kMostLayers;
    int l = static_cast<int>(std::min<double>(count, kMostLayers));
    while (l > 0 && !(eta(l) > gap)) --l;
    while (l < kMostLayers && eta(l + 1) > gap) ++l;
    return l;
  }
};

}  // namespace traction
