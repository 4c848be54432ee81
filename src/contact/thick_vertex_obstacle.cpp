#include "contact/thick_vertex_obstacle.h"

#include <algorithm>

namespace traction {

ThickVertexObstacle::ThickVertexObstacle(std::shared_ptr<const Halo> halo, std::vector<ThickVertex> vertices, std::vector<int> owned,
                                         std::vector<PairWeight> weights, std::vector<GapFunction> obstacle, const Motion& motion, double reach,
                                         HeldSpins spins)
    : halo_(std::move(halo)),
      vertices_(std::move(vertices)),
      spins_(spins),
      obstacle_(obstacle),
      motion_(motion),
      reach_(reach),
      middles_(halo_->communicator(), std::move(owned), std::move(weights), std::move(obstacle), motion) {
  for (const ThickVertex& vertex : vertices_)
    for (const int point : vertex.points)
      if (point >= halo_->owned()) elsewhere_.push_back(halo_->to_global(point));
  std::sort(elsewhere_.begin(), elsewhere_.end());
  elsewhere_.erase(std::unique(elsewhere_.begin(), elsewhere_.end()), elsewhere_.end());
  for (ThickVertex& vertex : vertices_)
    for (int& point : vertex.points)
      if (point >= halo_->owned())
        point = halo_->owned() + static_cast<int>(std::lower_bound(elsewhere_.begin(), elsewhere_.end(), halo_->to_global(point)) - elsewhere_.begin());
  copies_.emplace(*halo_, elsewhere_, 3);
}

ThickVertexObstacle::Surroundings::Surroundings(const ThickVertexObstacle& family, const State& state) : frame(family.frame_at(state)), family_(&family) {
  q = copies_of(state.q);
  v = velocities_at(state);
  spins = family.spins_at(state);
}

ThickVertexObstacle::Surroundings ThickVertexObstacle::close_surroundings(const State& state) const {
  Surroundings result(*this, state);
  result.is_close_ = true;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const int point = vertices_[i].points[0];
    const Vec3 x = point < halo_->owned() ? Vec3(state.q[point]) : Vec3(result.q[point - halo_->owned()]);
    for (std::size_t s = 0; s < obstacle_.size(); ++s)
      if (!(ObstacleSample<double>(obstacle_[s], result.frame, x).gap() >= reach_)) result.close_.push_back(i * obstacle_.size() + s);
  }
  return result;
}

Field ThickVertexObstacle::Surroundings::velocities_at(const State& state) const {
  const std::map<int, double> now = family_->spins_at(state);
  return now.empty() ? copies_of(state.v) : copies_of(with_spins(now, state.v));
}

Field ThickVertexObstacle::Surroundings::copies_of(const Field& field) const {
  Field result(copies());
  family_->copies_->forward(field.values(), result.values());
  return result;
}

PetscInt ThickVertexObstacle::Surroundings::global_of(int point) const {
  return point < owned() ? family_->halo_->to_global(point) : family_->elsewhere_[static_cast<std::size_t>(point - owned())];
}

}  // namespace traction
