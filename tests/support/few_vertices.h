// Systems of a few vertices without elements, for tests that need masses and little else.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "system/system.h"

namespace traction::test {

struct FewVertices {
  std::unique_ptr<System> system;
  State state;

  explicit FewVertices(const std::vector<Vec3>& places, double mass = 1) : state(static_cast<int>(places.size())) {
    auto mesh = std::make_shared<DistributedMesh>();
    const int count = static_cast<int>(places.size());
    mesh->halo = std::make_shared<const Halo>(PETSC_COMM_SELF, count, std::vector<PetscInt>{});
    mesh->vertices = places;
    mesh->vertex_ids.resize(places.size());
    std::iota(mesh->vertex_ids.begin(), mesh->vertex_ids.end(), 0);
    std::vector<int> all = mesh->vertex_ids;
    system = std::make_unique<System>(mesh, std::vector<double>(places.size(), mass));
    system->add_body(std::move(all), "points");
    for (int i = 0; i < count; ++i) state.q[i] = places[static_cast<std::size_t>(i)];
  }
};

}  // namespace traction::test
