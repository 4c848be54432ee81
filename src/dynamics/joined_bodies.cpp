#include "dynamics/joined_bodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "parallel/collective.h"

namespace traction {

JoinedBodies::JoinedBodies(const System& system) : bodies_(system.bodies().size()), body_of_(system.halo().local(), -1), numbers_(system.halo().local()) {
  for (std::size_t b = 0; b < system.unknowns().size(); ++b)
    for (const auto* vertices : {&system.unknowns()[b], &system.places()[b]})
      for (const int vertex : *vertices) numbers_[vertex].x() = static_cast<double>(b + 1);
  system.halo().exchange(numbers_.values());
  for (std::size_t i = 0; i < body_of_.size(); ++i) body_of_[i] = static_cast<int>(std::lround(numbers_[static_cast<int>(i)].x())) - 1;
  std::set<std::pair<double, double>> carried;  // bodies that carry vertices of others
  const std::vector<Vec3> carriers = system.dependents().first_masters(numbers_);
  for (std::size_t d = 0; d < carriers.size(); ++d) {
    const int own = body_of_[system.mesh().dependents[d].vertex], other = static_cast<int>(std::lround(carriers[d].x())) - 1;
    if (own >= 0 && other >= 0 && own != other) carried.emplace(own, other);
  }
  std::vector<double> pairs;
  for (const auto& [one, other] : carried) pairs.insert(pairs.end(), {one, other});
  pairs = concatenated_over_ranks(system.communicator(), pairs);
  for (std::size_t p = 0; p < pairs.size(); p += 2) sets_.push_back({static_cast<std::size_t>(pairs[p]), static_cast<std::size_t>(pairs[p + 1])});
  for (const auto& force : system.forces())
    for (const auto& vertices : force->joined()) {
      std::vector<double> members(system.bodies().size(), 0.0);
      for (const int vertex : vertices)
        if (body_of_[vertex] >= 0) members[body_of_[vertex]] = 1;
      sum_over_ranks(system.communicator(), members);
      std::vector<std::size_t>& set = sets_.emplace_back();
      for (std::size_t b = 0; b < members.size(); ++b)
        if (members[b] > 0) set.push_back(b);
    }
}

bool JoinedBodies::are_joined(int one, int other) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const std::vector<std::size_t>& set) {
    const auto contains = [&](int body) { return std::find(set.begin(), set.end(), static_cast<std::size_t>(body)) != set.end(); };
    return contains(one) && contains(other);
  });
}

void JoinedBodies::extend(std::vector<char>& marks) const {
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::vector<std::size_t>& set : sets_) {
      const auto marked = [&](std::size_t body) { return marks[body] != 0; };
      if (std::none_of(set.begin(), set.end(), marked) || std::all_of(set.begin(), set.end(), marked)) continue;
      for (const std::size_t body : set) marks[body] = 1;
      grows = true;
    }
  }
}

std::vector<int> JoinedBodies::groups(std::span<const std::pair<int, int>> meetings) const {
  std::vector<int> parent(bodies_);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  const auto join = [&](int one, int other) {
    const int first = root(one), second = root(other);
    parent[std::max(first, second)] = std::min(first, second);
  };
  for (const auto& [one, other] : meetings) join(one, other);
  for (const std::vector<std::size_t>& set : sets_)
    for (const std::size_t body : set) join(static_cast<int>(set.front()), static_cast<int>(body));
  for (int& body : parent) body = root(body);
  return parent;
}

}  // namespace traction
