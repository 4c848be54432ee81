// How far positions may move at once without a vertex passing through a surface: the step bound of barrier contact (docs/theory/contact.md, "Step bounds").
#pragma once

#include <algorithm>

namespace traction {

// The largest part, at most 1, of a path on which admissible(part) holds. The path is walked in pieces of at most `resolution` of it, which must be too short
// to lead in at one side of an obstacle and out at the other; a piece whose end is not admissible is halved. A path so long that it takes hundreds of pieces is
// walked only so far.
template <typename Admissible>
double admissible_part(double resolution, Admissible admissible) {
  constexpr int kPieces = 200;
  constexpr double kSmallest = 1e-6;
  double reached = 0, piece = std::min(1.0, resolution);
  for (int pieces = 0; reached < 1 && pieces < kPieces && piece > kSmallest * std::min(1.0, resolution); ++pieces) {
    const double next = std::min(1.0, reached + piece);
    if (admissible(next)) reached = next;
    else piece /= 2;
  }
  return reached;
}

// A gap that was `start` may become this small along the path: a tenth, so that a step towards a surface does not end where the barrier's force is out of all
// proportion.
inline double least_gap(double start, double thickness) { return 0.1 * std::min(start, thickness); }

}  // namespace traction
