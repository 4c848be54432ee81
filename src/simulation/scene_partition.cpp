#include "simulation/scene_partition.h"

#include "mesh/mesh_plan.h"
#include "simulation/scene_mesh.h"

namespace traction {

std::vector<double> contact_costs(const Scene& scene, const Mesh& mesh, const std::vector<double>& contacts_per_step) {
  const double weight = scene.partition.contact_weight;
  if (weight == 0) return {};
  std::vector<double> costs = contacts_per_step;
  if (costs.empty()) {
    costs.assign(mesh.vertices.size(), 0.0);
    const auto count = [&](const BodySurface& surface) {
      if (const Region* region = mesh.find_region(contact_region(surface)))  // rods have none
        for (int vertex : region_vertices(mesh, *region)) costs[vertex] += 1;
    };
    for (const ContactSettings& contact : scene.contacts) {
      count(contact.vertices);
      if (contact.both) count(std::get<BodySurface>(contact.against));
    }
  }
  for (double& cost : costs) cost *= weight;
  return costs;
}

Partition partition_for(const Scene& scene, const Mesh& mesh, int parts, const std::vector<double>& contacts_per_step) {
  const std::vector<double> costs = contact_costs(scene, mesh, contacts_per_step);
  if (!scene.partition.file) return partition_elements(mesh, parts, costs);
  return change_part_count(mesh, read_partition(*scene.partition.file, mesh), parts, costs);
}

}  // namespace traction
