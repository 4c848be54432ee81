// How far positions may move at once without a vertex passing through a surface: the step bound of barrier contact (docs/theory/contact.md, "Step bounds").
#pragma once

#include <algorithm>

namespace traction {

/// The largest part, at most 1, of a path on which admissible(part) holds. The path is divided into pieces of at most `resolution` of its length. A piece must
/// be too short to enter an obstacle at one side and leave it at the other. A piece whose end is not admissible is halved. If a path needs hundreds of pieces,
/// only its beginning is walked.
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

/// The smallest gap allowed along the path from a gap `start`: a tenth of it, so that a step towards a surface does not end where the barrier's force is
/// excessively large.
inline double least_gap(double start, double thickness) { return 0.1 * std::min(start, thickness); }

}  // namespace traction
