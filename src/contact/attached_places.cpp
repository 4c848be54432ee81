#include "contact/attached_places.h"

#include "contact/features.h"
#include "parallel/collective.h"

namespace traction {

namespace {

double distance_to(const std::array<Vec3, 3>& feature, const Vec3& place) {
  const auto& [a, b, c] = feature;
  if (a == b) return (place - a).norm();
  if (b == c) return closest_on_edge(place, a, b).distance;
  return closest_on_triangle(place, a, b, c).distance;
}

}  // namespace

AttachedPlaces::AttachedPlaces(MPI_Comm communicator, std::span<const std::array<Vec3, 3>> features) {
  std::vector<double> numbers;
  for (const std::array<Vec3, 3>& feature : features)
    for (const Vec3& corner : feature) numbers.insert(numbers.end(), corner.begin(), corner.end());
  numbers = concatenated_over_ranks(communicator, numbers);
  std::vector<BoundingBox> boxes;
  for (std::size_t i = 0; i < numbers.size(); i += 9) {
    std::array<Vec3, 3>& feature = features_.emplace_back();
    BoundingBox& box = boxes.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      feature[k] = Vec3(numbers[i + 3 * k], numbers[i + 3 * k + 1], numbers[i + 3 * k + 2]);
      box.include(feature[k]);
    }
  }
  if (!boxes.empty()) boxes_ = std::make_shared<const BoxTree>(std::move(boxes));
}

bool AttachedPlaces::is_near(const Vec3& place, double distance) const {
  if (!boxes_) return false;
  BoundingBox around;
  around.include(place);
  around.grow(distance);
  bool found = false;
  boxes_->for_each_overlap(around, [&](int number) { found = found || distance_to(features_[static_cast<std::size_t>(number)], place) < distance; });
  return found;
}

}  // namespace traction
