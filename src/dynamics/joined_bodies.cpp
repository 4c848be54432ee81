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
  carried_ = sets_.size();
  std::set<std::pair<double, double>> members;  // sets and bodies
  for (const auto& force : system.forces())
    for (const auto& vertices : force->joined()) {
      for (const int vertex : vertices)
        if (body_of_[vertex] >= 0) members.emplace(sets_.size(), body_of_[vertex]);
      sets_.emplace_back();
    }
  std::vector<double> listed;
  for (const auto& [set, body] : members) listed.insert(listed.end(), {set, body});
  listed = concatenated_over_ranks(system.communicator(), listed);
  for (std::size_t i = 0; i < listed.size(); i += 2) sets_[static_cast<std::size_t>(listed[i])].push_back(static_cast<std::size_t>(listed[i + 1]));
  sets_of_.resize(bodies_);
  for (std::size_t number = 0; number < sets_.size(); ++number) {
    std::vector<std::size_t>& set = sets_[number];
    if (number >= carried_) {  // several ranks may have listed a body
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    for (const std::size_t body : set) sets_of_[body].push_back(number);
  }
}

bool JoinedBodies::are_joined(int one, int other) const {
  const std::vector<std::size_t>& second = sets_of_[other];
  return std::ranges::any_of(sets_of_[one], [&](std::size_t set) { return std::ranges::binary_search(second, set); });
}

void JoinedBodies::extend(std::vector<char>& marks) const {
  std::vector<std::size_t> reached;
  for (std::size_t body = 0; body < marks.size(); ++body)
    if (marks[body] != 0) reached.push_back(body);
  std::vector<char> is_done(sets_.size(), 0);
  while (!reached.empty()) {
    const std::size_t body = reached.back();
    reached.pop_back();
    for (const std::size_t set : sets_of_[body]) {
      if (std::exchange(is_done[set], 1) != 0) continue;
      for (const std::size_t other : sets_[set])
        if (std::exchange(marks[other], 1) == 0) reached.push_back(other);
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
