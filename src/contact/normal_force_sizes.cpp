#include "contact/normal_force_sizes.h"

#include <algorithm>
#include <utility>

namespace traction {

NormalForces normal_forces(std::span<const std::shared_ptr<ContactGroup>> contacts, const State& state, int vertices) {
  Field sums(vertices), total(vertices), magnitudes(vertices);
  for (const auto& contact : contacts) {
    contact->add_vertex_forces(state, sums, total);
    contact->add_normal_magnitudes(state, magnitudes);
  }
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(vertices));
  for (int i = 0; i < vertices; ++i) sizes.push_back(std::max(magnitudes[i].x(), sums[i].norm()));
  return {std::move(sums), std::move(sizes)};
}

}  // namespace traction
