#include "pressure/pressure_search.h"

#include <algorithm>

#include "math/box_tree.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kMargin = 0.1;  // margin around bodies, in parts of their boxes' diagonals

bool contains(const BoundingBox& outer, const BoundingBox& inner) {
  return (inner.lower.array() >= outer.lower.array()).all() && (inner.upper.array() <= outer.upper.array()).all();
}

bool is_finite(const BoundingBox& box) { return box.lower.allFinite() && box.upper.allFinite(); }

}  // namespace

PressureSearch::PressureSearch(std::shared_ptr<const Halo> halo, std::vector<PressurePartner> partners, std::vector<std::pair<int, int>> excluded)
    : halo_(std::move(halo)), partners_(std::move(partners)), excluded_(std::move(excluded)), owns_(partners_.size(), 0) {
  std::sort(excluded_.begin(), excluded_.end());
  const PetscInt first = halo_->first_owned(), last = first + halo_->owned();
  for (std::size_t p = 0; p < partners_.size(); ++p) {
    const auto& particles = partners_[p].particles;
    if (!particles || particles->front() < first || particles->front() >= last) continue;
    own_.push_back(static_cast<int>(p));
    owns_[p] = 1;
  }
  neighborhood_ = gather({});
}

bool PressureSearch::may_touch(int a, int b) const {
  const PressurePartner &first = partners_[a], &second = partners_[b];
  if (a == b || !(first.is_free || second.is_free) || !(first.body->is_soft() || second.body->is_soft())) return false;
  return !std::binary_search(excluded_.begin(), excluded_.end(), std::pair<int, int>(std::minmax(a, b)));
}

std::vector<BoundingBox> PressureSearch::own_boxes(const Field& positions) const {
  Field x(neighborhood_->copies.count());
  neighborhood_->copies.forward(positions.values(), x.values());
  std::vector<BoundingBox> boxes;
  for (const int p : own_) {
    const int copy = neighborhood_->first_copy[p];
    boxes.push_back(partners_[p].body->box_at({x[copy], x[copy + 1], x[copy + 2], x[copy + 3]}));
  }
  return boxes;
}

// Bodies whose place is not finite count as covered, because nothing touches them.
bool PressureSearch::is_covered(const std::vector<BoundingBox>& boxes) const {
  bool covered = searches_ > 0;
  for (std::size_t k = 0; k < boxes.size() && covered; ++k) covered = !is_finite(boxes[k]) || contains(reach_[k], boxes[k]);
  return minimum_over_ranks(halo_->communicator(), covered ? 1 : 0) > 0;
}

void PressureSearch::cover(const Field& positions) {
  const std::vector<BoundingBox> boxes = own_boxes(positions);
  if (!is_covered(boxes)) search(boxes);
}

void PressureSearch::cover(const Field& from, const Field& to) {
  std::vector<BoundingBox> boxes = own_boxes(from);
  const std::vector<BoundingBox> ends = own_boxes(to);
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    boxes[k].include(ends[k].lower);
    boxes[k].include(ends[k].upper);
  }
  if (!is_covered(boxes)) search(boxes);
}

void PressureSearch::search(const std::vector<BoundingBox>& boxes) {
  ++searches_;
  reach_ = boxes;
  std::vector<double> mine;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    if (!is_finite(boxes[k])) {
      reach_[k] = {};
      continue;
    }
    reach_[k].grow(kMargin * (boxes[k].upper - boxes[k].lower).norm());
    mine.push_back(own_[k]);
    mine.insert(mine.end(), reach_[k].lower.begin(), reach_[k].lower.end());
    mine.insert(mine.end(), reach_[k].upper.begin(), reach_[k].upper.end());
  }
  const std::vector<double> all = concatenated_over_ranks(halo_->communicator(), mine);
  std::vector<int> numbers;
  std::vector<BoundingBox> reaches;
  for (auto entry = all.begin(); entry != all.end(); entry += 7) {
    numbers.push_back(static_cast<int>(*entry));
    BoundingBox& box = reaches.emplace_back();
    std::copy_n(entry + 1, 3, box.lower.begin());
    std::copy_n(entry + 4, 3, box.upper.begin());
  }
  const BoxTree tree(std::move(reaches));
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const int own = own_[k];
    tree.for_each_overlap(reach_[k], [&](int place) {
      const int other = numbers[place];
      const bool is_mine = owns_[other] ? own < other : (own < other) == ((own + other) % 2 == 0);
      if (is_mine && may_touch(own, other)) pairs.emplace_back(std::minmax(own, other));
    });
    for (std::size_t p = 0; p < partners_.size(); ++p) {
      const PressurePartner& plane = partners_[p];
      if (plane.particles || !may_touch(own, static_cast<int>(p))) continue;
      const auto& half_space = *plane.body->half_space;
      const BoundingBox& box = reach_[k];
      const double lowest = half_space.normal.dot((box.lower + box.upper) / 2 - half_space.point) - half_space.normal.cwiseAbs().dot(box.upper - box.lower) / 2;
      if (!plane.motion.empty() || lowest <= 0) pairs.emplace_back(std::minmax(own, static_cast<int>(p)));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  neighborhood_ = gather(std::move(pairs));
}

std::shared_ptr<const PressureNeighborhood> PressureSearch::gather(std::vector<std::pair<int, int>> pairs) const {
  std::vector<PressureNeighborhood::Pair> evaluated;
  std::vector<PetscInt> particles;
  std::vector<int> first_copy(partners_.size(), -1);
  const auto add = [&](int partner) {
    if (!partners_[partner].particles || first_copy[partner] >= 0) return;
    first_copy[partner] = static_cast<int>(particles.size());
    particles.insert(particles.end(), partners_[partner].particles->begin(), partners_[partner].particles->end());
  };
  for (const int own : own_) add(own);
  for (const auto& [first, second] : pairs) {
    add(first);
    add(second);
    evaluated.push_back({first, second, PressurePair(partners_[first].body, partners_[second].body)});
  }
  Scatter copies(*halo_, particles, 3);
  return std::make_shared<const PressureNeighborhood>(
      PressureNeighborhood{std::move(evaluated), std::move(particles), std::move(first_copy), std::move(copies)});
}

}  // namespace traction
