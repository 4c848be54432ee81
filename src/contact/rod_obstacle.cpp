#include "contact/rod_obstacle.h"

#include <algorithm>

namespace traction {

RodObstacle::RodObstacle(std::shared_ptr<const Halo> halo, std::vector<End> ends, double twist_radius, std::vector<int> vertices,
                         std::vector<PairWeight> weights, std::vector<GapFunction> obstacle, const Motion& motion, HeldSpins spins)
    : halo_(std::move(halo)),
      ends_(std::move(ends)),
      twist_radius_(twist_radius),
      spins_(std::move(spins)),
      obstacle_(obstacle),
      motion_(motion),
      axes_(halo_->communicator(), std::move(vertices), std::move(weights), std::move(obstacle), motion) {
  for (const End& end : ends_)
    for (const int point : end.points)
      if (point >= halo_->owned()) vertices_.push_back(halo_->to_global(point));
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
  for (End& end : ends_)
    for (int& point : end.points)
      if (point >= halo_->owned())
        point = halo_->owned() + static_cast<int>(std::lower_bound(vertices_.begin(), vertices_.end(), halo_->to_global(point)) - vertices_.begin());
  copies_.emplace(*halo_, vertices_, 3);
}

RodObstacle::Surroundings RodObstacle::surroundings(const State& state) const {
  Surroundings result(*this, frame_at(state));
  result.q = result.copies_of(state.q);
  result.v = result.velocities_at(state);
  result.spins = spins_.at(state);
  return result;
}

Field RodObstacle::Surroundings::velocities_at(const State& state) const {
  const std::map<int, double> now = family_->spins_at(state);
  return now.empty() ? copies_of(state.v) : copies_of(with_spins(now, state.v));
}

Field RodObstacle::Surroundings::copies_of(const Field& field) const {
  Field result(copies());
  family_->copies_->forward(field.values(), result.values());
  return result;
}

PetscInt RodObstacle::Surroundings::global_of(int point) const {
  return point < owned() ? family_->halo_->to_global(point) : family_->vertices_[static_cast<std::size_t>(point - owned())];
}

}  // namespace traction
