// Cuts tetrahedra by planes into parts, for integrals over overlaps.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "pressure/contact_polygon.h"

namespace traction {

/// Tetrahedra that together fill a convex part of another one. It is reused for many, because it keeps its memory.
class TetrahedronParts {
 public:
  void start(const std::array<Vec3, 4>& corners) { parts_.assign(1, corners); }

  bool empty() const { return parts_.empty(); }

  /// Removes the part in which the function is negative.
  void clip(const LinearFunction& inside) {
    std::vector<std::array<Vec3, 4>>& rest = rest_;
    rest.clear();
    for (const auto& x : parts_) {
      std::array<int, 4> kept, lost;
      std::array<double, 4> h;
      int k = 0, l = 0;
      for (int i = 0; i < 4; ++i) {
        h[i] = inside(x[i]);
        if (h[i] > 0) kept[k++] = i;
        else lost[l++] = i;
      }
      const auto cut = [&](int i, int j) { return zero_between(x[kept[i]], h[kept[i]], x[lost[j]], h[lost[j]]); };
      const auto corner = [&](int i) -> const Vec3& { return x[kept[i]]; };
      if (k == 4) {
        rest.push_back(x);
      } else if (k == 1) {
        rest.push_back({corner(0), cut(0, 0), cut(0, 1), cut(0, 2)});
      } else if (k == 2) {
        add_prism(rest, {corner(0), cut(0, 0), cut(0, 1)}, {corner(1), cut(1, 0), cut(1, 1)});
      } else if (k == 3) {
        add_prism(rest, {corner(0), corner(1), corner(2)}, {cut(0, 0), cut(1, 0), cut(2, 0)});
      }
    }
    std::swap(parts_, rest_);
  }

  double integral(const LinearFunction& f) const {
    double sum = 0;
    for (const auto& x : parts_) {
      const double volume = std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6;
      sum += volume * (f(x[0]) + f(x[1]) + f(x[2]) + f(x[3])) / 4;
    }
    return sum;
  }

 private:
  static void add_prism(std::vector<std::array<Vec3, 4>>& parts, const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    parts.push_back({a[0], a[1], a[2], b[2]});
    parts.push_back({a[0], a[1], b[1], b[2]});
    parts.push_back({a[0], b[0], b[1], b[2]});
  }

  std::vector<std::array<Vec3, 4>> parts_, rest_;
};

}  // namespace traction
