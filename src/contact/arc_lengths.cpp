#include "contact/arc_lengths.h"

#include <algorithm>
#include <cmath>

namespace traction {

ArcLengths::ArcLengths(MPI_Comm communicator, const std::vector<RodSegment>& mine) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const int bytes = static_cast<int>(mine.size() * sizeof(RodSegment));
  std::vector<int> counts(static_cast<std::size_t>(ranks)), starts(static_cast<std::size_t>(ranks), 0);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
  for (std::size_t other = 1; other < starts.size(); ++other) starts[other] = starts[other - 1] + counts[other - 1];
  std::vector<RodSegment> all(static_cast<std::size_t>(starts.back() + counts.back()) / sizeof(RodSegment));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, communicator);

  std::sort(all.begin(), all.end(), [](const RodSegment& a, const RodSegment& b) { return a.first < b.first; });
  std::unordered_map<PetscInt, const RodSegment*> from;
  std::unordered_map<PetscInt, bool> is_reached;
  for (const RodSegment& segment : all) {
    from[segment.first] = &segment;
    is_reached[segment.second] = true;
  }
  const auto walk = [&](PetscInt start) {
    const int rod = static_cast<int>(circumference_.size());
    double along = 0;
    PetscInt vertex = start;
    places_[start] = {rod, 0};
    for (auto next = from.find(start); next != from.end(); next = from.find(vertex)) {
      along += next->second->length;
      vertex = next->second->second;
      if (vertex == start) break;
      places_[vertex] = {rod, along};
    }
    circumference_.push_back(vertex == start ? along : 0);
  };
  for (const RodSegment& segment : all)
    if (!is_reached.contains(segment.first)) walk(segment.first);
  for (const RodSegment& segment : all)
    if (!places_.contains(segment.first)) walk(segment.first);
}

std::optional<double> ArcLengths::between(PetscInt a, PetscInt b) const {
  const auto first = places_.find(a), second = places_.find(b);
  if (first == places_.end() || second == places_.end() || first->second.rod != second->second.rod) return std::nullopt;
  const double length = std::abs(first->second.along - second->second.along), around = circumference_[static_cast<std::size_t>(first->second.rod)];
  return around > 0 ? std::min(length, around - length) : length;
}

}  // namespace traction
