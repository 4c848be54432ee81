// Forces of a family of pairs on single vertices while all others stay fixed (see VertexForces in system/force.h, and pair_force.h).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contact/pair_points.h"
#include "contact/work_clock.h"
#include "system/force.h"

namespace traction {

/// A vertex has those pairs of this rank in which it is a point of the first side, whether they touch or not, and those touching pairs in which it is a point
/// of the second side. A vertex is left out if it touches in a pair of another rank: a part of its stiffness would be missing, and both ranks would move at
/// once.
template <typename Family>
class PairVertexForces : public VertexForces {
 public:
  PairVertexForces(std::shared_ptr<Family> family, std::shared_ptr<const ContactLaw> law, WorkClock& work)
      : family_(std::move(family)), law_(std::move(law)), work_(work) {}

  void hold_others(const State& state) override;
  std::span<const int> vertices() const override { return vertices_; }
  void add(int vertex, const Linearization& at, Vec3& force, Mat3& derivative) const override;

 private:
  std::shared_ptr<Family> family_;
  std::shared_ptr<const ContactLaw> law_;
  WorkClock& work_;
  std::optional<typename Family::Surroundings> near_;
  std::vector<int> vertices_;
  std::vector<std::size_t> start_, pairs_;  ///< vertices_[i] has pairs_[start_[i]] to pairs_[start_[i + 1]]
  mutable PairPoints<Dual<double, 3>> points_;
};

template <typename Family>
void PairVertexForces<Family>::hold_others(const State& state) {
  near_.emplace(family_->surroundings(state));
  const auto& near = *near_;
  const WorkClock::Shift shift(work_);
  std::vector<std::pair<int, std::size_t>> found;
  PairPoints<double> pair;
  Field copies_in_contact(near.copies()), elsewhere(static_cast<int>(state.q.values().size() / 3));  // pairs that other ranks evaluate at owned vertices
  for (std::size_t k = 0; k < near.count(); ++k) {
    if (!near.near(k)) continue;
    pair.set(near, k, state);
    const bool touches = Family::touches_mesh && pair.evaluate(*law_, near, k).energy != 0;
    const std::size_t points = touches ? near.touching_points(k) : static_cast<std::size_t>(near.first_side(k));
    for (std::size_t i = 0; i < points; ++i) {
      const int point = pair.numbers[i], vertex = near.vertex_of(point);
      if (vertex >= 0) found.emplace_back(vertex, k);
      else if (touches) copies_in_contact[point - near.owned()].setOnes();
    }
  }
  near.add_back(copies_in_contact, elsewhere);
  std::erase_if(found, [&](const auto& entry) { return !elsewhere[entry.first].isZero(0); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  vertices_.clear();
  start_.clear();
  pairs_.clear();
  for (const auto& [vertex, k] : found) {
    if (vertices_.empty() || vertices_.back() != vertex) {
      vertices_.push_back(vertex);
      start_.push_back(pairs_.size());
    }
    pairs_.push_back(k);
  }
  start_.push_back(pairs_.size());
}

template <typename Family>
void PairVertexForces<Family>::add(int vertex, const Linearization& at, Vec3& force, Mat3& derivative) const {
  using Dual3 = Dual<double, 3>;
  const auto place = std::lower_bound(vertices_.begin(), vertices_.end(), vertex);
  if (place == vertices_.end() || *place != vertex) return;
  const WorkClock::Shift shift(work_);
  const auto number = static_cast<std::size_t>(place - vertices_.begin());
  for (std::size_t entry = start_[number]; entry < start_[number + 1]; ++entry) {
    const std::size_t k = pairs_[entry];
    points_.set(*near_, k, [&](std::size_t i, auto& x, auto& v) {
      const int point = points_.numbers[i], own = near_->vertex_of(point);
      x = Vec3(own >= 0 ? at.state.q[own] : near_->q[point - near_->owned()]).template cast<Dual3>();
      v = Vec3(own >= 0 ? own_velocity(*near_, own, at.state.v[own]) : near_->v[point - near_->owned()]).template cast<Dual3>();
      if (own != vertex) return;
      for (int axis = 0; axis < 3; ++axis) {
        x[axis].derivative[axis] = at.dq;
        v[axis].derivative[axis] = at.dv;
      }
    });
    points_.evaluate(*law_, *near_, k);
    for (std::size_t i = 0; i < points_.numbers.size(); ++i) {
      if (near_->vertex_of(points_.numbers[i]) != vertex) continue;
      for (int row = 0; row < 3; ++row) {
        force[row] += points_.forces[i][row].value;
        for (int column = 0; column < 3; ++column) derivative(row, column) += points_.forces[i][row].derivative[column];
      }
    }
  }
}

}  // namespace traction
